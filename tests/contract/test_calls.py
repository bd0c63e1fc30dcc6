"""Misuse of a method of a game is a `UserError` of one line that says what to do."""

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.misuse import IDS, KEY, other, refused, things

import jaxcards
from jaxcards import Game, Match, stages
from jaxcards.contract.calls import CHECKS

# By the name of a parameter: a right argument, and wrong ones with a part of the error.
RIGHT = {
    "key": lambda t: KEY,
    "out": lambda t: None,
    "state": lambda t: t.state,
    "later": lambda t: t.state,
    "observation": lambda t: t.observation,
    "player": lambda t: 0,
    "seat": lambda t: None,
    "action": lambda t: 0,
    "stage": lambda t: stages.ANY,
    "round": lambda t: None,
    "legal": lambda t: t.legal,
    "totals": lambda t: t.totals,
    "num_deals": lambda t: 1,
}
NUMBERS = [
    (lambda t, o: -1, "must be an int from 0 to"),
    (lambda t, o: 99_999, "must be an int from 0 to"),
    (lambda t, o: np.int64(99_999), "not 99999"),
    (lambda t, o: jnp.int32(99_999), "not 99999"),
    (lambda t, o: 1.0, "must be an int"),
    (lambda t, o: True, "must be an int"),
    (lambda t, o: "x", "must be an int"),
    (lambda t, o: jnp.zeros(3), r"must be an int .*not float32\[3\]; use jax.vmap"),
]
STATES = [
    (lambda t, o: t.states, "batch of 8 deals"),
    (lambda t, o: o.state, "takes a state of this game, not State of jaxcards.games"),
    (lambda t, o: t.observation, r"takes a state of this game, not (Trick)?Observation of"),
    (lambda t, o: None, "takes a state of this game, not None"),
    (lambda t, o: KEY, "takes a state of this game, not"),
]
WRONG = {
    "state": STATES,
    "later": STATES,
    "observation": [
        (lambda t, o: t.observations, "batch of 8 deals: use jax.vmap"),
        (lambda t, o: o.observation, r"takes an observation of this game, not (Trick)?Observation of"),
        (lambda t, o: t.state, "takes an observation of this game, not"),
        (lambda t, o: jnp.zeros(4), "takes an observation of this game, not"),
    ],
    "player": NUMBERS,
    "seat": NUMBERS,
    "action": NUMBERS,
    "round": NUMBERS,
    "stage": [(lambda t, o: "lead", "the stage must be one of jaxcards.stages, not 'lead'")],
    "legal": [
        (lambda t, o: o.legal, "must be an ActionSet of this game"),
        (lambda t, o: t.legal.mask(), r"must be an ActionSet of this game, not bool\["),
    ],
    "totals": [(lambda t, o: jnp.zeros((8, 9)), "one for each player, not float32")],
    "num_deals": [(lambda t, o: 1.0, "must be an int")],
}
BY_THEMSELVES = {("checked_step", "action"), ("string_to_action", "name")}


def methods():
    """Return the name and parameters of every public method that takes arguments."""
    for name, member in inspect.getmembers(Match, inspect.isfunction):
        parameters = list(inspect.signature(getattr(Game, name, member)).parameters)[1:]
        if not name.startswith("_") and parameters and name != "init_from_deck":
            yield name, parameters


METHODS = dict(methods())


def test_every_argument_of_every_method_is_checked():
    for name, parameters in METHODS.items():
        unchecked = {p for i, p in enumerate(parameters) if i not in CHECKS[name]}
        assert unchecked <= {"key", "out", "points", "legal"}, name


@pytest.mark.slow_after(2)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("id", IDS)
def test_a_wrong_argument_of_a_method_is_refused(id, method):
    own, others = things(id), other(id)
    if not hasattr(own.game, method):
        pytest.skip("a method of matches")
    for place, parameter in enumerate(METHODS[method]):
        if (method, parameter) in BY_THEMSELVES or place not in CHECKS[method]:
            continue
        for wrong, match in WRONG[parameter]:
            arguments = [RIGHT[name](own) for name in METHODS[method][:place]]
            call = getattr(own.game, method)
            refused(lambda: call(*arguments, wrong(own, others)), match)  # noqa: B023
            if isinstance(value := wrong(own, others), (int, float)):  # known while tracing, too
                refused(lambda: jax.jit(lambda: call(*arguments, value))(), match)  # noqa: B023


@pytest.mark.slow_after(3)
@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("method", ["checked_step", "to_string", "view", "to_svg"])
def test_methods_for_people_take_one_untraced_deal(id, method):
    own = things(id)
    call = getattr(own.game, method)
    more = [0] if method == "checked_step" else []
    refused(lambda: call(own.states, *more), "batch of 8 deals: take one")
    refused(lambda: jax.jit(call)(own.state, *more), "outside of jax.jit")
    refused(lambda: jax.vmap(lambda state: call(state, *more))(own.states), "outside of jax.jit")


@pytest.mark.slow_after(2)
@pytest.mark.parametrize("id", IDS)
def test_checked_step_takes_an_int_or_a_name(id):
    own = things(id)
    for wrong in (1.0, True, None, jnp.float32(1), jnp.zeros(2, jnp.int32)):
        refused(lambda: own.game.checked_step(own.state, wrong), "must be an int or a name")  # noqa: B023
    refused(lambda: own.game.string_to_action(3), "the name must be a text, not 3")


@pytest.mark.parametrize("id", IDS)
def test_a_deck_is_one_permutation(id):
    game = things(id).game
    deck = jnp.arange(game.deck.num_cards)
    dealer = (game.hints.dealers or (0,))[0]
    for wrong in (deck[None], jnp.stack([deck] * 8), deck[1:], deck * 0):
        refused(lambda: game.init_from_deck(wrong, dealer), "a deck")  # noqa: B023
    traced = jax.jit(lambda deck: game.init_from_deck(deck, dealer))
    refused(lambda: traced(jnp.stack([deck] * 8)), "use jax.vmap")
    for wrong in (-1, 99, 1.0, True, jnp.zeros(8, jnp.int32)):
        refused(lambda: game.init_from_deck(deck, wrong), "dealer must be")  # noqa: B023


@pytest.mark.slow_after(4)
@pytest.mark.parametrize("id", IDS)
def test_totals_are_a_number_for_each_side_or_player(id):
    game = things(id).game
    deck, dealer = jnp.arange(game.deck.num_cards), (game.hints.dealers or (0,))[0]
    sides = 2 if game.teams else game.num_players
    for wrong in (5, 1.5, "x", (1,) * 9, (0.5,) * sides, (2**40,) * sides, jnp.zeros((8, sides))):
        refused(lambda: game.init_from_deck(deck, dealer, totals=wrong), "total")  # noqa: B023


def test_states_of_other_rules_are_refused():
    three, four = jaxcards.make("euchre/three_handed"), jaxcards.make("euchre")
    refused(lambda: three.step(four.init(KEY), 0), "one of other rules")
    match = things("match")
    refused(lambda: four.step(match.state, 0), "the state of a match: give its `deal`")


def test_one_deal_under_vmap_is_no_batch():
    own = things("jass/schieber_1000")
    seen = jax.vmap(own.game.observe, (0, None))(own.states, 0)
    assert jax.vmap(own.game.features)(seen).shape == (8, own.game.num_features)
