"""Alpha-beta over the states of a game with all hands open, many endings side by side.

A lane is an ending. In each turn of the loop, every lane plays one card and all forced moves after it,
or goes back by one choice, without recursion. An open choice is a `Frame`, and the frames of a lane are
a stack: arrays with an axis of depth before that of the lanes. Each lane reads and writes at its own
depth by a few selections over whole vectors, without a gather. A state on the stack has only the few
leaves that the play changes.

Knuth and Moore 1975, "An analysis of alpha-beta pruning"; the values are those of their F2.
"""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import stages
from jaxcards.agents.search.varying import structure, varying
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.game import Game
from jaxcards.xla.fence import fence
from jaxcards.xla.lowest import lowest_place

# Forced cards that a turn plays after the chosen one: 0 takes a third longer, 7 half as long again
# (Jass, three cards in each hand).
_FORCED = 4
_MOST = np.float32(3e38)

Leaves = tuple[jax.Array, ...]


class Outcome(NamedTuple):
    """The result of an ending; every leaf has an axis of the lanes.

    Attributes:
      worth: float32, the returns of the maximising side less those of the other side.
      returns: float32 for each player; () if they follow from `worth`.
    """

    worth: jax.Array
    returns: Leaves


class Frame(NamedTuple):
    """An open choice.

    Attributes:
      low, high: float32, the value that the maximising side can already reach, and the limit that the
        other side can enforce; a value outside does not matter above.
      ours: bool, the maximising side has the choice.
      left: uint32 words, the cards that are still to be tried.
      returns: of the best card so far; see `Outcome`.
    """

    low: jax.Array
    high: jax.Array
    ours: jax.Array
    left: Leaves
    returns: Leaves


class Walk(NamedTuple):
    """The position of each lane.

    Attributes:
      now: the varying leaves of the state from which a card is played next.
      again: bool, that state belongs to an open choice.
      depth: int32, the number of open choices; the last of them is `top`.
      top: the frame of the last one.
      value: the result of the last finished line, or of the last choice.
      back: bool, the lane goes back with `value`.
      done: bool, `value` is that of the whole ending.
      frames: all frames below `top`; leaves have an axis of depth in front.
      states: of all frames, the varying leaves; likewise.
    """

    now: Leaves
    again: jax.Array
    depth: jax.Array
    top: Frame
    value: Outcome
    back: jax.Array
    done: jax.Array
    frames: Frame
    states: Leaves


@dataclasses.dataclass(frozen=True)
class Endings:
    """The search through the endings of a game.

    Attributes:
      game: the game of single deals.
      depth: the largest number of consecutive choices, 1 or more.
    """

    game: Game
    depth: int

    @property
    def _num_words(self) -> int:
        return self.game.deck.num_words

    def split(self, states: Any) -> tuple[Leaves, Leaves]:
        """Return the leaves of states that vary, and those that stay."""
        leaves = jax.tree.leaves(states)
        pairs = list(zip(varying(self.game), leaves, strict=True))
        return tuple(x for varies, x in pairs if varies), tuple(x for varies, x in pairs if not varies)

    def joined(self, now: Sequence[Any], fixed: Sequence[Any]) -> Any:
        """Return states from the result of `split`."""
        first, second = iter(now), iter(fixed)
        leaves = [next(first) if varies else next(second) for varies in varying(self.game)]
        return jax.tree.unflatten(structure(self.game), leaves)

    def outcome(self, states: Any, ours: Leaves) -> Outcome:
        """Return the outcome of finished deals.

        Args:
          states: of the lanes.
          ours: for each player bool[lanes], whether it is on the maximising side.
        """
        returns = jax.vmap(self.game.returns)(states)
        each = tuple(returns[:, player] for player in range(self.game.num_players))
        # The maximising side counts its own returns as gains, the others' as losses.
        signed = [jnp.where(own, got, -got) for own, got in zip(ours, each, strict=True)]
        worth = functools.reduce(jnp.add, signed)
        return Outcome(worth, () if self.game.teams else each)

    def returns(self, found: Outcome, ours: Leaves) -> jax.Array:
        """Return float32[lanes, num_players]: the returns of each player.

        If `teams` names the sides, each member of a side gets the whole amount, and the other side
        loses it.
        """
        each = found.returns
        if self.game.teams:
            # With fixed teams, `worth` adds up one share for each player, of either sign.
            share = found.worth / self.game.num_players
            each = tuple(jnp.where(own, share, -share) for own in ours)
        return jnp.stack(each, axis=-1)

    def start(self, now: Leaves, fixed: Leaves, ours: Leaves) -> Walk:
        """Return the lanes before their first card."""
        lanes = now[0].shape[0]
        zero = jnp.zeros(lanes, jnp.float32)
        states = self.joined(now, fixed)
        value = self.outcome(states, ours)
        top = Frame(
            # Before the first choice, every value is within the bounds.
            low=zero - _MOST,
            high=zero + _MOST,
            ours=jnp.zeros(lanes, bool),
            left=(jnp.zeros(lanes, jnp.uint32),) * self._num_words,
            returns=tuple(jnp.zeros_like(x) for x in value.returns),
        )
        # stack: zeros with an axis of depth in front, for each leaf.
        stack = functools.partial(jax.tree.map, lambda x: jnp.zeros((self.depth, lanes), x.dtype))
        none = jnp.zeros(lanes, bool)
        return Walk(
            now=now,
            again=none,
            depth=jnp.zeros(lanes, jnp.int32),
            top=top,
            value=value,
            # An ending that is over goes back at once.
            back=states.terminated,
            done=none,
            frames=stack(top),
            states=stack(now),
        )

    def turn(self, walk: Walk, fixed: Leaves, ours: Leaves) -> Walk:
        """Play a card in each lane and the forced moves after it, or go back by a choice."""
        return self._go_back(self._play(walk, fixed, ours))

    # ---- Forward --------------------------------------------------------------------------------

    def _play(self, walk: Walk, fixed: Leaves, ours: Leaves) -> Walk:
        """Play the next card of lanes that go forward; a choice becomes the top frame."""
        states = self.joined(walk.now, fixed)
        legal = self._legal(states)
        # A lane takes the next untried card of its open choice, or the first legal card of a new state.
        options = [jnp.where(walk.again, a, b) for a, b in zip(walk.top.left, legal, strict=True)]
        card, left = self._take(options)
        forward = ~walk.back & ~walk.done
        opens = forward & ~walk.again & _any(left)
        # With other cards left, this is a new choice: push the frame above it and the state.
        # At depth 0 the top frame has only unlimited bounds: the place -1 stores nothing.
        frames = _put(walk.frames, walk.depth - 1, opens, walk.top)
        kept = _put(walk.states, walk.depth, opens, walk.now)
        player = states.current_player
        # A new choice starts with the bounds of the choice above it.
        fresh = Frame(walk.top.low, walk.top.high, by_seat(ours, player), tuple(left), walk.top.returns)
        top = _where(opens, fresh, walk.top)
        # Note the cards still to be tried, of a new choice or of one tried again.
        tried = opens | (forward & walk.again)
        top = top._replace(left=_where(tried, tuple(left), top.left))

        # Play the card, then cards without an alternative.
        after = jax.lax.fori_loop(
            0, _FORCED, lambda _, now: self._forced(now, fixed), self._after(states, card)
        )
        states = self.joined(after, fixed)
        over = forward & states.terminated
        return Walk(
            now=_where(forward, after, walk.now),
            again=walk.again & ~forward,
            depth=walk.depth + opens,
            top=top,
            value=_fenced(_where(over, self.outcome(states, ours), walk.value)),
            back=walk.back | over,
            done=walk.done,
            frames=frames,
            states=kept,
        )

    def _legal(self, states: Any) -> list[jax.Array]:
        """Return the words of the cards to try: uint32[lanes] each."""

        def distinct(state: Any) -> CardSet:
            # The first words of a set of actions are its cards; calls are never tried here.
            legal = self.game.legal_actions(state, stages.PLAYS)
            cards = CardSet(self.game.deck, legal.words[: self._num_words])
            # Of cards that are worth the same, try only one.
            return self.game.distinct_cards(state, cards)

        return [fence(word) for word in jax.vmap(distinct)(states).words]

    def _take(self, options: Sequence[jax.Array]) -> tuple[jax.Array, list[jax.Array]]:
        """Return the first card to try, uint32[lanes], and the words of the others."""
        offsets = self.game.action_layout.offsets
        word, offset = options[0], jnp.uint32(0)
        # Find the first word with a card, then its lowest bit.
        for later, start in zip(options[1:], offsets[1:], strict=False):
            word, offset = jnp.where(word != 0, word, later), jnp.where(word != 0, offset, start)
        card = fence(lowest_place(word) + offset)
        left = []
        # In a word without the card, the bit lies outside the cards of the word, and clears nothing.
        for option, start in zip(options, offsets, strict=False):
            bit = card - jnp.uint32(start)
            left.append(option & ~jnp.where(bit < 32, jnp.uint32(1) << (bit & 31), 0))
        return card, left

    def _after(self, states: Any, card: jax.Array) -> Leaves:
        """Return the varying leaves of the states after a card."""
        step = jax.vmap(lambda state, action: self.game.step(state, action, stages.PLAYS))
        return _fenced(self.split(step(states, card.astype(jnp.int32)))[0])

    def _forced(self, now: Leaves, fixed: Leaves) -> Leaves:
        """Return the states after the only legal card, where it is the only one."""
        states = self.joined(now, fixed)
        card, left = self._take(self._legal(states))
        # If nothing is left after the first card, it was the only one.
        goes_on = fence((~_any(left) & ~states.terminated).astype(jnp.uint32)) != 0
        return _where(goes_on, self._after(states, card), now)

    # ---- Back -----------------------------------------------------------------------------------

    def _go_back(self, walk: Walk) -> Walk:
        """Give the value of lanes that go back to their top frame, and leave it if it is settled."""
        # A lane without an open choice has its final value.
        done = walk.done | (walk.back & (walk.depth == 0))
        back, value, top = walk.back & ~done, walk.value, walk.top
        # The side with the choice raises its bound if the value is better for it.
        better = back & jnp.where(top.ours, value.worth > top.low, value.worth < top.high)
        top = top._replace(
            low=jnp.where(better & top.ours, value.worth, top.low),
            high=jnp.where(better & ~top.ours, value.worth, top.high),
            returns=_where(better, value.returns, top.returns),
        )
        # Leave the choice when all cards are tried, or when the bounds have crossed (a cutoff).
        settled = back & (~_any(top.left) | (top.low >= top.high))
        settled = fence(settled.astype(jnp.uint32)) != 0
        # Otherwise restore its state and try the next card.
        resumes = back & ~settled
        # A settled choice has the value that its own side can reach.
        own = Outcome(jnp.where(top.ours, top.low, top.high), top.returns)
        # The frame below becomes the top again.
        # Below the only open choice is nothing: the lane is then done.
        below = _at(walk.frames, walk.depth - 2)
        return walk._replace(
            now=_where(resumes, _at(walk.states, walk.depth - 1), walk.now),
            again=walk.again | resumes,
            depth=walk.depth - settled,
            top=_where(settled, below, top),
            value=_where(settled, own, value),
            back=walk.back & ~resumes,
            done=done | (settled & (walk.depth == 1)),
        )


# ---- Vectors of lanes -------------------------------------------------------------------------------


def _any(words: Sequence[jax.Array]) -> jax.Array:
    return functools.reduce(jnp.bitwise_or, words) != 0


def _where(condition: jax.Array, yes: Any, no: Any) -> Any:
    return jax.tree.map(lambda a, b: jnp.where(condition, a, b), yes, no)


def _fenced(values: Any) -> Any:
    # A fence is a division, so flags pass without one.
    return jax.tree.map(lambda x: x if x.dtype == bool else fence(x), values)


def _put(stack: Any, depth: jax.Array, where: jax.Array, values: Any) -> Any:
    """Return a stack with other values at a depth of each lane, in some lanes."""

    def put(stack: jax.Array, value: jax.Array) -> jax.Array:
        # here: bool[depth, lanes], the entry that each lane writes.
        here = (jnp.arange(stack.shape[0], dtype=jnp.int32)[:, None] == depth) & where
        return jnp.where(here, value, stack)

    return jax.tree.map(put, stack, values)


def _at(stack: Any, depth: jax.Array) -> Any:
    """Return the entry at a depth of each lane; undefined where a lane is shorter."""

    def at(stack: jax.Array) -> jax.Array:
        found = stack[0]
        for level in range(1, stack.shape[0]):
            found = jnp.where(depth == level, stack[level], found)
        return found

    return jax.tree.map(at, stack)
