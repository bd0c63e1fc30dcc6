"""Rows of the Swisslos data from recorded deals: each player's observation before each card."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import loops, xla
from jaxcards.cards import history
from jaxcards.cards.seats import by_seat as cards_of
from jaxcards.cards.sets import CardSet
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.records.arrays import opening_of, start_of, to_arrays, to_play
from jaxcards.records.record import DealRecord
from jaxcards.records.swisslos_layout import HAND, HAND_SIZE, NUM_CARDS, NUM_SEATS, SHOWN
from jaxcards.records.swisslos_weis import Shown, by_seat, of_notes

_SIZES = (16, 256, 1024)  # deals side by side; a program is compiled for each size on first use
# A row of 72 numbers: 32 cards of finished tricks, 3 on the table, four hands of nine, the mode.
_FINISHED = 32
_ON_TABLE = 3
_UNDECIDED = 8  # the mode of a deal before one is chosen


class DealRows(NamedTuple):
    """The rows of one deal, one for each card played.

    Attributes:
      state: uint8[n, 72], the player's observation; the hand in the order in which it was dealt.
      action: uint8[n], the place of the card in the hand.
      seconds: float32[n], the time that the card took; NaN if unknown.
      player: uint8[n], the seat.
      shown: all Weis that were shown.
    """

    state: np.ndarray
    action: np.ndarray
    seconds: np.ndarray
    player: np.ndarray
    shown: tuple[Shown, ...]


def check_rules(game: Game, what: str) -> None:
    """Raise `UserError` unless the format can express the rules of a game."""
    if game.name != "jass" or getattr(game.rules, "game", "") != "schieber" or game.rules.slalom:
        raise UserError(f"{what} are for Schieber without Slalom, and cannot express {game.id}")


def rows_of(game: Game, deals: Sequence[DealRecord]) -> list[DealRows]:
    """Return the rows of deals that replay.

    Args:
      game: of all of them, which `check_rules` accepts.
      deals: with or without an end.
    """
    found: list[DealRows] = []
    for first in range(0, len(deals), _SIZES[-1]):
        some = deals[first : first + _SIZES[-1]]
        # Pad to one of a few sizes, so that few programs are compiled.
        size = next(size for size in _SIZES if size >= len(some))
        arrays = jax.tree.map(
            lambda array, size=size: np.pad(
                array, [(0, size - len(array)), *[(0, 0)] * (array.ndim - 1)], "edge"
            ),
            to_arrays(game, some),
        )
        state, player, laid = jax.device_get(_compiled(game)(arrays))
        for number, deal in enumerate(some):
            found.append(_of_deal(deal, state[number], player[number], laid[number]))
    return found


def row_of(observation: Any) -> jax.Array:
    """Return int32[72], a position in the form of the Swisslos data (docs/jass.md, 7.5)."""
    public = observation.public
    played = _in_order(public)
    order = jnp.arange(NUM_CARDS, dtype=jnp.uint32)
    # The cards of finished tricks; the rest lies on the table.
    finished = public.num_played >> 2 << 2
    past = jnp.where(order < finished, played, 0)[:_FINISHED]
    # Rotate the history so that the cards on the table come first.
    shifted = jnp.roll(jnp.where(order < public.num_played, played, 0), -finished.astype(jnp.int32))
    table = jnp.where(order[:_ON_TABLE] < (public.num_played & 3), shifted[:_ON_TABLE], 0)
    parts = [past, table, _ascending(observation.hand)]
    for k in range(1, NUM_SEATS):
        parts.append(_ascending(_shown_and_held(observation, (observation.player + k) & 3)))
    mode = jnp.where(public.mode < _UNDECIDED, public.mode + 1, 0).astype(jnp.int32)
    return jnp.concatenate([*parts, mode[None]])


def _shown_and_held(observation: Any, seat: jax.Array) -> CardSet:
    if observation.shown is None:
        return CardSet.empty(observation.hand.deck)
    return cards_of(observation.shown, seat) - cards_of(observation.played_by, seat)


def _in_order(public: Any) -> jax.Array:
    """Return int32[36], the codes of the cards played; beyond them the entries mean nothing."""
    return history.cards(public.history, NUM_CARDS).astype(jnp.int32) + 1


def _ascending(hand: CardSet) -> jax.Array:
    """Return int32[9], the codes of at most nine cards in ascending order, then zeros."""
    # Missing cards get a code above all others and sort to the end.
    none = NUM_CARDS + 1
    codes = jnp.where(hand.mask(), jnp.arange(1, none, dtype=jnp.int32), none)
    first = jnp.sort(codes)[:HAND_SIZE]
    return jnp.where(first < none, first, 0)


@functools.lru_cache(maxsize=16)
def _compiled(game: Game) -> Any:
    def of_deal(opening: Any, actions: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        def emit(state: Any, action: jax.Array, after: Any) -> tuple[jax.Array, jax.Array]:
            row = row_of(game.observe(state, state.current_player)).astype(jnp.uint8)
            return row, state.current_player.astype(jnp.uint8)

        start = start_of(game, opening)
        final, (rows, players) = loops.replay(game, start, to_play(actions), emit)
        # Observations of games without Weis have no `shown`: then no cards lie open.
        shown: Any = getattr(game.observe(final, jnp.int32(0)), "shown", None)
        laid = jnp.zeros((NUM_SEATS, NUM_CARDS), bool)
        return rows, players, laid if shown is None else jnp.stack([cards.mask() for cards in shown])

    return xla.jit(lambda arrays: jax.vmap(of_deal)(opening_of(arrays), jnp.asarray(arrays.actions)))


def _of_deal(deal: DealRecord, state: np.ndarray, player: np.ndarray, laid: np.ndarray) -> DealRows:
    # Rows are of cards only: calls are left out.
    places = np.array([n for n, action in enumerate(deal.actions) if action < NUM_CARDS], np.int64)
    state, player = state[places].copy(), player[places]
    noted = of_notes(deal)
    # Without notes, the Weis shown are those that count by the rules.
    shown = tuple(_by_the_rules(places, laid) if noted is None else noted)
    if noted is not None:
        _write_shown(state, player, places, shown)
    action = np.zeros(len(places), np.uint8)
    hands = dealt_hands(deal)
    gone: set[int] = set()
    for row, place in enumerate(places.tolist()):
        # The hand keeps the order of the deck; empty slots follow.
        hand = [card for card in hands[int(player[row])] if card not in gone]
        state[row, HAND] = [card + 1 for card in hand] + [0] * (HAND_SIZE - len(hand))
        action[row] = hand.index(deal.actions[place])
        gone.add(deal.actions[place])
    seconds = np.full(len(places), np.nan, np.float32)
    if deal.seconds is not None:
        seconds = np.array(deal.seconds, np.float32)[places]
    return DealRows(state, action, seconds, player, shown)


def dealt_hands(deal: DealRecord) -> Mapping[int, tuple[int, ...]]:
    """Return the cards that each seat was dealt, in the order of the deck."""
    return {
        (deal.dealer + 1 + turn) % NUM_SEATS: deal.deck[HAND_SIZE * turn : HAND_SIZE * (turn + 1)]
        for turn in range(NUM_SEATS)
    }


def _by_the_rules(places: np.ndarray, laid: np.ndarray) -> list[Shown]:
    """Return the Weis that count: they are laid open after the first trick."""
    if len(places) < NUM_SEATS:
        return []
    # The first card after the first trick.
    after = int(places[NUM_SEATS - 1]) + 1
    cards = [tuple(np.flatnonzero(mask).tolist()) for mask in laid]
    return [(after, seat, own) for seat, own in enumerate(cards) if own]


def _write_shown(
    state: np.ndarray, player: np.ndarray, places: np.ndarray, shown: Sequence[Shown]
) -> None:
    """Put Weis into rows as they were shown."""
    for row, place in enumerate(places.tolist()):
        known = by_seat(shown, place)
        # A code is the number of a card + 1. Cards that were played are not shown any longer.
        played = set((state[row, : HAND.start][state[row, : HAND.start] > 0] - 1).tolist())
        for further, part in enumerate(SHOWN, start=1):
            cards = known.get((int(player[row]) + further) % NUM_SEATS, frozenset()) - played
            codes = [card + 1 for card in sorted(cards)]
            state[row, part] = codes + [0] * (HAND_SIZE - len(codes))
