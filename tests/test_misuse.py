"""Misuse of a public function is a `UserError` of one line that says what to do."""

import dataclasses
import functools
import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards import Game, Match, UserError, registry, stages
from jaxcards.agent import RandomAgent
from jaxcards.agents.players import make_player
from jaxcards.cards.actions import ActionSet
from jaxcards.contract.calls import CHECKS
from jaxcards.evaluation import evaluate, simulate
from jaxcards.evaluation.gain import gain
from jaxcards.interop import turns
from jaxcards.interop.seat import OneSeat
from jaxcards.rollouts import recorded_rollout, require_legal, rollout
from jaxcards.throughput import random_play, staged_rollout

KEY = jax.random.key(0)
KEYS = jax.random.split(KEY, 8)
IDS = [*registry.defaults(), "match"]


class Things:
    """A game, and what its methods take: of one deal, and of a batch of 8."""

    def __init__(self, game):
        self.game = game
        self.state, self.observation, self.legal = jax.jit(self._look)(KEY)
        self.states, self.observations, self.legals = jax.jit(jax.vmap(self._look))(KEYS)
        self.totals = jnp.zeros(game.num_players, jnp.int32)

    def _look(self, key):
        state = self.game.init(key)
        return state, self.game.observe(state, 0), self.game.legal_actions(state)


@functools.cache
def things(id):
    return Things(Match(jaxcards.make("euchre")) if id == "match" else jaxcards.make(id))


def other(id):
    """Things of another game."""
    return things("euchre/standard" if id == "jass/schieber_1000" else "jass/schieber_1000")


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
    (lambda t, o: t.observation, "takes a state of this game, not Observation of"),
    (lambda t, o: None, "takes a state of this game, not None"),
    (lambda t, o: KEY, "takes a state of this game, not"),
]
WRONG = {
    "state": STATES,
    "later": STATES,
    "observation": [
        (lambda t, o: t.observations, "batch of 8 deals: use jax.vmap"),
        (lambda t, o: o.observation, "takes an observation of this game, not Observation of"),
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
OTHER_RULES = {("checked_step", "action"), ("string_to_action", "name"), ("view_of", "observation")}


def methods():
    """The name and parameters of every public method that takes arguments."""
    for name, member in inspect.getmembers(Match, inspect.isfunction):
        parameters = list(inspect.signature(getattr(Game, name, member)).parameters)[1:]
        if not name.startswith("_") and parameters and name != "init_from_deck":
            yield name, parameters


METHODS = dict(methods())


def test_every_argument_of_every_method_is_checked():
    for name, parameters in METHODS.items():
        unchecked = {p for i, p in enumerate(parameters) if i not in CHECKS[name]}
        assert unchecked <= {"key", "out", "points", "legal"}, name


def refused(call, match):
    with pytest.raises(UserError, match=match) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("id", IDS)
def test_a_wrong_argument_of_a_method_is_refused(id, method):
    own, others = things(id), other(id)
    if not hasattr(own.game, method):
        pytest.skip("a method of matches")
    for place, parameter in enumerate(METHODS[method]):
        if (method, parameter) in OTHER_RULES or place not in CHECKS[method]:
            continue
        for wrong, match in WRONG[parameter]:
            arguments = [RIGHT[name](own) for name in METHODS[method][:place]]
            call = getattr(own.game, method)
            refused(lambda: call(*arguments, wrong(own, others)), match)  # noqa: B023
            if isinstance(value := wrong(own, others), (int, float)):  # known while tracing, too
                refused(lambda: jax.jit(lambda: call(*arguments, value))(), match)  # noqa: B023


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("method", ["checked_step", "to_string", "view", "to_svg"])
def test_methods_for_people_take_one_untraced_deal(id, method):
    own = things(id)
    call = getattr(own.game, method)
    more = [0] if method == "checked_step" else []
    refused(lambda: call(own.states, *more), "batch of 8 deals: take one")
    refused(lambda: jax.jit(call)(own.state, *more), "outside of jax.jit")
    refused(lambda: jax.vmap(lambda state: call(state, *more))(own.states), "outside of jax.jit")


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


def test_states_of_other_rules_are_refused():
    three, four = jaxcards.make("euchre/three_handed"), jaxcards.make("euchre")
    refused(lambda: three.step(four.init(KEY), 0), "one of other rules")
    match = things("match")
    refused(lambda: four.step(match.state, 0), "the state of a match: give its `deal`")


def test_one_deal_under_vmap_is_no_batch():
    own = things("jass/schieber_1000")
    seen = jax.vmap(own.game.observe, (0, None))(own.states, 0)
    assert jax.vmap(own.game.features)(seen).shape == (8, own.game.num_features)


# ---- Sets of actions ----------------------------------------------------------------------------


SETS = {
    "mask": lambda s: s.mask(),
    "count": lambda s: s.count(),
    "contains": lambda s: s.contains(0),
    "nth": lambda s: s.nth(0),
    "only": lambda s: s.only(),
    "sample": lambda s: s.sample(KEY),
    "sample_word": lambda s: s.sample_word(jnp.uint32(0)),
    "sample_logits": lambda s: s.sample_logits(KEY, jnp.zeros(s.layout.num_actions)),
}


@pytest.mark.parametrize("method", SETS)
def test_a_batch_of_sets_is_refused(method):
    legals = things("euchre/standard").legals
    refused(lambda: SETS[method](legals), rf"batch of 8: use jax.vmap\(ActionSet.{method}\)")


@pytest.mark.parametrize(
    "call",
    [
        lambda s: s.contains(1.0),
        lambda s: s.contains(jnp.arange(3)),
        lambda s: s.nth(1.0),
        lambda s: s.sample(KEY, 1.0),
        lambda s: s.sample(KEYS),
        lambda s: s.sample_logits(KEY, jnp.zeros(3)),
        lambda s: s.sample_logits(KEY, jnp.zeros(s.layout.num_actions), "x"),
        lambda s: ActionSet.of(s.layout, [s.layout.num_actions]),
        lambda s: ActionSet.of(s.layout, [-1]),
    ],
)
def test_a_wrong_argument_of_a_set_is_refused(call):
    refused(lambda: call(things("euchre/standard").legal), "must|key")


def test_a_set_contains_a_plain_int():
    own = things("euchre/standard")
    mask = np.asarray(own.legal.mask())
    assert [bool(own.legal.contains(action)) for action in range(len(mask))] == mask.tolist()


# ---- Agents -------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Always:
    """Returns the same, whatever it sees."""

    answer: object

    def init(self, key, game):
        return ()

    def act(self, params, observation, legal, key):
        return jnp.zeros(self.answer) if isinstance(self.answer, tuple) else self.answer


@dataclasses.dataclass(frozen=True)
class Late:
    """Plays legally, but for one seat from a number of played cards on."""

    def init(self, key, game):
        return ()

    def act(self, params, observation, legal, key):
        wrong = (observation.player == 2) & (observation.public.num_played >= 20)
        return jnp.where(wrong, 40, legal.nth(jnp.uint32(0)))


PLAYS = {
    "rollout": lambda game, agent: rollout(game, agent, (), KEY),
    "recorded_rollout": lambda game, agent: recorded_rollout(game, agent, (), KEY),
    "staged_rollout": lambda game, agent: staged_rollout(game, agent, (), KEY),
    "rollout under jit": lambda game, agent: jax.jit(lambda: rollout(game, agent, (), KEY))(),
    "simulate": lambda game, agent: simulate(game, [agent], [()], 4),
    "evaluate": lambda game, agent: evaluate(game, [agent, RandomAgent()], [(), ()], "ab", 4),
    "gain": lambda game, agent: gain(game, (agent, agent), ((), ()), ("a", "b"), 4),
    "OneSeat": lambda game, agent: OneSeat(game, (agent,)).reset([()], KEY),
}
EUCHRE = "euchre/standard"


@pytest.mark.parametrize("play", PLAYS)
def test_what_cannot_play_is_refused(play):
    game, wrong = things(EUCHRE).game, jaxcards.make("euchre/three_handed")
    for agent, match in [
        (len, "an agent is an object with the methods `init` and `act`"),
        (RandomAgent, r"RandomAgent is a class, not an agent: pass RandomAgent\(...\)"),
        (Always((game.num_actions,)), r"Always returned float32\[32\].*sample_logits\(key, logits\)"),
        (Always(0.5), "Always returned 0.5: an agent returns one action"),
        (Always(True), "Always returned True: an agent returns one action"),
        (make_player("heuristic", wrong), "made for other rules of euchre and cannot play"),
        (jaxcards.load_agent(wrong)[0], "made for euchre/three_handed and cannot play"),
    ]:
        refused(lambda: PLAYS[play](game, agent), match)  # noqa: B023
    refused(lambda: PLAYS[play]("euchre", RandomAgent()), "a game is needed, such as jaxcards.make")


def test_agents_of_other_rules_that_look_the_same_play():
    agent = make_player("heuristic", jaxcards.make("euchre"))
    assert rollout(jaxcards.make("euchre/stick_the_dealer"), agent, (), KEY).points.shape == (4,)
    assert rollout(things("match").game, agent, (), KEY).points.shape == (4,)


def test_a_rollout_begins_with_one_state_of_the_game():
    own = things(EUCHRE)
    for play in (rollout, recorded_rollout, staged_rollout):
        start = functools.partial(play, own.game, RandomAgent(), (), KEY)
        refused(lambda: start(state=own.states), "batch of 8 deals")  # noqa: B023
        refused(lambda: start(state=other(EUCHRE).state), "takes a state of this game")  # noqa: B023
        refused(lambda: play(own.game, RandomAgent(), (), KEYS), "use jax.vmap")  # noqa: B023


@pytest.mark.parametrize(
    "call",
    [
        lambda game: random_play(game, 8.0, 1),
        lambda game: random_play(game, 8, True),
        lambda game: random_play(game, 8, 1, "all"),
        lambda game: staged_rollout(game, RandomAgent(), (), KEY, round=99),
        lambda game: simulate(game, [RandomAgent()], [()], 4.0),
        lambda game: simulate(game, [RandomAgent()], [()], 4, seed="x"),
        lambda game: evaluate(game, [RandomAgent(), RandomAgent()], [(), ()], "ab", 4, batch=1.5),
        lambda game: evaluate(game, [RandomAgent(), Always([])], [(), ()], "ab", 4),
        lambda game: turns.play(game, game.init(KEY), 1.0),
    ],
)
def test_wrong_numbers_of_plays_are_refused(call):
    refused(lambda: call(things(EUCHRE).game), "must be")


# ---- Illegal actions ----------------------------------------------------------------------------


@pytest.mark.parametrize("id", IDS)
def test_an_illegal_action_is_refused_outside_of_traces(id):
    game, match = things(id).game, r"decision 0: player \d chose action 0 "
    refused(lambda: rollout(game, Always(0), (), KEY), match)


CHECKING = ["recorded_rollout", "staged_rollout", "simulate", "evaluate", "gain"]


@pytest.mark.parametrize("play", CHECKING)
def test_every_way_to_play_refuses_an_illegal_action(play):
    match = r"player \d chose action 99, which does not exist; an agent must return an action"
    refused(lambda: PLAYS[play](things(EUCHRE).game, Always(99)), match)


def test_a_batch_is_checked_where_that_is_asked_for():
    """The first illegal action of each deal is that of a recorded rollout."""
    game = jaxcards.make("jass/differenzler")

    def play(key):
        done, steps = recorded_rollout(game, Late(), (), key)
        short = rollout(game, Late(), (), key, check=True)
        whole = staged_rollout(game, Late(), (), key, check=True)
        legal = jax.vmap(ActionSet.contains)(steps.legal, steps.action) | ~steps.valid
        return done.illegal, short.illegal, whole.illegal, legal, steps.player, steps.action

    unchecked, short, staged, legal, player, action = jax.jit(jax.vmap(play))(KEYS)
    assert unchecked is None
    assert (~legal).any(axis=1).all()
    step = np.argmin(legal, axis=1)
    for illegal in (short, staged):
        assert (illegal.step == step).all() and len(set(step.tolist())) > 1
        assert (illegal.player == 2).all() and (illegal.action == 40).all()
    refused(lambda: require_legal(game, short), f"deal 0, decision {step[0]}: player 2 chose action 40")
    refused(lambda: require_legal(game, short, first=40), "deal 40, decision")
    refused(lambda: require_legal(game, unchecked), "with check=True")


def test_a_match_is_checked():
    game = Match(jaxcards.make("euchre"))
    illegal = rollout(game, RandomAgent(), (), KEY).illegal
    assert jax.tree.leaves(illegal) == [-1, -1, -1]
    refused(lambda: rollout(game, Always(0), (), KEY), "match: decision 0: player")
