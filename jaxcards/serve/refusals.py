"""Why a request is refused, with the status that HTTP has for it."""

from typing import Any

from jaxcards.errors import UserError
from jaxcards.view.text import Text, render


class Refusal(UserError):
    """A request that is refused.

    Attributes:
      text: one line for the person who asked; the message has it in English.
    """

    status = 400

    def __init__(self, key: str, **args: Any) -> None:
        self.text = Text(f"error.{key}", **args)
        super().__init__(render(self.text, (), ()))


class Unknown(Refusal):
    """No token, or one of no form."""

    status = 401


class Forbidden(Refusal):
    """Somebody else's token, or none that opens this."""

    status = 403


class Missing(Refusal):
    """There is no such thing."""

    status = 404


class Conflict(Refusal):
    """Not now: too late, too early, twice, or against the rules of the game."""

    status = 409


class TooMany(Refusal):
    """A limit of the server."""

    status = 429


class Unavailable(Refusal):
    """What the server needs for it does not work at the moment."""

    status = 503
