"""A view shows all that a player may know, and nothing else, in every game and phase."""

import dataclasses
import functools
import itertools
import json
from xml.etree import ElementTree

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost
from support.suite_cases import arguments, ids

import jaxcards
from jaxcards.errors import UserError
from jaxcards.games.belote.declarations import declared_points
from jaxcards.pictures.svg import draw
from jaxcards.play.events import told
from jaxcards.testing.deals import play_deals, quick_jit, take
from jaxcards.view import look
from jaxcards.view.structure import label
from jaxcards.view.text import LANGUAGES, Text, language_file

FAST = ("euchre/three_handed_code",)
games = pytest.mark.parametrize("id", by_cost(ids(), rare=set(ids()) - set(FAST)))
PER_DEAL = 6
NUM_DEALS = 4


@functools.cache
def dealt(id):
    """Return a game and random deals of it."""
    game = jaxcards.make(id)
    return game, play_deals(game, 8 * NUM_DEALS, first=arguments(id)["first"])


def every_moment(id, deal):
    """Return a game, and all states of a deal, the last one over."""
    game, deals = dealt(id)
    length = int(deals.over[:, deal].argmax())
    return game, [take(deals.states, (step, deal)) for step in range(length + 1)]


@functools.cache
def table(id):
    """Return a game, and some of the states of some deals, the last of each deal over."""
    game, deals = dealt(id)
    chosen = []
    for deal in range(NUM_DEALS):
        length = int(deals.over[:, deal].argmax())
        steps = {*np.linspace(0, length, PER_DEAL).astype(int).tolist(), 1, 2, 5, length}
        chosen += [take(deals.states, (step, deal)) for step in sorted(steps) if step <= length]
    return game, chosen


@functools.cache
def dealing(id):
    game = jaxcards.make(id)
    return quick_jit(game.determinize)


@games
def test_nothing_hidden_is_in_a_view(id):
    game, states = table(id)
    unfinished = [state for state in states if not bool(state.terminated)]
    changed = 0
    for number, state in enumerate(unfinished):
        player = number % game.num_players if number % 2 else int(state.current_player)
        other = dealing(id)(jax.random.key(number), state, jnp.int32(player))
        held = [places_of(game, s) for s in (state, other)]
        changed += held[0] != held[1]
        views = [game.view(s, player) for s in (state, other)]
        assert views[0] == views[1]
    assert changed > len(unfinished) // 2, "other cards must have been dealt"


def legal_mask(game, state):
    return np.asarray(look._looking(game)(state, state.current_player)[1])


def places_of(game, state):
    return [hand.to_list() for hand in game.card_places(state).hands]


@games
def test_choices_are_the_legal_actions_in_words(id):
    game, states = table(id)
    for state in states:
        acting = int(state.current_player)
        for player in range(game.num_players):
            view = game.view(state, player)
            if bool(state.terminated) or player != acting:
                assert view.choices == ()
                continue
            mask = legal_mask(game, state)
            assert [c.action for c in view.legal] and view.to_act is not None
            assert sorted(c.action for c in view.legal) == np.flatnonzero(mask).tolist()
            refused = [c for c in view.choices if c.forbidden]
            assert not any(mask[c.action] for c in refused)
            texts = [view.say(c.text) for c in view.choices]
            assert len(set(texts)) == len(texts) and all(c.kind for c in view.choices)
            # In Bridge a player may play the cards of its partner.
            assert view.seats[view.to_act].player in (acting, acting ^ 2 * (game.name == "bridge"))


@games
def test_cards_and_tricks_are_those_of_the_deal(id):
    game, states = table(id)
    for state in states:
        view, places = game.view(state), game.card_places(state)
        assert view.player is None and view.over == bool(state.terminated)
        held = [card for seat in view.seats for card in seat.hand or ()]
        blind = [seat for seat in view.seats if seat.hand is None]
        assert len(held) == len(set(held))
        assert set(held) == {card for hand in places.hands for card in hand.to_list()}
        assert not blind or len(blind) == 1, "only the dealer's hand under a joker is not seen at all"
        piled = [card for pile in view.piles for card in pile.cards]
        assert None not in piled or blind
        for player in range(game.num_players):
            seen = game.view(state, player)
            for own, all_open in zip(seen.seats, view.seats, strict=True):
                assert own.num_cards == all_open.num_cards
                assert own.hand in (None, all_open.hand)
                assert (own.hand is not None) >= (own.player == player and not blind)
            assert seen.trick.plays == view.trick.plays or game.name == "sheepshead"
        tricks = sum(seat.tricks for seat in view.seats)
        plays = len(view.trick.plays)
        number = sum(len(played.to_list()) for played in places.played)
        size = len(view.last_trick.plays) if view.last_trick else 0
        face_down = number if game.name == "sheepshead" else tricks * size + plays
        assert number == face_down
        if view.last_trick:
            assert view.last_trick.winner in {play.seat for play in view.last_trick.plays}


@functools.cache
def counted(game):
    return quick_jit(lambda state: (game.progress(state), game.points(state)))


@games
def test_points_are_those_of_the_deal(id):
    game, states = table(id)
    for state in states:
        progress, points = (np.asarray(found) for found in counted(game)(state))
        view = game.view(state)
        assert sorted(s for score in view.scores for s in score.seats) == list(range(len(view.seats)))
        for score in view.scores:
            player = view.seats[score.seats[0]].player
            alone_against_two = game.name == "euchre" and game.teams is None
            if game.name != "sheepshead" and not alone_against_two:
                assert score.points == progress[player]
            assert score.result == (points[player] if view.over else None)
        assert bool(view.result) == view.over


@games
def test_a_view_is_plain_and_has_names(id):
    game, states = table(id)
    view = game.view(states[-1], 0)
    names = [f"player {letter}" for letter in "abcdefg"[: game.num_players]]
    named = view.named(names)
    name = json.loads(json.dumps(named.to_dict()))["seats"][0]["name"]
    assert name == {"key": "seat.named", "args": {"name": "player a"}}
    assert not any("seat " in named.say(line) for line in named.result)
    assert named.me == 0 and view.faces[0] == game.deck.pretty(0)
    for state in states:
        for player in (None, int(state.current_player)):
            ElementTree.fromstring(draw(game.view(state, player)))


def texts_in(value):
    """Yield every text in a value, and the texts in its arguments."""
    if isinstance(value, Text):
        yield value
        yield from texts_in(tuple(value.args.values()))
    elif dataclasses.is_dataclass(value):
        yield from texts_in(tuple(vars(value).values()))
    elif isinstance(value, tuple | list):
        for part in value:
            yield from texts_in(part)


@games
def test_every_text_that_is_shown_or_told_has_words_in_every_language(id):
    game, states = every_moment(id, 0)
    for player in (*range(game.num_players), None):
        views = [game.view(state, player) for state in states]
        lines = [told(old, new, old.to_act) for old, new in itertools.pairwise(views)]
        assert len([line for new in lines for line in new]) >= len(lines) // 2
        for old, new, told_now in zip(views, views[1:], lines, strict=False):
            wins = [line.args["seat"] for line in told_now if line.key == "log.wins"]
            complete = new.last_trick != old.last_trick
            assert wins == ([new.last_trick.winner] if complete else []), "also of the last trick"
        for view, new in zip(views, ([], *lines), strict=True):
            for text in texts_in((view, new, tuple(map(label, view.facts)))):
                for language in LANGUAGES:
                    assert text.key in language_file(language)["texts"], text
                    assert view.say(text, language)


# --- Words of single games ------------------------------------------------------------------------


def after(game, state, *actions):
    for action in actions:
        state = game.checked_step(state, action)
    return state


def test_the_last_bidder_sees_why_a_bid_is_forbidden():
    game = jaxcards.make("rikiki")
    state = game.init(jax.random.key(0), round=0)  # ten cards each
    state = after(game, state, "bid 3", "bid 4", "bid 1")
    view = game.view(state, int(state.current_player))
    refused = [c for c in view.choices if c.forbidden]
    assert [(view.say(c.text), view.say(c.forbidden)) for c in refused] == [
        ("bid 2", "the bids may not add up to 10, the number of tricks")
    ]


@pytest.mark.slow
def test_weis_is_announced_with_the_first_card_and_then_laid_open():
    """A hand with five in a row and four jacks, against one with three in a row."""
    game = jaxcards.make("jass")
    deck = [game.deck.card(name) for name in (
        "6d 7d 8d 9d Td Jd Jc Jh Js "  # seat 1
        "6c 7c 8c Qd 6h 8h Th 6s 9s "  # seat 2
        "Kd Ad 9c Tc Qh Kh 7s 8s Ts "
        "Qc Kc Ac 7h 9h Ah Qs Ks As"
    ).split()]  # fmt: skip
    state = after(game, game.init_from_deck(deck, 0), "choose d")
    view = game.view(state, 1)
    own = [(view.say(meld.text), meld.points) for meld in view.seats[1].melds]
    assert own == [("four jacks", 200), ("6 in a row to ♦J", 150)]
    assert game.view(state, 0).seats[1].melds == ()
    state = after(game, state, "6d")
    (announced,) = game.view(state, 0).seats[1].melds
    assert (announced.text.key, announced.points, announced.cards) == ("meld.best_weis", 200, ())
    state = after(game, state, "Qd", "Kd", "7h")
    view = game.view(state, 0)
    assert [m.points for m in view.seats[1].melds] == [200, 150]
    assert view.seats[2].melds == () or view.seats[2].melds[0].cards == ()


MELDS = ["jass/schieber_1000", "belote/belote_501"]


@pytest.mark.parametrize("id", by_cost(MELDS, {"belote/belote_501"}))
def test_melds_are_worth_what_the_games_score(id):
    game, seen = jaxcards.make(id), 0
    deals = play_deals(game, 48, seed=5)
    counts = quick_jit(functools.partial(SCORED[game.name], game.rules))
    for deal in range(48):
        state = take(deals.states, (-1, deal))
        scored, view = counts(state), game.view(state, 0)
        for team in (0, 1):
            # What belongs to a hand of its own is known beforehand, and counts only if it is best.
            melds = [m for s in view.seats[team::2] for m in s.melds if s.seat != 0]
            mine = [m for m in view.seats[0].melds if m.text.key not in PAIRS]
            shown = [m for m in melds if m.text.key not in PAIRS + ANNOUNCED]
            if int(scored[team]):
                total = sum(m.points for m in shown + (mine if team == 0 else []))
                assert total == 10 * int(scored[team])
                seen += 1
            else:
                assert not shown
    assert seen > 10


PAIRS = ("meld.stock", "meld.belote")
ANNOUNCED = ("meld.best_weis", "meld.best_declaration")
SCORED = {
    "jass": lambda rules, state: (state.weis & 127, state.weis >> 7 & 127),
    "belote": declared_points,
}


def test_house_rules_of_euchre_in_words():
    game = jaxcards.make("euchre/stick_the_dealer", farmers_hand=True, canadian_loner=True)
    deck = game.deck.cards("9c Tc 9d Td 9h  Ks As Qs Ac Kc  Js Qc Jc Qd Jd  Kd Ad Th Jh Qh  Ts")
    deck += [card for card in range(24) if card not in deck]
    state = game.init_from_deck(deck, 3)
    view = game.view(state, 0)
    assert [view.say(c.text) for c in view.legal] == ["order up ♠10", "ask for a new deal", "pass"]
    dealt_again = game.view(after(game, state, "redeal"), 1)
    found = [*dealt_again.seats[0].calls, *dealt_again.result]
    assert [text.key for text in found] == ["said.redeal", "result.redeal"]
    ordered = game.view(after(game, state, "pass", "call s", "Th"), 1)
    refused = [view.say(c.forbidden) for c in ordered.choices if c.forbidden]
    assert refused == ["you ordered your partner up, and must play alone"]


@pytest.mark.slow
def test_euchre_in_words():
    game = jaxcards.make("euchre/stick_the_dealer")
    state = game.init_from_deck(list(range(24)), 3)
    view = game.view(state, 0)
    assert [view.say(c.text) for c in view.choices] == ["order up ♠J", "pass"]
    state = after(game, state, *["pass"] * 7)
    view = game.view(state, 3)
    passed = Text("said.pass")
    assert [seat.calls for seat in view.seats] == [(passed,) * 2] * 3 + [(passed,)]
    assert {view.say(c.text): view.say(c.forbidden) for c in view.choices if c.forbidden} == {
        "name ♠ trumps": "♠ was turned down",
        "pass": "all have passed: the dealer must name a suit",
    }
    state = after(game, state, "call h", "alone")
    view = game.view(state, 0)
    assert view.seats[3].roles == (Text("role.maker_alone"),)
    assert view.seats[1].roles == (Text("role.sits_out"),)
    assert view.trump == Text("mode.suit", suit="♥")
    assert view.piles[0].name == Text("pile.turned_down")


@pytest.mark.slow
def test_sheepshead_shows_the_partner_only_when_the_card_falls():
    game = jaxcards.make("sheepshead")
    for seed in range(40):
        state = after(game, game.init(jax.random.key(seed)), "pick")
        if "partner" not in [c.kind for c in game.view(state, int(state.current_player)).legal]:
            continue
        state = after(game, state, "partner")
        called = game.view(state, int(state.current_player)).legal[0].action
        partners = [p for p in range(5) if called in state.hands[p].to_list()]
        if partners:
            break
    picker = int(state.current_player)
    state = after(game, state, called)
    while game.view(state, picker).phase.key == "ask.bury":
        state = after(game, state, game.view(state, picker).legal[0].action)
    roles = {p: game.view(state, p).seats[partners[0]].roles for p in range(5)}
    assert roles[partners[0]] == (Text("role.partner"),)
    assert all(found == () for p, found in roles.items() if p != partners[0])
    assert Text("fact.called", card=called) in game.view(state, 0).facts


@pytest.mark.parametrize(
    "id, trump",
    [("hearts", None), ("rikiki/no_trump_free_bids", None), ("euchre", Text("trump.none"))],
)
def test_trumps_that_no_player_names_are_not_waited_for(id, trump):
    game = jaxcards.make(id)
    assert game.view(game.init(jax.random.key(0)), 0).trump == trump


def test_a_game_without_words_has_a_plain_view(hearts):
    game = jaxcards.make("plain_hearts")
    state = game.init(jax.random.key(0))
    view = game.view(state, int(state.current_player))
    assert [view.say(c.text) for c in view.legal] == ["play ♣2"]
    assert len(view.seats[0].hand or view.choices)
    state = after(game, state, "♣2")
    assert game.view(state).trick.plays[0].card == game.deck.card("2c")
    counts = [[seat.num_cards for seat in game.view(state, me).seats] for me in range(4)]
    assert counts == [[13 - (seat == view.me) for seat in range(4)]] * 4

    class Other(type(game)):
        def observe(self, state, player):
            return state.public

    with pytest.raises(UserError, match="hearts has no view: its class must write view_of"):
        Other(game.rules).view(state, 0)


def test_a_player_that_does_not_exist_and_a_batch():
    game = jaxcards.make("jass")
    with pytest.raises(UserError, match="view takes one deal, .* take one"):
        game.view(jax.vmap(game.init)(jax.random.split(jax.random.key(0), 2)))
    with pytest.raises(UserError, match="player must be an int from 0 to 3, not 4"):
        game.view(game.init(jax.random.key(0)), 4)


# Elsewhere some cards belong to another suit than the one that is printed on them.
BY_SUIT = [id for id in ids() if id.startswith(("jass", "belote", "rikiki"))]


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("id", by_cost(BY_SUIT, rare={*BY_SUIT} - {"jass/schieber_1000"}))
def test_the_rule_named_for_a_forbidden_card_is_the_one_that_forbids_it(id):
    """Where a suit was led: the hand has it, and the card is of another suit."""
    game, states = table(id)
    for state in states:
        view = game.view(state, int(state.current_player))
        for choice in view.choices:
            if choice.card is None or not choice.forbidden:
                continue
            led, held = view.faces[view.trick.plays[0].card][0], view.seats[view.me].hand
            suits = [view.faces[card][0] for card in held]
            reason = choice.forbidden.key
            if reason.startswith("why.follow"):
                assert led in suits and view.faces[choice.card][0] != led
            elif reason == "why.trump":
                assert led not in suits and view.faces[choice.card][0] != view.trump_suit
            else:
                assert reason in ("why.undertrump", "why.overtrump") or led in suits
