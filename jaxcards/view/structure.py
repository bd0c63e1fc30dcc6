"""The parts of a view: seats, tricks, melds, piles, scores and choices, as plain values. No JAX.

Cards are ints, and `View.faces` says what each looks like. Seats are absolute. What people read is a
`Text`: a key with arguments, which `View.say` puts into words.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

from jaxcards.view.text import Text, render

SUITS = "♣♦♥♠"
MATCH_TARGET, MATCH_BAGS = "fact.target", "fact.bags"  # facts that only matter in a match
UNNAMED = Text("trump.none")  # the trumps of a deal before they are named


@dataclasses.dataclass(frozen=True)
class Choice:
    """An action as a person chooses it.

    Attributes:
      action: its number.
      text: what it does: `Text("do.bid", number=3)`.
      kind: what it belongs to: "play", "bid", "trumps"; choices of a kind stand together.
      card: the card that it plays, lays aside or names, or None.
      forbidden: why a rule forbids it here; None for a legal action.
    """

    action: int
    text: Text
    kind: str
    card: int | None = None
    forbidden: Text | None = None


@dataclasses.dataclass(frozen=True)
class Meld:
    """Cards of one hand that score together.

    Attributes:
      text: `Text("meld.run", number=3, card=24)`, `Text("meld.four.J")`.
      points: what they are worth.
      cards: the cards, where they are laid open or the player's own; else empty.
    """

    text: Text
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
      roles: declarer, picker, partner, "sits out", as far as known.
      calls: what it has said, in order.
      bid: its bid or prediction, as far as known; else None.
      tricks: the tricks that it has won.
      melds: what it has announced or laid open; of the player's own hand all.
      aside: cards that it has laid aside, as far as known.
    """

    seat: int
    player: int
    name: Text
    num_cards: int
    hand: tuple[int, ...] | None = None
    roles: tuple[Text, ...] = ()
    calls: tuple[Text, ...] = ()
    bid: Text | None = None
    tricks: int = 0
    melds: tuple[Meld, ...] = ()
    aside: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Pile:
    """Cards that lie on the table and are of no trick; None for one that lies face down."""

    name: Text
    cards: tuple[int | None, ...]


@dataclasses.dataclass(frozen=True)
class Score:
    """The score of a side.

    Attributes:
      seats: the seats of the side.
      points: card points or tricks of this deal so far, what `View.unit` says; None if not known.
      total: the points of all deals of the table or match, with this deal once it is over.
      result: what the finished deal has brought; None before.
      lines: what the deal has brought so far as known, line by line, with the key of its source:
        `Text("line.weis", points=50)`. At the end they add up to `result`, before it is rounded,
        in games that score points (docs/serve.md).
    """

    seats: tuple[int, ...]
    points: int | None = None
    total: int | None = None
    result: int | None = None
    lines: tuple[Text, ...] = ()


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
      phase: what is to be decided: `Text("ask.play")`.
      trump: what is trumps: `Text("mode.suit", suit="♥")`, `UNNAMED` before they are named; None in a
        game without trumps.
      trump_suit: its symbol, or empty.
      facts: what else is on the score sheet or the table, such as the contract; see `label`.
      unit: what `Score.points` counts: "tricks", "points" or "card_points".
      deal_unit: what hints of the deal count: "points", "points_ahead" of the others, "chips", or
        "penalty_points", where the fewest win.
      trick: the cards of the trick on the table; without plays between tricks.
      last_trick: the trick before; None in the first.
      piles: the card turned up, the blind, the dummy, the talon.
      scores: by side.
      choices: the actions of the player to act, if it is this one, forbidden ones included.
      result: lines that say how the deal has ended; empty before.
      outcome: "won", "lost" or "level" for the player who looks; empty before the end, and if all hands
        lie open. After the last deal of a match it is the outcome of the match.
      verdict: the outcome in words, such as `Text("outcome.place", number=2, of=4)`; None where it is
        empty.
    """

    game: str
    faces: tuple[str, ...]
    player: int | None
    seats: tuple[Seat, ...]
    to_act: int | None
    dealer: int | None
    phase: Text
    trump: Text | None = None
    trump_suit: str = ""
    facts: tuple[Text, ...] = ()
    unit: str = "points"
    deal_unit: str = "points"
    trick: Trick = Trick(())
    last_trick: Trick | None = None
    piles: tuple[Pile, ...] = ()
    scores: tuple[Score, ...] = ()
    choices: tuple[Choice, ...] = ()
    result: tuple[Text, ...] = ()
    outcome: str = ""
    verdict: Text | None = None

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

    @property
    def gain_unit(self) -> str:
        """The unit of the difference between two results of a deal."""
        return "points" if self.deal_unit == "points_ahead" else self.deal_unit

    def in_unit(self, returns: float) -> float:
        """Return `Game.returns` in `deal_unit`: penalty points are negative returns."""
        # A subtraction, because the negative of 0.0 is -0.0.
        return 0.0 - returns if self.deal_unit == "penalty_points" else returns

    def short(self, action: int) -> Text:
        """Return the text of a choice; of a card that leaves the hand, the card alone."""
        choice = next(choice for choice in self.choices if choice.action == action)
        alone = choice.text.key in ("do.play", "do.pass_card", "do.bury", "do.discard")
        return Text("{card}", card=choice.card) if alone else choice.text

    def say(self, text: Text, language: str = "en") -> str:
        """Return a text of this view in words: in English, German ("de") or French ("fr")."""
        return render(text, self.faces, [seat.name for seat in self.seats], language)

    def name(self, seat: int) -> str:
        """Return the name of a seat in English."""
        return self.say(self.seats[seat].name)

    def named(self, names: Sequence[Text | str]) -> "View":
        """Return the view with a name for each player in place of "seat 0" and so on."""
        seats = []
        for seat in self.seats:
            given = names[seat.player]
            name = Text("seat.named", name=given) if isinstance(given, str) else given
            # The second seat of a player is its dummy.
            if any(other.player == seat.player for other in self.seats[: seat.seat]):
                own = name.key == "seat.you"
                name = Text("seat.dummy") if own else Text("seat.twin", name=name)
            seats.append(dataclasses.replace(seat, name=name))
        return dataclasses.replace(self, seats=tuple(seats))

    def without_target(self) -> "View":
        """Return the view of a deal outside a match."""
        facts = tuple(fact for fact in self.facts if fact.key not in (MATCH_TARGET, MATCH_BAGS))
        return dataclasses.replace(self, facts=facts)

    def with_totals(self, totals: Sequence[int]) -> "View":
        """Return the view with the points of each player in all deals; see `Score.total`."""
        player_at = {place.seat: place.player for place in self.seats}
        scores = tuple(
            dataclasses.replace(score, total=totals[player_at[score.seats[0]]]) for score in self.scores
        )
        return dataclasses.replace(self, scores=scores)

    def to_dict(self) -> dict[str, Any]:
        """Return the view as values of JSON."""
        return dataclasses.asdict(self)


def label(fact: Text) -> Text:
    """Return the label of a fact: "contract" of a fact whose text is "100 ♥"."""
    return Text(f"{fact.key}.label")


def signed(number: int) -> str:
    """Return a number with its sign, and 0 without one."""
    return f"{number:+d}" if number else "0"


def suit_of(face: str) -> str:
    """Return the suit of a face, or an empty text for a card without one."""
    return face[0] if face and face[0] in SUITS else ""


def rank_of(face: str) -> str:
    """Return the rank of a face, or all of it for a card without a suit."""
    return face[1:] if suit_of(face) else face
