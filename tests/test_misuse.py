"""Misuse of sets of actions, rollouts and evaluations is a `UserError` of one line."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.misuse import EUCHRE, IDS, KEY, KEYS, other, refused, things

import jaxcards
from jaxcards import Match
from jaxcards.agent import RandomAgent
from jaxcards.agents.players import make_player
from jaxcards.cards.actions import ActionSet
from jaxcards.evaluation import evaluate, simulate
from jaxcards.evaluation.gain import gain
from jaxcards.interop import turns
from jaxcards.interop.seat import OneSeat
from jaxcards.rollouts import recorded_rollout, require_legal, rollout
from jaxcards.throughput import random_play, staged_rollout

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
    legals = things(EUCHRE).legals
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
    refused(lambda: call(things(EUCHRE).legal), "must|key")


def test_a_set_contains_a_plain_int():
    own = things(EUCHRE)
    mask = np.asarray(own.legal.mask())
    assert [bool(own.legal.contains(action)) for action in range(len(mask))] == mask.tolist()


# ---- Agents -------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Always:
    """A player with a constant answer."""

    answer: object

    def init(self, key, game):
        return ()

    def act(self, params, observation, legal, key):
        return jnp.zeros(self.answer) if isinstance(self.answer, tuple) else self.answer


@dataclasses.dataclass(frozen=True)
class Late:
    """A player that plays legally, except for one seat from a number of played cards on."""

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


@pytest.mark.slow_after(4)
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


def test_players_are_of_a_game():
    for wrong in (None, 5, things(EUCHRE).state):
        refused(lambda: jaxcards.load_agent(wrong), "a game is needed")  # noqa: B023
        refused(lambda: make_player("heuristic", wrong), "a game is needed")  # noqa: B023


@pytest.mark.slow
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


@pytest.mark.slow_after(3)
@pytest.mark.parametrize("id", IDS)
def test_an_illegal_action_is_refused_outside_of_traces(id):
    game, match = things(id).game, r"decision 0: player \d chose action 0 "
    refused(lambda: rollout(game, Always(0), (), KEY), match)


CHECKING = ["recorded_rollout", "staged_rollout", "simulate", "evaluate", "gain"]


@pytest.mark.slow_after(2)
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
