"""Jass JSON of the Lucerne University of Applied Sciences (HSLU): Schieber, a game a line.

Its numbers: suits ♦ ♥ ♠ ♣, modes these, obenabe, undenufe; seats run in the other direction
(docs/jass.md, 9). Winners and points of tricks are counted here in plain Python, compared with those of
the file, and added if missing.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError, quote
from jaxcards.records.bounded import LONGEST_LINE, bounded_lines
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.lines import json_object
from jaxcards.records.record import DealRecord

PRESET = "jass/tournament"
SUITS, RANKS = "DCHS", ("6", "7", "8", "9", "10", "J", "Q", "K", "A")  # ours
MODES = (0, 2, 3, 1, 5, 4)  # our mode of each of theirs: ♦ ♥ ♠ ♣, obenabe, undenufe
NUM_SEATS, HAND_SIZE, NUM_TRICKS = 4, 9, 9
UNDENUFE, OBENABE = 4, 5
MODE, PUSH = 36, 42  # our actions
_LAST_TRICK = 5
_LARGEST_FACTOR = 7  # some files count a mode several times
_MOST_ROUNDS = 1_000
_TYPES = ("SCHIEBER", "SCHIEBER_1000", "SCHIEBER_2500")
# By rank, from the six on: as trumps, the jack and then the nine are the highest cards.
_TRUMP_ORDER, _TRUMP_POINTS = (0, 1, 2, 7, 3, 8, 4, 5, 6), {5: 20, 3: 14, 4: 10, 6: 3, 7: 4, 8: 11}
_PLAIN_POINTS = {4: 10, 5: 2, 6: 3, 7: 4, 8: 11}


def read(path: Path) -> Iterator[Item]:
    """Yield the rounds of a file, a deal each."""
    for number, line in bounded_lines(path):
        place = f"line {number}"
        if line is None:
            yield Refused(place, f"is longer than {LONGEST_LINE} bytes")
            continue
        text = line.decode("utf-8", "replace").strip()
        if text:
            yield from read_line(text, place, {"file": path.name, "line": number})


def read_line(text: str, place: str, source: Mapping[str, Any]) -> Iterator[Item]:
    """Yield the rounds of a line: of a game, of a log entry of jass-kit, or a single round."""
    # A log entry has a date and other text before the object.
    begin = text.find("{")
    try:
        game = json_object(text[max(begin, 0) :])
        # In a log entry, the date stands before the first bar.
        date = text[:begin].partition("|")[0].strip() or game.get("date")
        # One of three forms: a list of rounds, one round under `game`, or the round itself.
        rounds = game.get("rounds", [game.get("game", game)])
        if not isinstance(rounds, list) or len(rounds) > _MOST_ROUNDS:
            raise UserError(f"rounds must be a list of up to {_MOST_ROUNDS}, not {quote(rounds)}")
        players = _players(game.get("players", game.get("player_ids")))
    except UserError as error:
        yield Refused(place, str(error), text)
        return
    if isinstance(date, str):
        source = {**source, "date": date}
    for number, given in enumerate(rounds):
        where = f"{place}, round {number}"
        own = json.dumps(given, ensure_ascii=False)
        try:
            record, repairs = _deal(given, players, {**source, "round": number})
        except UserError as error:
            yield Refused(where, str(error), own)
        else:
            yield Read(where, record, repairs, own)


def _players(given: Any) -> tuple[str, ...] | None:
    """Return the names of the players by our seats."""
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != NUM_SEATS:
        raise UserError(f"players must be a list of {NUM_SEATS}, not {quote(given)}")
    names = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in given]
    return tuple(names[seat_of(seat)] for seat in range(NUM_SEATS))


def _deal(
    given: Any, players: tuple[str, ...] | None, source: Mapping[str, Any]
) -> tuple[DealRecord, tuple[str, ...]]:
    """Return the record of a round, and a list of added parts."""
    if not isinstance(given, dict):
        raise UserError(f"a round must be a JSON object, not {quote(given)}")
    if given.get("jassTyp", _TYPES[0]) not in _TYPES:
        raise UserError(f"jassTyp {quote(given['jassTyp'])} is not one of {', '.join(_TYPES)}")
    dealer = _seat(given.get("dealer"), "dealer")
    mode = _mode(given.get("trump"))
    tricks = given.get("tricks", [])
    if not isinstance(tricks, list) or len(tricks) > NUM_TRICKS:
        raise UserError(f"tricks must be a list of up to {NUM_TRICKS}, not {quote(tricks)}")
    turns, points, repairs = _tricks(tricks, dealer, mode)
    over = len(turns) == NUM_SEATS * NUM_TRICKS
    deck = _deck(given, dealer, turns)
    actions = _calls(given, mode) + tuple(card for _, card in turns)
    record = DealRecord(
        game=PRESET,
        deck=deck,
        dealer=dealer,
        actions=actions,
        # Each player gets the points of both partners.
        points=tuple(points[seat] + points[seat - 2] for seat in range(NUM_SEATS)) if over else None,
        players=players,
        source=source,
    )
    return record, repairs


def _calls(given: Mapping[str, Any], mode: int | None) -> tuple[int, ...]:
    """Return our actions until the mode is chosen."""
    # `tss` is 1 after a push, and `forehand` 0; the latter counts if both are there.
    pushed = given.get("tss") == 1
    if "forehand" in given:
        pushed = given["forehand"] == 0
    return (PUSH,) * pushed + ((MODE + mode,) if mode is not None else ())


def _mode(trump: Any) -> int | None:
    if trump is None or (type(trump) is int and trump == -1):
        return None
    if type(trump) is not int or not 0 <= trump < len(MODES):
        raise UserError(f"trump must be from 0 to {len(MODES) - 1}, not {quote(trump)}")
    return MODES[trump]


def _tricks(
    tricks: Sequence[Any], dealer: int, mode: int | None
) -> tuple[list[tuple[int, int]], list[int], tuple[str, ...]]:
    """Return seat and card of every turn, the points of each seat's tricks, and the added parts."""
    turns: list[tuple[int, int]] = []
    points, repairs, factors = [0] * NUM_SEATS, [], set()
    leader = (dealer + 1) % NUM_SEATS
    for number, trick in enumerate(tricks):
        cards = _cards(trick, number, last=number == len(tricks) - 1)
        if cards and mode is None:
            raise UserError("cards are played without a trump")
        _same(trick, "first", leader, number)
        turns += [((leader + place) % NUM_SEATS, card) for place, card in enumerate(cards)]
        if len(cards) < NUM_SEATS or mode is None:
            continue
        place, worth = count(cards, mode, number)
        winner = (leader + place) % NUM_SEATS
        _same(trick, "win", winner, number)
        said = trick.get("points")
        missing = [name for name in ("win", "points") if trick.get(name) is None]
        if missing:
            repairs.append(f"trick {number} is without {' and '.join(missing)}")
        elif type(said) is not int:
            raise UserError(f"trick {number}: points must be a whole number, not {quote(said)}")
        elif worth or said:
            # Points may be multiplied, by the same factor in all tricks.
            factors.add(said / worth if worth else 0)
        if len(factors) > 1 or any(f not in range(1, _LARGEST_FACTOR + 1) for f in factors):
            raise UserError(f"trick {number}: points are {said}, but its cards are worth {worth}")
        points[winner] += worth
        leader = winner
    return turns, points, tuple(repairs)


def _cards(trick: Any, number: int, last: bool) -> list[int]:
    if not isinstance(trick, dict) or not isinstance(trick.get("cards", []), list):
        raise UserError(f"trick {number}: a JSON object with a list of cards is needed")
    names = trick.get("cards", [])
    if len(names) > NUM_SEATS or (len(names) < NUM_SEATS and not last):
        raise UserError(f"trick {number} has {len(names)} cards")
    return [card_of(name) for name in names]


def _same(trick: Mapping[str, Any], name: str, found: int, number: int) -> None:
    said = trick.get(name)
    if said is not None and (type(said) is not int or said != seat_of(found)):
        raise UserError(f"trick {number}: {name} is {quote(said)}, but it is seat {seat_of(found)}")


def count(cards: Sequence[int], mode: int, number: int) -> tuple[int, int]:
    """Return the place of the winning card of a trick, and the points of the trick.

    Args:
      cards: our numbers, in order.
      mode: ours.
      number: of the trick, from 0 on.
    """
    last = _LAST_TRICK if number == NUM_TRICKS - 1 else 0
    return _best(cards, mode), sum(_worth(card, mode) for card in cards) + last


def _best(cards: Sequence[int], mode: int) -> int:
    """Return the place of the winning card of a trick."""
    led = cards[0] // len(RANKS)

    def strength(card: int) -> int:
        suit, rank = divmod(card, len(RANKS))
        # Trumps are above all other cards.
        if suit == mode:
            return 20 + _TRUMP_ORDER[rank]
        if suit != led:
            return -1
        # Bottom-up, the lower card is the better one.
        return len(RANKS) - rank if mode == UNDENUFE else rank

    return max(range(len(cards)), key=lambda place: strength(cards[place]))


def _worth(card: int, mode: int) -> int:
    suit, rank = divmod(card, len(RANKS))
    if suit == mode:
        return _TRUMP_POINTS.get(rank, 0)
    if mode < UNDENUFE:
        return _PLAIN_POINTS.get(rank, 0)
    # Without trumps, eights count 8; bottom-up, sixes count 11 and aces nothing.
    without = {2: 8, **_PLAIN_POINTS}
    if mode == UNDENUFE:
        without |= {0: 11, 8: 0}
    return without.get(rank, 0)


def _deck(given: Mapping[str, Any], dealer: int, turns: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the deck from the cards that were played and those still in the hands."""
    hands: list[list[int]] = [[] for _ in range(NUM_SEATS)]
    for seat, card in turns:
        hands[seat].append(card)
    rest = given.get("player", [{}] * NUM_SEATS)
    if not isinstance(rest, list) or len(rest) != NUM_SEATS:
        raise UserError(f"player must be a list of {NUM_SEATS}, not {quote(rest)}")
    for number, player in enumerate(rest):
        names = player.get("hand", []) if isinstance(player, dict) else None
        if not isinstance(names, list):
            raise UserError(f"player {number}: a JSON object with a list hand is needed")
        own = hands[seat_of(number)]
        # The hand may also list cards already played: count them once.
        own += [card for card in map(card_of, names) if card not in own]
    for seat, hand in enumerate(hands):
        if len(hand) != HAND_SIZE:
            raise UserError(f"player {seat_of(seat)} has {len(hand)} cards, played or in hand, not 9")
    # The deck has the hands in turn, from the player left of the dealer on.
    return tuple(card for turn in range(NUM_SEATS) for card in hands[(dealer + 1 + turn) % NUM_SEATS])


def seat_of(seat: int) -> int:
    """Translate a seat between our number and theirs; its own inverse."""
    return -seat % NUM_SEATS


def card_name(card: int) -> str:
    """Return the name of one of our cards, such as "H10"."""
    return SUITS[card // len(RANKS)] + RANKS[card % len(RANKS)]


_NUMBERS = {card_name(card): card for card in range(len(SUITS) * len(RANKS))}


def card_of(name: Any) -> int:
    """Return our number of a card. Raise `UserError` if it does not exist."""
    if not isinstance(name, str) or name not in _NUMBERS:
        raise UserError(f"{quote(name)} is not a card from D6 to SA")
    return _NUMBERS[name]


def _seat(value: Any, name: str) -> int:
    if type(value) is not int or not 0 <= value < NUM_SEATS:
        raise UserError(f"{name} must be a seat from 0 to {NUM_SEATS - 1}, not {quote(value)}")
    return seat_of(value)
