"""What the views of several games have in common: tricks, hands in order, choices of cards."""

from collections.abc import Callable, Collection, Iterable, Sequence

from jaxcards.cards.sets import Deck
from jaxcards.view.structure import Choice, Play, Seat, Trick

_COLOURS_IN_TURN = "♠♥♣♦"  # so that neighbouring suits of a hand differ in colour


def faces(deck: Deck) -> tuple[str, ...]:
    """Returns what stands on each card."""
    return tuple(deck.pretty(card) for card in range(deck.num_cards))


def in_order(
    deck: Deck,
    cards: Iterable[int],
    strength: Callable[[int], int] | None = None,
    trumps: Collection[int] = (),
) -> tuple[int, ...]:
    """Returns cards as people hold them: trumps first, then suit by suit, the strongest card first.

    Args:
      deck: the pack.
      cards: which cards.
      strength: from a card to what cards of a suit are compared by; the number if None.
      trumps: all trumps of the deal; they stand together whatever suit is printed on them.
    """

    def key(card: int) -> tuple[bool, int, int]:
        trump = card in trumps
        suit = 0 if trump or card >= deck.num_suit_cards else _place(deck, card)
        return not trump, suit, -(strength(card) if strength else card)

    return tuple(sorted(cards, key=key))


def _place(deck: Deck, card: int) -> int:
    return _COLOURS_IN_TURN.index(deck.symbols[card // deck.ranks_per_suit])


def owners(played_by: Sequence[Iterable[int]]) -> dict[int, int]:
    """Returns for each card that has been played the seat that played it."""
    return {card: seat for seat, cards in enumerate(played_by) for card in cards}


def tricks_of(
    plays: Sequence[Play], size: int, winners: Callable[[int], int | None]
) -> tuple[Trick, Trick | None]:
    """Returns the trick on the table and the one before.

    Args:
      plays: all cards played, in order.
      size: cards of a trick.
      winners: from the number of a complete trick to the seat that won it.
    """
    complete = len(plays) // size
    last = None
    if complete:
        cards = plays[(complete - 1) * size : complete * size]
        last = Trick(tuple(cards), winners(complete - 1))
    return Trick(tuple(plays[complete * size :])), last


def count_tricks(number: int, winners: Callable[[int], int | None], num_seats: int) -> list[int]:
    """Returns how many of so many tricks each seat has won."""
    won = [winners(trick) for trick in range(number)]
    return [won.count(seat) for seat in range(num_seats)]


def card_choices(
    deck: Deck,
    hand: Iterable[int],
    legal: Collection[int],
    kind: str,
    verb: str,
    reason: Callable[[int], str],
) -> list[Choice]:
    """Returns a choice for each card of a hand, in its order.

    Args:
      deck: the pack.
      hand: the cards.
      legal: the legal actions.
      kind: of the choices.
      verb: put before each card.
      reason: from a card that is not legal to the rule that forbids it.
    """
    return [
        Choice(card, f"{verb} {deck.pretty(card)}", kind, card, "" if card in legal else reason(card))
        for card in hand
    ]


def seat_name(seat: int) -> str:
    """Returns what a seat is called as long as nobody has a name."""
    return f"seat {seat}"


def sides(teams: Sequence[int] | None, seats: Sequence[Seat]) -> list[tuple[int, ...]]:
    """Returns the seats of each side, side 0 first; one for each player without `teams`."""
    of_player = teams or range(len({seat.player for seat in seats}))
    return [
        tuple(seat.seat for seat in seats if of_player[seat.player] == side)
        for side in sorted(set(of_player))
    ]


def must_follow(suit: str) -> str:
    """Returns the reason for the commonest rule of all: of a suit's symbol, or of "trumps"."""
    were = "were" if suit == "trumps" else "was"
    return f"{suit} {were} led, and you can follow suit"
