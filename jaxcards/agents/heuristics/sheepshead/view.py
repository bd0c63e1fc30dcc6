"""One player's view of a Sheepshead deal: the trick, the sides, the possible hands.

Sides are secret until the called card is played. Until then every player who may hold it is the partner
with some chance. The chance is higher for players who led a trump, as partners do.
"""

import dataclasses
import functools
import operator
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.outlook import Outlook, Seat, masks_of, seats, steady, winning
from jaxcards.cards.history import card_at
from jaxcards.cards.seats import by_seat, field, places_after, seat_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.sheepshead import play
from jaxcards.games.sheepshead.known import Hidden, possible_cards
from jaxcards.games.sheepshead.play import (
    ACE,
    BLACK_QUEENS,
    DECK,
    NO_CARD,
    NO_SEAT,
    NUM_CLASSES,
    TRUMP_CLASS,
    WINNER_BITS,
    Observation,
    Public,
    blind_is_hidden,
    fail_set,
    strength_table,
    trump_set,
    trump_strengths,
)
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.xla.fence import fence

PICKER, PARTNER, DEFENDER, LEASTER = range(4)  # roles of a player; `LEASTER` if all have passed

CARDS = np.arange(DECK.num_cards, dtype=np.uint32)
POINTS = np.array([play.POINTS[card % 8] for card in CARDS], np.float32)

# NumPy's float32, because a choice between two Python numbers is float64 in JAX's 64-bit mode.
PICKER_TRUMPS = np.float32(1.6)
"""Relative likelihood of a trump in the picker's hand, against another hand."""
BURIED_TRUMPS = np.float32(0.05)
"""Relative likelihood of a trump in the bury, against a hand; the other cards there are fails."""
LED_TRUMP, LED_FAIL = np.float32(3.0), np.float32(0.5)
"""Relative likelihood of being the partner for a player who has led a trump, or a fail card."""
SECRETLY_ALONE = np.float32(1.5)
"""Relative likelihood of the picker holding a secret jack of diamonds, against another player."""


class CardTables(NamedTuple):
    """The properties of each card under the rules, uint32[32] each.

    Attributes:
      suit: its class.
      above: the cards of its class that beat it, as bits.
      same: all cards of its class.
    """

    suit: np.ndarray
    above: np.ndarray
    same: np.ndarray


@functools.cache
def tables(trump_suit: int, spitz: str) -> CardTables:
    """Return the tables for a trump suit and a place of its seven."""
    strengths = np.array(strength_table(trump_suit, spitz))
    trumps = (np.uint32(trump_set(trump_suit)) >> CARDS) & 1 == 1
    suit = np.where(trumps, TRUMP_CLASS, CARDS // 8).astype(np.uint32)
    same = suit[:, None] == suit
    higher = same & (strengths > strengths[:, None])
    return CardTables(suit, masks_of(DECK, higher)[0], masks_of(DECK, same)[0])


def trump_places(rules: SheepsheadRules) -> list[int]:
    """Return the 14 trumps, the highest first."""
    strengths = trump_strengths(rules.trump_suit, rules.spitz)
    return sorted(strengths, key=lambda card: -strengths[card])


@dataclasses.dataclass(frozen=True)
class View:
    """A player's view of a deal.

    Attributes:
      outlook: the trick, and the other seats in the order in which they play.
      role: int32, `PICKER` to `LEASTER`.
      table: float32, card points on the table.
      to_come: float32, players who play after this one.
      picker_between: bool, the picker is one of them, and not the last.
      number: float32[32], own cards of each card's class.
      trumps: float32, own trumps; others: float32, unseen ones that are in other hands.
      called_suit: uint32, the called suit while the called card is out, else `NO_SUIT`.
      has_trick: bool, the player has won a trick.
      left: float32, cards in the player's hand, which is the number of tricks to come.
    """

    outlook: Outlook
    role: jax.Array
    table: jax.Array
    to_come: jax.Array
    picker_between: jax.Array
    number: jax.Array
    trumps: jax.Array
    others: jax.Array
    called_suit: jax.Array
    has_trick: jax.Array
    left: jax.Array


def view_of(rules: SheepsheadRules, seen: Observation, legal: CardSet) -> View:
    """Return the view of the player with this observation.

    Args:
      rules: of the game.
      seen: the player's observation.
      legal: the cards that may be played.
    """
    public = seen.public
    n = rules.num_players
    me = seen.player.astype(jnp.uint32)
    others = [seat_after(me, k, n) for k in range(1, n)]
    known = possible_cards(rules, seen)
    # Cards that a seat may hold, or is known to hold.
    possible = [_set(a | p) for a, p in zip(known.allowed[: n - 1], known.placed, strict=False)]
    partner = partner_chances(rules, seen, others, possible)
    role = _role(rules, seen, me)
    ally = [_ally(public, role, seat, p) for seat, p in zip(others, partner, strict=True)]
    called_suit = _called_suit(rules, seen)
    look = _outlook(rules, seen, legal, others, possible, known, ally)
    look = dataclasses.replace(
        look,
        seats=tuple(
            _owing(public, seat, chances, p, called_suit)
            for seat, chances, p in zip(others, look.seats, partner, strict=True)
        ),
    )
    same = jnp.asarray(tables(rules.trump_suit, rules.spitz).same)
    trumps = jnp.uint32(trump_set(rules.trump_suit))
    hand, unseen = look.hand.words[0], look.unseen.words[0]
    on_table = public.num_played % n
    to_picker = places_after(me, jnp.minimum(public.picker, n - 1), n)
    return View(
        outlook=look,
        role=role,
        table=public.trick.points.astype(jnp.float32),
        to_come=(n - 1 - on_table.astype(jnp.int32)).astype(jnp.float32),
        # The cards on the table when the picker's turn comes tell whether it plays last.
        picker_between=(to_picker + on_table < n - 1) & (to_picker > 0) & (public.picker < n),
        number=_count(same & hand),
        trumps=_count(trumps & hand),
        others=_count(trumps & unseen),
        called_suit=called_suit,
        has_trick=_has_trick(rules, public, me),
        left=_count(hand),
    )


def _set(word: jax.Array) -> CardSet:
    return CardSet(DECK, [fence(word)])


def _count(word: jax.Array) -> jax.Array:
    return jax.lax.population_count(word).astype(jnp.float32)


def _single(card: jax.Array) -> jax.Array:
    return CardSet.single(DECK, card).words[0]


# ---- The sides ----------------------------------------------------------------------------------


def _role(rules: SheepsheadRules, seen: Observation, me: jax.Array) -> jax.Array:
    public = seen.public
    if not rules.picks:
        # The side of the black queens, played or still in the hand.
        own = seen.hand.words[0] | by_seat(seen.played_by, me).words[0]
        return jnp.where(own & BLACK_QUEENS != 0, PICKER, DEFENDER)
    role = jnp.where(public.picker == me, PICKER, DEFENDER)
    if seen.partner is not None:
        role = jnp.where((seen.partner == me) & (public.picker != me), PARTNER, role)
    return jnp.where(public.picker == NO_SEAT, LEASTER, role)


def partner_chances(
    rules: SheepsheadRules, seen: Observation, others: list[jax.Array], possible: list[CardSet]
) -> list[jax.Array]:
    """Return the chance of each other seat to be the picker's partner: float32.

    Args:
      rules: of the game.
      seen: the player's observation.
      others: the other seats.
      possible: the unseen cards that each of them may hold.
    """
    public = seen.public
    if not rules.picks:
        return _queen_chances(seen, others, possible)
    if public.called is None or seen.partner is None:
        return [jnp.float32(0)] * len(others)
    card = _single(public.called)
    led_trump, led_fail = _leads(rules, public)
    weights = []
    for seat, may in zip(others, possible, strict=True):
        # Weigh each seat that may hold the called card by its leads; normalise below.
        weight = jnp.where((led_trump >> seat) & 1 == 1, LED_TRUMP, 1.0)
        weight = weight * jnp.where((led_fail >> seat) & 1 == 1, LED_FAIL, 1.0)
        weight = jnp.where(public.picker == seat, SECRETLY_ALONE, weight)
        weights.append(jnp.where(may.words[0] & card != 0, weight, 0.0))
    total = jnp.maximum(sum(weights[1:], weights[0]), 1e-6)
    found = []
    for seat, weight in zip(others, weights, strict=True):
        guess = jnp.where(public.picker == seat, 0.0, weight / total)
        sure = (seen.partner == seat).astype(jnp.float32)
        found.append(steady(jnp.where(seen.partner == NO_SEAT, guess, sure)))
    return found


def _queen_chances(
    seen: Observation, others: list[jax.Array], possible: list[CardSet]
) -> list[jax.Array]:
    """Return the chance of each other seat to have had a black queen, if these play together."""
    may = [_count(cards.words[0] & BLACK_QUEENS) for cards in possible]
    unseen = _count(functools.reduce(operator.or_, possible).words[0] & BLACK_QUEENS)
    # An unseen queen is equally likely with each seat that may hold it.
    share = unseen / jnp.maximum(sum(may[1:], may[0]), 1.0)
    found = []
    for seat, number in zip(others, may, strict=True):
        shown = by_seat(seen.played_by, seat).words[0] & BLACK_QUEENS != 0
        found.append(steady(jnp.where(shown, 1.0, jnp.minimum(share * number, 1.0))))
    return found


def _leads(rules: SheepsheadRules, public: Public) -> tuple[jax.Array, jax.Array]:
    """Return the seats that led a trump and those that led a fail card: uint32, bit k for seat k."""
    n = rules.num_players
    trump, fail = jnp.uint32(0), jnp.uint32(0)
    leader = seat_after(public.dealer, 1, n)
    for trick in range(rules.hand_size):
        if trick:
            leader = field(public.winners, trick - 1, WINNER_BITS)
        card = card_at(public.history, n * trick)
        bit = jnp.where(public.num_played > n * trick, jnp.uint32(1) << leader, 0)
        # A card face down counts as a fail.
        known = (card < NO_CARD).astype(jnp.uint32)
        is_trump = (jnp.uint32(trump_set(rules.trump_suit)) >> (card & 31)) & known == 1
        trump, fail = trump | jnp.where(is_trump, bit, 0), fail | jnp.where(is_trump, 0, bit)
    return fence(trump), fence(fail)


def _ally(public: Public, role: jax.Array, seat: jax.Array, partner: jax.Array) -> jax.Array:
    """Return the chance that a seat is on the player's side: float32."""
    picks = public.picker == seat
    defends = jnp.where(picks, 0.0, 1 - partner)
    ally = jnp.where(role == PICKER, partner, defends)
    ally = jnp.where(role == PARTNER, picks.astype(jnp.float32), ally)
    return steady(jnp.where(role == LEASTER, 0.0, ally))


# ---- The cards ----------------------------------------------------------------------------------


def _called_suit(rules: SheepsheadRules, seen: Observation) -> jax.Array:
    public = seen.public
    if not rules.calls or public.called is None:
        return jnp.uint32(NO_SUIT)
    card = _single(public.called)
    # Take the card away if it has been played.
    for played in seen.played_by:
        card = card & ~played.words[0]
    return jnp.where(card != 0, public.called >> 3, NO_SUIT)


def _outlook(
    rules: SheepsheadRules,
    seen: Observation,
    legal: CardSet,
    others: list[jax.Array],
    possible: list[CardSet],
    known: Hidden,
    ally: list[jax.Array],
) -> Outlook:
    public = seen.public
    n = rules.num_players
    me = seen.player.astype(jnp.uint32)
    unseen = ~(seen.hand | seen.buried).words[0]
    for played in seen.played_by:
        unseen = unseen & ~played.words[0]
    unseen = fence(unseen)
    # Sizes of hands include cards with a known place.
    counts = [
        size + jax.lax.population_count(sure).astype(jnp.int32)
        for size, sure in zip(known.sizes, known.placed, strict=True)
    ]
    # Five classes: the fails of each suit, then trumps.
    fails = [jnp.uint32(fail_set(rules.trump_suit) & 0xFF << 8 * suit) for suit in range(4)]
    classes = [_set_of(unseen & word) for word in [*fails, jnp.uint32(trump_set(rules.trump_suit))]]
    on_table = public.num_played % n
    even = [1.0] * (NUM_CLASSES - 1)
    # Only trumps are uneven: the picker has more of them, and the bury few.
    lean: list[list[jax.Array | float]] = [
        [*even, jnp.where(public.picker == seat, PICKER_TRUMPS, 1.0)] for seat in others
    ]
    lean.append([*even, jnp.where(blind_is_hidden(public), 1.0, BURIED_TRUMPS)])
    suit, above = _as_played(rules, seen)
    winner = public.trick.winner
    winner_ally = jnp.float32(0)
    for seat, chance in zip(others, ally, strict=True):
        winner_ally = jnp.where(winner == seat, chance, winner_ally)
    # The winning card was played this number of cards ago.
    back = places_after(jnp.minimum(winner, n - 1), me, n)
    best_suit, best_above = winning(suit, (above,), DECK, _winning_card(seen, back))
    return Outlook(
        hand=_set(seen.hand.words[0]),
        legal=_set(legal.words[0]),
        unseen=_set_of(unseen),
        suit=suit,
        above=(above,),
        trump=jnp.uint32(TRUMP_CLASS),
        led=public.trick.led,
        best_suit=best_suit,
        best_above=best_above,
        winner_ally=steady(winner_ally),
        seats=seats(
            unseen=classes,
            possible=possible,
            sizes=counts[: n - 1],
            plays=[k < n - on_table for k in range(1, n)],
            ally=ally,
            aside=sum(counts[n:], counts[n - 1]),
            lean=lean,
        ),
    )


def _set_of(word: jax.Array) -> CardSet:
    return CardSet(DECK, [word])


def _winning_card(seen: Observation, back: jax.Array) -> jax.Array:
    """Return the card that wins so far: uint32; the seven of the called suit for the unknown."""
    public = seen.public
    card = card_at(public.history, jnp.where(public.num_played >= back, public.num_played - back, 0))
    if seen.has_unknown is not None and public.called is not None:
        card = jnp.where(card == NO_CARD, public.called & 24, card)
    return fence(card)


def _as_played(rules: SheepsheadRules, seen: Observation) -> tuple[jax.Array, jax.Array]:
    """Return the class of each card, and the cards of it that beat it: uint32[32] each."""
    public = seen.public
    table = tables(rules.trump_suit, rules.spitz)
    suit, above = jnp.asarray(table.suit), jnp.asarray(table.above)
    if not rules.calls or public.called is None:
        return suit, above
    called_suit = jnp.where(public.called < NO_CARD, public.called >> 3, NO_SUIT)
    # A called ten beats its whole suit: add it above the others, and nothing above it.
    if rules.called_ten_wins:
        top = (public.called < NO_CARD) & (public.called & 7 != ACE)
        beaten = jnp.where(top & (suit == called_suit), _single(public.called), 0)
        above = jnp.where(top & (public.called == CARDS), 0, above | beaten)
    # The unknown belongs to the called suit, and every fail of that suit beats it.
    if seen.unknown is not None:
        unknown = (CARDS == seen.unknown) & (seen.unknown < NO_CARD)
        fails = (jnp.uint32(0xFF) << (public.called & 24)) & jnp.uint32(fail_set(rules.trump_suit))
        suit, above = jnp.where(unknown, called_suit, suit), jnp.where(unknown, fails, above)
    return suit, above


def _owing(
    public: Public, seat: jax.Array, chances: Seat, partner: jax.Array, called_suit: jax.Array
) -> Seat:
    """Return a seat that has the called suit if the rules make it: the picker, and the partner."""
    if public.keeps is None:
        return chances
    keeps = public.keeps & (public.picker == seat)
    void = []
    for number, chance in enumerate(chances.void):
        # A partner must hold the called suit, and so must a picker that keeps a card of it.
        less = jnp.where(called_suit == number, chance * (1 - partner), chance)
        void.append(steady(jnp.where(keeps & (called_suit == number), 0.0, less)))
    return dataclasses.replace(chances, void=tuple(void))


def _has_trick(rules: SheepsheadRules, public: Public, me: jax.Array) -> jax.Array:
    has = jnp.zeros((), bool)
    # After the last trick the player has nothing to decide.
    for trick in range(rules.hand_size - 1):
        done = public.num_played >= rules.num_players * (trick + 1)
        has = has | (done & (field(public.winners, trick, WINNER_BITS) == me))
    return has
