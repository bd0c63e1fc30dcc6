"""The form of the states and observations of a game: their structure, and the rank of every leaf."""

import contextvars
import dataclasses
import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.errors import UserError, quote


@dataclasses.dataclass(frozen=True)
class Form:
    """The form of a pytree of one deal.

    Attributes:
      kind: its class.
      structure: its structure, with the classes and static fields of all parts.
      ranks: the number of axes of each leaf.
    """

    kind: type
    structure: Any
    ranks: list[int]

    @classmethod
    def of(cls, tree: Any) -> "Form":
        """Return the form of a pytree."""
        leaves, structure = jax.tree.flatten(tree)
        return cls(type(tree), structure, [leaf.ndim for leaf in leaves])

    def check(self, value: Any, where: str, what: str, remedy: str) -> None:
        """Raise `UserError` unless a value has this form.

        Args:
          value: the argument.
          where: the receiver of the argument, such as "jass: step".
          what: "state" or "observation".
          remedy: advice for a batch.
        """
        leaves, structure = jax.tree.flatten(value)
        if structure != self.structure:
            raise UserError(f"{where} takes {_article(what)} of this game, not {_other(value, self)}")
        ranks = [getattr(leaf, "ndim", 0) for leaf in leaves]
        if ranks != self.ranks:
            # The first leaf with other axes than in one deal: a batch has additional ones in front.
            leaf, extra = next(
                (leaf, rank - own)
                for leaf, rank, own in zip(leaves, ranks, self.ranks, strict=True)
                if rank != own
            )
            sizes = " x ".join(map(str, np.shape(leaf)[: max(extra, 0)]))
            raise UserError(
                f"{where} takes one deal, and this {what} is a batch of {sizes} deals: {remedy}"
            )


class Forms(NamedTuple):
    """The forms of a game."""

    state: Form
    observation: Form


_unchecked = contextvars.ContextVar("unchecked", default=False)


def forms_of(game: Any) -> Forms | None:
    """Return the forms of a game, or None while the forms are being traced, which turns checks off."""
    return None if _unchecked.get() else _traced(game)


@functools.lru_cache(maxsize=256)  # games of the same rules are equal
def _traced(game: Any) -> Forms | None:
    try:
        return Forms(*map(Form.of, abstract_deal(game)))
    except Exception:  # the next call will report the defect of the game
        return None


@functools.lru_cache(maxsize=256)
def abstract_deal(game: Any) -> tuple[Any, Any]:
    """Return a fresh deal and an observation of it: pytrees of `jax.ShapeDtypeStruct`."""

    def look(key: jax.Array) -> tuple[Any, Any]:
        state = game.init(key)
        return state, game.observe(state, jnp.int32(0))

    # The traced methods check their arguments as well, and would ask for these forms again.
    token = _unchecked.set(True)
    try:
        # Only shapes and dtypes are needed: `eval_shape` computes no deal.
        return jax.eval_shape(look, jax.eval_shape(jax.random.key, 0))  # type: ignore[no-any-return]
    finally:
        _unchecked.reset(token)


def _article(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


def _other(value: Any, form: Form) -> str:
    """Describe a value whose form is wrong."""
    kind = type(value)
    if kind is form.kind:
        return "one of other rules"
    if isinstance(getattr(value, "deal", None), form.kind):
        return "the state of a match: give its `deal`, or use jaxcards.Match(game)"
    if dataclasses.is_dataclass(value):
        return f"{kind.__name__} of {kind.__module__}"
    return quote(value)
