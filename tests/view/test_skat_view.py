"""The view of Skat: the discards, the announcements, and the skat after the deal."""

import jax
import pytest
from support.quick import jit

import jaxcards
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
    assert seat.calls[0] == Text("said.chose", mode=Text("mode.suit", suit="♣"))


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
