"""The hands of the other players, where all hidden cards are in hands."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat, field, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.determinize.fitting import Claim, claim_of_melds, sample_fitting
from jaxcards.determinize.sampling import sample_hidden
from jaxcards.determinize.situation import Situation, Words


def sample_hands(
    key: jax.Array,
    player: jax.Array,
    hand: CardSet,
    allowed: Sequence[CardSet],
    sizes: Sequence[jax.Array],
    *,
    max_size: int,
    fits: Callable[[Any, list[CardSet]], jax.Array] | None = None,
    facts: Any = None,
    claim: Claim | None = None,
) -> list[CardSet]:
    """Return for each seat the cards that it holds, uniform over all deals possible for a player.

    Args:
      key: a JAX key, typed or raw uint32[2].
      player: int32 scalar, the seat whose own hand is known.
      hand: that hand.
      allowed: for each seat, the hidden cards that it may hold; the player's own entry is ignored.
      sizes: for each seat, int32, how many cards it holds; the player's own entry is ignored.
      max_size: static; the largest number of cards in a hand.
      fits: from `facts` and the cards that each seat holds to a bool scalar: whether they fit all other
        knowledge; None for no other knowledge. `sample_fitting` draws until they fit.
      facts: arrays in any pytree, for `fits`.
      claim: cards that one of the other seats must have; the holders are these seats, clockwise.
    """
    number = len(allowed)
    # The holders are the other seats, from the player's left.
    others = [seat_after(player, places, number) for places in range(1, number)]
    situation = Situation.of(
        [by_seat(allowed, seat).words for seat in others],
        [by_seat(sizes, seat) for seat in others],
        hand.deck.num_cards,
        max_size=max_size,
    )

    # Player and hand are arguments, because `fits` may not close over traced values.
    def by_seats(player: jax.Array, hand: CardSet, drawn: tuple[Words, ...]) -> list[CardSet]:
        # From places around the table, seen from the player, back to seat numbers.
        around = [hand, *(CardSet(hand.deck, words) for words in drawn)]
        return [by_seat(around, places_after(player, seat, number)) for seat in range(number)]

    if fits is None:
        return by_seats(player, hand, sample_hidden(key, situation))

    def fit(given: Any, deal: tuple[Words, ...]) -> jax.Array:
        player, hand, facts = given
        return fits(facts, by_seats(player, hand, deal))

    drawn, _ = sample_fitting(key, situation, fit, (player, hand, facts), claim)
    return by_seats(player, hand, drawn)


def claim_of_announced(seen: Any, bits: int, sets: Words, number: jax.Array) -> Claim:
    """Return the claim that one of the other seats has a meld with the points that it announced.

    The holders are those of `sample_hands`. Put cards that a seat has laid open into `allowed`; the
    claim is about the rest.

    Args:
      seen: the observation of `seen.player`. `announced` is uint32, the points of each seat, all ones
        before it has announced; `shown` has for each seat the cards of melds that it has laid open.
      bits: static; the number of bits of `announced` for a seat.
      sets: uint32[points, slots] for each word of a card set; see `claim_of_melds`.
      number: int32[points], the number of used slots.
    """
    player, shown, points = seen.player, seen.shown, []
    for seat, cards in enumerate(shown):
        best = field(seen.announced, seat, bits)
        # All ones stand for "not announced yet"; the cards of open melds are known already.
        nothing_to_find = (best == (1 << bits) - 1) | cards.any()
        points.append(jnp.where(nothing_to_find, 0, best))
    others = [seat_after(player, places, len(shown)) for places in range(1, len(shown))]
    return claim_of_melds(
        sets,
        number,
        [by_seat(points, seat) for seat in others],
        [by_seat(seen.played_by, seat).words for seat in others],
    )
