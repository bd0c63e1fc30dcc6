"""Determinization: other hidden cards that fit what a Rikiki player knows."""

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards.seats import by_seat, places_after, seat_after
from jaxcards.cards.sets import CardSet, select
from jaxcards.determinize import Situation, sample_hidden
from jaxcards.games.rikiki.play import (
    DECK,
    Observation,
    RikikiGame,
    State,
    bid_of,
    dealers_card,
    num_turned_up,
    unseen_cards,
)
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.kit import dealt_hands


def sample_state(game: RikikiGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with random hidden cards, all possible deals equally likely (docs/rikiki.md, 12).

    It uses cards played and turned up, the sizes of hands, and suits that a seat has shown to lack. The
    cards that were not dealt count as the hand of one more seat.
    """
    seen, rules, players = observation, game.rules, game.num_players
    seats = [seat_after(seen.player, places, players) for places in range(1, players)]
    allowed, sizes = possible_cards(rules, seen)
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
    held = [
        by_seat([seen.hand, *hidden], places_after(seen.player, seat, players))
        for seat in range(players)
    ]
    if rules.shows_dealers_card:
        card, nothing = shown_card(rules, seen), CardSet.empty(DECK)
        deals = [seen.public.dealer == seat for seat in range(players)]
        held = [hand | select(own, card, nothing) for hand, own in zip(held, deals, strict=True)]
    bids = seen.public.bids
    return State(
        public=seen.public, hands=dealt_hands(held, seen), played=seen.played,
        bid_total=sum((bid_of(bids, seat, players) for seat in range(players)), jnp.uint32(0)),
        ends_early=len(set(rules.schedule)) > 1,
    )  # fmt: skip


def shown_card(rules: RikikiRules, seen: Observation) -> CardSet:
    """Return the dealer's last card, if everybody saw it and another player still holds it."""
    return seen.unseen & dealers_card(rules, seen.public)


def possible_cards(
    rules: RikikiRules, seen: Observation
) -> tuple[list[CardSet], list[jax.Array]]:
    """Return the cards of unknown place that each seat may have, and their number: int32.

    The cards that were not dealt come last.
    """
    public, unseen = seen.public, unseen_cards(rules, seen)
    size = public.hand_size.astype(jnp.int32)
    if rules.shows_dealers_card:
        unseen = unseen - shown_card(rules, seen)
    allowed, sizes = kit.possible_cards(seen, unseen, public.voids, size)
    if rules.shows_dealers_card:
        shown = shown_card(rules, seen).count().astype(jnp.int32)
        sizes = [number - shown * (public.dealer == seat) for seat, number in enumerate(sizes)]
    undealt = DECK.num_cards - len(seen.played_by) * size - num_turned_up(rules, public)
    return [*allowed, unseen], [*sizes, undealt]
