"""The passing of cards (docs/hearts.md, 3): the seats choose three cards each, in turn."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import history, sets
from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.history import History
from jaxcards.cards.seats import by_seat, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.games.hearts.play import (
    DECK,
    NUM_PASSED,
    HeartsGame,
    Observation,
    Public,
    State,
    all_passed,
    lowest_club,
)
from jaxcards.games.hearts.rules import HeartsRules


def legal_calls(game: HeartsGame, state: State) -> ActionSet:
    """Return the cards that the current player may pass: all that it holds."""
    return ActionSet.of_cards(game.action_layout, state.hand_of(state.current_player))


def call(game: HeartsGame, state: State, action: jax.Array) -> State:
    """Pass a card, and after the last one give all of them to their receivers."""
    public, players = state.public, game.num_players
    passes = ~state.playing & (action != IDLE)
    number = public.num_passed + passes.astype(jnp.uint32)
    card = sets.select(passes, CardSet.single(DECK, action), CardSet.empty(DECK))
    passed = tuple(
        cards | sets.select(public.current_player == seat, card, CardSet.empty(DECK))
        for seat, cards in enumerate(state.passed)
    )
    done = passes & (number == NUM_PASSED * players)
    hands = exchanged(state.hands, passed, public.direction, players)
    hands = tuple(sets.select(done, new, old) for new, old in zip(hands, state.hands, strict=True))
    # The next seat follows after every third card.
    turns = passes & (number % NUM_PASSED == 0)
    following = jnp.where(turns, seat_after(public.current_player, 1, players), public.current_player)
    following = jnp.where(done, leader(game.rules, hands), following)
    after = state.with_public(num_passed=number, current_player=following.astype(jnp.int32))
    return dataclasses.replace(after, hands=hands, passed=passed)


def leader(rules: HeartsRules, hands: tuple[CardSet, ...]) -> jax.Array:
    """Return the seat with the lowest club: int32."""
    found, club = jnp.int32(0), CardSet.of(DECK, [lowest_club(rules)])
    for seat, hand in enumerate(hands):
        found = jnp.where((hand & club).any(), seat, found)
    return found


def exchanged(
    hands: tuple[CardSet, ...], passed: tuple[CardSet, ...], direction: jax.Array, players: int
) -> tuple[CardSet, ...]:
    """Return the hands after the passed cards have changed places."""
    return tuple(
        (hand - own) | by_seat(passed, sender(seat, direction, players))
        for seat, (hand, own) in enumerate(zip(hands, passed, strict=True))
    )


def sender(seat: int | jax.Array, direction: jax.Array, players: int) -> jax.Array:
    """Return the seat from which a seat receives cards: uint32."""
    back = jnp.where(direction == 0, 0, players - direction.astype(jnp.uint32))
    return seat_after(jnp.asarray(seat).astype(jnp.uint32), back, players)


def num_passed_by(public: Public, seat: int | jax.Array, players: int) -> jax.Array:
    """Return the number of cards that a seat has passed so far: int32, 0 to 3."""
    first = seat_after(public.dealer.astype(jnp.uint32), 1, players)
    turn = seat_after(jnp.asarray(seat).astype(jnp.uint32), players - first, players)
    turn = jnp.where(first == 0, jnp.asarray(seat).astype(jnp.uint32), turn)
    return jnp.clip(public.num_passed.astype(jnp.int32) - NUM_PASSED * turn.astype(jnp.int32), 0, 3)


def card_passed(game: HeartsGame, state: State, later: State) -> jax.Array:
    """Return the card that the current player of `state` passes; of several the lowest is first."""
    del game  # the same in all rules
    seat = state.current_player
    left = by_seat(later.passed, seat) - by_seat(state.passed, seat)
    return history.ascending(left, 1)[0]


def calls_seen(game: HeartsGame, observation: Observation) -> list[History]:
    """Return the passed cards in ascending order; a player knows its own, and later those it got."""
    public, players = observation.public, game.num_players
    me, parts = observation.player.astype(jnp.uint32), []
    done = all_passed(public, players)
    first = seat_after(public.dealer.astype(jnp.uint32), 1, players)
    for turn in range(players):
        seat = seat_after(first, turn, players)
        received = (sender(me, public.direction, players) == seat) & done
        cards = sets.select(seat == me, observation.passed, CardSet.empty(DECK))
        cards = cards | sets.select(received, observation.received, CardSet.empty(DECK))
        chosen = history.ascending(cards, NUM_PASSED)
        parts.append(history.part(chosen, seat, num_passed_by(public, seat, players)))
    return parts
