"""Readers of PBN and LIN, the formats in which Bridge programs save deals, auctions and play.

PBN is the Portable Bridge Notation 2.1: boards of tags in brackets. LIN is the format of Bridge Base
Online: codes with values, separated by bars. `bridge_writer` writes both.

A board becomes a record of `bridge/duplicate`. If the play ends with a claim, the record is an
unfinished deal, and `source` has the tricks agreed on. Remarks and alerts are left out.
"""

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from jaxcards.errors import UserError, quote
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.record import DealRecord, deals_of

PRESET = "bridge/duplicate"
SEATS, SUITS, RANKS, STRAINS = "NESW", "CDHS", "23456789TJQKA", ("C", "D", "H", "S", "NT")
HAND = 13
PASS, DOUBLE, REDOUBLE, BID = 52, 53, 54, 55  # actions; after the passes and doubles 35 bids
VULNERABLE = {"None": 0, "NS": 1, "EW": 2, "All": 3}  # a bit for each side

_TAG = re.compile(r'\s*\[(\w+)\s+"(.*?)"\s*\]')
_SAME_VULNERABLE = {"love": "None", "-": "None", "both": "All"}
# LIN begins with South, and goes on clockwise.
_LIN_SEATS = "SWNE"
_LIN_VULNERABLE = {"o": 0, "n": 1, "e": 2, "b": 3, "0": 0, "-": 0}
_SUIT_CALLS = {"": PASS, "P": PASS, "PASS": PASS, "X": DOUBLE, "D": DOUBLE, "DBL": DOUBLE,
               "XX": REDOUBLE, "R": REDOUBLE, "RDBL": REDOUBLE}  # fmt: skip


def card_of(text: str) -> int:
    """Return a card such as "SA" or "H10"."""
    suit, rank = text[:1].upper(), text[1:].upper().replace("10", "T")
    if len(suit) != 1 or suit not in SUITS or len(rank) != 1 or rank not in RANKS:
        raise UserError(f"{quote(text)} is not a card: write its suit and its rank, such as SA or H7")
    return 13 * SUITS.index(suit) + RANKS.index(rank)


def call_of(text: str) -> int:
    """Return the action of a call; "!" and other marks of an alert are left out."""
    said = re.sub(r"[!?*].*", "", text.strip().upper())
    if said in _SUIT_CALLS and said:
        return _SUIT_CALLS[said]
    found = re.fullmatch(r"([1-7])([CDHS]|NT?)", said)
    if found is None:
        raise UserError(f"{quote(text)} is not a call: write Pass, X, XX or a bid such as 1S or 3NT")
    # Bids ascend by level, then by strain: clubs, diamonds, hearts, spades, no trump.
    return BID + 5 * (int(found[1]) - 1) + "CDHSN".index(found[2][0])


def contract_of(dealer: int, calls: Sequence[int]) -> tuple[int, int, int] | None:
    """Return the last bid from 0 to 34, its doubling, and the declarer; None if all passed."""
    bids = [(number, call - BID) for number, call in enumerate(calls) if call >= BID]
    if not bids:
        return None
    number, bid = bids[-1]
    # The declarer is the player of the side that was first to bid this strain.
    side = (number + dealer) % 2
    first = next(n for n, one in bids if one % 5 == bid % 5 and (n + dealer) % 2 == side)
    # After the last bid, calls are passes, a double and a redouble: the largest number tells which.
    return bid, max([call - PASS for call in calls[number + 1 :]], default=0), (first + dealer) % 4


def is_over(calls: Sequence[int]) -> bool:
    """Return whether an auction has ended."""
    # Three passes end an auction after a bid, and a fourth one is needed if there was none.
    return len(calls) >= 4 and not any(call != PASS for call in calls[-3:])


def winner_of(trick: Sequence[int], strain: int) -> int:
    """Return the place of the card that wins a trick."""
    led = trick[0] // 13
    # Trumps come first, then the suit that was led. In no trump, strain 4, no suit is trumps.
    return max(range(4), key=lambda n: (trick[n] // 13 == strain, trick[n] // 13 == led, trick[n]))


def _record(
    hands: Sequence[set[int]], dealer: int, vulnerable: int, actions: Sequence[int],
    points: tuple[int, ...] | None, players: Sequence[str] | None, source: Mapping[str, str | int],
) -> DealRecord:  # fmt: skip
    """Return the record of a board; of four hands one may be empty, and gets the cards left."""
    missing = [seat for seat in range(4) if not hands[seat]]
    if len(missing) > 1:
        names = ", ".join(SEATS[seat] for seat in missing)
        raise UserError(f"the hands of {names} are missing: give at least three hands")
    dealt = set().union(*hands)
    if len(dealt) < sum(map(len, hands)):
        raise UserError("a card is dealt twice: correct the deal")
    full = [hand or set(range(52)) - dealt for hand in hands]
    for seat, hand in enumerate(full):
        if len(hand) != HAND:
            raise UserError(f"{SEATS[seat]} has {len(hand)} cards, not 13: correct the deal")
    # The deck has the hands in turn, from the player left of the dealer on.
    deck = [card for turn in range(4) for card in sorted(full[(dealer + 1 + turn) % 4])]
    return DealRecord(
        game=PRESET, deck=tuple(deck), dealer=dealer, actions=tuple(actions),
        facts={"totals": (0, 0), "vulnerability": vulnerable}, points=points,
        players=tuple(players) if players and all(players) else None, source=dict(source),
    )  # fmt: skip


def _hand_of(text: str, suits: str, separator: str | None) -> set[int]:
    """Return the cards of a hand: "AK.Q2..J" by a separator, or "SAKHQ2DCJ" by the names of suits."""
    if separator is None:
        parts = {found[1]: found[2] for found in re.finditer(r"([SHDC])([^SHDC]*)", text.upper())}
    else:
        split = text.upper().split(separator)
        if len(split) != 4:
            raise UserError(f"{quote(text)} is not a hand: write four suits, such as AK.Q2.T98.7643")
        parts = dict(zip(suits, split, strict=True))
    ranks = [(suit, rank) for suit, held in parts.items() for rank in held.replace("10", "T")]
    cards = [card_of(suit + rank) for suit, rank in ranks]
    if len(set(cards)) != len(cards):
        raise UserError(f"{quote(text)} has a card twice: correct the deal")
    return set(cards)


def _seat(text: str, tag: str) -> int:
    if len(text) != 1 or text.upper() not in SEATS:
        raise UserError(f"{tag} is {quote(text)}: write N, E, S or W")
    return SEATS.index(text.upper())


def counted(items: Iterator[Item]) -> Iterator[Item]:
    """Yield items; deals without a score get the points of their replay, if they are over."""
    from jaxcards.records.verify import with_points

    found = list(items)
    deals = [deal for item in found if isinstance(item, Read) for deal in deals_of(item.record)]
    points = iter(with_points([deal for deal in deals if deal.points is None]))
    for item in found:
        lacks = isinstance(item, Read) and deals_of(item.record)[0].points is None
        yield dataclasses.replace(item, record=next(points)) if lacks else item  # type: ignore


# ---- PBN -------------------------------------------------------------------------------------------


def read_pbn(text: str, name: str) -> Iterator[Item]:
    """Yield the boards of a PBN file. A tag with the value "#" has the value of the board before."""
    before: dict[str, str] = {}
    number = 0
    # Blank lines separate boards; a line that begins with % is a directive to programs.
    for block in re.split(r"\n\s*\n", re.sub(r"(?m)^%.*$\n?", "", text.replace("\r", ""))):
        # Remove comments, in braces or after a semicolon. A quoted value keeps these signs.
        block = re.sub(r'("[^"\n]*")|\{[^}]*\}|;.*', r"\1", block)
        found = list(_TAG.finditer(block))
        if not found:
            continue
        number += 1
        tags, sections = {}, {}
        # sections: the words between a tag and the next one, such as the calls behind Auction.
        for tag, following in zip(found, [*found[1:], None], strict=True):
            key, value = tag[1], tag[2]
            tags[key] = before.get(key, "") if value == "#" else value
            sections[key] = block[tag.end() : following.start() if following else None].split()
        before = tags
        try:
            source: dict[str, str | int] = {"file": name, "board": tags.get("Board", str(number))}
            yield Read(f"board {number}", _pbn_record(tags, sections, source), text=block.strip())
        except UserError as error:
            yield Refused(f"board {number}", str(error), block.strip())


def _pbn_record(
    tags: Mapping[str, str], sections: Mapping[str, Sequence[str]], source: dict[str, str | int]
) -> DealRecord:
    for tag in ("Dealer", "Deal", "Vulnerable", "Auction"):
        if tag not in tags:
            raise UserError(f"the tag {tag} is missing: add it")
    dealer, (first, _, dealt) = _seat(tags["Dealer"], "Dealer"), tags["Deal"].partition(":")
    texts = dealt.split()
    if len(texts) != 4:
        raise UserError(f"Deal has {len(texts)} hands: write four, and - for one that is not known")
    hands: list[set[int]] = [set()] * 4
    # The hands go on clockwise from the seat before the colon.
    for turn, text in enumerate(texts):
        hands[(_seat(first, "Deal") + turn) % 4] = set() if text == "-" else _hand_of(text, "SHDC", ".")
    vulnerable = _SAME_VULNERABLE.get(tags["Vulnerable"].lower(), tags["Vulnerable"])
    if vulnerable not in VULNERABLE:
        raise UserError(f"Vulnerable is {quote(vulnerable)}: write None, NS, EW or All")
    calls: list[int] = []
    # Leave out references to notes, ratings, and signs for an auction that has not ended.
    words = [word for word in sections["Auction"] if not re.match(r"[=$!?^]|\*|-$|\+$", word)]
    for word in words:
        if word.upper() == "AP":
            # AP, all pass, stands for the passes that are left until the end.
            calls += [PASS] * (3 if any(call != PASS for call in calls) else 4 - len(calls))
        else:
            calls.append(call_of(word))
    if calls and _seat(tags["Auction"], "Auction") != dealer:
        raise UserError("Auction must begin with the dealer: name the same seat in both tags")
    contract = contract_of(dealer, calls)
    cards = [] if contract is None else _pbn_cards(tags.get("Play", ""), sections, contract)
    if re.fullmatch(r"\d\d?", tags.get("Result", "")):
        source["result"] = int(tags["Result"])
    points = None
    score = re.fullmatch(r"(NS|EW) (-?\d{1,5})", tags.get("Score", ""))
    # The score can be compared only if the deal was played to the end, without a claim.
    if score and (len(cards) == 52 or (contract is None and is_over(calls))):
        own = int(score[2]) if score[1] == "NS" else -int(score[2])
        # One side scores. The seats alternate between the sides, north and south first.
        points = (max(own, 0), max(-own, 0)) * 2
    players = [tags.get(seat, "") for seat in ("North", "East", "South", "West")]
    return _record(hands, dealer, VULNERABLE[vulnerable], [*calls, *cards], points, players, source)


def _pbn_cards(
    leader: str, sections: Mapping[str, Sequence[str]], contract: tuple[int, int, int]
) -> list[int]:
    """Return the cards of a table with a row for each trick, in the order of play."""
    words = [w for w in sections.get("Play", ()) if not re.match(r"[=$!?^]|\*$|\+$", w)]
    if not words:
        return []
    first = (contract[2] + 1) % 4
    if _seat(leader, "Play") != first:
        raise UserError(f"{leader} leads, but {SEATS[first]} sits left of the declarer: correct Play")
    found: list[int] = []
    turn = first
    for start in range(0, len(words), 4):
        # A column belongs to a player, from the opening leader on; a dash is a missing card.
        row = [*words[start : start + 4], "-", "-", "-"]
        trick: list[int] = []
        while len(trick) < 4 and row[(turn + len(trick) - first) % 4] != "-":
            trick.append(card_of(row[(turn + len(trick) - first) % 4]))
        found += trick
        if len(trick) < 4:
            break
        turn = (turn + winner_of(trick, contract[0] % 5)) % 4
    return found


# ---- LIN -------------------------------------------------------------------------------------------


def read_lin(text: str, name: str) -> Iterator[Item]:
    """Yield the boards of a LIN file; each begins with `md`, or with `qx` before it."""
    pairs = re.findall(r"\s*([a-zA-Z]{2})\|([^|]*)\|", text)
    boards: list[list[tuple[str, str]]] = [[]]
    players = ""
    for code, value in pairs:
        started = any(key == "md" for key, _ in boards[-1])
        if started and code in ("md", "qx"):
            boards.append([])
        boards[-1].append((code, value.strip()))
    for number, board in enumerate(boards, 1):
        place, text = f"board {number}", "".join(f"{code}|{value}|" for code, value in board)
        # Names hold for the boards that follow, until others are given.
        players = next((value for code, value in board if code == "pn"), players)
        try:
            yield Read(place, _lin_record(board, players, {"file": name, "board": number}), text=text)
        except UserError as error:
            yield Refused(place, str(error), text)


def _lin_record(
    board: Sequence[tuple[str, str]], players: str, source: dict[str, str | int]
) -> DealRecord:
    given = dict(board)
    found = re.fullmatch(r"([1-4])([^,]*),([^,]*),([^,]*)(?:,([^,]*))?", given.get("md", ""))
    if found is None:
        raise UserError("md is not a deal: write the dealer from 1 to 4, and three or four hands")
    hands: list[set[int]] = [set()] * 4
    for place, text in enumerate(found.groups()[1:]):
        hands[SEATS.index(_LIN_SEATS[place])] = _hand_of(text or "", "SHDC", None)
    dealer = SEATS.index(_LIN_SEATS[int(found[1]) - 1])
    vulnerable = given.get("sv", "o").lower() or "o"
    if vulnerable not in _LIN_VULNERABLE:
        raise UserError(f"sv is {quote(vulnerable)}: write o, n, e or b")
    calls = [call_of(value) for code, value in board if code == "mb"]
    cards = [card_of(value) for code, value in board if code == "pc"]
    if re.fullmatch(r"\d\d?", given.get("mc", "")):
        source["result"] = int(given["mc"])
    names = players.split(",")
    seated = [names[_LIN_SEATS.index(seat)] for seat in SEATS] if len(names) >= 4 else None
    vulnerability = _LIN_VULNERABLE[vulnerable]
    return _record(hands, dealer, vulnerability, [*calls, *cards], None, seated, source)
