"""One player's view of a Rikiki round: the trick, the players' needs, the cards that are out."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.outlook import Outlook, masks_of, seats, steady, winning
from jaxcards.cards import sets
from jaxcards.cards.seats import by_seat, field, seat_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.rikiki.play import (
    DECK,
    VOID_BITS,
    Observation,
    bid_of,
    has_bid,
    num_turned_up,
    tricks_of,
    unseen_cards,
)
from jaxcards.games.rikiki.rules import NO_TRUMP, RikikiRules
from jaxcards.xla.fence import fence

LANE = DECK.ranks_per_suit
NUM_SUITS = len(DECK.suits)
SUIT = np.repeat(np.arange(NUM_SUITS, dtype=np.uint32), LANE)


_CARD = np.arange(DECK.num_cards)
_SAME_SUIT = SUIT[:, None] == SUIT
ABOVE = masks_of(DECK, _SAME_SUIT & (_CARD > _CARD[:, None]))
"""For each card, the cards of its suit above it: uint32[52] for each word of a set."""
BELOW = masks_of(DECK, _SAME_SUIT & (_CARD < _CARD[:, None]))
"""For each card, the cards of its suit below it."""


@dataclasses.dataclass(frozen=True)
class View:
    """A player's view of the round, for bids and for play.

    Attributes:
      outlook: the trick, and the other seats in the order in which they play.
      needs: for each of these seats, int32, its bid less its tricks; negative if it has too many. A
        share of the tricks for those who are still to bid.
      pressure: float32, tricks that the others want, for each trick left, less their fair share.
      live: for each suit, float32, the chance that an unseen card of it is in another hand.
      out: for each suit, float32, the expected number of its cards in the other hands.
      ruffed: for each suit, float32, the chance that a player is void in it and has a trump.
      trumps: float32, own trumps.
      leads: float32, while bids are made: 1 for the first leader and 0 for others, less the average.
      size: uint32, cards of a hand in this round.
      left: int32, cards in the player's hand, which is the number of tricks left.
      bid, won: int32, own bid and own tricks.
    """

    outlook: Outlook
    needs: tuple[jax.Array, ...]
    pressure: jax.Array
    live: tuple[jax.Array, ...]
    out: tuple[jax.Array, ...]
    ruffed: tuple[jax.Array, ...]
    trumps: jax.Array
    leads: jax.Array
    size: jax.Array
    left: jax.Array
    bid: jax.Array
    won: jax.Array


def view_of(rules: RikikiRules, seen: Observation, legal: CardSet) -> View:
    """Return the view of the player with this observation.

    Args:
      rules: the rules.
      seen: the player's observation.
      legal: the cards that it may play; empty while bids are made.
    """
    public = seen.public
    players = len(seen.played_by)
    me = seen.player.astype(jnp.uint32)
    others = [seat_after(me, places, players) for places in range(1, players)]
    look = _outlook(rules, seen, legal, others)
    left = seen.hand.count().astype(jnp.int32)
    if rules.covers_hands:  # a card on the forehead is in the hand, too
        left = (public.hand_size - by_seat(seen.played_by, me).count()).astype(jnp.int32)
    needs, wanted = [], jnp.float32(0)
    for seat in others:
        need = _short(seen, seat)
        said = has_bid(seat, public.dealer, public.num_bids, players)
        needs.append(fence(jnp.where(said, need, 0)))
        # A player who has not bid yet wants its share of the tricks left.
        share = left.astype(jnp.float32) / players
        wanted = wanted + jnp.where(said, jnp.maximum(need, 0).astype(jnp.float32), share)
    tricks = jnp.maximum(left, 1).astype(jnp.float32)
    leader = seat_after(public.dealer.astype(jnp.uint32), rules.lead_offset, players)
    bidding = public.num_bids < players
    return View(
        outlook=look,
        needs=tuple(needs),
        pressure=steady(wanted / tricks - (players - 1) / players),
        trumps=(seen.hand & CardSet.suit_of(DECK, look.trump)).count().astype(jnp.float32),
        leads=jnp.where(bidding, (leader == me).astype(jnp.float32) - 1 / players, 0),
        size=public.hand_size,
        left=fence(left),
        bid=bid_of(public.bids, me, players).astype(jnp.int32),
        won=tricks_of(public.tricks_won, me, players).astype(jnp.int32),
        **_out(look),
    )


def _short(seen: Observation, seat: jax.Array) -> jax.Array:
    """Return the bid of a seat less the tricks it has won: int32."""
    public = seen.public
    players = len(seen.played_by)
    bid = bid_of(public.bids, seat, players).astype(jnp.int32)
    return bid - tricks_of(public.tricks_won, seat, players).astype(jnp.int32)


def _outlook(
    rules: RikikiRules, seen: Observation, legal: CardSet, others: list[jax.Array]
) -> Outlook:
    public = seen.public
    players = len(seen.played_by)
    unseen = sets.fence_set(unseen_cards(rules, seen))
    possible, sizes = [], []
    for seat in others:
        voids = field(public.voids, seat, VOID_BITS)
        # A word has the lanes of two suits.
        lanes = [jnp.where((voids >> suit) & 1, 0, (1 << LANE) - 1) for suit in range(NUM_SUITS)]
        held = CardSet(DECK, [lanes[0] | lanes[1] << LANE, lanes[2] | lanes[3] << LANE])
        held = CardSet(DECK, [word.astype(jnp.uint32) for word in held.words])
        possible.append(unseen & held)
        size = public.hand_size.astype(jnp.int32) - by_seat(seen.played_by, seat).count()
        sizes.append(size.astype(jnp.int32))
    trick = public.trick
    # The points of a trick are the cards on the table.
    to_come = players - 1 - trick.points.astype(jnp.int32)
    turned = num_turned_up(rules, public)
    # The trick keeps only the strength of the winning card: find the card.
    ruffed = trick.best > TRUMP
    suit = jnp.where(ruffed, public.trump, trick.led)
    # Strengths start at 1, those of trumps at `TRUMP` + 1.
    rank = trick.best - jnp.where(ruffed, TRUMP + 1, 1).astype(jnp.uint32)
    best = fence(jnp.where(trick.best > 0, suit * LANE + rank, DECK.num_cards))
    above = tuple(jnp.asarray(word) for word in ABOVE)
    best_suit, best_above = winning(jnp.asarray(SUIT), above, DECK, best)
    return Outlook(
        hand=seen.hand,
        legal=legal,
        unseen=unseen,
        suit=jnp.asarray(SUIT),
        above=above,
        trump=jnp.where(public.trump == NO_TRUMP, NO_SUIT, public.trump),
        led=trick.led,
        best_suit=best_suit,
        best_above=best_above,
        winner_ally=0.0,
        seats=seats(
            unseen=[unseen & CardSet.suit_of(DECK, jnp.uint32(suit)) for suit in range(NUM_SUITS)],
            possible=possible,
            sizes=sizes,
            plays=[places <= to_come for places in range(1, players)],
            ally=[0.0] * len(others),
            # The cards that were not dealt, without one that lies turned up.
            aside=DECK.num_cards - players * public.hand_size.astype(jnp.int32) - turned,
        ),
    )


def _out(look: Outlook) -> dict[str, tuple[jax.Array, ...]]:
    """Return the suits that the others may hold: `View.live`, `View.out` and `View.ruffed`."""
    live, out, ruffed = [], [], []
    for suit in range(NUM_SUITS):
        held, kept = jnp.float32(0), jnp.float32(1)
        for seat in look.seats:
            some = (seat.possible.suit(suit) != 0).astype(jnp.float32)
            held = held + seat.share[suit] * some
            # trump: the chance that the seat has a trump.
            trump = jnp.float32(0)
            for other in range(NUM_SUITS):
                trump = jnp.where(look.trump == other, 1 - seat.void[other], trump)
            # kept: the chance that the suit is not ruffed.
            kept = kept * (1 - seat.void[suit] * trump)
        number = jax.lax.population_count(look.unseen.suit(suit)).astype(jnp.float32)
        live.append(steady(jnp.minimum(held, 1.0)))
        out.append(live[-1] * number)
        ruffed.append(steady(1 - kept))
    return {"live": tuple(live), "out": tuple(out), "ruffed": tuple(ruffed)}
