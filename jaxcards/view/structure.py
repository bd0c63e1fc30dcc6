"""The parts of a view: seats, tricks, melds, piles, scores and choices, as plain values. No JAX.

Cards are ints, and `View.faces` says what each looks like. Seats are absolute. Texts are for people.
"""

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

SUITS = "♣♦♥♠"
MATCH_GOAL = "the match goes to"  # the name of the fact that only matters in a match


@dataclasses.dataclass(frozen=True)
class Choice:
    """An action as a person chooses it.

    Attributes:
      action: its number.
      text: what it does: "order up ♥J", "bid 3", "bury ♥7".
      kind: what it belongs to: "play", "bid", "trumps"; choices of a kind stand together.
      card: the card that it plays, lays aside or names, or None.
      forbidden: why a rule forbids it here; empty for a legal action.
    """

    action: int
    text: str
    kind: str
    card: int | None = None
    forbidden: str = ""


@dataclasses.dataclass(frozen=True)
class Meld:
    """Cards of one hand that score together.

    Attributes:
      text: "three in a row to ♥K", "four jacks".
      points: what they are worth.
      cards: the cards, where they are laid open or the player's own; else empty.
    """

    text: str
    points: int
    cards: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Play:
    """A card on the table, and who played it; `card` is None for one that lies face down."""

    seat: int
    card: int | None


@dataclasses.dataclass(frozen=True)
class Trick:
    """The cards of a trick in their order, and the seat that has won it, None while it goes on."""

    plays: tuple[Play, ...]
    winner: int | None = None

    @property
    def leader(self) -> int:
        """The seat that led."""
        return self.plays[0].seat


@dataclasses.dataclass(frozen=True)
class Seat:
    """A seat, as far as the player who looks knows it.

    Attributes:
      seat: its number.
      player: the player that decides for it; another number only where one plays two hands.
      name: what people call it.
      num_cards: how many cards it holds.
      hand: these cards, sorted, where they are known; else None.
      roles: "declarer", "picker", "partner", "plays alone", as far as known.
      calls: what it has said, in order.
      bid: its bid or prediction in short, as far as known; else empty.
      tricks: the tricks that it has won.
      melds: what it has announced or laid open; of the player's own hand all.
      aside: cards that it has laid aside, as far as known.
    """

    seat: int
    player: int
    name: str
    num_cards: int
    hand: tuple[int, ...] | None = None
    roles: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    bid: str = ""
    tricks: int = 0
    melds: tuple[Meld, ...] = ()
    aside: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Pile:
    """Cards that lie on the table and are of no trick; None for one that lies face down."""

    name: str
    cards: tuple[int | None, ...]


@dataclasses.dataclass(frozen=True)
class Score:
    """What a side has.

    Attributes:
      seats: the seats of the side.
      points: card points or tricks of this deal so far, what `View.unit` says; None if not known.
      total: the points of the match before this deal; None where there is no match.
      result: what the finished deal has brought; None before.
    """

    seats: tuple[int, ...]
    points: int | None = None
    total: int | None = None
    result: int | None = None


@dataclasses.dataclass(frozen=True)
class View:
    """All that one player sees of a table; or everything, if no player looks.

    Attributes:
      game: the id of the game.
      faces: for each card what stands on it, its suit first: "♥10"; another name for a joker.
      player: the player who looks; None if all hands lie open.
      seats: by number.
      to_act: the seat whose turn it is; None at the end.
      dealer: the seat that has dealt; None in a game without dealer.
      phase: what is to be decided: "Choose a mode, or push".
      trump: what is trumps: "♥ trumps", "no trump"; empty while nobody knows.
      trump_suit: its symbol, or empty.
      facts: names and values of what else is on the score sheet or the table, such as the contract.
      unit: what `Score.points` counts.
      trick: the cards of the trick on the table; without plays between tricks.
      last_trick: the trick before; None in the first.
      piles: the card turned up, the blind, the dummy, the talon.
      scores: by side.
      choices: the actions of the player to act, if it is this one, forbidden ones included.
      result: lines that say how the deal has ended; empty before.
    """

    game: str
    faces: tuple[str, ...]
    player: int | None
    seats: tuple[Seat, ...]
    to_act: int | None
    dealer: int | None
    phase: str
    trump: str = ""
    trump_suit: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    unit: str = "points"
    trick: Trick = Trick(())
    last_trick: Trick | None = None
    piles: tuple[Pile, ...] = ()
    scores: tuple[Score, ...] = ()
    choices: tuple[Choice, ...] = ()
    result: tuple[str, ...] = ()

    @property
    def me(self) -> int | None:
        """The seat of the player who looks: the first of its seats; None if all hands lie open."""
        mine = [seat.seat for seat in self.seats if seat.player == self.player]
        return mine[0] if mine else None

    @property
    def over(self) -> bool:
        """Whether the deal is over."""
        return self.to_act is None

    @property
    def legal(self) -> tuple[Choice, ...]:
        """The choices that are no forbidden ones, in the order in which they are shown."""
        return tuple(choice for choice in self.choices if not choice.forbidden)

    def named(self, names: Sequence[str]) -> "View":
        """Returns the view with a name for each player in place of "seat 0" and so on."""
        seats = []
        for seat in self.seats:
            twin = any(other.player == seat.player for other in self.seats[: seat.seat])
            name = names[seat.player] + (" (dummy)" if twin else "")
            seats.append(dataclasses.replace(seat, name=name))
        new = {old.name: seat.name for old, seat in zip(self.seats, seats, strict=True)}
        pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in new))
        result = tuple(pattern.sub(lambda found: new[found[0]], line) for line in self.result)
        return dataclasses.replace(self, seats=tuple(seats), result=result)

    def without_match(self) -> "View":
        """Returns the view of a deal that belongs to no match: without totals and target."""
        scores = tuple(dataclasses.replace(score, total=None) for score in self.scores)
        facts = tuple(fact for fact in self.facts if fact[0] != MATCH_GOAL)
        return dataclasses.replace(self, scores=scores, facts=facts)

    def to_dict(self) -> dict[str, Any]:
        """Returns the view as values of JSON."""
        return dataclasses.asdict(self)


def list_words(words: Sequence[str]) -> str:
    """Returns words as people list them.

    >>> list_words(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def signed(number: int) -> str:
    """Returns a number with its sign, and 0 without one."""
    return f"{number:+d}" if number else "0"


def suit_of(face: str) -> str:
    """Returns the suit of a face, or an empty text for a card without one."""
    return face[0] if face and face[0] in SUITS else ""


def rank_of(face: str) -> str:
    """Returns the rank of a face, or all of it for a card without a suit."""
    return face[1:] if suit_of(face) else face
