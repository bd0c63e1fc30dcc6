"""Worlds weighted by belief: those that make the others' past decisions likely.

`Game.sample_state` samples all deals that fit the rules, as if the others had called and played at
random. Here, more worlds are drawn than needed. In each world the deal is replayed up to now. A policy
gives the probability of the others' decisions, each with its player's cards in that world. The products
of these probabilities, tempered by exponents, are the weights of the worlds. The requested number of
worlds is resampled by these weights. The resampled worlds are equally likely, so that callers need not
know about beliefs (importance resampling; Rubin 1988).

The only input is an observation, so that hidden cards cannot influence the result.
"""

import dataclasses
import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.cards.actions import IDLE
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.past import beginning, past_actions
from jaxcards.xla import pooled
from jaxcards.xla.prng import uniform

_Carry = tuple[Any, jax.Array, jax.Array]  # states, sums, decisions
_HALVINGS = 24  # bisections of the exponent of all weights


@dataclasses.dataclass(frozen=True)
class Belief:
    """The weight of the others' past decisions in the choice of worlds.

    Attributes:
      draws: worlds to draw for each one to keep, 2 or more.
      calls: the exponent of the probabilities of calls, and of other decisions before the first card:
        picking up, laying aside, burying. 1 trusts the policy fully, 0 ignores these decisions.
      cards: the exponent of the probabilities of played cards.
      floor: lower limit of the probability of an action, so that a decision with zero probability
        cannot rule out all worlds. 0 for no limit.
      effective: lower limit of the effective sample size, as a fraction of the worlds drawn, above 0
        and below 1. The logarithms of all weights shrink by the same factor until it is reached.

    Raises:
      UserError: if numbers are out of range.
    """

    draws: int = 4
    calls: float = 0.75
    cards: float = 0.4
    floor: float = 0.01
    effective: float = 0.125

    def __post_init__(self) -> None:
        if self.draws < 2:
            raise UserError(f"draws must be at least 2, not {self.draws}: it chooses among them")
        for name, number in (("calls", self.calls), ("cards", self.cards)):
            if not 0 <= number <= 1:
                raise UserError(f"the exponent of {name} must be from 0 to 1, not {number}")
        for name, number in (("floor", self.floor), ("effective", self.effective)):
            if not 0 <= number < 1 or (name == "effective" and not number):
                lowest = "above 0" if name == "effective" else "from 0"
                raise UserError(f"{name} must be {lowest} and below 1, not {number}")


def check_base(base: Any) -> None:
    """Raise `UserError` unless a policy gives probabilities of actions."""
    if not isinstance(base, NetworkAgent):
        raise UserError(
            "beliefs need a policy that gives probabilities, a NetworkAgent, not "
            f"{type(base).__name__}: search around a network, or with belief=None"
        )


def log_weights(
    game: Game,
    base: NetworkAgent,
    params: Any,
    worlds: Any,
    player: jax.Array,
    belief: Belief,
) -> jax.Array:
    """Return the log-likelihood of the others' decisions in each world: float32[worlds].

    The sum over all past decisions of the other players who had a choice. Each term is the logarithm of
    the policy's probability, or of the floor, times the exponent of the kind of decision.

    Args:
      game: the game of single deals, with `opening` and `history`.
      base: the policy.
      params: its parameters.
      worlds: states of one moment of a deal, with a leading axis.
      player: int32, the observing player, whose own decisions are ignored.
      belief: the exponents and the floor.
    """
    lowest = math.log(belief.floor) if belief.floor else -math.inf
    # The worlds share most inputs of the network: this policy computes only what differs.
    base, params = base.for_similar_positions(params)

    def weight(now: Any, action: jax.Array) -> jax.Array:
        """Return the exponent of one decision: 0 if it is ignored."""
        # Decisions before the first card have the exponent of calls.
        exponent = jnp.where(now.playing, belief.cards, belief.calls)
        # A forced action tells nothing; the observer's own actions do not depend on hidden cards.
        chosen = (now.current_player != player) & (game.legal_actions(now).count() > 1)
        return jnp.where((action != IDLE) & chosen, exponent, 0)

    def look(now: Any, action: jax.Array, exponent: jax.Array) -> jax.Array:
        """Return the log weight that one decision adds to a world."""
        seat, legal = now.current_player, game.legal_actions(now)
        # With an exponent of 0, ignore actions with probability 0, too.
        place = jnp.where(exponent > 0, action, 0)
        found = base.log_probability(params, game.observe(now, seat), legal, place)
        return jnp.where(exponent > 0, exponent * jnp.maximum(found, lowest), 0)

    def play(carry: _Carry) -> _Carry:
        now, total, time = carry
        action = past.action[:, time]
        exponents = jax.vmap(weight)(now, action)
        # The player's own decisions, and decisions that are forced in all worlds, need no network.
        total = total + jax.lax.cond(
            pooled.somewhere((exponents > 0).any()),
            lambda: jax.vmap(look)(now, action, exponents),
            lambda: jnp.zeros_like(total),
        )
        return jax.vmap(game.step)(now, action), total, time + 1

    def goes_on(carry: _Carry) -> jax.Array:
        # Go on until every world has reached its present.
        return carry[2] < past.number.max()

    # Each world has a deal of its own, and its own past where decisions are hidden.
    past = jax.vmap(lambda world: past_actions(game, world))(worlds)
    start = jax.vmap(lambda world: beginning(game, world))(worlds)
    zero = jnp.zeros(worlds.terminated.shape[0], jnp.float32)
    return jax.lax.while_loop(goes_on, play, (start, zero, jnp.int32(0)))[1]


def tempered(log_weight: jax.Array, effective: float) -> jax.Array:
    """Return weights that add up to 1, with a large enough effective sample size.

    The effective sample size of weights is the square of their sum over the sum of their squares (Kong
    1992). It falls as the exponent of all weights grows from 0 to 1. The function takes the largest
    exponent for which it is at least `effective` times the number of worlds. If fewer worlds are
    possible at all, these get equal weights.

    Args:
      log_weight: float32[worlds]; -inf for impossible worlds. If all are impossible, all weights are
        equal.
      effective: static, above 0 and below 1.

    Returns:
      float32[worlds].
    """
    # If all worlds are impossible, treat them as equally likely.
    possible = log_weight > -jnp.inf
    possible = possible | ~possible.any()
    # Replace -inf, because an exponent of 0 times -inf is NaN.
    finite = jnp.where(log_weight > -jnp.inf, log_weight, 0)
    # Subtract the largest logarithm, so that the largest weight is 1.
    finite = finite - jnp.where(possible, finite, -jnp.inf).max()
    least = effective * log_weight.shape[0]

    def weights(exponent: jax.Array) -> jax.Array:
        return jnp.where(possible, jnp.exp(exponent * finite), 0)

    # Bisection for the largest exponent that leaves the sample size large enough.
    def halve(_: int, bounds: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        # The exponent `low` is small enough, or still 0 if too few worlds are possible.
        low, high = bounds
        middle = (low + high) / 2
        enough = effective_size(weights(middle)) >= least
        return jnp.where(enough, middle, low), jnp.where(enough, high, middle)

    one = jnp.float32(1)
    low, _ = jax.lax.fori_loop(0, _HALVINGS, halve, (jnp.float32(0), one))
    # Take the full exponent if it is possible.
    found = weights(jnp.where(effective_size(weights(one)) >= least, one, low))
    return found / found.sum()


def effective_size(weight: jax.Array) -> jax.Array:
    """Return the effective sample size of weights: float32, 1 to their number."""
    return weight.sum() ** 2 / (weight**2).sum()


def resample(weight: jax.Array, word: jax.Array, number: int) -> jax.Array:
    """Return the indices of resampled worlds: int32[number], ascending; systematic resampling.

    The expected count of world i is `number * weight[i]`; its count is this number, rounded down or up
    (Carpenter, Clifford and Fearnhead 1999).

    Args:
      weight: float32[worlds], not negative, with a positive sum.
      word: a random uint32 word.
      number: static.
    """
    reached = jnp.cumsum(weight)
    # Evenly spaced marks with one random offset; each selects the world that it falls in.
    place = (jnp.arange(number, dtype=jnp.int32) + uniform(word)) / number * reached[-1]
    index = (reached[None, :] <= place[:, None]).sum(1)
    # Rounding must not lead past the last world with a positive weight.
    return jnp.minimum(index, (reached < reached[-1]).sum()).astype(jnp.int32)


def keep(
    game: Game,
    base: NetworkAgent,
    params: Any,
    worlds: Any,
    player: jax.Array,
    word: jax.Array,
    number: int,
    belief: Belief,
) -> Any:
    """Return `number` of the worlds, equally likely under the belief.

    Args:
      game, base, params, worlds, player, belief: see `log_weights`.
      word: a random uint32 word.
      number: static.
    """
    found = log_weights(game, base, params, worlds, player, belief)
    index = resample(tempered(found, belief.effective), word, number)
    return jax.tree.map(lambda leaf: leaf[index], worlds)
