"""Typed input: a key, the name of a card or a call, or a command. Refusals give the reason."""

from jaxcards.errors import UserError, nearest, quote
from jaxcards.game import Game
from jaxcards.view.structure import Choice, View

COMMANDS = {
    "?": "a hint: the choice of a trained player, the value of each choice, and the reason",
    "l": "look at the table again",
    "h": "this help",
    "q": "stop; the game is saved after every action",
}
"""Each command that can be typed as an answer -> its effect."""

_LONG = {"help": "h", "hint": "?", "look": "l", "quit": "q", "exit": "q", "stop": "q"}
_MOST_LISTED = 20


class Keys:
    """The keys of all legal choices: numbers from 1 on, or the number of tricks bid.

    Attributes:
      numbers: the smallest and the largest number, for many choices that are numbers.
    """

    def __init__(self, view: View) -> None:
        bids = [_number(choice) for choice in view.choices]
        legal = view.legal
        if legal and all(bid is not None for bid in bids):
            self._keys = {choice.action: str(_number(choice)) for choice in legal}
        else:
            self._keys = {choice.action: str(i) for i, choice in enumerate(legal, start=1)}
        self._of_card = {c.card: self._keys[c.action] for c in legal if c.card is not None}
        self.numbers: tuple[int, int] | None = None
        if len(legal) > _MOST_LISTED and all(bid is not None for bid in bids):
            values = [bid for bid in bids if bid is not None]
            self.numbers = min(values), max(values)

    def of_action(self, action: int) -> str:
        """Return the key of an action, or an empty text if it is not legal."""
        return self._keys.get(action, "")

    def of_card(self, card: int) -> str:
        """Return the key of a card, or an empty text if the card is not a legal choice."""
        return self._of_card.get(card, "")

    def action(self, key: str) -> int | None:
        """Return the action of a key, or None."""
        return next((action for action, own in self._keys.items() if own == key), None)


def _number(choice: Choice) -> int | None:
    """Return the number that a bid or prediction names; 0 for nil."""
    return 0 if choice.text.key == "do.nil" else choice.text.args.get("number")


def command(text: str) -> str | None:
    """Return the command in a text, one of `COMMANDS`, or None."""
    word = text.strip().lower()
    word = _LONG.get(word, word)
    return word if word in COMMANDS else None


def choice(game: Game, view: View, keys: Keys, text: str) -> Choice:
    """Return the legal choice in a text.

    Args:
      game: the game of single deals.
      view: of the player to act.
      keys: of its choices.
      text: a key, the label of a choice, or any name of an action that the game knows.

    Raises:
      UserError: if the text is unknown or the choice is not allowed; lists the allowed input.
    """
    wanted = " ".join(text.strip().lower().split())
    if not wanted:
        raise UserError(f"type a number or a name: {_allowed(view, keys)} (? for a hint, h for help)")
    by_action = {choice.action: choice for choice in view.choices}
    action = keys.action(wanted)
    if action is None:
        action = _by_text(view, wanted)
    if action is None:
        action = _by_name(game, wanted)
    if action is None:
        guess = nearest(wanted, [view.say(c.text) for c in view.legal])
        hint = f" (did you mean {guess!r}?)" if guess else ""
        raise UserError(f"{quote(text.strip())} is not a choice{hint}: type {_allowed(view, keys)}")
    found = by_action.get(action)
    if found is None:
        raise UserError(
            f"{game.action_to_string(action)} is not possible now: type {_allowed(view, keys)}"
        )
    if found.forbidden:
        raise UserError(f"you may not {view.say(found.text)}: {view.say(found.forbidden)}")
    return found


def _by_text(view: View, wanted: str) -> int | None:
    """Return the only action whose text begins like this, or None."""
    texts = {choice.action: view.say(choice.text).lower() for choice in view.choices}
    exact = [action for action, text in texts.items() if text == wanted]
    # A whole text wins over longer ones that begin with it, such as "bid 1" over "bid 10".
    starts = exact or [action for action, text in texts.items() if text.startswith(wanted)]
    return starts[0] if len(starts) == 1 and not wanted.isdecimal() else None


def _by_name(game: Game, wanted: str) -> int | None:
    if wanted.isdecimal():
        return None  # numbers are keys, never names
    try:
        return game.string_to_action(wanted)
    except UserError:
        return None


def _allowed(view: View, keys: Keys) -> str:
    numbers = [keys.of_action(choice.action) for choice in view.legal]
    if len(numbers) == 1:
        return numbers[0]
    return f"{numbers[0]} to {numbers[-1]}"
