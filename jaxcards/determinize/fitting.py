"""Hidden cards with constraints beyond a `Situation`: drawn until they fit.

An announced meld that is not laid open tells a player that its holder has one of several sets of cards.
Silence tells that such sets are absent. Both constraints link cards, which a `Situation` cannot
express. So deals of a situation are drawn until one fits, which makes all fitting deals equally likely.

A rare meld would take many draws, so the draw begins with the meld: choose one of the sets in
proportion to the number of deals that have it, give its cards to the holder, and draw the rest as
usual. A deal with m of the sets can arise in m ways, so it is kept with probability 1 / m (Karp and
Luby 1983). The kept deals are again uniform.
"""

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.determinize.sampling import count_deals, sample_hidden
from jaxcards.determinize.situation import Situation, Words
from jaxcards.xla import pooled, prng
from jaxcards.xla.leaves import tied

Deal = tuple[Words, ...]
"""For each holder its cards."""

TRIES = 512
"""Maximum number of draws for a fitting deal; the last draw is then the result."""

LANES = 32
"""Number of deals of a batch that a CPU draws at a time."""

# Counters of the random words of a try, after those of the cards.
_SET, _KEPT = range(2)


class Claim(NamedTuple):
    """A constraint: one holder has all cards of at least one of some sets.

    Attributes:
      holder: int32, which of the holders of the situation.
      sets: uint32[slots] for each word of a card set, the sets; impossible sets are ignored.
      number: int32, the number of used slots, which come first; 0 for no constraint.
      known: the cards that the holder is known to have and that are not hidden, such as played ones.
    """

    holder: jax.Array
    sets: Words
    number: jax.Array
    known: Words


def claim_of_melds(
    sets: Words, number: jax.Array, points: list[jax.Array], known: list[Words]
) -> Claim:
    """Return the cards that the holder of the largest announced meld must have.

    Args:
      sets: uint32[points, slots] for each word of a card set, the melds by their points; see
        `cards.melds.meld_table`.
      number: int32[points], the number of used slots.
      points: for each holder uint32, its announced points; 0 if its cards are already known.
      known: for each holder the cards that it is known to have and that are not hidden.
    """
    holder, largest = jnp.int32(0), points[0]
    # Only the largest meld becomes a claim; `fits` checks the others.
    for other, announced in enumerate(points[1:], start=1):
        holder = jnp.where(announced > largest, other, holder)
        largest = jnp.maximum(largest, announced)
    row = jnp.minimum(largest, number.shape[0] - 1)
    own = tuple(_of_holder(holder, [words[place] for words in known]) for place in range(len(known[0])))
    return Claim(holder, tuple(jnp.asarray(one)[row] for one in sets), jnp.asarray(number)[row], own)


def sample_fitting(
    key: jax.Array,
    situation: Situation,
    fits: Callable[[Any, Deal], jax.Array],
    facts: Any,
    claim: Claim | None = None,
    *,
    tries: int = TRIES,
) -> tuple[Deal, jax.Array]:
    """Return a deal of the hidden cards, uniform over the deals of a situation that fit.

    Under `jax.vmap`, the unfinished deals of a batch are drawn together, wherever they stand in the
    batch. The cost is close to that of the draws. The result is the same alone and in a batch.

    Args:
      key: a JAX key, typed or raw uint32[2].
      situation: the constraints on each card; see `sample_hidden`.
      fits: from `facts` and a deal, for each holder its cards, to a bool scalar: whether the deal fits
        everything that is known. It must be False if the deal contradicts `claim`.
      facts: arrays in any pytree; `fits` may not close over traced values.
      claim: cards that a holder must have, which saves draws; None for no claim.
      tries: static; the maximum number of draws.

    Returns:
      For each holder its cards, and int32, the number of draws that it took. The number is `tries` + 1
      if every draw failed; the deal is then one of the situation that does not fit.
    """
    given = _Given(prng.key_words(key), situation, facts, claim)
    together = pooled.pooled(lambda _, batch: _drawn_together(batch, fits, tries))
    found: tuple[Deal, jax.Array] = pooled.for_one(together, (), given)
    return found


class _Given(NamedTuple):
    """The array arguments of `sample_fitting`."""

    key: prng.KeyWords
    situation: Situation
    facts: Any
    claim: Claim | None


class _Drawn(NamedTuple):
    """The carry of the loop over draws, for each deal of a batch.

    Attributes:
      deal: the last deal drawn.
      draws: int32, the number of draws.
      fits: bool, whether the last deal is kept.
    """

    deal: Deal
    draws: jax.Array
    fits: jax.Array


def _drawn_together(
    batch: _Given, fits: Callable[[Any, Deal], jax.Array], tries: int
) -> tuple[Deal, jax.Array]:
    """Return the result of `sample_fitting` for a batch: every leaf has a leading axis."""
    # A CPU draws a few deals at a time; other devices draw the whole batch.
    number = batch.key[0].shape[0]
    lanes = number if jax.default_backend() != "cpu" else min(number, LANES)
    # weights: float32[n, slots], the same for all draws.
    weights = jax.vmap(_weights)(batch.situation, batch.claim) if batch.claim is not None else None

    def goes_on(drawn: _Drawn) -> jax.Array:
        return (~drawn.fits & (drawn.draws < tries)).any()

    def once(drawn: _Drawn) -> _Drawn:
        # The deals that still look for a fit.
        waiting = ~drawn.fits & (drawn.draws < tries)
        # All deals at once: those that are done compute a draw as well, and keep their result.
        if lanes == number:
            deal, kept = jax.vmap(partial(_draw_one, fits))(batch, weights, drawn.draws)
            after = _Drawn(deal, drawn.draws + 1, kept)
            return jax.tree.map(lambda new, old: jnp.where(waiting, new, old), after, drawn)
        # Take them from anywhere in the batch; places beyond the last one are dropped.
        (places,) = jnp.nonzero(waiting, size=lanes, fill_value=number)
        some = jax.tree.map(lambda x: x[jnp.minimum(places, number - 1)], (batch, weights, drawn.draws))
        deal, kept = jax.vmap(partial(_draw_one, fits))(*some)
        after = _Drawn(deal, some[2] + 1, kept)
        return jax.tree.map(lambda old, new: old.at[places].set(new, mode="drop"), drawn, after)

    empty = tuple(tuple(jnp.zeros_like(word) for word in words) for words in batch.situation.allowed)
    start = _Drawn(empty, jnp.zeros(number, jnp.int32), jnp.zeros(number, bool))
    start = tied(start, batch.key[0][0])
    drawn = jax.lax.while_loop(goes_on, once, start)
    return drawn.deal, jnp.where(drawn.fits, drawn.draws, tries + 1)


def _draw_one(
    fits: Callable[[Any, Deal], jax.Array], given: _Given, weights: jax.Array | None, number: jax.Array
) -> tuple[Deal, jax.Array]:
    """Return draw number `number` of one key, and whether it is kept."""
    # Each try has its own key, so a result does not depend on the rest of the batch.
    words = prng.fold(given.key, number)
    key, claim = jnp.stack(words), given.claim
    if claim is None or weights is None:
        deal = sample_hidden(key, given.situation)
        return deal, fits(given.facts, deal)
    # Choose a set, give its cards to the holder, and draw all other cards.
    chosen = _draw(weights, prng.random_word(words, _SET))
    cards = tuple(jnp.where(claim.number > 0, one[chosen], 0) for one in claim.sets)
    deal = sample_hidden(key, _with_set(given.situation, claim, cards))
    held = _number_held(claim, deal).astype(jnp.float32)
    # A deal with m of the sets can arise in m ways: keep it with probability 1 / m.
    kept = prng.uniform(prng.random_word(words, _KEPT)) * held < 1
    return deal, fits(given.facts, deal) & kept


def _with_set(situation: Situation, claim: Claim, cards: Words) -> Situation:
    """Return a situation in which only the holder of a claim may have some cards."""
    allowed = tuple(
        tuple(jnp.where(claim.holder == holder, w, w & ~c) for w, c in zip(words, cards, strict=True))
        for holder, words in enumerate(situation.allowed)
    )
    return dataclasses.replace(situation, allowed=allowed)


def _weights(situation: Situation, claim: Claim) -> jax.Array:
    """Return the number of deals that have each set: float32[slots]."""
    # All cards that the holder may have, seen ones included.
    possible = tuple(
        _of_holder(claim.holder, [words[place] for words in situation.allowed]) | claim.known[place]
        for place in range(len(situation.allowed[0]))
    )
    slots = jnp.arange(claim.sets[0].shape[0], dtype=jnp.int32)
    # A set fits if the holder may have all of its cards.
    fit = slots < claim.number
    for one, p in zip(claim.sets, possible, strict=True):
        fit = fit & (one & ~p == 0)

    def count(carry: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        left, counts = carry
        # The first slot that is still to count.
        slot = jnp.where(left, slots, slots.size - 1).min()
        cards = tuple(one[slot] for one in claim.sets)
        deals = count_deals(_with_set(situation, claim, cards))
        return left & (slots != slot), jnp.where(left & (slots == slot), deals, counts)

    # Count only the sets that are still possible: they are few, and counting is the slowest part.
    start = fit, tied(jnp.zeros(slots.shape, jnp.float32), claim.number)
    return jax.lax.while_loop(lambda carry: carry[0].any(), count, start)[1]


def _of_holder(holder: jax.Array, values: list[jax.Array]) -> jax.Array:
    """Return the value that belongs to one of the holders."""
    found = values[0]
    for other, value in enumerate(values[1:], start=1):
        found = jnp.where(holder == other, value, found)
    return found


def _draw(weights: jax.Array, word: jax.Array) -> jax.Array:
    """Return an index drawn in proportion to float32[slots] by a random word: int32."""
    running = jnp.cumsum(weights)
    mark = prng.uniform(word) * running[-1]
    # Rounding may raise the mark to the sum of all weights.
    return jnp.minimum((running <= mark).sum(dtype=jnp.int32), weights.shape[0] - 1)


def _number_held(claim: Claim, deal: Deal) -> jax.Array:
    """Return the number of sets of a claim that the holder has in a deal: int32, at least 1."""
    has = jnp.arange(claim.sets[0].shape[0], dtype=jnp.int32) < claim.number
    for place, sets in enumerate(claim.sets):
        held = _of_holder(claim.holder, [words[place] for words in deal]) | claim.known[place]
        has = has & (sets & ~held == 0)
    # Without a claim the number is 1, so that the draw is kept.
    return jnp.maximum(has.sum(dtype=jnp.int32), 1)
