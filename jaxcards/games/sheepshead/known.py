"""Find the cards that unseen hands can hold, for one player (docs/observations.md)."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat, field, places_after, seat_after
from jaxcards.games.sheepshead import play
from jaxcards.games.sheepshead.calls import kept_ace
from jaxcards.games.sheepshead.play import Observation, Public
from jaxcards.games.sheepshead.rules import SheepsheadRules


class Hidden(NamedTuple):
    """Hold the knowledge of a player about the hidden cards.

    Holders are the other seats, from the player's left on, then the cards aside (the blind until it
    is picked up, then the bury), then, where there can be one, the unknown.
    """

    allowed: list[jax.Array]  # for each holder, the cards it may have: uint32
    sizes: list[jax.Array]  # for each holder, the number of its cards: int32
    # Disjoint sets; a holder may have all cards of a set, or may not have any: uint32.
    classes: list[jax.Array]
    class_sizes: list[int]  # the largest size of each class, static
    # For each holder and class, how many cards of it the holder has at least: int32; 0 except for the
    # picker.
    least: list[list[jax.Array | int]]
    # For each holder the most cards it can have, if the picker is the first, and the cards aside and
    # the unknown are one holder; static.
    max_sizes: list[int]
    most: list[list[int]]  # likewise for each holder and class, the most cards of the class; static
    # For each holder, cards that it has for certain, besides those of `sizes`: uint32.
    placed: list[jax.Array]


class Facts(NamedTuple):
    """Hold the facts of a deal that the player knows, in the form that `possible_cards` needs."""

    unseen: jax.Array  # uint32 set: cards that the player does not see, without `kept` to `shown`
    partner_card: jax.Array  # uint32 set: the unseen called card, or jack of diamonds
    not_picker: jax.Array  # bool: the picker is known not to have the partner card
    goes_under: jax.Array  # uint32 set: fail cards of a suit that was called with an unknown
    held: jax.Array  # uint32 set: other cards that the picker has in hand or has buried
    kept: jax.Array  # uint32 set: an unseen ace that the picker must have in hand
    sunk: jax.Array  # uint32 set: unseen cards that it had and does not have in hand: buried
    shown: jax.Array  # uint32 set: unseen black queens of the seat that showed them
    face_down: jax.Array  # int32: the unknown has been played, and the player does not know it


def possible_cards(rules: SheepsheadRules, seen: Observation) -> Hidden:
    """Return the hidden cards of each holder, and their number (docs/observations.md)."""
    public = seen.public
    n = rules.num_players
    me = seen.player.astype(jnp.uint32)
    facts = facts_of(rules, seen)
    allowed, sizes, placed = [], [], []
    # The other hands.
    for k in range(1, n):
        seat = seat_after(me, k, n)
        allowed.append(_possible_in_hand(rules, public, facts, seat))
        sizes.append(_hidden_in_hand(rules, seen, facts, seat))
        placed.append(_placed_in_hand(public, facts, seat))
    # The blind or the bury.
    hidden_blind = play.blind_is_hidden(public)
    in_the_know = play.sees_aside(public, me)
    # A picker cannot have buried a card that it never had.
    bury = facts.unseen & ~(jnp.where(facts.not_picker, facts.partner_card, 0) | facts.goes_under)
    aside = jnp.where(hidden_blind, rules.blind_size, seen.num_buried.astype(jnp.int32))
    allowed.append(jnp.where(hidden_blind, facts.unseen, bury))
    sizes.append(jnp.where(in_the_know, 0, aside))
    placed.append(facts.sunk)
    if seen.has_unknown is not None:
        # Any card that the picker had: the unknown may be of a class that it has shown to lack since.
        allowed.append(facts.unseen & ~(facts.partner_card | facts.goes_under))
        sizes.append((seen.has_unknown & ~in_the_know).astype(jnp.int32))
        placed.append(jnp.uint32(0))
    classes, class_sizes, least = _classes(rules, seen, facts)
    sure = [jax.lax.population_count(cards).astype(jnp.int32) for cards in placed]
    # Certain cards join their holder after the draw, so that they take up none of its places.
    sizes = [size - number for size, number in zip(sizes, sure, strict=True)]
    max_sizes, most = _limits(rules, class_sizes)
    return Hidden(allowed, sizes, classes, class_sizes, least, max_sizes, most, placed)


def facts_of(rules: SheepsheadRules, seen: Observation) -> Facts:
    """Return the knowledge of a player about the hidden cards (docs/observations.md)."""
    public = seen.public
    # All cards but those in the own hand, aside for the player to see, or played.
    nothing = jnp.uint32(0)
    unseen = ~(seen.hand | seen.buried | seen.blind).words[0]
    for played in seen.played_by:
        unseen = unseen & ~played.words[0]
    facts = Facts(unseen, nothing, jnp.zeros((), bool), *(nothing,) * 5, jnp.int32(0))
    if public.blitzer is not None:
        shown = jnp.where(public.blitzer == play.NO_SEAT, 0, unseen & play.BLACK_QUEENS)
        unseen = unseen & ~shown
        facts = facts._replace(unseen=unseen, shown=shown)
    if public.called is None:
        return facts
    # A picker that names a card does not have it. With a secret jack of diamonds it may.
    partner_card = play.single(public.called) & unseen
    not_picker = jnp.bool_(rules.calls or rules.loner_choice)
    if public.recracker is not None:
        not_picker = not_picker | _partner_answered(public)
    facts = facts._replace(partner_card=partner_card, not_picker=not_picker)
    if rules.call_up:
        # A picker that calls a higher jack has or had all lower ones.
        held = play.jacks_below(public.called) & unseen
        sunk = held & _lacking(rules, public, public.picker)
        facts = facts._replace(unseen=unseen & ~sunk, held=held & ~sunk, sunk=sunk)
    if not rules.calls:
        return facts
    # After a call below the ace the picker has or had every fail ace. A call below the ten shows the
    # tens as well; so few hands have all six that this is left to `fits`.
    if rules.call_fallback != "none":
        aces = jnp.uint32(play.fail_set(rules.trump_suit) & play.rank_set("A"))
        low_call = (public.called < play.NO_CARD) & (public.called & 7 != play.ACE)
        held = jnp.where(low_call, aces & unseen, 0)
        kept = kept_ace(rules, public.called) & held
        sunk = held & _lacking(rules, public, public.picker)
        facts = facts._replace(
            unseen=unseen & ~(kept | sunk), held=held & ~(kept | sunk), kept=kept, sunk=sunk
        )
    # After a call with an unknown the picker had no card of the suit; the unknown may lie face down.
    if seen.has_unknown is not None:
        suit = play.fails_of(rules.trump_suit, public.called >> 3)
        facts = facts._replace(goes_under=jnp.where(without_suit(seen), suit & unseen, 0))
        # If the picker has played more cards than lie face up, one of them is the unknown.
        face_up = by_seat(seen.played_by, jnp.minimum(public.picker, rules.num_players - 1)).count()
        hidden = _num_played_by(rules, public, public.picker) - face_up
        facts = facts._replace(face_down=jnp.where(public.picker == play.NO_SEAT, 0, hidden))
    return facts


def _placed_in_hand(public: Public, facts: Facts, seat: jax.Array) -> jax.Array:
    """Return unseen cards that another seat has for certain: uint32."""
    placed = jnp.where(public.picker == seat, facts.kept, 0)
    if public.blitzer is None:
        return placed
    return placed | jnp.where(public.blitzer == seat, facts.shown, 0)


def _partner_answered(public: Public) -> jax.Array:
    """Return whether the partner has cracked back, which shows who it is: bool."""
    assert public.recracker is not None
    return (public.recracker != play.NO_SEAT) & (public.recracker != public.picker)


def _in_this_trick(rules: SheepsheadRules, public: Public, seat: jax.Array) -> jax.Array:
    """Return whether a seat has played to the trick on the table: bool."""
    # The seats just before the current player have played to the trick.
    back = places_after(seat, public.current_player.astype(jnp.uint32), rules.num_players)
    return (back >= 1) & (back <= public.num_played % rules.num_players)


def _num_played_by(rules: SheepsheadRules, public: Public, seat: jax.Array) -> jax.Array:
    """Return the number of cards that a seat has played, face-down ones included: int32."""
    here = _in_this_trick(rules, public, jnp.minimum(seat, rules.num_players - 1))
    return (public.num_played // rules.num_players).astype(jnp.int32) + here.astype(jnp.int32)


def _hidden_in_hand(
    rules: SheepsheadRules, seen: Observation, facts: Facts, seat: jax.Array
) -> jax.Array:
    """Return the number of cards that another seat holds, without its unknown: int32."""
    public = seen.public
    left = rules.hand_size - _num_played_by(rules, public, seat)
    # The picker holds the blind as well, less the cards that it has buried.
    more = rules.blind_size - seen.num_buried.astype(jnp.int32)
    if seen.has_unknown is not None:
        # The unknown is a holder of its own. Once played, it is already missing from the hand.
        still_there = seen.has_unknown & (public.phase != play.DONE)
        more = more - (still_there.astype(jnp.int32) - facts.face_down)
    return left + jnp.where(public.picker == seat, more, 0)


def _possible_in_hand(
    rules: SheepsheadRules, public: Public, facts: Facts, seat: jax.Array
) -> jax.Array:
    """Return the hidden cards that another seat may have in its hand: uint32."""
    # What the seat has not shown to lack.
    possible = facts.unseen & ~_lacking(rules, public, seat)
    if public.called is None:
        return possible
    # The partner card: not with a picker that named it, not with a seat that cracked, and only with a
    # partner that cracked back.
    picks = public.picker == seat
    without = picks & facts.not_picker
    if public.cracker is not None:
        without = without | (public.cracker == seat)
    if public.recracker is not None:
        without = without | (_partner_answered(public) & (public.recracker != seat))
    if rules.calls:
        # A seat that has played to this trick of the called suit would have given the called card.
        asked = public.trick.led == public.called >> 3
        without = without | (asked & _in_this_trick(rules, public, seat))
    possible = jnp.where(without, possible & ~facts.partner_card, possible)
    mine = facts.goes_under  # not the picker's
    others = facts.held  # only the picker's
    return possible & ~jnp.where(picks, mine, others)


def _lacking(rules: SheepsheadRules, public: Public, seat: jax.Array) -> jax.Array:
    """Return the cards of the classes that a seat has shown to lack: uint32."""
    cards = jnp.uint32(0)
    for number in range(play.NUM_CLASSES):
        lacks = (field(public.voids, seat, play.CLASS_BITS) >> number) & 1 == 1
        cards = cards | jnp.where(lacks, play.class_set(rules.trump_suit, jnp.uint32(number)), 0)
    return cards


def _classes(
    rules: SheepsheadRules, seen: Observation, facts: Facts
) -> tuple[list[jax.Array], list[int], list[list[jax.Array | int]]]:
    """Return classes, their largest sizes and `least` of `Hidden`."""
    public = seen.public
    n = rules.num_players
    # A class for each fail suit and one for trumps, without the cards that have a class of their own.
    suits = [suit for suit in range(4) if suit != rules.trump_suit]
    special = facts.partner_card | facts.held
    fails = [facts.unseen & jnp.uint32(play.fail_set(rules.trump_suit) & 0xFF << 8 * s) for s in suits]
    classes = [cards & ~special for cards in fails]
    # Without queen and jack, a suit has six fail cards; the other 14 cards are trumps.
    sizes = [6] * len(suits)
    classes.append(facts.unseen & jnp.uint32(play.trump_set(rules.trump_suit)) & ~special)
    sizes.append(14)
    if public.called is not None:
        classes.append(facts.partner_card)
        sizes.append(1)
    if rules.shows_held:
        classes.append(facts.held)
        # Three fail aces at most, or the three jacks below the one of clubs.
        sizes.append(3)
    # The picker holds a card of the called suit as long as it is bound to keep one.
    holders = n + (seen.has_unknown is not None)
    least: list[list[jax.Array | int]] = [[0] * len(classes) for _ in range(holders)]
    if public.called is not None and public.keeps is not None:
        bound = _bound_to_keep(seen)
        for k in range(1, n):
            is_picker = public.picker == seat_after(seen.player.astype(jnp.uint32), k, n)
            for place, suit in enumerate(suits):
                here = bound & is_picker & (public.called >> 3 == suit)
                least[k - 1][place] = here.astype(jnp.int32)
    return classes, sizes, least


def _limits(rules: SheepsheadRules, class_sizes: list[int]) -> tuple[list[int], list[list[int]]]:
    """Return `max_sizes` and `most` of `Hidden`."""
    others = rules.num_players - 2
    aside = rules.blind_size + rules.has_unknown
    # The picker comes first: until it has buried, it holds the blind as well.
    max_sizes = [rules.hand_size + rules.blind_size, *[rules.hand_size] * others, aside]
    most = [list(class_sizes) for _ in max_sizes]
    if rules.shows_held:
        for row in most[1:-1]:
            row[-1] = 0  # held cards are the picker's
        most[-1][-1] = min(class_sizes[-1], rules.blind_size)  # the unknown is another card
    return max_sizes, most


def _bound_to_keep(seen: Observation) -> jax.Array:
    """Return whether the picker has, besides aces that it called with, a card of the called suit."""
    public = seen.public
    assert public.called is not None and public.keeps is not None
    bound = public.keeps & (public.called & 7 == play.ACE)
    return bound if seen.has_unknown is None else bound & ~without_suit(seen)


def without_suit(seen: Observation) -> jax.Array:
    """Return whether the picker called a suit without a card of it: bool."""
    assert seen.has_unknown is not None
    return seen.has_unknown | (seen.public.phase == play.UNKNOWN)
