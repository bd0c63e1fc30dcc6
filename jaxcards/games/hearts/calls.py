"""The passing of cards (docs/hearts.md, 3): the seats choose three cards each, in turn."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import history, sets
from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.history import History
from jaxcards.cards.seats import by_seat, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.games.hearts import play
from jaxcards.games.hearts.play import DECK, NUM_PASSED, HeartsGame, Observation, Public, State
from jaxcards.games.hearts.rules import HeartsRules


def legal_calls(game: HeartsGame, state: State) -> ActionSet:
    """Return the cards that the current player may pass: all that it holds."""
    return ActionSet.of_cards(game.action_layout, state.hand_of(state.current_player))


def call(game: HeartsGame, state: State, action: jax.Array) -> State:
    """Pass a card, and after the last one give all of them to their receivers."""
    public, players = state.public, game.num_players
    passes = ~state.playing & (action != IDLE)
    card = CardSet.single(DECK, action).where(passes)
    number = public.num_passed + passes.astype(jnp.uint8)
    given = zip(state.passed, state.hands, strict=True)
    # Only the hand that holds the card passes it.
    passed = tuple(cards | (hand & card) for cards, hand in given)
    after = dataclasses.replace(state.with_public(num_passed=number), passed=passed)
    # Nothing is received before the last card of all players is passed.
    hands = tuple((hand - card) | received_by(after, seat) for seat, hand in enumerate(state.hands))
    # The next seat follows after every third card.
    turns = passes & (number % NUM_PASSED == 0)
    following = jnp.where(turns, seat_after(public.current_player, 1, players), public.current_player)
    following = jnp.where(passes & after.playing, leader(game.rules, hands), following)
    after = after.with_public(current_player=following.astype(jnp.int32))
    return dataclasses.replace(after, hands=hands)


def leader(rules: HeartsRules, hands: tuple[CardSet, ...]) -> jax.Array:
    """Return the seat with the lowest club: int32."""
    found, club = jnp.int32(0), CardSet.of(DECK, [play.lowest_club(rules)])
    for seat, hand in enumerate(hands):
        found = jnp.where((hand & club).any(), seat, found)
    return found


def received_by(state: State, seat: int | jax.Array) -> CardSet:
    """Return the cards that a seat has received: none before all players have passed."""
    sender = places_after(state.public.direction, seat, len(state.hands))
    return by_seat(state.passed, sender).where(state.playing)


def num_passed_by(public: Public, seat: int | jax.Array, players: int) -> jax.Array:
    """Return the number of cards that a seat has passed so far: int32, 0 to 3."""
    first = seat_after(public.dealer.astype(jnp.uint32), 1, players)
    turn = places_after(first, seat, players).astype(jnp.int32)
    return jnp.clip(public.num_passed.astype(jnp.int32) - NUM_PASSED * turn, 0, NUM_PASSED)


def calls_seen(game: HeartsGame, observation: Observation) -> list[History]:
    """Return the passed cards in ascending order; a player knows its own, and later those it got."""
    seen, public, players = observation, observation.public, game.num_players
    first = seat_after(public.dealer.astype(jnp.uint32), 1, players)
    sender, parts = places_after(public.direction, seen.player, players), []
    for turn in range(players):
        seat = seat_after(first, turn, players)
        received = seen.received.where(seat == sender)
        cards = history.ascending(sets.select(seat == seen.player, seen.passed, received), NUM_PASSED)
        parts.append(history.part(cards, seat, num_passed_by(public, seat, players)))
    return parts
