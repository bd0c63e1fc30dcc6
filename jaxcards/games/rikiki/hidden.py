"""Determinization: other hidden cards that fit what a Rikiki player knows."""

from functools import reduce

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.seats import by_seat, field, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import Situation, sample_hidden
from jaxcards.games.rikiki.deck import DECK, NO_CARD
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.games.rikiki.state import VOID_BITS, Observation, State, bid_of, unseen_cards


def sample_state(rules: RikikiRules, key: jax.Array, seen: Observation) -> State:
    """Returns a state with random hidden cards, all possible deals equally likely.

    It uses what is certain under the rules of play: every card played, the card turned up, how many
    cards each seat holds, and every suit that a seat has shown to lack. The cards that were not dealt
    count as the hand of one more seat. It does not use how well a bid or a card fits a hand
    (docs/rikiki.md, 12).
    """
    players = rules.num_players
    seats = [seat_after(seen.player, places, players) for places in range(1, players)]
    allowed, sizes = possible_cards(seen)
    suits = [CardSet.suit_of(DECK, jnp.uint32(suit)) for suit in range(len(DECK.suits))]
    situation = Situation.of(
        [by_seat(allowed[:-1], seat).words for seat in seats] + [allowed[-1].words],
        [by_seat(sizes[:-1], seat) for seat in seats] + [sizes[-1]],
        DECK.num_cards,
        max_size=(max(rules.schedule),) * (players - 1) + (DECK.num_cards,),
        classes=[(allowed[-1] & suit).words for suit in suits],  # all that is known is of whole suits
        class_sizes=(DECK.ranks_per_suit,) * len(suits),
    )
    drawn = sample_hidden(key, situation)
    hidden = [CardSet(DECK, words) for words in drawn[:-1]]
    hands = []
    for seat in range(players):
        held = by_seat([seen.hand, *hidden], places_after(seen.player, seat, players))
        hands.append(held | seen.played_by[seat])
    bids = seen.public.bids
    return State(
        public=seen.public,
        hands=tuple(hands),
        played=reduce(CardSet.__or__, seen.played_by),
        bid_total=sum((bid_of(bids, seat, players) for seat in range(players)), jnp.uint32(0)),
        ends_early=len(set(rules.schedule)) > 1,
    )


def possible_cards(seen: Observation) -> tuple[list[CardSet], list[jax.Array]]:
    """Returns which unseen cards each holder may have, and how many it has: int32.

    Holders are the seats and, last, the cards that were not dealt. The entries of the player's own seat
    mean nothing.
    """
    public = seen.public
    players = seen.num_players
    unseen = unseen_cards(seen)
    size = public.hand_size.astype(jnp.int32)
    allowed, sizes = [], []
    for seat in range(players):
        possible = unseen
        for suit in range(len(DECK.suits)):
            lacks = (field(public.voids, seat, VOID_BITS) >> suit) & 1 == 1
            suit_cards = CardSet.suit_of(DECK, jnp.uint32(suit))
            possible = sets.select(lacks, possible - suit_cards, possible)
        allowed.append(possible)
        sizes.append(size - seen.played_by[seat].count())
    open_ = (public.turnup != NO_CARD).astype(jnp.int32)
    return [*allowed, unseen], [*sizes, DECK.num_cards - players * size - open_]
