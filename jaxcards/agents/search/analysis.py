"""What each action of a decision is worth, by playing out deals that fit what the player sees.

Flat Monte Carlo with a policy (Tesauro and Galperin 1997) on sampled deals (Ginsberg 2001): every
world is a full deal drawn by `Game.sample_state`; in each of them every candidate is played, and a base
policy plays on in all seats, with the same random words for all candidates. What differs between two
candidates is then the action and hardly the luck: differences are paired, world by world.

Where few cards are left, nothing is played out: each candidate is worth in each world what best play
with all hands open makes of it, exactly (`endgame`). Ginsberg's player values all cards so.

An observation is all that goes in, so that no hidden card can have an influence.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.agents.network import NetworkAgent
from jaxcards.agents.search import endgame
from jaxcards.agents.search.belief import Belief, check_base, keep
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.xla import pooled, prng

# Numbers of the sub-streams of a decision's key.
_CARDS, _PLAY, _BASE, _KEPT = range(4)
# Deals that a CPU plays on side by side, or at least those of one action: enough for the products of
# matrices to be fast, and so few that hardly one is played on which nobody wants.
_LANES = 128
_ALL_LANES = 1 << 15  # of other devices
_UNLIKELY = -1e9  # the score of a legal action that the base policy has no opinion of


class Analysis(NamedTuple):
    """What is known of the candidates of a decision, the likeliest first.

    Attributes:
      action: int32[candidates], the actions.
      legal: bool[candidates], False where there are fewer legal actions than candidates; what the other
        fields say of such an entry means nothing.
      policy: float32[candidates], with what probability the base policy chooses each.
      value: float32[candidates], the mean of the player's `Game.returns` over the worlds.
      value_error: float32[candidates], the standard error of `value`.
      gain: float32[candidates], how much more than that of the first the value is.
      gain_error: float32[candidates], its standard error, from paired differences.
      won: float32[candidates], the share of the worlds in which nobody has a higher return.
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
    played_out: jax.Array | bool = True,
) -> Analysis:
    """Returns what the candidates of a decision are worth. Batches come from `jax.vmap`.

    Args:
      game: the game of single deals.
      base: plays on in all seats, and names the candidates.
      params: its parameters.
      observation: of the player to act, in a deal that is not over.
      legal: the legal actions.
      key: PRNG key of the decision.
      worlds: static; deals that are played out, 2 or more.
      candidates: static; how many actions are valued, those that the base policy likes best.
      endings, belief: static; see `play_out`.
      played_out: bool scalar; if False, `action`, `legal` and `policy` alone have a meaning, and no
        deal is played on. A batch, too, takes the time of what is wanted of it.
    """
    score = scores(base, params, observation, legal, base_key(key))
    best, action = jax.lax.top_k(score, candidates)
    is_legal = best > -jnp.inf
    # The first candidate stands in the place of what is not legal, and is not played out twice.
    action = jnp.where(is_legal, action, action[0]).astype(jnp.int32)
    returns = play_out(
        game, base, params, observation, action, key,
        worlds=worlds, endings=endings, belief=belief, played_out=is_legal & played_out,
    )  # fmt: skip
    returns = jnp.where(is_legal[:, None], returns, returns[:, :1])
    return compare(action, is_legal, best, returns, observation.player)


def compare(
    action: jax.Array, legal: jax.Array, score: jax.Array, returns: jax.Array, player: jax.Array
) -> Analysis:
    """Returns what the candidates of a decision are worth, by what came of them.

    Args:
      action, legal: see `Analysis`.
      score: float32[candidates], log-probabilities; see `scores`.
      returns: float32[worlds, candidates, num_players], as `play_out` returns them.
      player: int32, who decides.
    """
    own = jnp.take_along_axis(returns, jnp.full((1, 1, 1), player), axis=-1)[..., 0]
    difference = own - own[:, :1]
    return Analysis(
        action=action,
        legal=legal,
        policy=jnp.exp(score),
        value=own.mean(0),
        value_error=_standard_error(own),
        gain=difference.mean(0),
        gain_error=_standard_error(difference),
        won=(own >= returns.max(-1)).mean(0),
    )


def base_key(key: jax.Array) -> jax.Array:
    """Returns the key, of a decision's key, with which the base policy chooses."""
    return prng.wrap(prng.fold(prng.key_words(key), _BASE))


def scores(base: Agent, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
    """Returns how much the base policy likes each action: float32[num_actions], -inf if illegal.

    Of a network these are log-probabilities, with what it plays first even if that is no network's
    likeliest action. Other agents like what they choose, and have no opinion of the rest.
    """
    if isinstance(base, NetworkAgent):
        found = jnp.maximum(base.log_probabilities(params, observation, legal), _UNLIKELY)
    else:
        chosen = base.act(params, observation, legal, key)
        found = jnp.where(jnp.arange(legal.layout.num_actions) == chosen, 0.0, _UNLIKELY)
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
    """Returns what comes of each action in each world: float32[worlds, candidates, num_players].

    World number n of a key is the same deal, and brings the same luck, whatever the actions are.

    Args:
      game, base, params, observation, key, worlds: see `analyse`.
      action: int32[candidates], legal ones.
      endings: static; with at most so many cards in each hand, worlds are solved and not played out, if
        two sides play; 0 for never. See `endgame.is_solvable`.
      belief: static; how much is made of what the others have done. None for nothing: all worlds that
        fit are equally likely.
      played_out: bool or bool[candidates]; actions of which nothing is wanted have returns of 0.
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
    """Returns the worlds of a decision: states with a leading axis, all of them equally likely.

    Args:
      game, base, params, observation, key, worlds, belief: see `play_out`.
      wanted: bool scalar; if False, the result means nothing and costs nothing.
    """
    if belief is not None:
        check_base(base)
    row = observation, jnp.stack(prng.key_words(key)), jnp.asarray(wanted)
    return pooled.for_one(_drawing(game, base, worlds, belief), params, row)


def _drawing(game: Game, base: Agent, worlds: int, belief: Belief | None) -> pooled.Function:
    """Returns the pooled function from observations, key words and which are wanted to worlds."""
    number = worlds if belief is None else worlds * belief.draws

    def draw(params: Any, observation: Any, words: jax.Array) -> Any:
        cards = prng.fold((words[0], words[1]), _CARDS)

        def world(number: jax.Array, seen: Any) -> Any:
            return game.sample_state(jnp.stack(prng.fold(cards, number)), seen)

        # An observation for each world, behind a barrier: what all worlds share XLA:CPU computes by
        # itself, in a program that is a thousand times as slow (seen in jax 0.10).
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
            own = jax.tree.map(lambda x: x[row], (observation, words))
            return jax.vmap(draw, in_axes=(None, 0, 0))(params, *own)

        state = jax.eval_shape(game.init, jax.random.key(0))
        world = jax.tree.map(lambda x: jax.ShapeDtypeStruct((worlds, *x.shape), x.dtype), state)
        return pooled.in_turn(some, wanted, _side_by_side(number), world)

    return pooled.pooled(draw_all)


def play_on(
    game: Game,
    base: Agent,
    params: Any,
    states: Any,
    action: jax.Array,
    key: jax.Array,
    *,
    endings: int = 0,
    played_out: jax.Array | bool = True,
) -> jax.Array:
    """Returns what comes of each action in given worlds: float32[worlds, candidates, num_players].

    Args:
      game, base, params, action, key, endings, played_out: see `play_out`.
      states: leaves have a leading axis of the worlds, in which the same number of cards is left.
    """
    wanted = jnp.broadcast_to(played_out, action.shape)
    row = states, action, jnp.stack(prng.key_words(key)), wanted
    returns: jax.Array = pooled.for_one(_playing(game, base, endings), params, row)
    return jnp.swapaxes(returns, 0, 1)


def _playing(game: Game, base: Agent, endings: int) -> pooled.Function:
    """Returns the pooled function from worlds, actions, key words and which actions are wanted.

    To returns by action and world: float32[n, candidates, worlds, num_players].
    """

    def play_all(params: Any, rows: Any) -> jax.Array:
        states, action, words, wanted = rows
        worlds, candidates = states.terminated.shape[1], action.shape[1]

        def some(place: jax.Array) -> jax.Array:
            """Plays on from actions, which are numbered through all rows."""
            row = place // candidates
            chosen = action.reshape(-1)[place]
            before = jax.tree.map(lambda x: x[row], states)
            # One program of [actions x worlds] lanes, from the action on.
            after = jax.vmap(jax.vmap(game.step, in_axes=(0, None)))(before, chosen)
            flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), after)
            returns = ends(params, before, flat, words[row])
            return returns.reshape(len(place), worlds, -1)

        result = jax.ShapeDtypeStruct((worlds, game.num_players), jnp.float32)
        found = pooled.in_turn(some, wanted.reshape(-1), _side_by_side(worlds), result)
        return found.reshape(-1, candidates, *found.shape[1:])

    def ends(params: Any, before: Any, flat: Any, words: jax.Array) -> jax.Array:
        """Returns what deals come to in which an action was just taken: float32[lanes, num_players]."""
        worlds = before.terminated.shape[1]
        if not endings or not endgame.has_sides(game):
            return jax.vmap(game.returns)(_final(game, base, params, flat, words, worlds, True))
        exact = jax.vmap(jax.vmap(lambda state: endgame.is_solvable(game, state, endings)))(before)
        exact = exact.reshape(-1)
        solved = endgame.best_play(game, flat, exact, endings)
        final = _final(game, base, params, flat, words, worlds, ~exact.all())
        return jnp.where(exact[:, None], solved, jax.vmap(game.returns)(final))

    return pooled.pooled(play_all)


def _side_by_side(worlds: int) -> int:
    """Returns for how many decisions or actions deals are played on at the same time."""
    return max(1, (_LANES if jax.default_backend() == "cpu" else _ALL_LANES) // worlds)


def _final(
    game: Game, base: Agent, params: Any, flat: Any, words: jax.Array, worlds: int, wanted: Any
) -> Any:
    """Returns the ends of deals that the base policy plays on in all seats.

    Args:
      flat: states, [actions x worlds].
      words: uint32[actions, 2], the key words of their decisions; the same ones bring the same luck.
      worlds: of each action.
      wanted: bool scalar; if False, no deal is played on.
    """
    play = prng.fold((words[:, 0], words[:, 1]), _PLAY)
    luck = tuple(jnp.repeat(word, worlds) for word in play)
    number = jnp.tile(jnp.arange(worlds, dtype=jnp.uint32), len(words))
    luck = prng.fold((luck[0], luck[1]), number)

    def choose(state: Any, luck: prng.KeyWords, time: jax.Array) -> jax.Array:
        seen = game.observe(state, state.current_player)
        return base.act(params, seen, game.legal_actions(state), prng.wrap(prng.fold(luck, time)))

    def once(carry: tuple[Any, jax.Array]) -> tuple[Any, jax.Array]:
        states, time = carry
        legal = jax.vmap(game.legal_actions)(states)
        forced = states.terminated | (jax.vmap(lambda legal: legal.count())(legal) == 1)
        # Nobody asks the policy for the last cards.
        chosen = jax.lax.cond(
            forced.all(),
            lambda: jax.vmap(lambda legal: legal.only())(legal),
            lambda: jax.vmap(choose, in_axes=(0, 0, None))(states, luck, time),
        )
        return jax.vmap(game.step)(states, chosen), time + 1

    def goes_on(carry: tuple[Any, jax.Array]) -> jax.Array:
        states, time = carry
        return ~states.terminated.all() & (time < game.max_steps) & wanted

    return jax.lax.while_loop(goes_on, once, (flat, jnp.uint32(0)))[0]


def _standard_error(values: jax.Array) -> jax.Array:
    """Returns the standard error of means over the first axis: float32[...]."""
    return values.std(0, ddof=1) / jnp.sqrt(values.shape[0])
