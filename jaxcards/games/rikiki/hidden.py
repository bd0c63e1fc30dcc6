"""Determinization: other hidden cards that fit what a Rikiki player knows."""

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import by_seat, places_after, seat_after
from jaxcards.cards.sets import CardSet, select
from jaxcards.determinize import Situation, sample_hidden
from jaxcards.games.rikiki import play
from jaxcards.games.rikiki.play import DECK, Observation, RikikiGame, State
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.kit import dealt_hands
from jaxcards.kit.state import observed


def observe(game: RikikiGame, state: State, player: jax.Array) -> Observation:
    """Return an observation; a card on the forehead is hidden from its holder (docs/rikiki.md, 4.4)."""
    seen, public, nothing = observed(state, player), state.public, CardSet.empty(DECK)
    if not game.rules.covers_hands:
        return Observation(**seen, shown=None)
    # All others see a card on a forehead.
    shown = tuple(
        (hand - state.played).where((public.hand_size == 1) & (seen["player"] != seat))
        for seat, hand in enumerate(state.hands)
    )
    covered = play.may_not_look(public, seen["player"], game.num_players)
    return Observation(**seen | {"hand": select(covered, nothing, seen["hand"])}, shown=shown)


def card_places(game: RikikiGame, state: State) -> CardPlaces:
    """See `Game.card_places`: aside are also cards at which their holders may not look.

    Shown is the dealer's last card, if it gives trumps.
    """
    rules, public = game.rules, state.public
    places = CardPlaces.of_dealt(state.hands, state.played)
    if rules.covers_hands:
        hidden = [play.may_not_look(public, seat, game.num_players) for seat in range(game.num_players)]
        pairs = zip(hidden, places.hands, strict=True)
        places = places.covered([hand.where(own) for own, hand in pairs])
    if rules.shows_dealers_card:
        places = places._replace(shown=(play.dealers_card(rules, public),))
    return places


def sample_state(game: RikikiGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with random hidden cards, all deals equally likely (docs/observations.md).

    It uses cards played and turned up, the sizes of hands, and suits that a seat has shown to lack. The
    cards that were not dealt count as the hand of one more seat.
    """
    seen, rules, players = observation, game.rules, game.num_players
    seats = [seat_after(seen.player, places, players) for places in range(1, players)]
    allowed, sizes = possible_cards(rules, seen)
    own = seen.hand
    if seen.shown is not None:
        # The first of the others has a known card where the own one is not, which takes its place.
        first, covered = seats[0], own_is_missing(seen)
        for seat in range(players):
            own_place = covered & (first == seat)
            allowed[seat] = select(own_place, allowed[-1], allowed[seat])
            sizes[seat] = sizes[seat] + own_place
    suits = [CardSet.suit_of(DECK, jnp.uint32(suit)) for suit in range(len(DECK.suits))]
    # The other seats in turn, then the cards that are not dealt.
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
    if seen.shown is not None:
        # The first of the others has drawn the own card: take it back.
        own = own | hidden[0].where(covered)
        hidden[0] = hidden[0].where(~covered)
        hidden = [cards | by_seat(seen.shown, seat) for cards, seat in zip(hidden, seats, strict=True)]
    held = [
        by_seat([own, *hidden], places_after(seen.player, seat, players)) for seat in range(players)
    ]
    if rules.shows_dealers_card:
        # The dealer's card, which all have seen, was left out of the draw.
        card = shown_card(rules, seen)
        deals = [seen.public.dealer == seat for seat in range(players)]
        held = [hand | card.where(own) for hand, own in zip(held, deals, strict=True)]
    bids = seen.public.bids
    return State(
        public=seen.public, hands=dealt_hands(held, seen), played=seen.played,
        bid_total=sum((play.bid_of(bids, seat, players) for seat in range(players)), jnp.uint32(0)),
        ends_early=len(set(rules.schedule)) > 1,
    )  # fmt: skip


def own_is_missing(seen: Observation) -> jax.Array:
    """Return whether the player holds a card at which it may not look: bool."""
    known = seen.hand.count() + by_seat(seen.played_by, seen.player.astype(jnp.uint32)).count()
    return known < seen.public.hand_size


def shown_card(rules: RikikiRules, seen: Observation) -> CardSet:
    """Return the dealer's last card, if everybody saw it and another player still holds it."""
    return seen.unseen & play.dealers_card(rules, seen.public)


def possible_cards(rules: RikikiRules, seen: Observation) -> tuple[list[CardSet], list[jax.Array]]:
    """Return the cards of unknown place that each seat may have, and their number: int32.

    The cards that were not dealt come last.
    """
    public, unseen = seen.public, play.unseen_cards(rules, seen)
    size = public.hand_size.astype(jnp.int32)
    if rules.shows_dealers_card:
        unseen = unseen - shown_card(rules, seen)
    allowed, sizes = kit.possible_cards(seen, unseen, public.voids, size)
    if rules.shows_dealers_card:
        # The dealer's hand has one unknown card less.
        shown = shown_card(rules, seen).count().astype(jnp.int32)
        sizes = [number - shown * (public.dealer == seat) for seat, number in enumerate(sizes)]
    if seen.shown is not None:
        known = [cards.count().astype(jnp.int32) for cards in seen.shown]
        sizes = [number - count for number, count in zip(sizes, known, strict=True)]
    # The rest of the pack, without a card that lies turned up.
    undealt = DECK.num_cards - len(seen.played_by) * size - play.num_turned_up(rules, public)
    return [*allowed, unseen], [*sizes, undealt]
