"""The results of actions in given worlds: a policy plays these deals to the end, or they are solved.

In a race (Maron and Moore 1994) the worlds come in parts: two of 16 or more, or four. An action that is
clearly behind the first one after a half of them, or after a quarter, is dropped. Once all others are
dropped, the first one stops as well. A caller that needs only the best action saves a quarter of the
deals this way (experiments/search).
"""

from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.agents.networks.network import fast_policy_of
from jaxcards.agents.search import endgame
from jaxcards.game import Game
from jaxcards.xla import pooled, prng

_PLAY = 1  # the number of the sub-stream of a decision's key; analysis.py has the others
# Deals that a CPU plays out side by side, but at least those of one action. The number is large enough
# for fast matrix products, and small enough to avoid most unwanted deals.
_LANES = 128
_ALL_LANES = 1 << 15  # limit on other devices
_LEAST = 16  # smallest number of worlds in a part


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
    """Return the returns after each action in given worlds: float32[worlds, candidates, num_players].

    Args:
      game, base, params, action, key, endings, played_out: see `play_out`.
      states: leaves have a leading axis of the worlds, in which the same number of cards is left.
    """
    wanted = jnp.broadcast_to(played_out, action.shape)
    # Without a race the player does not matter.
    row = states, action, jnp.stack(prng.key_words(key)), wanted, jnp.int32(0)
    returns: jax.Array = pooled.for_one(_playing(game, base, endings), params, row)[0]
    return jnp.swapaxes(returns, 0, 1)


def race(
    game: Game,
    base: Agent,
    params: Any,
    states: Any,
    action: jax.Array,
    key: jax.Array,
    player: jax.Array,
    *,
    errors: float,
    endings: int = 0,
    played_out: jax.Array | bool = True,
) -> tuple[jax.Array, jax.Array]:
    """Return the result of `play_on`, without the worlds of dropped actions.

    Args:
      game, base, params, states, action, key, endings, played_out: see `play_on`.
      player: int32, whose returns count.
      errors: static; drop an action this many standard errors behind the first one.

    Returns:
      float32[worlds, candidates, num_players], 0 in the worlds of an action that were not played; and
      int32[candidates], the number of worlds, from the first on, in which each action was played.
    """
    wanted = jnp.broadcast_to(played_out, action.shape)
    row = states, action, jnp.stack(prng.key_words(key)), wanted, player
    returns, played = pooled.for_one(_playing(game, base, endings, errors), params, row)
    return jnp.swapaxes(returns, 0, 1), played


def _playing(game: Game, base: Agent, endings: int, errors: float | None = None) -> pooled.Function:
    """Return the pooled function that plays out, or that runs a race if it has `errors`.

    It maps worlds, actions, key words, flags of wanted actions, and players to two arrays. The first
    has returns by action and world, float32[n, candidates, worlds, num_players]. The second has numbers
    of worlds, int32[n, candidates].
    """

    def play_all(params: Any, rows: Any) -> tuple[jax.Array, jax.Array]:
        states, action, words, wanted, player = rows
        (n, worlds), candidates = states.terminated.shape, action.shape[1]
        parts = 1 if errors is None else _parts(worlds)
        size = worlds // parts
        # in_parts: leaves [n, parts, size, ...].
        in_parts = jax.tree.map(lambda x: x.reshape(n, parts, size, *x.shape[2:]), states)

        def some(place: jax.Array) -> jax.Array:
            """Play out actions in parts of the worlds, numbered through all rows."""
            # `place` counts parts fastest, then actions, then rows.
            row, part = place // (candidates * parts), place % parts
            chosen = action.reshape(-1)[place // parts]
            before = jax.tree.map(lambda x: x[row, part], in_parts)
            # One program of [actions x worlds] lanes, from the action on.
            after = jax.vmap(jax.vmap(game.step, in_axes=(0, None)))(before, chosen)
            flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), after)
            # Worlds keep their numbers, and so their luck, in whatever part they are played.
            returns = ends(params, before, flat, words[row], part * size)
            return returns.reshape(len(place), size, -1)

        result = jax.ShapeDtypeStruct((size, game.num_players), jnp.float32)

        def play(wanted: jax.Array) -> jax.Array:
            """Return the returns of the selected bool[n, candidates, parts]."""
            found = pooled.in_turn(some, wanted.reshape(-1), side_by_side(size), result)
            return found.reshape(n, candidates, worlds, -1)

        if errors is None or parts == 1:
            return play(wanted[..., None]), jnp.where(wanted, worlds, 0)

        def leg(number: jax.Array, carry: Any) -> Any:
            """Play the first part, or double the number of parts played so far."""
            # Leg 0 plays one part, leg 1 a second one, leg 2 two more.
            returns, played, alive = carry
            last = 1 << number
            # After the first leg an action goes on only while another one is left to compare with.
            more = alive & ((number == 0) | (alive.sum(1, keepdims=True) > 1))
            part = jnp.arange(parts, dtype=jnp.int32)
            # Parts that are not played are 0, so a sum joins the parts of all legs.
            returns = returns + play(more[..., None] & (part >= last // 2) & (part < last))
            played = jnp.where(more, last * size, played)
            # own: float32[n, candidates, worlds], the returns of the deciding player.
            own = jnp.take_along_axis(returns, player[:, None, None, None], axis=-1)[..., 0]
            gain, error = mean_and_error(jnp.moveaxis(own - own[:, :1], -1, 0), last * size)
            # The first action has gain 0, without error.
            return returns, played, alive & (gain + errors * error >= 0)

        start = jnp.zeros((n, candidates, worlds, game.num_players), jnp.float32)
        # Two parts take two legs, four parts take three.
        legs = parts.bit_length()
        none = jnp.zeros((n, candidates), jnp.int32)
        returns, played, _ = jax.lax.fori_loop(0, legs, leg, (start, none, wanted))
        return returns, played

    def ends(params: Any, before: Any, flat: Any, words: jax.Array, first: jax.Array) -> jax.Array:
        """Return the returns of deals after an action just taken: float32[lanes, num_players]."""
        worlds = before.terminated.shape[1]
        if not endings or not endgame.has_sides(game):
            return jax.vmap(game.returns)(_final(game, base, params, flat, words, first, worlds, True))
        # Worlds with few enough cards are solved; all others are played out.
        exact = jax.vmap(jax.vmap(lambda state: endgame.is_solvable(game, state, endings)))(before)
        exact = exact.reshape(-1)
        solved = endgame.best_play(game, flat, exact, endings)
        # Skip the rollouts if every world is solved.
        final = _final(game, base, params, flat, words, first, worlds, ~exact.all())
        return jnp.where(exact[:, None], solved, jax.vmap(game.returns)(final))

    return pooled.pooled(play_all)


def mean_and_error(values: jax.Array, number: jax.Array | int) -> tuple[jax.Array, jax.Array]:
    """Return means over the first axis, and their standard errors: float32[...].

    Args:
      values: float32[worlds, ...].
      number: int32[...], how many of the worlds count, from the first on.
    """
    worlds = values.shape[0]
    # counts: bool[worlds, ...], the worlds in which the action was played.
    counts = jnp.arange(worlds, dtype=jnp.int32).reshape(-1, *(1,) * (values.ndim - 1)) < number
    # Unwanted entries have 0 worlds; their result is undefined.
    number = jnp.maximum(number, 2)
    mean = jnp.where(counts, values, 0).sum(0) / number
    squares = jnp.where(counts, (values - mean) ** 2, 0).sum(0)
    # Sample variance over the number of worlds: the squared standard error.
    return mean, jnp.sqrt(squares / (number - 1) / number)


def _parts(worlds: int) -> int:
    """Return the number of equal parts into which a race splits the worlds: 4, 2, or 1 for no race."""
    return next((n for n in (4, 2) if worlds % n == 0 and worlds >= n * _LEAST), 1)


def side_by_side(worlds: int) -> int:
    """Return the number of decisions or actions whose deals are played out at the same time."""
    return max(1, (_LANES if jax.default_backend() == "cpu" else _ALL_LANES) // worlds)


def _final(
    game: Game,
    base: Agent,
    params: Any,
    flat: Any,
    words: jax.Array,
    first: jax.Array,
    worlds: int,
    wanted: jax.Array | bool,
) -> Any:
    """Return the ends of deals that the base policy plays out in all seats.

    Args:
      flat: states, [actions x worlds].
      words: uint32[actions, 2], the key words of their decisions; equal words give equal luck.
      first: int32[actions], the number of the first of their worlds.
      worlds: of each action.
      wanted: bool scalar; if False, deals are not played out.
    """
    base = fast_policy_of(base)
    # A world has the same luck after every action, so differences are paired.
    play = prng.fold((words[:, 0], words[:, 1]), _PLAY)
    luck = tuple(jnp.repeat(word, worlds) for word in play)
    number = (first.astype(jnp.uint32)[:, None] + jnp.arange(worlds, dtype=jnp.uint32)).reshape(-1)
    luck = prng.fold((luck[0], luck[1]), number)

    def choose(state: Any, luck: prng.KeyWords, time: jax.Array) -> jax.Array:
        seen = game.observe(state, state.current_player)
        return base.act(params, seen, game.legal_actions(state), prng.wrap(prng.fold(luck, time)))

    def once(carry: tuple[Any, jax.Array]) -> tuple[Any, jax.Array]:
        states, time = carry
        legal = jax.vmap(game.legal_actions)(states)
        # A finished deal ignores actions, so it counts as forced.
        forced = states.terminated | (jax.vmap(lambda legal: legal.count())(legal) == 1)
        # The last cards are forced, so they need no policy.
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
