"""Spades by example: bids, blind nil, the lead of spades, scores, and matches."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from games.page import Page
from jaxcards.games.spades.play import DECK

PAGE = Page("spades")
CLUBS, DIAMONDS, HEARTS, SPADES = (
    " ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "cdhs"
)
BIDS = [f"bid {tricks}" for tricks in range(14)]


def start(*hands, preset="standard", bids=(), dealer=3, totals=None, **rules):
    """Return a deal with these beginnings of hands, filled up; seat dealer + 1 comes first."""
    game = jaxcards.make(f"spades/{preset}", **rules)
    given = [DECK.cards(hand) for hand in (*hands, *[""] * 4)[: game.num_players]]
    rest = iter(sorted(set(range(52)) - {card for hand in given for card in hand} - {*game.left_out}))
    deck = [
        card
        for hand in given
        for card in [*hand, *(next(rest) for _ in range(game.hand_size - len(hand)))]
    ]
    state = game.init_from_deck(np.array([*deck, *game.left_out]), dealer, totals=totals)
    return game, after(game, state, *(f"bid {bid}" for bid in bids))


def after(game, state, *actions):
    for action in actions:
        state = game.checked_step(state, action)
    return state


def legal(game, state):
    return {game.action_to_string(int(a)) for a in jnp.flatnonzero(game.legal_action_mask(state))}


# ---- Bids -----------------------------------------------------------------------------------------


def test_everyone_bids_once_from_the_left_of_the_dealer():
    game, state = start(CLUBS, DIAMONDS, HEARTS, SPADES, dealer=1)
    for seat in (2, 3, 0, 1):
        assert int(state.current_player) == seat and not bool(state.playing)
        assert legal(game, state) == set(BIDS)
        state = game.checked_step(state, f"bid {seat}")
    assert bool(state.playing) and int(state.current_player) == 2
    assert [int(state.public.bid_of(seat)) for seat in range(4)] == [0, 1, 2, 3]
    assert legal(game, state) == set(CLUBS.split())


@PAGE.rows("rules | partner's bid", 3)
def test_legal_bids_of_the_page(row):
    preset, partner, number, bids = row
    held, others = SPADES.split()[: int(number)], SPADES.split()[int(number) :]
    hand = " ".join([*held, *HEARTS.split()[len(held) :]])
    if partner == "none yet":
        game, state = start(hand, preset=preset)
    else:  # the partner holds its bid in spades
        first = [*others[: int(partner)], *CLUBS.split()[int(partner) :]]
        game, state = start(" ".join(first), "", hand, preset=preset, bids=[int(partner), 0])
    wanted = set()
    for part in bids.split(", "):
        low, _, high = part.partition(" to ")
        wanted |= set(BIDS[int(low) : int(high or low) + 1])
    assert legal(game, state) == wanted


def test_three_players_bid_up_to_17():
    game, state = start(preset="cutthroat", dealer=2)
    assert DECK.names(game.left_out) == "2c" and game.teams is None
    assert len(legal(game, state)) == 18
    state = after(game, state, "bid 17", "bid 0", "bid 5")
    assert bool(state.playing) and [hand.count().tolist() for hand in state.hands] == [17] * 3


# ---- Blind nil ------------------------------------------------------------------------------------


def test_a_blind_nil_is_bid_before_the_cards_are_seen():
    game, state = start(CLUBS, DIAMONDS, preset="blind_nil", totals=(0, 100))
    assert legal(game, state) == {"blind nil", "look"}
    for seat, seen in ((0, 0), (1, 13), (2, 0), (3, 13)):
        assert int(game.observe(state, jnp.int32(seat)).hand.count()) == seen
    looked = after(game, state, "look")
    assert int(looked.current_player) == 0 and legal(game, looked) == set(BIDS)
    assert DECK.names(game.observe(looked, jnp.int32(0)).hand.to_list()) == CLUBS
    bid = after(game, state, "blind nil")
    assert int(bid.current_player) == 1 and legal(game, bid) == set(BIDS)
    assert DECK.names(game.observe(bid, jnp.int32(0)).hand.to_list()) == CLUBS


@pytest.mark.parametrize(
    ("totals", "rules", "may"),
    [
        ((0, 99), {}, False),
        ((0, 100), {}, True),
        ((-150, -51), {}, False),
        ((0, 40), {"blind_behind": 40}, True),
        ((50, 50), {"blind_behind": 0}, True),
    ],
)
def test_only_a_side_that_is_behind_may_bid_nil_blind(totals, rules, may):
    game, state = start(preset="blind_nil", totals=totals, **rules)
    assert (legal(game, state) == {"blind nil", "look"}) is may


def test_a_blind_nil_scores_twice_as_much():
    game, state = start(CLUBS, preset="blind_nil", totals=(0, 100))
    made = after(game, state, "blind nil", "bid 3", "look", "bid 0", "bid 3")
    assert game.points(made)[0] == 200 + 100
    failed = made.with_public(won=jnp.uint32(1))
    assert game.points(failed)[0] == -200 + 100 + 1
    seen = game.observe(made, jnp.int32(1))
    told = game.history(seen)
    names = [game.action_to_string(int(a)) for a in told.actions[: int(told.length)]]
    assert names == ["blind nil", "bid 3", "look", "bid 0", "bid 3"]


# ---- Play -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lead_spades", ["broken", "last", "any"])
def test_spades_are_led_once_they_are_broken(lead_spades):
    """Seat 2 has no club and discards a spade, which wins; seat 2 leads next."""
    third = "2d 3d 4d 5d 6d 7d 8d 9d Td 4s 6s 7s 8s"
    game, state = start("2c As", "3c 2s", third, "4c 5s", bids=[3] * 4, lead_spades=lead_spades)
    assert ("As" in legal(game, state)) is (lead_spades == "any") and "2c" in legal(game, state)
    state = after(game, state, "2c", "3c")
    assert legal(game, state) == set(third.split())  # void: anything
    state = after(game, state, "4s", "4c")
    assert int(state.current_player) == 2 and game.progress(state).tolist() == [1, 0, 1, 0]
    assert ("6s" in legal(game, state)) is (lead_spades != "last")


def test_a_hand_of_spades_only_may_lead_them():
    game, state = start(SPADES, CLUBS, DIAMONDS, HEARTS, bids=[13, 0, 0, 0])
    assert legal(game, state) == set(SPADES.split())
    state = after(game, state, "2s")
    assert int(state.public.voids) == 0b0111  # all know that seat 0 has no other suit


# ---- Score and match ------------------------------------------------------------------------------


def finished(preset, bids, won, totals):
    game = jaxcards.make(f"spades/{preset}")
    state = game.init_from_deck(np.arange(52), game.num_players - 1, totals=totals)
    packed = {
        "bids": sum((bid + 1) << (5 * seat) for seat, bid in enumerate(bids)),
        "won": sum(tricks << (5 * seat) for seat, tricks in enumerate(won)),
    }
    return game, state.with_public(**{name: jnp.uint32(word) for name, word in packed.items()})


@PAGE.rows("bids of two partners | tricks", 4)
def test_points_of_the_page(row):
    (bid, partners_bid), (won, partners) = (map(int, cell.split(", ")) for cell in row[:2])
    total, preset, points = int(row[2]), row[3], int(row[4])
    rest = 13 - won - partners
    game, state = finished(preset, [bid, 1, partners_bid, 1], [won, rest, partners, 0], (total, 0))
    assert game.points(state)[::2].tolist() == [points, points]
    assert lines_of(game, state)[0] == points
    game, state = finished(preset, [1, bid, 1, partners_bid], [rest, won, 0, partners], (0, total))
    assert game.points(state)[1::2].tolist() == [points, points]


@pytest.mark.parametrize(
    ("total", "won", "points"),
    [(337, 9, 54 - 100), (-63, 8, 53 - 100), (9, 5, 50), (9, 6, 51 - 100), (0, 13, 58)],
)
def test_ten_bags_cost_100(total, won, points):
    game, state = finished("standard", [2, 1, 3, 1], [won, 13 - won, 0, 0], (total, 0))
    assert game.points(state)[0] == points
    assert lines_of(game, state)[0] == points


def lines_of(game, state):
    """Return the sum of the lines of each side's score."""
    view = game.view_of(game.observe(state, 0), (), game.points(state).tolist())
    return [sum(line.args["points"] for line in score.lines) for score in view.scores]


def test_the_result_says_what_was_bid_and_won():
    game, state = finished("standard", [3, 0, 2, 4], [4, 2, 2, 5], (0, 9))
    view = game.view_of(game.observe(state, 0), (), game.points(state).tolist())
    assert [view.say(line) for line in view.result] == [
        "seat 0 and seat 2 bid 5 and won 6 tricks",
        "seat 1 and seat 3 bid 4 and won 5 tricks",
        "seat 1 bid nil, but won 2 tricks",
        "seat 0 and seat 2: 51 points",
        "seat 1 and seat 3: -157 points",
    ]
    lines = {line.key: line.args["points"] for line in view.scores[1].lines}
    assert lines == {"line.bid": 40, "line.nil": -100, "line.bags": 3, "line.bag_penalty": -100}


def test_players_alone_score_for_themselves():
    game, state = finished("cutthroat", [3, 0, 8], [4, 0, 7], (9, 0, 0))
    assert game.points(state).tolist() == [31 - 100, 100, -80]
    assert game.returns(state).tolist() == [-69.0, 100.0, -80.0]
    assert lines_of(game, state) == [-69, 100, -80]
    game, state = finished("solo", [3, 0, 2, 4], [4, 2, 2, 5], (0, 9, 0, 0))
    assert game.points(state).tolist() == [31, -100 + 2 - 100, 20, 41]


@pytest.mark.parametrize(
    ("preset", "totals", "over", "winners"),
    [
        ("standard", (499, 490), False, None),
        ("standard", (500, 490), True, [True, False, True, False]),
        ("standard", (510, 523), True, [False, True, False, True]),
        ("standard", (510, 510), False, None),  # a tie: another deal
        ("standard", (100, -199), False, None),
        ("standard", (-250, -200), True, [False, True, False, True]),
        ("standard", (-200, -200), True, [True] * 4),
        ("open_spiel", (-250, -200), False, None),
        ("solo", (500, 510, 0, 0), True, [False, True, False, False]),
        ("solo", (510, 510, 0, 0), False, None),
        ("cutthroat", (500, 1, 2), True, [True, False, False]),
    ],
)
def test_a_match_ends_at_500_or_minus_200(preset, totals, over, winners):
    game, state = start(preset=preset, dealer=0)
    by_player = totals * 2 if game.teams else totals
    ended, won = game.match_over(state, jnp.array(by_player, jnp.int32), jnp.int32(3))
    assert bool(ended) is over
    if over:
        assert won.tolist() == winners


def test_a_match_ends_after_its_largest_number_of_deals():
    game, state = start(max_deals=7)
    totals = jnp.array([30, 20, 30, 20], jnp.int32)
    assert [bool(game.match_over(state, totals, jnp.int32(number))[0]) for number in (6, 7)] == [0, 1]


def test_bags_are_carried_to_the_next_deal():
    game, state = start(dealer=1)
    following = game.next_deal(jax.random.key(0), state, jnp.array([37, -5, 37, -5], jnp.int32))
    assert [int(total) for total in following.public.totals] == [37, -5]
    assert int(following.public.dealer) == 2


# ---- The view -------------------------------------------------------------------------------------


def test_a_view_shows_bids_bags_and_tricks():
    game, state = start(*[CLUBS, DIAMONDS, HEARTS, SPADES], totals=(37, -5))
    assert [choice.action for choice in game.view(state, 0).choices] == list(range(52, 66))
    state = after(game, state, "bid 4", "bid 0", "bid 1", "bid 2", "2c", "2d", "2h", "2s")
    view = game.view(state, 0)
    assert [view.say(seat.bid) for seat in view.seats] == ["bid 4", "bid nil", "bid 1", "bid 2"]
    assert [seat.tricks for seat in view.seats] == [0, 0, 0, 1]
    assert [view.say(fact) for fact in view.facts] == ["7 of 13", "7 : 5", "500 points"]
    assert [fact.key for fact in view.without_target().facts] == ["fact.bids"]


def test_all_hands_lie_open_before_anyone_may_look():
    game, state = start(CLUBS, DIAMONDS, HEARTS, SPADES, preset="blind_nil", blind_behind=0)
    view = game.view(state)
    assert [sorted(seat.hand)[0] for seat in view.seats] == [0, 13, 26, 39] and not view.piles
    assert all(game.view(state, seat).seats[seat].hand is None for seat in range(4))


def test_a_view_hides_the_hand_before_a_blind_nil():
    game, state = start(CLUBS, preset="blind_nil", totals=(0, 100))
    view = game.view(state, 0)
    assert view.seats[0].hand is None and view.seats[0].num_cards == 13
    assert [view.say(choice.text) for choice in view.choices] == ["bid nil blind", "look at the cards"]
    assert game.view(state, 1).seats[1].hand is not None
    looked = game.view(after(game, state, "look"), 1)
    assert [looked.say(said) for said in looked.seats[0].calls] == ["looked at the cards"]
    view = game.view(after(game, state, "blind nil"), 0)
    assert view.seats[0].hand is not None and view.say(view.seats[0].bid) == "bid nil blind"
