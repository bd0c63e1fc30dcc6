"""The observation of a Skat player, and other hidden cards that fit it (docs/skat.md, 8)."""

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards import dealing, sets
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import by_seat, field, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import Situation, sample_hidden
from jaxcards.games.skat import play
from jaxcards.games.skat.play import CLASSES, DECK, HAND, SEATS, SKAT, Observation, SkatGame, State
from jaxcards.kit.state import observed
from jaxcards.xla import prng

_SPLIT_STREAM = 1  # random words for which of the declarer's cards were the skat


def observe(game: SkatGame, state: State, player: jax.Array) -> Observation:
    """Return an observation; only the declarer knows what it took and discarded, until the end."""
    del game  # the same in all rules
    public = state.public
    mine = jnp.asarray(player).astype(jnp.uint32) == public.declarer
    declares, shown = public.taken & mine, state.hand_of(jnp.minimum(public.declarer, SEATS - 1))
    return Observation(
        **observed(state, player),
        skat=state.skat.where(declares),
        buried=sets.select(state.terminated, state.aside, state.buried.where(declares)),
        open=shown.where(public.is_open & ~mine),
    )


def card_places(game: SkatGame, state: State) -> CardPlaces:
    """See `Game.card_places`; aside is the skat, or what the declarer has discarded."""
    del game
    gone, public = state.played | state.buried, state.public
    hands = tuple(cards - gone for cards in state.owned)
    shown = by_seat(hands, jnp.minimum(public.declarer, SEATS - 1))
    return CardPlaces(hands, state.played_by, state.aside, shown=(shown.where(public.is_open),))


def sample_state(game: SkatGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with random hidden cards; all deals and discards that fit are equally likely.

    Any two of the declarer's twelve cards may have been the skat, so these are drawn last.
    """
    seen, public = observation, observation.public
    me, taken = seen.player.astype(jnp.uint32), public.taken
    holders = [seat_after(me, places, SEATS) for places in range(1, SEATS)]
    allowed, sizes = [], []
    for seat in holders:
        declares = taken & (public.declarer == seat)
        size = HAND - by_seat(seen.played_by, seat).count()
        # Until both discards, a declarer who has taken the skat holds more cards.
        size = size + jnp.where(declares, SKAT - public.num_discarded.astype(jnp.int32), 0)
        # Open cards are known: for this seat, nothing is drawn.
        is_open = public.is_open & (public.declarer == seat)
        allowed.append((seen.unseen - lacking(seen, seat)).words)
        sizes.append(jnp.where(is_open, 0, size))
    known, over = public.declarer == me, public.phase == play.DONE
    # The last holder is the skat or, once that is taken, the discards.
    discards = jnp.where(known, 0, public.num_discarded.astype(jnp.int32))
    situation = Situation.of(
        [*allowed, seen.unseen.words],
        [*sizes, jnp.where(over, 0, jnp.where(taken, discards, SKAT))],
        DECK.num_cards,
        max_size=(HAND + SKAT, HAND + SKAT, SKAT),
    )
    *others, aside = [CardSet(DECK, words) for words in sample_hidden(key, situation)]
    # around: the hands by their places from the player on.
    around = [seen.hand]
    for seat, cards in zip(holders, others, strict=True):
        around.append(cards | seen.open.where(public.declarer == seat))
    held = [by_seat(around, places_after(me, seat, SEATS)) for seat in range(SEATS)]
    owned = kit.dealt_hands(held, seen)
    aside = sets.select(over, seen.buried, aside)
    buried = sets.select(known, seen.buried, aside).where(taken)
    # Two of the declarer's cards, discards included, were the skat.
    words = prng.fold(prng.key_words(key), _SPLIT_STREAM)
    declared = by_seat(owned, jnp.minimum(public.declarer, SEATS - 1)) | buried
    one, two = dealing.draw(words, 0, declared, SKAT, most=HAND + SKAT)
    drawn = sets.select(known, seen.skat, one | two)
    skat = sets.select(taken, drawn, aside)
    # The declarer was dealt its cards and discards, without those of the skat.
    hands = tuple(
        sets.select(taken & (public.declarer == seat), (cards | buried) - skat, cards)
        for seat, cards in enumerate(owned)
    )
    return State(public=public, hands=hands, played=seen.played, skat=skat, buried=buried)


def lacking(seen: Observation, seat: jax.Array) -> CardSet:
    """Return the cards that the play has shown a seat to lack."""
    lacks, found = field(seen.public.lacks, seat, CLASSES), CardSet.empty(DECK)
    for number in range(CLASSES):
        cards = play.class_cards(seen.public.game, jnp.uint32(number))
        found = found | cards.where((lacks >> number) & 1 == 1)
    return found
