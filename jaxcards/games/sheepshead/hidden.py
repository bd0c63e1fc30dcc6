"""Determinization: other hidden cards that fit what a Sheepshead player knows."""

from collections.abc import Sequence
from functools import partial, reduce
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import Situation, sample_fitting, sample_hidden
from jaxcards.determinize.situation import Words
from jaxcards.games.sheepshead.calls import callable_cards
from jaxcards.games.sheepshead.deck import (
    DECK,
    NO_CARD,
    fails_of,
)
from jaxcards.games.sheepshead.known import facts_of, possible_cards, without_suit
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.state import (
    CALL,
    NO_SEAT,
    Observation,
    SheepsheadGame,
    State,
    blind_is_hidden,
    sees_aside,
    single,
)
from jaxcards.xla import prng
from jaxcards.xla.lowest import lowest_bit

# Numbers of streams of random words.
_SPLIT_STREAM = 1  # which of the picker's cards were the blind
_UNKNOWN_STREAM = 2  # which of the bury and the unknown is the unknown


def sample_state(game: SheepsheadGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with random hidden cards, all possible deals equally likely.

    The hidden cards are the other hands, the blind or the bury, and the unknown. All that is certain
    under the rules is used: from the picker's cards its call was legal, and so were all others. How
    well anybody picked, called, buried or played is not (docs/sheepshead.md, 12.1).
    """
    rules, seen = game.rules, observation
    known = possible_cards(rules, seen)
    # The picker is the first holder: static bounds then need room for more cards, held aces and cards
    # that it must keep there alone.
    me, n = seen.player.astype(jnp.uint32), rules.num_players
    is_picker = [seen.public.picker == seat_after(me, k, n) for k in range(1, n)]
    bounds = [sum(column) for column in zip(*known.least, strict=True)]
    # An unknown may be any card that the bury may have: both are filled as one holder, then parted.
    situation = Situation.of(
        [(word,) for word in _exchanged(known.allowed[:n], is_picker)],
        _exchanged([*known.sizes[: n - 1], sum(known.sizes[n - 1 :], jnp.int32(0))], is_picker),
        DECK.num_cards,
        max_size=known.max_sizes,
        classes=[(word,) for word in known.classes],
        class_sizes=known.class_sizes,
        least=[bounds, *[[0] * len(bounds)] * (n - 1)],
        most=known.most,
    )

    if rules.calls:
        sure = [*known.placed[: n - 1], reduce(jnp.bitwise_or, known.placed[n - 1 :])]
        drawn, _ = sample_fitting(key, situation, partial(_agrees, rules), (seen, is_picker, sure))
    else:
        drawn = sample_hidden(key, situation)
    hidden = _exchanged([cards for (cards,) in drawn], is_picker)
    if len(known.sizes) > n:
        one = _some(key, _UNKNOWN_STREAM, hidden[-1], 1, rules.blind_size + 1)
        unknown = jnp.where(known.sizes[n] > 0, one, 0)
        hidden = [*hidden[:-1], hidden[-1] & ~unknown, unknown]
    words = [cards | sure for cards, sure in zip(hidden, known.placed, strict=True)]
    return _with_cards(rules, key, seen, words)


def _agrees(rules: SheepsheadRules, facts: Any, drawn: tuple[Words, ...]) -> jax.Array:
    """Return `fits` of hidden cards as `sample_state` draws them."""
    seen, is_picker, sure = facts
    hidden = _exchanged([cards for (cards,) in drawn], is_picker)
    return fits(rules, seen, [a | b for a, b in zip(hidden, sure, strict=True)])


def _exchanged(by_holder: list[jax.Array], is_picker: list[jax.Array]) -> list[jax.Array]:
    """Return values by holder, with those of the picker and of the first holder exchanged."""
    changed = list(by_holder)
    for k in range(1, len(is_picker)):
        changed[0] = jnp.where(is_picker[k], by_holder[k], changed[0])
        changed[k] = jnp.where(is_picker[k], by_holder[0], by_holder[k])
    return changed


def fits(rules: SheepsheadRules, seen: Observation, words: Sequence[jax.Array]) -> jax.Array:
    """Return whether a picker with these cards could have called as it did, and kept what it owed.

    Args:
      rules: of the game, with a called card.
      seen: what a player sees.
      words: the hidden cards as in `known.Hidden`, of other hands and then of those aside, the unknown
        among them: uint32.

    Returns:
      bool; True for what the picker itself sees, and as long as there is no picker.
    """
    public, n = seen.public, rules.num_players
    assert public.called is not None
    me, picker = seen.player.astype(jnp.uint32), jnp.minimum(public.picker, n - 1)
    in_hand = by_seat([seen.hand.words[0], *words[: n - 1]], places_after(me, picker, n))
    buried = words[n - 1] | seen.buried.words[0]
    owned = in_hand | by_seat(seen.played_by, picker).words[0] | buried
    named, possible = public.called < NO_CARD, callable_cards(rules, owned)
    agrees = ~named | (possible & single(public.called) != 0)
    agrees = agrees & ((public.phase != CALL) | (possible != 0))
    if not rules.loner_choice:
        # Who can call, has to.
        agrees = agrees & (named | (public.phase == CALL) | (possible == 0))
    # While the picker is bound to keep a card of the called suit, it has one; the unknown is one.
    assert public.keeps is not None
    owes = public.keeps
    if seen.has_unknown is not None:
        owes = owes & ~without_suit(seen)
    suit = fails_of(rules.trump_suit, public.called >> 3)
    agrees = agrees & (~owes | (in_hand & suit != 0))
    return agrees | (public.picker == NO_SEAT) | (public.picker == me)


def _with_cards(
    rules: SheepsheadRules, key: jax.Array, seen: Observation, words: list[jax.Array]
) -> State:
    """Return a state with hidden cards: of the other seats, those aside, the unknown."""
    public = seen.public
    n = rules.num_players
    me = seen.player.astype(jnp.uint32)
    hidden_blind = blind_is_hidden(public)
    # All cards of each seat, the picker's with what it picked up.
    aside = words[n - 1]
    unknown = words[n] if seen.has_unknown is not None else jnp.uint32(0)
    buried = seen.buried.words[0] | jnp.where(hidden_blind, 0, aside)
    owned = []
    for seat in range(n):
        held = by_seat([seen.hand.words[0], *words[: n - 1]], places_after(me, seat, n))
        cards = held | seen.played_by[seat].words[0]
        owned.append(cards | jnp.where(public.picker == seat, buried | unknown, 0))
    # Which of the picker's cards were the blind is uniform for others.
    pool = by_seat(owned, jnp.minimum(public.picker, n - 1))
    most = rules.hand_size + rules.blind_size
    picked_up = _some(key, _SPLIT_STREAM, pool, rules.blind_size, most)
    blind = jnp.where(hidden_blind, aside, picked_up)
    blind = jnp.where(sees_aside(public, me), seen.blind.words[0], blind)
    dealt = [cards & ~jnp.where(public.picker == seat, blind, 0) for seat, cards in enumerate(owned)]
    played, card = seen.played, seen.unknown
    if card is not None:
        card = jnp.where(unknown != 0, jnp.uint32(31) - jax.lax.clz(unknown), card)
        face_down = facts_of(rules, seen).face_down > 0
        played = played | CardSet(DECK, [jnp.where(face_down, unknown, 0)])
    return State(
        public=public,
        hands=tuple(CardSet(DECK, [cards]) for cards in dealt),
        blind=CardSet(DECK, [blind]),
        played=played,
        buried=CardSet(DECK, [buried]),
        unknown=card,
        ends_early=rules.no_pick == "doubler",
    )


def _some(key: jax.Array, stream: int, pool: jax.Array, number: int, most: int) -> jax.Array:
    """Return `number` uniformly random cards of a set of at most `most` cards: uint32."""
    words = prng.fold(prng.key_words(key), stream)
    chosen = jnp.uint32(0)
    for i in range(number):
        left = pool & ~chosen
        index = prng.below(
            prng.random_word(words, i), jnp.maximum(jax.lax.population_count(left), 1), most
        )
        for k in range(most - 1 - i):
            left = jnp.where(index > k, left & (left - 1), left)
        chosen = chosen | lowest_bit(left)
    return chosen
