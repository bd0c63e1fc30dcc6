"""Names of actions, in and out: what is the same in every game."""

from collections.abc import Sequence

from jaxcards.cards import Deck
from jaxcards.errors import unknown


def action_name(names: Sequence[str], action: int) -> str:
    """Returns the name of an action.

    Args:
      names: the name of every action, by number.
      action: the number.

    Raises:
      UserError: for a number that no action has.
    """
    if not 0 <= int(action) < len(names):
        raise unknown("action", action, [f"0 to {len(names) - 1}"])
    return names[int(action)]


def action_number(deck: Deck, names: Sequence[str], text: str, prefixes: Sequence[str] = ()) -> int:
    """Returns the action of a name; cards in any form that the deck knows, such as "♥10".

    Args:
      deck: the pack; its cards are the first actions.
      names: the name of every action, by number.
      text: what somebody wrote; case and spacing do not matter.
      prefixes: words that may be left out, such as "bid " of "bid 3".

    Raises:
      UserError: for an unknown name.
    """
    wanted = " ".join(text.strip().lower().split())
    for prefix in ("", *prefixes):
        for number, name in enumerate(names[deck.num_cards :], start=deck.num_cards):
            if name.lower() == prefix + wanted:
                return number
    try:
        return deck.card(text)
    except ValueError:
        raise unknown("action", text, names) from None
