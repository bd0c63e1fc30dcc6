"""The view of Skat: the discards, the announcements, and the skat after the deal."""

import jax
import pytest
from support.quick import jit

import jaxcards
from jaxcards.play.events import told
from jaxcards.view.text import Text

GAME = jaxcards.make("skat")
STEP = jit(GAME.step)
BID = ("bid", "pass", "pass")


def state_after(*actions):
    """Return a deal after calls by name; a number is the place of a legal action."""
    state = GAME.init(jax.random.key(0))
    for action in actions:
        legal = GAME.legal_action_mask(state).nonzero()[0].tolist()
        number = legal[action] if isinstance(action, int) else GAME.action_names().index(action)
        assert number in legal, action
        state = STEP(state, number)
    return state


def played_out(state):
    while not state.terminated:
        state = STEP(state, int(GAME.legal_action_mask(state).argmax()))
    return state


def view_of(state, player):
    return GAME.view(state, player)


def test_the_declarer_sees_which_cards_the_skat_had():
    state = state_after(*BID, "take")
    declarer, skat = int(state.public.declarer), tuple(state.skat.to_list())
    assert view_of(state, declarer).phase == Text("ask.bury_two")
    assert Text("fact.received", cards=skat) in view_of(state, declarer).facts
    others = [view_of(state, player) for player in range(3) if player != declarer]
    assert not any(fact.key == "fact.received" for view in others for fact in view.facts)
    state = state_after(*BID, "take", 0)
    assert view_of(state, declarer).phase == Text("ask.bury_another")


def test_the_seat_of_the_declarer_names_its_announcements():
    state = state_after(*BID, "clubs", "schneider")
    seat = view_of(state, 0).seats[int(state.public.declarer)]
    assert [role.key for role in seat.roles] == ["role.soloist", "said.hand", "said.schneider"]
    assert seat.calls[1] == Text("said.chose", mode=Text("mode.suit", suit="♣"))


def test_each_seat_shows_its_calls_in_order():
    view = view_of(state_after("bid", "bid", "bid", "pass", "bid", "pass", "take"), 0)
    forehand = (view.dealer + 1) % 3
    said = [
        [(text.key, text.args.get("value")) for text in view.seats[(forehand + place) % 3].calls]
        for place in range(3)
    ]
    first, bid, hold = ("said.pass", None), "said.bid_value", "said.hold"
    took = ("said.skat", None)
    assert said == [[(hold, 18), first], [(bid, 18), (bid, 20), first], [(bid, 22), took]]


LISTS = ("cards", "hand", "aside")  # parts of a view that hold several cards


def named_in(value):
    """Return the cards that a part of a view, as JSON values, names."""
    if isinstance(value, dict):
        cards = [value.get("card"), *(card for key in LISTS for card in value.get(key) or ())]
        return set(cards).difference([None]).union(*map(named_in, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(named_in, value))
    return set()


@pytest.mark.parametrize("discards", [(), (0,), (0, 0), (0, 0, "null", "plain")])
def test_opponents_see_that_the_declarer_takes_the_skat_and_none_of_its_cards(discards):
    before, after = state_after(*BID), state_after(*BID, "take", *discards)
    declarer = int(before.public.declarer)
    hidden = {*after.skat.to_list(), *after.hands[declarer].to_list()}
    for player in {0, 1, 2} - {declarer}:
        old, view = view_of(before, player), view_of(after, player)
        assert Text("said.skat") in view.seats[declarer].roles
        lines = told(old, view, declarer)
        assert view.say(lines[0]).startswith(f"{view.name(declarer)}: took the skat")
        assert not hidden & named_in([view.to_dict(), *(line.args for line in lines)])


def test_a_game_from_the_hand_leaves_the_skat():
    before, after = state_after(*BID), state_after(*BID, "clubs")
    declarer = int(before.public.declarer)
    player = (declarer + 1) % 3
    view = view_of(after, player)
    assert [role.key for role in view.seats[declarer].roles] == ["role.soloist", "said.hand"]
    lines = [view.say(line) for line in told(view_of(before, player), view, declarer)]
    assert lines == [f"{view.name(declarer)}: chose ♣ trumps, Hand"]


def test_the_first_bid_of_open_spiel_wins():
    game = jaxcards.make("skat/open_spiel")
    state = game.init(jax.random.key(0))
    for name in ("pass", "bid"):
        state = game.step(state, game.action_names().index(name))
    view = game.view(state, 0)
    said = [view.seats[(view.dealer + place) % 3].calls for place in (1, 2)]
    assert said == [(Text("said.pass"),), (Text("said.bid_value", value=18),)]


@pytest.mark.parametrize(
    "calls", [("take", 0, 0, "null", "plain"), ("null", "plain"), ("grand", "plain")]
)
def test_all_see_the_skat_after_the_deal(calls):
    """A lost game of Null ends early, so that the skat does not follow from the cards played."""
    state = played_out(state_after(*BID, *calls))
    assert "null" not in calls or int(state.public.num_played) < 30
    skat = tuple(state.aside.to_list())
    for player in range(3):
        view = view_of(state, player)
        assert view.piles[0].cards == skat and Text("result.skat", cards=skat) in view.result


def test_the_result_counts_the_skat():
    state = played_out(state_after(*BID, "take", -1, -1, "grand"))
    skat = sum((0, 0, 0, 3, 4, 10, 11, 2)[card % 8] for card in state.aside.to_list())
    points = int(state.public.points_of(state.public.declarer)) + skat
    result = view_of(state, 0).result
    assert skat and Text("result.card_points", points=points, need=61) in result
    assert Text("result.overbid", value=18) not in result
