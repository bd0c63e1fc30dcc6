"""docs/euchre.md says what the code does: its tables, row by row."""

import jax.numpy as jnp
import pytest

import jaxcards
from games.euchre.examples import POINTS, reach
from games.euchre.playout import engine_view, given_deals, play
from games.euchre.reference import SUITS
from games.page import PLACES, Page
from jaxcards.games.euchre.play import DECK, DECK_WITH_JOKER, suit_and_strength
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import SEATINGS
from jaxcards.opponents import openspiel

PAGE = Page("euchre")
table, rows = PAGE.table, PAGE.rows


# --- Rules, cards, seats --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields, needs",
    [
        ({"defend_alone": "always", "mode": "dummy_pool"}, "mode='partners4'"),
        ({"defend_alone": "always", "allow_alone": False}, "allow_alone=True"),
        ({"canadian_loner": True, "mode": "dummy_pool"}, "mode='partners4'"),
        ({"canadian_loner": True, "allow_alone": False}, "allow_alone=True"),
        ({"farmers_hand": True, "joker": True}, "joker=False"),
        ({"mode": "cutthroat"}, "allow_alone=False"),
    ],
)
def test_rules_that_exclude_each_other_are_refused(fields, needs):
    name, value = next(iter(fields.items()))
    with pytest.raises(jaxcards.UserError, match=f"^{name}={value!r} needs {needs}$"):
        EuchreRules(**fields)


def test_cards():
    for suit, name in enumerate(("clubs", "diamonds", "hearts", "spades")):
        assert DECK.card(f"{name} 9") == 6 * suit
    for rank, name in enumerate(("9", "10", "jack", "queen", "king", "ace")):
        assert DECK.card(f"d {name}") == 6 + rank
    assert {DECK.card(text) for text in ("Th", "h10", "♥10", "hearts 10")} == {13}
    assert (DECK.card("As"), DECK_WITH_JOKER.card("jk")) == (23, 24)


def test_orders():
    """Under hearts: every trump, the diamonds, and the clubs."""
    for (_, order), suit in zip(table("order | weakest to strongest"), "hdc", strict=True):
        special = {"left": "Jd", "right": "Jh", "JK": "JK"}
        cards = [DECK_WITH_JOKER.card(special.get(word, word + suit)) for word in order.split()]
        led = jnp.uint32(DECK.suits.index(suit))
        found = [suit_and_strength(DECK_WITH_JOKER, jnp.uint32(c), jnp.uint32(2), led) for c in cards]
        assert {int(of) for of, _ in found} == {int(led)}
        strengths = [int(strength) for _, strength in found]
        assert strengths == sorted(set(strengths)) and strengths[0] > 0


@rows("mode | agents")
def test_seats(row):
    mode, agents, seats, of_seat, _, sides, bidders = row
    seating = SEATINGS[mode]
    assert (seating.num_agents, seating.num_seats) == (int(agents), int(seats))
    assert seating.agents == tuple(map(int, of_seat.split()))
    assert seating.bidders == tuple(map(int, bidders.split()))
    assert seating.teams == (None if sides == "–" else tuple(map(int, sides.split())))
    game = jaxcards.make("euchre", mode=mode, allow_alone=False)
    assert game.hints.dealers == seating.bidders


# --- Actions and observation ----------------------------------------------------------------------


def test_actions():
    game = jaxcards.make("euchre")
    names = [game.action_to_string(action) for action in range(game.num_actions)]
    assert [row[0] for row in table("action | name")] == ["0 to 23", "24", "25", "26 to 29", "30", "31"]
    assert names[24:] == ["JK", "pass", "call c", "call d", "call h", "call s", "alone", "team"]
    assert game.string_to_action("H") == game.string_to_action("Call H") == 28
    assert [openspiel.to_euchre(action) for action in range(25, 32)] == [24, 25, 26, 27, 28, 29, 30]
    assert openspiel.to_euchre(DECK.card("Ks")) == 4 * 4 + 3


def test_dealers_of_a_dummy():
    game = jaxcards.make("euchre/dummy_partner")
    with pytest.raises(jaxcards.UserError, match="one of the seats"):
        game.init_from_deck(list(range(24)), 2)


@rows("`stick_the_dealer` | `allow_lone_defender`")
def test_parameters_of_open_spiel(row):
    *given, id = row
    stick, lone = openspiel.EUCHRE[id.removeprefix("euchre/")]
    assert given == [str(stick), str(lone)]
    rules = jaxcards.make(id).rules
    assert (rules.stick_dealer, rules.defend_alone) == (stick, "always" if lone else "never")


# --- Worked examples ------------------------------------------------------------------------------


def after(position) -> dict:
    name = "british" if 24 in position.deck else "stick_the_dealer"
    record = play(name, given_deals([position]), [position.actions])
    return engine_view(record, 0, len(position.actions))


@rows("trump | table | hand")
def test_legal_cards(row):
    trump, on_table, hand, legal, _ = row
    cards = DECK_WITH_JOKER.cards
    position = reach(trump.upper(), cards(on_table), cards(hand))
    assert trump.upper() in SUITS and after(position)["legal"] == sorted(cards(legal))


@rows("trump | cards | winner")
def test_tricks(row):
    trump, cards, place = row
    now = after(reach(trump.upper(), DECK_WITH_JOKER.cards(cards), []))
    assert now["winners"] == [PLACES.index(place)]


def test_points():
    page = [row[:3] + [f"{row[3]} {row[4]}"] for row in table("tricks of the makers | alone")]
    assert page == POINTS  # which test_worked_examples holds against the game


# --- Matches --------------------------------------------------------------------------------------


def test_the_longest_match():
    """A game to 10 in single points: 9 each and one more; with void deals, `max_deals`."""
    assert jaxcards.make("euchre/stick_the_dealer").max_match_deals == 19
    assert jaxcards.make("euchre/standard").max_match_deals == 1000
    assert jaxcards.make("euchre/three_handed_code").max_match_deals == 28
    assert jaxcards.make("euchre/stick_the_dealer", points_make=2).max_match_deals == 9
    assert jaxcards.make("euchre/stick_the_dealer", max_deals=18).match_bound == 18
    assert jaxcards.make("euchre/stick_the_dealer", max_deals=19).match_bound is None
    game = jaxcards.make("euchre/standard")
    state = game.init_from_deck(list(range(24)), 0)
    for deals, over in ((999, False), (1000, True)):
        found, winners = game.match_over(state, jnp.array([3, 4, 3, 4]), jnp.int32(deals))
        assert bool(found) == over and winners.tolist() == [False, True, False, True]


def test_the_deal_passes_to_the_next_bidder():
    for mode, bidders in (("partners4", [0, 1, 2, 3]), ("dummy_partner", [0, 1, 3])):
        game = jaxcards.make("euchre/stick_the_dealer", mode=mode)
        state = game.init_from_deck(list(range(24)), bidders[0])
        for dealer in [*bidders[1:], bidders[0]]:
            totals = jnp.arange(5, 5 + game.num_players)
            state = game.next_deal(jnp.zeros(2, jnp.uint32), state, totals)
            assert int(state.public.dealer) == dealer
            assert [int(total) for total in state.public.totals] == [5, 6]
