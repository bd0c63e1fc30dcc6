"""Sets of legal actions as machine words.

A boolean array of a few dozen actions a deal costs more memory traffic than the rest of a step. The
legal set is therefore a handful of uint32 words that start with the words of a `CardSet`. The legal
cards are then the legal actions without conversion. A Boolean mask is made only where one is needed, as
by a network.
"""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards.arguments import check_integer, check_range
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.errors import UserError
from jaxcards.xla import prng
from jaxcards.xla.fence import fence
from jaxcards.xla.lowest import lowest_place
from jaxcards.xla.pytrees import register

IDLE = 2**31 - 1  # action after the end of a deal; not a valid action number
_LARGEST = 1e30  # logits are clipped to this size, so that differences stay finite in float32
_ILLEGAL = -4e30  # the logit of an illegal action, below any difference of legal ones


@dataclasses.dataclass(frozen=True)
class ActionLayout:
    """The action that each bit stands for.

    Attributes:
      offsets: bit b of word w stands for action `offsets[w] + b`.
      widths: number of bits used in each word.
      most: the largest number of legal actions before the end of a deal.
    """

    offsets: tuple[int, ...]
    widths: tuple[int, ...]
    most: int

    @classmethod
    def after_cards(cls, deck: Deck, num_actions: int, most: int) -> "ActionLayout":
        """Return the layout of actions 0 to num_cards - 1 for the cards, followed by the other actions.

        The other actions fill the rest of the last card word, then further words.
        """
        # The card words come first; one card word ends where the next begins.
        offsets = [w * deck.word_bits for w in range(deck.num_words)]
        # A new word starts only when the last one has all 32 bits in use.
        while offsets[-1] + 32 < num_actions:
            offsets.append(offsets[-1] + 32)
        ends = [*offsets[1:], num_actions]
        widths = [end - start for start, end in zip(offsets, ends, strict=True)]
        return cls(tuple(offsets), tuple(widths), most)

    @property
    def num_actions(self) -> int:
        return self.offsets[-1] + self.widths[-1]

    def constant(self, actions: Sequence[int] | range) -> tuple[int, ...]:
        """Return the words of a known set of actions, as Python ints."""
        words = [0] * len(self.offsets)
        for action in actions:
            # The last word that starts at or before the action has its bit.
            word = max(w for w, offset in enumerate(self.offsets) if offset <= action)
            words[word] |= 1 << (action - self.offsets[word])
        return tuple(words)


SelfT = TypeVar("SelfT", bound="ActionSet")
ArgumentsT = ParamSpec("ArgumentsT")
ResultT = TypeVar("ResultT")


def _of_one_set(
    method: Callable[Concatenate[SelfT, ArgumentsT], ResultT],
) -> Callable[Concatenate[SelfT, ArgumentsT], ResultT]:
    """Decorate a method of one `ActionSet` so that it refuses a batch of sets."""

    @functools.wraps(method)
    def call(self: SelfT, *args: ArgumentsT.args, **kwargs: ArgumentsT.kwargs) -> ResultT:
        # The words of one set are scalars, also while `jax.vmap` traces. An axis means a batch.
        if np.ndim(self.words[0]):
            sizes = " x ".join(map(str, np.shape(self.words[0])))
            raise UserError(
                f"{method.__name__} takes one set of actions, and this is a batch of {sizes}: use "
                f"jax.vmap(ActionSet.{method.__name__})"
            )
        return method(self, *args, **kwargs)

    return call


class ActionSet:
    """A set of actions: `words[w]` has bit b set if action `layout.offsets[w] + b` is in it."""

    __slots__ = ("layout", "words")

    def __init__(self, layout: ActionLayout, words: Sequence[jax.Array]):
        self.layout = layout
        self.words = tuple(words)

    @classmethod
    def of(cls, layout: ActionLayout, actions: Sequence[int] | range) -> "ActionSet":
        """Return the set of known (untraced) actions. Raise `UserError` if an action does not exist."""
        for action in actions:
            check_range("an action", action, layout.num_actions)
        return cls(layout, [jnp.uint32(word) for word in layout.constant(actions)])

    @classmethod
    def of_cards(cls, layout: ActionLayout, cards: CardSet) -> "ActionSet":
        """Return the actions that play the given cards."""
        # The words behind the card words have bits of calls only.
        rest = [jnp.uint32(0)] * (len(layout.offsets) - len(cards.words))
        return cls(layout, [*cards.words, *rest])

    @classmethod
    def full(cls, layout: ActionLayout) -> "ActionSet":
        return cls.of(layout, range(layout.num_actions))

    def cards(self, deck: Deck) -> CardSet:
        """Return the cards among the actions."""
        words = self.words[: deck.num_words]
        # A last card word with spare bits also holds calls; clear them.
        if deck.word_bits < 32:
            words = tuple(word & jnp.uint32((1 << deck.word_bits) - 1) for word in words)
        return CardSet(deck, words)

    def with_cards(self, cards: CardSet) -> "ActionSet":
        """Return the set with `cards` as its cards; the other actions stay."""
        deck, words = cards.deck, cards.words
        # Keep the calls that share the last card word.
        if deck.word_bits < 32:
            rest = ~jnp.uint32((1 << deck.word_bits) - 1)
            words = tuple(a | (b & rest) for a, b in zip(words, self.words, strict=False))
        return ActionSet(self.layout, [*words, *self.words[deck.num_words :]])

    def or_all(self, over: Any) -> "ActionSet":
        """Return the set, or every action if the deal is over: then actions have no effect."""
        # A constant, so that the end of a deal costs one selection per word.
        everything = self.layout.constant(range(self.layout.num_actions))
        words = zip(everything, self.words, strict=True)
        return ActionSet(self.layout, [jnp.where(over, jnp.uint32(all_), w) for all_, w in words])

    @_of_one_set
    def count(self) -> jax.Array:
        """Return the number of actions: uint32 scalar."""
        total = jax.lax.population_count(self.words[0])
        for word in self.words[1:]:
            total = total + jax.lax.population_count(word)
        return total

    @_of_one_set
    def contains(self, action: jax.Array | int) -> jax.Array:
        """Return whether an action is in the set: bool scalar; False for numbers outside the range."""
        check_integer("an action", action)
        # An action below the offset wraps to a huge number, so that `bit < width` is False.
        number = jnp.asarray(action).astype(jnp.uint32)
        found = jnp.uint32(0)
        for word, offset, width in zip(
            self.words, self.layout.offsets, self.layout.widths, strict=True
        ):
            bit = number - jnp.uint32(offset)
            # `bit & 31` keeps the shift within the word even where `bit` has wrapped.
            found = found | jnp.where(bit < width, (word >> (bit & 31)) & 1, 0)
        return found != 0

    @_of_one_set
    def mask(self) -> jax.Array:
        """Return bool[num_actions]."""
        # Every word over all actions: a CPU would compute a concatenation, and all that is fused with
        # it, without vectors.
        # bits: uint32[num_actions, words], each action as a set of its own.
        bits = np.array([self.layout.constant([a]) for a in range(self.layout.num_actions)], np.uint32)
        found = self.words[0] & bits[:, 0]
        for word, own in zip(self.words[1:], bits.T[1:], strict=True):
            found = found | (word & own)
        return found != 0

    @_of_one_set
    def sample(self, key: jax.Array, step: int | jax.Array = 0) -> jax.Array:
        """Return a uniformly random action of the set.

        The draw is number `step` of a key, so a loop can use one key for all its steps. You may reuse
        the key that has dealt the cards. With that key and `step` = the number of the decision, the
        actions are those of `rollout` with `RandomAgent`.

        Args:
          key: a JAX key, typed or raw.
          step: int or int scalar, at least 0. The same key and step give the same draw.

        Returns:
          int32 scalar; unspecified for an empty set.

        Raises:
          UserError: if the key is not a single key.
        """
        check_integer("step", step)
        return self.sample_word(prng.draw(key, step))

    @_of_one_set
    def sample_logits(
        self, key: jax.Array, logits: jax.Array, step: int | jax.Array = 0
    ) -> jax.Array:
        """Return an action of the set, drawn with probabilities proportional to exp(logits).

        Args:
          key, step: as for `sample`; both methods draw the same random word.
          logits: float[num_actions], of any values; computed in float32. Values above 1e30 count as
            1e30, and values below -1e30 and NaN as -1e30. If all legal logits are -inf, the draw is
            uniform.

        Returns:
          int32 scalar; unspecified for an empty set. No probability is off by more than
          num_actions / 2**23.

        Raises:
          UserError: if the shape is not [num_actions], or the key is not a single key.
        """
        check_integer("step", step)
        number = self.layout.num_actions
        if jnp.shape(logits) != (number,):
            raise UserError(
                f"logits must have shape [{number}], one for each action, not "
                f"{list(jnp.shape(logits))}; use jax.vmap for a batch"
            )
        logits = jnp.asarray(logits, jnp.float32)
        # Clip before subtracting, to stay finite; a comparison with NaN is False.
        # An illegal action is so far below any legal one that its weight is exactly 0.
        kept = jnp.where(logits > -_LARGEST, jnp.minimum(logits, _LARGEST), -_LARGEST)
        kept = jnp.where(self.mask(), kept, _ILLEGAL)
        weights = jnp.exp(kept - kept.max())
        # The threshold: a uniform point on the line of all weights side by side.
        aim = prng.uniform(prng.draw(key, step)) * weights.sum()
        # The last action with any weight that the threshold has reached, one action at a time. On a CPU
        # this is faster than a running sum over an axis, and rounding never draws an action without
        # weight.
        passed, drawn = jnp.float32(0), jnp.int32(0)
        for action in range(number):
            weight = weights[action]
            drawn = jnp.where((weight > 0) & (passed <= aim), action, drawn)
            passed += weight
        return drawn

    @_of_one_set
    def sample_word(self, word: jax.Array) -> jax.Array:
        """Return the uniformly random action for a random uint32 word; see `sample`."""
        # `below` needs a static limit of the count, which decides how many random bits it uses.
        largest = self.layout.num_actions
        return self.nth(prng.below(word, self.count(), largest))

    @_of_one_set
    def only(self) -> jax.Array:
        """Return the only action of a set: int32 scalar; unspecified for sets of other sizes."""
        # The action lies in the only word that is not empty: select its offset, and join all words.
        word, offset = self.words[-1], jnp.uint32(self.layout.offsets[-1])
        for earlier, start in zip(self.words[-2::-1], self.layout.offsets[-2::-1], strict=True):
            offset = jnp.where(earlier != 0, jnp.uint32(start), offset)
            word = word | earlier
        # 31 less the leading zeros is the highest set bit, which is the only one here.
        return (jnp.uint32(31) - jax.lax.clz(word) + offset).astype(jnp.int32)

    @_of_one_set
    def nth(self, index: jax.Array) -> jax.Array:
        """Return the action at position `index` of the set in ascending order: int32 scalar."""
        check_integer("index", index)
        # Start with the last word; passed[w] counts the actions in the words before word w.
        chosen, offset = self.words[-1], jnp.uint32(self.layout.offsets[-1])
        counts = [jax.lax.population_count(word) for word in self.words[:-1]]
        passed: list[Any] = [jnp.uint32(0)]
        for count in counts:
            passed.append(passed[-1] + count)
        skipped = passed[-1]
        # From the back, so that the first word whose running count exceeds the index wins.
        for w in range(len(self.words) - 2, -1, -1):
            here = index < passed[w + 1]
            chosen = jnp.where(here, self.words[w], chosen)
            skipped = jnp.where(here, passed[w], skipped)
            offset = jnp.where(here, jnp.uint32(self.layout.offsets[w]), offset)
        # `skipped` actions are in earlier words; the rest of the index counts within this word.
        bit = _nth_bit(chosen, index - skipped, self.layout.most)
        return (bit + offset).astype(jnp.int32)


# A layout is stored as the tuple of its fields and made again from it.
register(ActionSet, ["words"], ["layout"], lambda static: (ActionLayout(*static[0]),))


def select(condition: Any, yes: ActionSet, no: ActionSet) -> ActionSet:
    """Return `yes` where the condition holds, else `no`."""
    words = [jnp.where(condition, a, b) for a, b in zip(yes.words, no.words, strict=True)]
    return ActionSet(yes.layout, words)


def fenced(action: Any, over: Any) -> jax.Array:
    """Return an action as uint32, computed once (see `xla.fence`); `IDLE` if nothing is left to decide.

    Args:
      action: int scalar.
      over: bool, whether nothing is left to decide.
    """
    action = jnp.asarray(action).astype(jnp.uint32)
    return fence(jnp.where(over, jnp.uint32(IDLE), action))


def _nth_bit(word: jax.Array, index: jax.Array, most: int) -> jax.Array:
    """Return the position of set bit number `index`, counted from the lowest: uint32 scalar."""
    if most <= 12:  # clearing bits one by one beats halving for the hands of trick-taking games
        # Each step removes the lowest bit until `index` bits are gone.
        for i in range(most - 1):
            word = jnp.where(index > i, word & (word - 1), word)
        return lowest_place(word)
    # Binary search: count the bits of the lower half, then keep the half with the wanted bit.
    position = jnp.uint32(0)
    for width in (16, 8, 4, 2, 1):
        below = jax.lax.population_count(word & jnp.uint32((1 << width) - 1))
        upper = index >= below
        word = jnp.where(upper, word >> width, word)
        index = jnp.where(upper, index - below, index)
        position = position + jnp.where(upper, jnp.uint32(width), jnp.uint32(0))
    return position
