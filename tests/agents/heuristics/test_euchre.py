"""The Euchre heuristic: always legal, honest, sensible at the table, far better than chance."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agents.heuristics.tables import (
    against_random,
    check_acts_on_nothing_but_the_observation,
    filled,
    replayed,
)

import jaxcards
from jaxcards.agents.heuristics.euchre import hands as euchre_hand
from jaxcards.agents.heuristics.euchre import playing, view
from jaxcards.agents.players import make_player
from jaxcards.cards.sets import CardSet
from jaxcards.evaluation.seatings import advantage, seatings
from jaxcards.games.euchre.calls import CALL, SAY_ALONE, SAY_TEAM
from jaxcards.games.euchre.play import ALONE, DECK, DECK_WITH_JOKER, JACK, suit_and_strength
from jaxcards.games.euchre.rules import PRESETS, EuchreRules
from jaxcards.rollouts import rollout
from jaxcards.testing.deals import quick_jit

DEALS = 512


def played(game):
    """Return the returns of the heuristic against random play, and whether all was legal and ended.

    float64[DEALS], the mean over all seatings of each duplicate deal; bool; bool.
    """
    # Once more with four such players, which get into places where random play does not take them.
    tables = np.vstack([seatings(game), np.zeros(game.num_players, int)])
    returns, legal, ended = against_random(game, tables, DEALS)
    return advantage(game, returns[:, :-1]), bool(legal.all()), bool(ended.all())


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_plays_legally_and_beats_random_play(preset):
    gain, legal, ended = played(jaxcards.make(f"euchre/{preset}"))
    assert legal and ended
    low = gain.mean() - 1.96 * gain.std() / np.sqrt(DEALS)
    assert low > 0.6, f"{gain.mean():.2f} points per deal, at least {low:.2f}"


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["standard", "three_handed", "three_handed_code", "dummy_partner"])
def test_who_plays_alone_gets_more_than_the_team_would(preset):
    """On the same cards, against defenders of its own kind."""
    game = jaxcards.make(f"euchre/{preset}")
    agent = make_player("heuristic", game)

    def deal(key):
        def act(state):
            seen = game.observe(state, state.current_player)
            return agent.act((), seen, game.legal_actions(state), key)

        def step(state, _):
            before = state.calls.phase < ALONE
            after = game.step(state, act(state))
            return jax.tree.map(lambda a, b: jnp.where(before, a, b), after, state), None

        state = jax.lax.scan(step, game.init(key), None, length=9)[0]
        results = [
            rollout(game, agent, (), key, state=game.step(state, jnp.int32(said))).returns
            for said in (SAY_ALONE, SAY_TEAM)
        ]
        gain = (results[0] - results[1])[state.current_player]
        return (state.calls.phase == ALONE) & (act(state) == SAY_ALONE), gain

    lone, gain = jax.jit(jax.vmap(deal))(jax.random.split(jax.random.key(3), 8192))
    gain = np.asarray(gain)[np.asarray(lone)]
    assert gain.size > 400
    assert gain.mean() - 1.96 * gain.std() / np.sqrt(gain.size) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        EuchreRules(mode="dummy_pool", joker=True, stick_dealer=False, discard_upcard=False),
        EuchreRules(mode="dummy_cutthroat", joker=True, allow_alone=False),
        EuchreRules(mode="dummy_partner", joker=True, discard_upcard=False, points_euchre=4),
        EuchreRules(joker=True, defend_alone="always", lone_lead="maker_left", points_alone_march=9),
        EuchreRules(allow_alone=False, stick_dealer=False, discard_upcard=False, points_make=3),
        EuchreRules(mode="cutthroat", allow_alone=False, joker=True),
        EuchreRules(canadian_loner=True, farmers_hand=True, points_lone_euchre=4),
    ],
    ids=["pool", "cutthroat", "open", "defence", "together", "three", "house"],
)
def test_plays_legally_and_well_by_other_rules(rules):
    gain, legal, ended = played(jaxcards.make("euchre", **{
        name: getattr(rules, name) for name in rules.__dataclass_fields__
    }))  # fmt: skip
    assert legal and ended
    assert gain.mean() - 1.96 * gain.std() / np.sqrt(DEALS) > 0.5


# ---- Honesty ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["british", "three_handed", "dummy_partner"])
def test_acts_on_nothing_but_the_observation(preset):
    check_acts_on_nothing_but_the_observation(jaxcards.make(f"euchre/{preset}"), 512, least=250)


# ---- At the table -------------------------------------------------------------------------------


def answer(preset, up, hands, actions, dealer=3):
    """Return what the player to act does after the actions.

    Args:
      up: the card turned up.
      hands: cards of some seats, 3 being the open cards in games with such; the rest is filled up.
      actions: names, from the left of the dealer on.
    """
    game = jaxcards.make(f"euchre/{preset}")
    given = [game.deck.cards(hands[seat]) if seat in hands else [] for seat in range(4)]
    rest = np.random.default_rng(1).permutation(game.deck.num_cards).tolist()
    deck = filled([*given, [game.deck.card(up)]], [5, 5, 5, 5, 1], rest)
    numbers = [game.string_to_action(action) for action in actions]
    return game.action_to_string(replayed(game.id, deck, dealer, numbers)[1])


PASSES = ["pass"] * 4


@pytest.mark.parametrize(
    "why, up, hands, actions, said",
    [
        ("both bowers, ace and a side ace", "9h", {0: "Jh Jd Ah As 9c"}, [], "call h"),
        ("one small trump and nothing else", "Kh", {0: "9h 9c Tc Qd Ts"}, [], "pass"),
        ("a fair hand, but the right bower goes to an opponent", "Jh",
         {0: "Ah 9h Kc Qs Td"}, [], "pass"),
        ("the partner picks up the right bower", "Jh", {1: "Ah Kh Ac 9c 9s"}, ["pass"], "call h"),
        ("the dealer picks up an ace to three trumps and a side ace", "Ah",
         {3: "Jh Kh 9h As 9c"}, ["pass"] * 3, "call h"),
        ("the dealer turns down what it has nothing of", "9h",
         {3: "9c Tc Qd Ts Kd"}, ["pass"] * 3, "pass"),
        ("the best suit, not the first one", "9c", {0: "Jd Jh Ad 9d As"}, PASSES, "call d"),
        ("nothing to call in the second round", "9c", {0: "9d Th 9s Qs Kh"}, PASSES, "pass"),
        ("five sure tricks go alone", "9h", {0: "Jh Jd Ah Kh As"}, ["call h", "9c"], "alone"),
        ("three tricks want the partner", "9h", {0: "Jd Kh Th As 9d"}, ["call h", "9s"], "team"),
    ],
)  # fmt: skip
def test_bids_as_players_do(why, up, hands, actions, said):
    hands = {3: "9c 9s Td Tc Qs", **hands} if len(actions) == 2 else hands
    assert answer("standard", up, hands, actions) == said, why


@pytest.mark.slow
@pytest.mark.parametrize("id", ["euchre/standard", "euchre/three_handed"])
def test_nobody_goes_alone_against_a_dealer_who_picks_up_the_right_bower(id):
    """The first player, on any hand, orders the jack up to a dealer of the other side."""
    game = jaxcards.make(id)
    agent, sides = make_player("heuristic", game), jnp.array(game.teams)

    def answer(key):
        state = game.init(key)
        jack = state.public.up_card % DECK.ranks_per_suit == JACK
        state = game.step(state, CALL + state.public.up_card // DECK.ranks_per_suit)
        state = game.step(state, game.legal_actions(state).sample(key))  # the dealer lays a card down
        theirs = sides[state.public.dealer] != sides[state.current_player]
        asked = jack & theirs & (state.calls.phase == ALONE)
        seen = game.observe(state, state.current_player)
        return asked, agent.act((), seen, game.legal_actions(state), key)

    asked, said = quick_jit(jax.vmap(answer))(jax.random.split(jax.random.key(1), 4096))
    assert asked.sum() > 400
    assert (said[asked] == SAY_TEAM).all()


def test_a_dealer_who_must_names_its_best_suit():
    hands = {3: "Jd Kd 9d 9s Tc"}
    assert answer("stick_the_dealer", "9h", hands, ["pass"] * 7) == "call d"


CALLED = ["call h", "9c", "team"]  # seat 0 is the maker, leads; the dealer laid a card down
AGAINST = ["pass", "call h", "9c", "team"]  # the same with the maker at seat 1


@pytest.mark.parametrize(
    "why, hands, actions, card",
    [
        ("the maker draws trumps from the top",
         {0: "Jh Jd 9h Kc Ts", 3: "9c 9s Td Tc Qs"}, CALLED, "Jh"),
        ("a defender leads a side ace",
         {0: "Ac Td Qd 9h Ts", 3: "9c 9s Tc Qc Qs"}, AGAINST, "Ac"),
        ("the partner's ace is not ruffed",
         {0: "Tc Jd 9h Qs Ts", 1: "Ac 9d Ah Qh 9s", 2: "Kc Qc Ks Js As", 3: "9c Th Td Qd Kd"},
         [*CALLED, "Tc", "Ac", "Kc"], "Td"),
        ("an opponent's ace is ruffed, with the small trump",
         {0: "Ac Jd 9h Kd Ts", 1: "Tc 9d Ah Kh 9s", 2: "Kc Qc Ks Js As", 3: "9c Th Qd Qs Ad"},
         [*CALLED, "Ac", "Tc", "Kc"], "Th"),
        ("the last player takes as cheaply as it can",
         {0: "Jc Jd 9h Kd Ts", 1: "Tc 9d Ah Th 9s", 2: "9c Td Ks Js As", 3: "Qd Ac Kc Qs Ad"},
         ["call h", "Qd", "team", "Jc", "Tc", "9c"], "Kc"),
        ("nothing good goes into a lost trick",
         {0: "Ac Jd 9h Kd Ts", 1: "Tc 9d Ah Th 9s", 2: "9c Qc Ks Js As", 3: "Qd Kc Jc Qs Ad"},
         ["call h", "Qd", "team", "Ac", "Tc", "9c"], "Jc"),
        ("a discard makes a void and keeps aces and trumps",
         {0: "Jh Jd 9h Kc Ts", 3: "Th As 9s Tc Ad"},
         ["call h"], "Tc"),
    ],
)  # fmt: skip
def test_plays_as_players_do(why, hands, actions, card):
    assert answer("standard", "Kh" if "Kh" not in str(hands) else "Qh", hands, actions) == card, why


@pytest.mark.slow
def test_a_taker_keeps_the_best_five_of_ten():
    """The deal of example E11: the bowers and three more trumps are kept."""
    hands = {0: "9c Tc Jh Ah Kh", 1: "9d Td Qd Kd Ad", 2: "9s Ts Js Qs Ks", 3: "Jd Th 9h Ac As"}
    actions = ["call h", "9s", "team"]
    for _ in range(5):
        actions.append(answer("three_handed", "Qh", hands, actions, dealer=2))
    assert set(actions[3:]) == {"9c", "Tc", "9h", "Ac", "As"}
    assert answer("three_handed", "Qh", hands, actions, dealer=2) == "Jh"


@pytest.mark.slow
def test_the_open_hand_leaves_the_trick_to_its_partner():
    hands = {0: "Jh Ac Ks Qd 9h", 1: "9s Ts Td Tc Ad", 2: "Jd Ah Kc 9c Qs", 3: "Js As 9d Kd Jc"}
    actions = ["call h", "9d", "team", "Ac", "Tc"]
    assert answer("dummy_partner", "Th", hands, actions) == "9c"


# ---- The parts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("suit", range(4))
def test_which_cards_beat_which_is_that_of_the_rules(suit):
    led = jnp.uint32(suit)
    found = jax.vmap(lambda card: suit_and_strength(DECK_WITH_JOKER, card, jnp.uint32(0), led))
    suits, strength = (np.asarray(v) for v in found(jnp.arange(25, dtype=jnp.uint32)))
    np.testing.assert_array_equal(suits, view.SUIT)
    for card in np.flatnonzero(suits == suit).tolist():
        higher = [d for d in range(25) if suits[d] == suit and strength[d] > strength[card]]
        assert int(view.ABOVE[card]) == sum(1 << d for d in higher)


@pytest.mark.parametrize("deck", [DECK, DECK_WITH_JOKER])
def test_the_parts_of_a_hand(deck):
    """With a joker in the pack the bowers are the second and the third trump."""
    hand = CardSet.of(deck, deck.cards("Jc Js Ac Ad Kd"))
    parts = dict(zip(euchre_hand.HAND_PARTS, euchre_hand.hand_parts(hand), strict=True))
    ones = {name for name, count in parts.items() if count == 1}
    expected = {
        "second trump", "third trump", "two trumps", "three trumps",
        "side aces", "side ace with its king",
    }  # fmt: skip
    assert ones == expected | ({"fourth trump"} if deck.extra else {"best trump", "both best trumps"})
    assert parts["void suits, more trumps"] == 2


def test_the_best_five_of_ten():
    held = CardSet.of(DECK_WITH_JOKER, DECK_WITH_JOKER.cards("9c JK Js Ad Kd 9d Ts Qh Jh Th"))
    assert euchre_hand.best_five(held).to_list() == sorted(DECK_WITH_JOKER.cards("9c JK Js Ad Kd"))


def test_what_tricks_are_worth():
    """At two all the fifth trick is worth the deal, after a deal is decided nothing is left."""
    now, later = playing.trick_values(EuchreRules(), alone=False, against_one=False)
    assert now[5 * 2 + 2] == 255
    assert now[5 * 3 + 1] == now[5 * 1 + 3] == 0
    assert later[5 * 2 + 2] == 0 and later[5 * 2 + 1] > 0
    odd = playing.trick_values(EuchreRules(points_make=3), alone=False, against_one=False)
    assert min(*odd[0], *odd[1]) == 0
