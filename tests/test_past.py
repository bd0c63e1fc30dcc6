"""The past of a deal, from its state alone: what was played, step by step and bit for bit."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from records.played import ALL
from support.marks import by_cost

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.players import make_player
from jaxcards.cards.actions import IDLE
from jaxcards.games.euchre import play as euchre
from jaxcards.games.sheepshead import play as sheepshead
from jaxcards.games.skat import play as skat
from jaxcards.past import beginning, past_actions
from jaxcards.testing.deals import quick_jit, require_equal, take

# Cards are laid aside and lie face down; every other game waits for the slow tests.
FAST = ("euchre/three_handed",)
DEALS = 64
# Phases in which cards are laid aside, in a hidden order.
LAYS_ASIDE = {
    "euchre": (euchre.DISCARD, euchre.EXCHANGE),
    "sheepshead": (sheepshead.BURY,),
    "skat": (skat.FIRST_DISCARD, skat.SECOND_DISCARD),
    "hearts": (False,),  # not yet playing: cards are passed
}


def played(game, agent, params, key):
    """All states of a deal, [max_steps + 1, ...], and its actions, `IDLE` after the end."""

    def once(state, time):
        seen, legal = game.observe(state, state.current_player), game.legal_actions(state)
        action = agent.act(params, seen, legal, jax.random.fold_in(key, time))
        action = jnp.where(state.terminated, IDLE, action)
        return game.step(state, action), (state, action)

    final, (states, actions) = jax.lax.scan(once, game.init(key), jnp.arange(game.max_steps))
    states = jax.tree.map(lambda a, b: jnp.concatenate([a, b[None]]), states, final)
    return states, actions


def replayed(game, state):
    """Return the past of a state, its replay, whether all of it was legal, and its phases."""
    past = past_actions(game, state)

    def once(now, action):
        legal = (action == IDLE) | game.legal_actions(now).contains(action)
        phase = getattr(now.public, "phase", now.playing)
        return game.step(now, action), (legal, phase)

    final, (legal, phase) = jax.lax.scan(once, beginning(game, state), past.action)
    return past, final, legal.all(), phase


@dataclasses.dataclass(frozen=True)
class Found:
    """Random moments of deals: `states` after `numbers` of `actions`, a world of each, all pasts."""

    states: object
    worlds: object
    actions: np.ndarray
    numbers: np.ndarray
    over: np.ndarray
    past: object
    past_of_world: object


def look(game, agent, params, seed=0):
    def one(key, share):
        states, actions = played(game, agent, params, key)
        number = jnp.round(share * (actions != IDLE).sum()).astype(jnp.int32)
        state = take(states, number)
        player = jax.random.randint(key, (), 0, game.num_players)
        world = game.determinize(jax.random.fold_in(key, 1), state, player)
        both = jax.tree.map(lambda a, b: jnp.stack([a, b]), state, world)
        past = jax.vmap(lambda state: replayed(game, state))(both)
        return state, world, actions, number, state.terminated, take(past, 0), take(past, 1)

    shares = np.linspace(0, 1, DEALS, dtype=np.float32)
    keys = jax.random.split(jax.random.key(seed), DEALS)
    found = Found(*jax.tree.map(np.asarray, quick_jit(jax.vmap(one))(keys, shares)))
    assert found.over.any() and (found.numbers == 0).any()
    return found


def in_order(game, actions, phases):
    """Actions with those that lay cards aside sorted: no state keeps more of them."""
    aside = np.isin(phases, LAYS_ASIDE.get(game.name, ()))
    sorted_ = np.array(actions)
    sorted_[aside] = np.sort(sorted_[aside])
    return sorted_.tolist()


def check(game, agent, params, seed=0):
    found = look(game, agent, params, seed)
    past, final, legal, phases = found.past
    assert (past.number == found.numbers).all() and legal.all()
    for row, number in enumerate(found.numbers):
        one, other = past.action[row, :number], found.actions[row, :number]
        phase = phases[row, :number]
        assert in_order(game, one, phase) == in_order(game, other, phase), row
        assert (past.action[row, number:] == IDLE).all()
    require_equal(final, found.states, "a past that leads elsewhere")
    # A world has another past, in which the same was public.
    past, final, legal, _ = found.past_of_world
    assert legal.all()
    assert (past.number == found.numbers).all()
    require_equal(final.public, found.worlds.public, "a world that did not come about so")
    places = jax.vmap(game.card_places)
    require_equal(places(final), places(found.worlds), "cards of a world that did not come about so")


@pytest.mark.parametrize("id", by_cost(ALL, set(ALL) - set(FAST)))
def test_a_state_tells_its_past(id):
    check(jaxcards.make(id), RandomAgent(), ())


@pytest.mark.slow
@pytest.mark.parametrize("id", [id for id in ALL if id.startswith(("euchre", "sheepshead", "belote"))])
def test_a_state_tells_the_past_of_heuristic_play(id):
    game = jaxcards.make(id)
    agent = make_player("heuristic", game)
    check(game, agent, agent.init(jax.random.key(0), game), seed=1)


def test_a_game_that_does_not_tell_says_so():
    class Other(type(jaxcards.make("euchre"))):
        history = jaxcards.Game.history

    game = Other(jaxcards.make("euchre").rules)
    state = game.init(jax.random.key(0))
    with pytest.raises(jaxcards.UserError, match="euchre does not tell the actions of a deal"):
        past_actions(game, state)
