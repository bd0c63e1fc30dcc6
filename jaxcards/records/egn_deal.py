"""A deal of Euchre Game Notation as written: the cards seen, in our numbers.

Cards are our numbers, `6 * suit + rank` (docs/euchre.md, 12.2); seats are the same in the notation.
"""

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any

from jaxcards.errors import UserError, quote
from jaxcards.records.egn_rules import Rules

SUITS, RANKS = "cdhs", "9TJQKA"
NUM_CARDS, NUM_SEATS, NUM_BIDS = 24, 4, 8
PASS, CALL = 25, 26  # our actions (docs/euchre.md, 12.2)


@dataclasses.dataclass
class Played:
    """The content of a deal of the notation, in our numbers.

    Attributes:
      dealer, up_card: as in the notation.
      bids: our actions of naming trumps, in order.
      maker, trump: the maker and the suit; None without trumps.
      alone: the maker plays alone.
      defender: the seat that defends alone, or None.
      discard: the card that the dealer laid down; None if the notation lacks it.
      tricks: the cards of each trick, in order.
      given: for each seat the cards that the notation lists as dealt, perhaps none.
      kitty: cards that the notation lists in the kitty.
      notes: from the number of a bid, and from that of a card played, to its annotation.
    """

    dealer: int
    up_card: int
    bids: list[int]
    maker: int | None
    trump: int | None
    alone: bool
    defender: int | None
    discard: int | None
    tricks: list[list[int]]
    given: list[list[int]]
    kitty: list[int]
    notes: tuple[dict[int, str], dict[int, str]]

    @classmethod
    def of(cls, deal: Any, rules: Rules) -> "Played":
        """Read a deal. Raise `UserError` for malformed deals, and for rules that jaxcards lacks."""
        if isinstance(deal, str):
            raise UserError("packed deals (a text) are not supported")
        begin = _part(_typed(deal, dict, "the deal"), "initialState", dict)
        phases = _phases(_part(deal, "phases", list))
        bidding, play = phases.get("EUCHRE_BIDDING", {}), phases.get("TRICK_PLAY", {})
        dealer, up_card = _seat(begin.get("dealer"), "the dealer"), card(begin.get("upCard"))
        bids, maker, trump = _bids(_part(bidding, "calls", list, []), dealer, up_card, rules)
        lone = _part(bidding, "aloneDefender", int, -1)
        tricks = [_cards(trick) for trick in _part(play, "tricks", list, [])]
        # A phase of play without tricks may follow zero bids or eight passes.
        if maker is None and (tricks or len(bids) not in (0, NUM_BIDS) and play):
            raise UserError("tricks are played without trumps")
        # The notation writes -1 if no defender plays alone.
        defender = _seat(lone, "aloneDefender") if rules.defend_alone and lone != -1 else None
        found = cls(
            dealer=dealer,
            up_card=up_card,
            bids=bids,
            maker=maker,
            trump=trump,
            alone=_part(bidding, "isAlone", bool, False),
            defender=defender,
            discard=card(bidding["discard"]) if bidding.get("discard") else None,
            tricks=tricks,
            given=_given(begin),
            kitty=_cards([name for name in _part(begin, "kitty", list, []) if name != ""]),
            notes=(
                _notes(_part(bidding, "callAnnotations", dict, {})),
                _notes(_part(play, "playAnnotations", dict, {})),
            ),
        )
        _check_defence(found)
        if found.maker is not None and play.get("initialLead") not in (None, found.leader(rules)):
            said = quote(play["initialLead"])
            raise UserError(f"seat {found.leader(rules)} leads first, but initialLead is {said}")
        return found

    @property
    def picked_up(self) -> bool:
        """True if the dealer took the up-card."""
        # In the first round, the bid makes the dealer take the up-card.
        return self.maker is not None and len(self.bids) <= NUM_BIDS // 2

    @functools.cached_property
    def active(self) -> list[int]:
        """The seats that play."""
        # The partners of lone players sit out.
        out = []
        if self.alone and self.maker is not None:
            out.append((self.maker + 2) % NUM_SEATS)
        if self.defender is not None:
            out.append((self.defender + 2) % NUM_SEATS)
        return [seat for seat in range(NUM_SEATS) if seat not in out]

    def leader(self, rules: Rules) -> int:
        """Return the seat that leads to the first trick (docs/euchre.md, 7.1)."""
        base = self.dealer
        if self.alone and rules.lead_left_of_maker and self.maker is not None:
            base = self.maker
        return self.following(base)

    def following(self, seat: int) -> int:
        """Return the next seat to the left that plays."""
        return next(s % NUM_SEATS for s in range(seat + 1, seat + 5) if s % NUM_SEATS in self.active)


def name(card: int) -> str:
    """Return the name of a card in the notation, which is ours."""
    return RANKS[card % len(RANKS)] + SUITS[card // len(RANKS)]


_NUMBERS = {name(number): number for number in range(NUM_CARDS)}


def card(text: object) -> int:
    """Return the number of a card. Raise `UserError` if it does not exist."""
    if not isinstance(text, str) or text not in _NUMBERS:
        raise UserError(f"{quote(text)} is not a card from 9c to As")
    return _NUMBERS[text]


def _cards(names: Any) -> list[int]:
    return [card(text) for text in _typed(names, list, "cards")]


def _given(begin: Mapping[str, Any]) -> list[list[int]]:
    """Return the cards dealt to each seat if listed; older files use another name."""
    hands = _part(begin, "playerCards", list, None) or _part(begin, "player_cards", list, [])
    hands = hands or [[]] * NUM_SEATS
    if len(hands) != NUM_SEATS:
        raise UserError(f"there are hands of {len(hands)} players, not of {NUM_SEATS}")
    return [_cards([text for text in _typed(hand, list, "a hand") if text != ""]) for hand in hands]


def _phases(phases: Sequence[Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for phase in phases:
        kind = _typed(phase, dict, "a phase").get("type")
        if kind not in ("EUCHRE_BIDDING", "TRICK_PLAY") or kind in found:
            raise UserError(f"phases are EUCHRE_BIDDING and TRICK_PLAY, once each, not {quote(kind)}")
        if phase.get("cardExchanges"):
            raise UserError("an exchange of cards is not played here")
        found[kind] = phase
    return found


def _bids(
    calls: Sequence[Any], dealer: int, up_card: int, rules: Rules
) -> tuple[list[int], int | None, int | None]:
    """Return our actions, and who named which suit."""
    if len(calls) > NUM_BIDS:
        raise UserError(f"there are {len(calls)} calls, but at most {NUM_BIDS} are made")
    bids: list[int] = []
    for number, call in enumerate(calls):
        if bids and bids[-1] != PASS:
            raise UserError(f"call {number} comes after trumps were named")
        # Each round has four calls.
        first = number < NUM_BIDS // 2
        if call == "Pass":
            if number == NUM_BIDS - 1 and rules.stick_dealer:
                raise UserError(f"call {number}: the dealer may not pass")
            bids.append(PASS)
        # Round 1 can only order the up-card up; round 2 names another suit.
        elif (call == "Order") == first and call in ("Order", *SUITS):
            suit = up_card // len(RANKS) if first else SUITS.index(call)
            if not first and suit == up_card // len(RANKS):
                raise UserError(f"call {number} names the suit that was turned down")
            bids.append(CALL + suit)
        else:
            raise UserError(f"call {number} is {quote(call)}, which is not played here")
    if not bids or bids[-1] == PASS:
        return bids, None, None
    # The first bid is made left of the dealer, and the last one names trumps.
    return bids, (dealer + len(bids)) % NUM_SEATS, bids[-1] - CALL


def _check_defence(played: Played) -> None:
    if played.defender is None:
        return
    # Seats of equal parity are partners, and a defender is of the other side.
    if not played.alone or played.maker is None or (played.defender - played.maker) % 2 == 0:
        raise UserError(f"seat {played.defender} cannot defend alone")


def _notes(annotations: Mapping[str, Any]) -> dict[int, str]:
    found = {}
    for number, texts in annotations.items():
        if not (number.isascii() and number.isdecimal() and len(number) < 4):
            raise UserError(f"{quote(number)} is not a number of an annotation")
        parts = [_typed(text, str, "an annotation") for text in _typed(texts, list, "annotations")]
        found[int(number)] = "\n".join(parts)
    return found


def _seat(value: Any, what: str) -> int:
    if type(value) is not int or not 0 <= value < NUM_SEATS:
        raise UserError(f"{what} must be a seat from 0 to {NUM_SEATS - 1}, not {quote(value)}")
    return value


_MISSING = object()


def _part(given: Mapping[str, Any], name: str, kind: type, default: Any = _MISSING) -> Any:
    if name not in given and default is not _MISSING:
        return default
    if name not in given:
        raise UserError(f"{name} is missing")
    return _typed(given[name], kind, name)


def _typed(value: Any, kind: type, what: str) -> Any:
    if type(value) is not kind:
        words = {dict: "a JSON object", list: "a list", str: "a text", int: "a whole number"}
        raise UserError(f"{what} must be {words.get(kind, 'true or false')}, not {quote(value)}")
    return value
