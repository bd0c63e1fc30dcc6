"""The value of each action of a decision, from playing out deals consistent with the observation.

Flat Monte Carlo with a policy (Tesauro and Galperin 1997) on sampled deals (Ginsberg 2001). Every world
is a full deal drawn by `Game.sample_state`. In each world every candidate is played, and a base policy
then plays all seats, with the same random words for all candidates. The difference between two
candidates is then mostly due to the action: differences are paired, world by world.

With few cards left, endings are solved instead of played out: each candidate has its exact value in
each world under best play with all hands open (`endgame`). Ginsberg's player values all cards this way.

The only input is an observation, so that hidden cards cannot influence the result.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.search.belief import Belief, check_base, keep
from jaxcards.agents.search.playing import mean_and_error, play_on, race, side_by_side
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.xla import pooled, prng

# Numbers of the sub-streams of a decision's key; 1 is that of playing out.
_CARDS, _BASE, _KEPT = 0, 2, 3
_UNLIKELY = -1e9  # the score of a legal action without a probability from the base policy


class Candidates(NamedTuple):
    """The candidates of a decision, the most likely first.

    Attributes:
      action: int32[candidates], the actions; the first one again where there are too few.
      legal: bool[candidates], False if there are fewer legal actions than candidates.
      score: float32[candidates], log-probabilities; see `scores`.
    """

    action: jax.Array
    legal: jax.Array
    score: jax.Array


class Analysis(NamedTuple):
    """Statistics of the candidates of a decision, the most likely first.

    Attributes:
      action: int32[candidates], the actions.
      legal: bool[candidates], False if there are fewer legal actions than candidates; the other fields
        of such an entry are undefined.
      policy: float32[candidates], the base policy's probability of each.
      value: float32[candidates], the mean of the player's `Game.returns` over the worlds.
      value_error: float32[candidates], the standard error of `value`.
      gain: float32[candidates], the value less that of the first candidate.
      gain_error: float32[candidates], its standard error, from paired differences.
      won: float32[candidates], the fraction of worlds in which the player has the highest return.
    """

    action: jax.Array
    legal: jax.Array
    policy: jax.Array
    value: jax.Array
    value_error: jax.Array
    gain: jax.Array
    gain_error: jax.Array
    won: jax.Array


def analyse(
    game: Game,
    base: Agent,
    params: Any,
    observation: Any,
    legal: ActionSet,
    key: jax.Array,
    *,
    worlds: int,
    candidates: int,
    endings: int = 0,
    belief: Belief | None = None,
    racing: float | None = None,
    played_out: jax.Array | bool = True,
) -> Analysis:
    """Return the values of the candidates of a decision. Batch it with `jax.vmap`.

    Args:
      game: the game of single deals.
      base: plays out all seats, and names the candidates.
      params: its parameters.
      observation: of the player to act, in an unfinished deal.
      legal: the legal actions.
      key: PRNG key of the decision.
      worlds: static; number of deals to play out, 2 or more.
      candidates: static; number of actions to value, the most likely ones of the base policy.
      endings, belief: static; see `play_out`.
      racing: static; drop a candidate this many standard errors behind the first one before it was
        played out in all worlds; see `race`. None for never.
      played_out: bool scalar; if False, only `action`, `legal` and `policy` are defined, and the
        function plays out no deal. A batch takes the time of its wanted rows.
    """
    action, is_legal, score = likeliest(base, params, observation, legal, key, candidates)
    # An unwanted decision draws no worlds, and costs nothing in a pooled batch.
    wanted = is_legal & played_out
    states = draw_worlds(
        game, base, params, observation, key, worlds=worlds, belief=belief, wanted=wanted.any()
    )
    if racing is None:
        returns = play_on(game, base, params, states, action, key, endings=endings, played_out=wanted)
        played = jnp.full(candidates, worlds)
    else:
        returns, played = race(
            game, base, params, states, action, key, observation.player,
            errors=racing, endings=endings, played_out=wanted,
        )  # fmt: skip
    # Entries beyond the legal actions take the results of the first candidate.
    returns = jnp.where(is_legal[:, None], returns, returns[:, :1])
    played = jnp.where(is_legal, played, played[0])
    return compare(action, is_legal, score, returns, observation.player, played)


def likeliest(
    base: Agent, params: Any, observation: Any, legal: ActionSet, key: jax.Array, number: int
) -> Candidates:
    """Return the most likely actions of the base policy. `number` is static; see `analyse`."""
    best, action = jax.lax.top_k(scores(base, params, observation, legal, base_key(key)), number)
    is_legal = best > -jnp.inf
    # Replace illegal candidates by the first one, which is not played out twice.
    return Candidates(jnp.where(is_legal, action, action[0]).astype(jnp.int32), is_legal, best)


def compare(
    action: jax.Array,
    legal: jax.Array,
    score: jax.Array,
    returns: jax.Array,
    player: jax.Array,
    played: jax.Array | None = None,
) -> Analysis:
    """Return the values of the candidates of a decision, from the returns of their deals.

    Args:
      action, legal: see `Analysis`.
      score: float32[candidates], log-probabilities; see `scores`.
      returns: float32[worlds, candidates, num_players], from `play_out`.
      player: int32, the player who decides.
      played: int32[candidates], the number of worlds in which each was played, from the first on; all
        by default.
    """
    number = jnp.int32(returns.shape[0]) if played is None else played
    # own: float32[worlds, candidates], the returns of the deciding player.
    own = jnp.take_along_axis(returns, jnp.full((1, 1, 1), player), axis=-1)[..., 0]
    value, value_error = mean_and_error(own, number)
    # The gain is paired: both actions are compared in the same world, with the same luck.
    gain, gain_error = mean_and_error(own - own[:, :1], number)
    # A highest return that several players share counts as won.
    won, _ = mean_and_error((own >= returns.max(-1)).astype(jnp.float32), number)
    return Analysis(
        action=action,
        legal=legal,
        policy=jnp.exp(score),
        value=value,
        value_error=value_error,
        gain=gain,
        gain_error=gain_error,
        won=won,
    )


def base_key(key: jax.Array) -> jax.Array:
    """Return the key, from a decision's key, with which the base policy chooses."""
    return prng.wrap(prng.fold(prng.key_words(key), _BASE))


def scores(base: Agent, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
    """Return the base policy's score of each action: float32[num_actions], -inf if illegal.

    For a network, scores are log-probabilities, with its choice first even if another action is more
    likely. For other agents, the chosen action has the highest score, and the rest are equal.
    """
    if isinstance(base, NetworkAgent):
        # A legal action keeps a finite score, so that it stays ahead of illegal ones.
        found = jnp.maximum(base.log_probabilities(params, observation, legal), _UNLIKELY)
    else:
        chosen = base.act(params, observation, legal, key)
        actions = jnp.arange(legal.layout.num_actions, dtype=jnp.int32)
        found = jnp.where(actions == chosen, jnp.float32(0), jnp.float32(_UNLIKELY))
    return jnp.where(legal.mask(), found, -jnp.inf)


def play_out(
    game: Game,
    base: Agent,
    params: Any,
    observation: Any,
    action: jax.Array,
    key: jax.Array,
    *,
    worlds: int,
    endings: int = 0,
    belief: Belief | None = None,
    played_out: jax.Array | bool = True,
) -> jax.Array:
    """Return the returns after each action in each world: float32[worlds, candidates, num_players].

    World number n of a key is the same deal, with the same luck, whatever the actions are.

    Args:
      game, base, params, observation, key, worlds: see `analyse`.
      action: int32[candidates], legal ones.
      endings: static; with at most this number of cards in each hand, worlds are solved instead of
        played out, if two sides play; 0 for never. See `endgame.is_solvable`.
      belief: static; how strongly worlds are weighted by the others' actions. None for uniform worlds.
      played_out: bool or bool[candidates]; unwanted actions have returns of 0.
    """
    states = draw_worlds(
        game, base, params, observation, key,
        worlds=worlds, belief=belief, wanted=jnp.asarray(played_out).any(),
    )  # fmt: skip
    return play_on(game, base, params, states, action, key, endings=endings, played_out=played_out)


def draw_worlds(
    game: Game,
    base: Agent,
    params: Any,
    observation: Any,
    key: jax.Array,
    *,
    worlds: int,
    belief: Belief | None = None,
    wanted: jax.Array | bool = True,
) -> Any:
    """Return the worlds of a decision: states with a leading axis, all of them equally likely.

    Args:
      game, base, params, observation, key, worlds, belief: see `play_out`.
      wanted: bool scalar; if False, the result is undefined and costs nothing.
    """
    if belief is not None:
        check_base(base)
    row = observation, jnp.stack(prng.key_words(key)), jnp.asarray(wanted)
    return pooled.for_one(_drawing(game, base, worlds, belief), params, row)


def _drawing(game: Game, base: Agent, worlds: int, belief: Belief | None) -> pooled.Function:
    """Return the pooled function from observations, key words and flags of wanted rows to worlds."""
    # With a belief, more worlds are drawn than needed, and `keep` chooses among them.
    number = worlds if belief is None else worlds * belief.draws

    def draw(params: Any, observation: Any, words: jax.Array) -> Any:
        cards = prng.fold((words[0], words[1]), _CARDS)

        # World n depends on the key and n only, whatever else is in the batch.
        def world(number: jax.Array, seen: Any) -> Any:
            return game.sample_state(jnp.stack(prng.fold(cards, number)), seen)

        # Copy the observation for each world, behind a barrier. XLA:CPU would compute shared values
        # separately, in a program that is a thousand times slower (seen in jax 0.10).
        shared = jax.tree.map(lambda x: jnp.broadcast_to(x, (number, *x.shape)), observation)
        seen = jax.lax.optimization_barrier(shared)
        states = jax.vmap(world)(jnp.arange(number, dtype=jnp.uint32), seen)
        if belief is None:
            return states
        assert isinstance(base, NetworkAgent)
        word = prng.fold((words[0], words[1]), _KEPT)[0]
        return keep(game, base, params, states, observation.player, word, worlds, belief)

    def draw_all(params: Any, rows: Any) -> Any:
        observation, words, wanted = rows

        def some(row: jax.Array) -> Any:
            if row.shape[0] == 1:  # faster to compile and to run than a batch of one
                own = jax.tree.map(lambda x: x[row[0]], (observation, words))
                return jax.tree.map(lambda x: x[None], draw(params, *own))
            own = jax.tree.map(lambda x: x[row], (observation, words))
            return jax.vmap(draw, in_axes=(None, 0, 0))(params, *own)

        # The shapes of the result of one decision, without computing anything.
        state = jax.eval_shape(game.init, jax.random.key(0))
        world = jax.tree.map(lambda x: jax.ShapeDtypeStruct((worlds, *x.shape), x.dtype), state)
        return pooled.in_turn(some, wanted, side_by_side(number), world)

    return pooled.pooled(draw_all)
