"""Texts of actions, hands and tricks, shared by all games."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from jaxcards.cards.sets import CardSet, Deck
from jaxcards.errors import UserError, unknown


def action_name(names: Sequence[str], action: int) -> str:
    """Return the name of an action.

    Args:
      names: the name of every action, by number.
      action: the number.

    Raises:
      UserError: if the number is out of range.
    """
    if not 0 <= int(action) < len(names):
        raise unknown("action", action, [f"0 to {len(names) - 1}"])
    return names[int(action)]


def action_number(
    deck: Deck, names: Sequence[str], text: str, words: Mapping[str, str] = MappingProxyType({})
) -> int:
    """Return the action of a name.

    Cards and suits may be written in any form that the deck knows, such as "♥10" or "choose Schellen".
    The first word of a name may be left out where the rest says enough: "3" is "bid 3".

    Args:
      deck: the pack; its cards are the first actions.
      names: the name of every action, by number.
      text: user input; case and spacing do not matter.
      words: further words of users, by the word of a name that each stands for.

    Raises:
      UserError: for an unknown name.
    """
    known = {**words, **deck.suits_by_text}

    def normal(phrase: str) -> str:
        return " ".join(known.get(word, word) for word in phrase.lower().split())

    # Calls first: a name of a call wins over a name of a card.
    wanted = normal(text)
    others = {normal(name): number for number, name in enumerate(names) if number >= deck.num_cards}
    if wanted in others:
        return others[wanted]
    try:
        return deck.card(text)
    except ValueError:
        # The first word left out: accept it only if exactly one call ends like this.
        shortened = [number for name, number in others.items() if name.partition(" ")[2] == wanted]
        if wanted and len(shortened) == 1:
            return shortened[0]
        raise unknown("action", text, names) from None


def check_legal(names: Sequence[str], player: int, action: int, legal: Sequence[int]) -> None:
    """Raise `UserError` unless an action is legal. The error names the player and the legal actions.

    Args:
      names: the name of every action, by number.
      player: who chose the action.
      action: any number.
      legal: the legal actions.
    """
    if action in legal:
        return
    allowed = ", ".join(f"{number} ({names[number]})" for number in legal)
    if not 0 <= action < len(names):
        wrong = f"action {action}, which is not between 0 and {len(names) - 1}"
    else:
        wrong = f"action {action} ({names[action]}), which is not legal here"
    raise UserError(f"player {player} chose {wrong}; legal are {allowed}")


def place_lines(deck: Deck, hands: Sequence[CardSet], played: Sequence[CardSet]) -> list[str]:
    """Return a line for each player: the cards that it holds and, once there are any, has played."""
    lines = []
    for player, (hand, gone) in enumerate(zip(hands, played, strict=True)):
        lines.append(f"player {player} holds {deck.pretty_names(hand.to_list()) or 'nothing'}")
        if gone.to_list():
            lines[-1] += f"; played {deck.pretty_names(gone.to_list())}"
    return lines
