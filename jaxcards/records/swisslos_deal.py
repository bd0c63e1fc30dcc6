"""Rows of the Swisslos data as a deal: checks of their consistency, and the resulting record."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jaxcards.errors import UserError, quote
from jaxcards.records.hslu import MODE, count
from jaxcards.records.record import DealRecord
from jaxcards.records.swisslos_layout import (
    FINISHED,
    HAND,
    HAND_SIZE,
    NUM_CARDS,
    NUM_SEATS,
    NUM_TRUMPS,
    SHOWN,
    TABLE,
    TRUMP,
)
from jaxcards.records.swisslos_weis import AS_SHOWN, Shown, by_seat, to_notes

MOST_ROWS = NUM_CARDS
CALLS = {"calls": "unknown"}
"""Key in the source of a record: whether a push of the choice of trumps is unknown."""

ATTRIBUTES = ("eq", "iq", "niceness", "honness", "winness", "playedgames", "profival")
"""The data about a player besides its name."""


def deal_of(
    preset: str,
    rules: Mapping[str, Any],
    rows: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    first: int,
    source: Mapping[str, str | int],
) -> DealRecord:
    """Return the deal of some rows, without its points.

    Args:
      preset, rules: of the game.
      rows: state uint8[n, 72], action uint8[n], time float[n], player uint8[n], of one deal.
      first: the number of the first row, for reasons.
      source: of the record.

    Raises:
      UserError: names the row and the error.
    """
    state, action, time, player = rows
    if len(state) > MOST_ROWS:
        raise _wrong(first + MOST_ROWS, f"a deal has at most {MOST_ROWS} cards, but this is one more")
    _check_numbers(state, action, player, time, first)
    # An action is a slot of the hand, whose codes are our numbers + 1.
    cards = state[np.arange(len(state)), HAND.start + action].astype(np.int64)
    for row in np.flatnonzero(cards == 0):
        size = int((state[row, HAND] > 0).sum())
        raise _wrong(first + row, f"action {action[row]} is beyond the hand of {size} cards")
    played = (cards - 1).tolist()
    mode = int(state[0, TRUMP]) - 1
    _check_order(state, played, first)
    _check_turns(player.tolist(), played, mode, first)
    hands = _hands(state, player.tolist(), played, first)
    deck, unknown = _deck(hands, int(player[0]))
    shown = _shown(state, player.tolist(), hands, first)
    return DealRecord(
        game=preset,
        rules=rules,
        deck=deck,
        # The first card is played by the player left of the dealer.
        dealer=(int(player[0]) - 1) % NUM_SEATS,
        facts={},
        # The data lack pushes: the mode counts as the first player's choice.
        actions=(MODE + mode, *played),
        # Times are of cards only: the choice of the mode gets 0 seconds.
        seconds=(0.0, *time.astype(float).tolist()) if np.isfinite(time).all() else None,
        notes=to_notes(shown),
        unknown=unknown,
        source={**source, **AS_SHOWN, **CALLS},
    )


def _wrong(row: Any, reason: str) -> UserError:
    return UserError(f"row {row}: {reason}")


def _check_numbers(
    state: np.ndarray, action: np.ndarray, player: np.ndarray, time: np.ndarray, first: int
) -> None:
    """Check the range of every number."""
    checks = (
        ((state[:, :TRUMP] > NUM_CARDS).any(1), f"a card is from 1 to {NUM_CARDS}, or 0 for none"),
        ((state[:, TRUMP] < 1) | (state[:, TRUMP] > NUM_TRUMPS), f"trump is from 1 to {NUM_TRUMPS}"),
        (action >= HAND_SIZE, f"action is from 0 to {HAND_SIZE - 1}"),
        (player >= NUM_SEATS, f"player_id is from 0 to {NUM_SEATS - 1}"),
        (np.isinf(time) | (time < 0), "time is at least 0, and finite"),
        (state[:, TRUMP] != state[0, TRUMP], "trump differs from the row before"),
    )
    for wrong, reason in checks:
        for row in np.flatnonzero(wrong):
            raise _wrong(first + row, reason)


def _check_order(state: np.ndarray, played: Sequence[int], first: int) -> None:
    """Check that each row has the cards played before it, in order."""
    codes = np.array(played) + 1
    expected = np.zeros((len(played), TABLE.stop), np.int64)
    for row in range(len(played)):
        # Cards of complete tricks, then those on the table.
        done = row // NUM_SEATS * NUM_SEATS
        expected[row, :done] = codes[:done]
        expected[row, TABLE.start : TABLE.start + row - done] = codes[done:row]
    for wrong in np.flatnonzero((state[:, : TABLE.stop] != expected).any(1)):
        finished = (state[wrong, FINISHED] != expected[wrong, FINISHED]).any()
        where = "finished tricks" if finished else "table"
        raise _wrong(first + wrong, f"the cards of the {where} differ from those of the rows before")


def _check_turns(players: Sequence[int], played: Sequence[int], mode: int, first: int) -> None:
    """Check that the winner of a trick leads the next one, and the others follow in turn."""
    leader = players[0]
    for start in range(0, len(played), NUM_SEATS):
        trick = played[start : start + NUM_SEATS]
        for place in range(len(trick)):
            due = (leader + place) % NUM_SEATS
            if players[start + place] != due:
                found = players[start + place]
                raise _wrong(
                    first + start + place, f"player {found} plays, but it is the turn of {due}"
                )
        leader = (leader + count(trick, mode, start // NUM_SEATS)[0]) % NUM_SEATS


def _hands(
    state: np.ndarray, players: Sequence[int], played: Sequence[int], first: int
) -> dict[int, list[int]]:
    """Return the cards dealt to each seat that has played, in the order of its first row."""
    hands: dict[int, list[int]] = {}
    for row, player in enumerate(players):
        held = [int(code) - 1 for code in state[row, HAND] if code]
        # The first row of a player has its whole hand.
        dealt = hands.setdefault(player, held)
        left = sorted(set(dealt) - set(played[:row]))
        size = HAND_SIZE - row // NUM_SEATS
        if len(set(held)) != len(held) or len(held) != size:
            raise _wrong(first + row, f"the hand has {len(set(held))} cards, but it must have {size}")
        if sorted(held) != left:
            raise _wrong(first + row, f"the hand of player {player} differs from its remaining cards")
    everything = [card for hand in hands.values() for card in hand]
    for card in everything:
        if everything.count(card) > 1:
            raise _wrong(first, f"card {card + 1} is in the hands of two players")
    return hands


def _deck(hands: Mapping[int, Sequence[int]], forehand: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the deck, and the places of cards that the rows do not show; these get any cards."""
    seen = {card for hand in hands.values() for card in hand}
    rest = iter(sorted(set(range(NUM_CARDS)) - seen))
    deck: list[int] = []
    unknown: list[int] = []
    for turn in range(NUM_SEATS):
        hand = hands.get((forehand + turn) % NUM_SEATS)
        if hand is None:
            unknown += range(len(deck), len(deck) + HAND_SIZE)
        deck += hand if hand is not None else [next(rest) for _ in range(HAND_SIZE)]
    return tuple(deck), tuple(unknown)


def _shown(
    state: np.ndarray, players: Sequence[int], hands: Mapping[int, Sequence[int]], first: int
) -> list[Shown]:
    """Return the Weis that the rows show; the number of an action is that of its row + 1."""
    found: list[Shown] = []
    for row, player in enumerate(players):
        for further, part in enumerate(SHOWN, start=1):
            seat = (player + further) % NUM_SEATS
            cards = {int(code) - 1 for code in state[row, part] if code}
            if seat in hands and not cards <= set(hands[seat]):
                raise _wrong(first + row, f"player {seat} shows a card that it was not dealt")
            # Earlier rows have shown the other cards already.
            if new := cards - by_seat(found, row + 1).get(seat, frozenset()):
                found.append((row + 1, seat, tuple(sorted(new))))
    return found


def player_object(name: str) -> dict[str, Any]:
    """Return the data about a player: a JSON object with its name, and its other numbers."""
    try:
        found = json.loads(name) if name.startswith("{") else None
    except ValueError:
        found = None
    given = found if isinstance(found, dict) and "usernickname" in found else {"usernickname": name}
    return {"usernickname": str(given["usernickname"])} | {
        number: given[number] if type(given.get(number)) in (int, float) else 0 for number in ATTRIBUTES
    }


def player_name(given: Any) -> str:
    """Return a player as a name in a record: the nickname, or all as JSON if there is more data.

    Raises:
      UserError: if it is not a JSON object with a nickname.
    """
    if not isinstance(given, dict) or not isinstance(given.get("usernickname"), str):
        raise UserError(f"a player must be a JSON object with usernickname, not {quote(given)}")
    if not any(given.get(number) for number in ATTRIBUTES):
        return str(given["usernickname"])
    return json.dumps(given, ensure_ascii=False)
