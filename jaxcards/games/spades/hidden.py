"""Determinization: other hidden cards that fit what a player of Spades knows (docs/spades.md, 7)."""

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards import sets
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import by_seat, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import Situation, sample_hidden
from jaxcards.games.spades.calls import covered
from jaxcards.games.spades.play import DECK, Observation, SpadesGame, State, spades
from jaxcards.kit.state import observed


def observe(game: SpadesGame, state: State, player: jax.Array) -> Observation:
    """Return an observation; a player sees no cards before it chooses whether to bid nil blind."""
    seen = observed(state, player)
    if game.rules.blind_nil:
        hides = covered(game.rules, state.public, seen["player"])
        seen["hand"] = sets.select(hides, CardSet.empty(DECK), seen["hand"])
    return Observation(**seen)


def card_places(game: SpadesGame, state: State) -> CardPlaces:
    """See `Game.card_places`: aside are hands not looked at, and the card left out of the pack."""
    places = CardPlaces.of_dealt(state.hands, state.played)
    if not game.rules.blind_nil:
        return places
    hides = [covered(game.rules, state.public, seat) for seat in range(game.num_players)]
    pairs = zip(hides, places.hands, strict=True)
    return places.covered([hand.where(own) for own, hand in pairs])


def sample_state(game: SpadesGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with random hidden cards, all deals that fit equally likely.

    In `whiz` a bid of one or more tells the number of spades. The seat then counts as two holders: one
    of that number of spades, and one of other cards.
    """
    seen, rules, players = observation, game.rules, game.num_players
    unseen = seen.unseen - CardSet.of(DECK, game.left_out)
    allowed, sizes = kit.possible_cards(seen, unseen, seen.public.voids, game.hand_size)
    every = (len(DECK.ranks),) * len(DECK.suits)
    holders: list[tuple[int, CardSet, jax.Array, tuple[int, ...]]] = []
    for place in range(players):
        seat = seat_after(seen.player, place, players)
        cards, size = by_seat(allowed, seat), by_seat(sizes, seat)
        if place == 0:
            if not rules.blind_nil:
                continue
            # The player's own hand is hidden only before it looks at its cards.
            size = jnp.where(covered(rules, seen.public, seat), size, 0)
        if rules.bidding == "whiz":
            bid = seen.public.bid_of(seat)
            gone = (by_seat(seen.played_by, seat) & spades()).count()
            # Before a bid and after nil, the number of spades is unknown: the first holder is empty.
            number = jnp.where(bid > 0, bid - gone, 0)
            # Of the four suits, this holder has spades only.
            holders.append((place, cards & spades(), number, (0, 0, 0, len(DECK.ranks))))
            cards, size = sets.select(bid > 0, cards - spades(), cards), size - number
        holders.append((place, cards, size, every))
    suits = [CardSet.suit_of(DECK, jnp.uint32(suit)) for suit in range(len(DECK.suits))]
    situation = Situation.of(
        [cards.words for _, cards, *_ in holders],
        [size for _, _, size, _ in holders],
        DECK.num_cards,
        max_size=game.hand_size,
        classes=[(unseen & suit).words for suit in suits],  # all that is known is of whole suits
        class_sizes=every,
        most=[most for *_, most in holders],
    )
    # around: the hands by their places from the player on; two holders of a seat join here.
    around = [seen.hand, *(CardSet.empty(DECK) for _ in range(players - 1))]
    for (place, *_), words in zip(holders, sample_hidden(key, situation), strict=True):
        around[place] = around[place] | CardSet(DECK, words)
    held = [by_seat(around, places_after(seen.player, seat, players)) for seat in range(players)]
    return State(public=seen.public, hands=kit.dealt_hands(held, seen), played=seen.played)
