"""Uniform sampling of hidden cards whose classes are known beforehand, such as the suits.

Some constraints are about whole suits (Rikiki: which seat is void in which suit). A deal is then drawn
in two steps. First draw the number of cards of each suit for every holder, in proportion to the deals
with these numbers (`jaxcards.determinize.blocks`). Then a walk over the cards (`_Split`) draws the
cards themselves, all ways equally likely.

Cost: a table is one float32 for each combination of cards left in all classes except the largest, so 11
KB for four suits of 13. Up to four holders without bounds need no table. Each further holder needs one,
and so does each holder with bounds after the first. A CPU works on 16 to 256 situations of a batch at a
time, so that each table takes at most 1 MiB, however large the batch.

Exactness: counts are float32. They are positive and only multiplied and added, so no digits cancel.
With C classes of up to n cards and H holders, the probability of any set of deals is off by at most H *
C * (n + 4) * 2**-22 (2**-13 for 52 cards and 7 holders). For each holder and class, a layer has n + 4
roundings of 2**-24, and the sums of a draw have n + 4 more. The running sums and the grid of 2**-24 of
the random number have twice that number.

`count` is exact below 2**24 where no table is kept. Otherwise its relative error is at most H * C * (n
+ 4) * 2**-23. The result is rounded to a whole number, so it is exact below 2**22 / (H * C * (n + 4)).
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from jaxcards.determinize import blocks
from jaxcards.determinize.blocks import Situations
from jaxcards.determinize.plan import Plan, arrange
from jaxcards.determinize.situation import Classes, Situation, Words, count_cards
from jaxcards.xla import pooled, prng
from jaxcards.xla.prng import scaled

_TABLE = 1 << 18  # entries side by side on a CPU: 1 MiB, so that a table stays in the cache of a core


def _arranged(situation: Situation) -> tuple[Classes, Plan]:
    """Return the classes and their plan. There are at least two classes, and the largest is last."""
    classes = situation.classes
    assert classes is not None
    # The largest class last: it is the implied one, which needs no axis.
    order = sorted(range(len(classes.largest)), key=lambda c: classes.largest[c])
    cards = tuple(classes.cards[c] for c in order)
    largest = tuple(classes.largest[c] for c in order)
    most = tuple(tuple(row[c] for c in order) for row in classes.most)
    may, least = (jnp.stack([x[:, c] for c in order], 1) for x in (classes.may, classes.least))
    # The first class must be explicit, so a single class gets an empty one in front.
    if len(order) == 1:
        cards = (tuple(jnp.zeros_like(word) for word in cards[0]), *cards)
        largest, most = (0, *largest), tuple((0, *row) for row in most)
        may, least = (jnp.pad(x, ((0, 0), (1, 0))) for x in (may, least))
    changed = dataclasses.replace(
        classes, cards=cards, largest=largest, may=may, least=least, most=most
    )
    plan = Plan((), largest, most, situation.max_sizes)
    # The costs are known before the blocks, which are chosen by them.
    costs = [plan.cost(holder) for holder in range(len(most))]
    return changed, plan._replace(blocks=arrange(costs, classes.bounded))


def _known(situation: Situation, classes: Classes) -> Situations:
    # counts: int32[C]. `_together` adds the batch axis.
    counts = jnp.stack([count_cards(words) for words in classes.cards])
    return Situations(counts, classes.may, classes.least, jnp.stack(list(situation.sizes)))


def count(situation: Situation) -> jax.Array:
    """Return the number of deals: float32, 0 if no deal fits, infinite from 2**128."""
    classes, plan = _arranged(situation)
    known = _known(situation, classes)
    complete = known.counts.sum() == known.sizes.sum()
    ways = _together(lambda *known: blocks.count(plan, Situations(*known)), plan)(*known)
    return jnp.where(complete & (known.sizes >= 0).all(), ways, 0)


def sample(key: jax.Array, situation: Situation) -> tuple[Words, ...]:
    """Draw how many cards of each class every block of holders has, then which ones."""
    classes, plan = _arranged(situation)
    known, words = _known(situation, classes), prng.key_words(key)

    def draw(
        counts: jax.Array, may: jax.Array, least: jax.Array, sizes: jax.Array, *random: jax.Array
    ) -> jax.Array:
        known = Situations(counts, may, least, sizes)
        return blocks.draw(plan, known, (random[0], random[1]))

    # quotas: int32[blocks, C].
    quotas = _together(draw, plan)(*known, *words)
    # The blocks have used these random words; the walk takes those behind them.
    used = len(plan.blocks) * len(plan.largest)
    return _Split(plan, classes, known, quotas).walk(words, used)


def _together(function: Callable[..., jax.Array], plan: Plan) -> Callable[..., jax.Array]:
    """Return an unbatched function; `jax.vmap` of it calls a batched one, with the batch axis last.

    Args:
      function: of arrays with the batch axis last.
      plan: its largest table determines how many situations a CPU works on at a time.
    """
    lanes = 16  # a register of AVX-512
    # Take more situations at a time as long as their tables fit in the cache.
    while lanes < 256 and 2 * lanes * plan.cells() <= _TABLE:
        lanes *= 2

    def part(args: Sequence[jax.Array]) -> jax.Array:
        return jnp.moveaxis(function(*(jnp.moveaxis(x, 0, -1) for x in args)), -1, 0)

    def many(_: Any, args: Sequence[jax.Array]) -> jax.Array:
        number = args[0].shape[0]
        if jax.default_backend() != "cpu" or number <= lanes:
            return part(args)
        # Fill up the last part with copies, compute part by part, and drop the copies.
        parts = -(-number // lanes)
        padded = [jnp.resize(x, (parts * lanes, *x.shape[1:])) for x in args]
        found = lax.map(part, [x.reshape(parts, lanes, *x.shape[1:]) for x in padded])
        return found.reshape(parts * lanes, *found.shape[2:])[:number]

    together = pooled.pooled(many)
    return lambda *args: pooled.for_one(together, (), args)


class _Split:
    """Give the cards of each class to the blocks, and those of a pair to its holders.

    The quota of a block is the number of cards of a class that it still gets. A walk over the cards
    gives each card to a block with a probability proportional to its quota. Cards that both holders of
    a pair may have go to the first holder with a probability proportional to its remaining share. All
    ways to give the cards are then equally likely.

    Numbers of cards are bytes, four in a word:
    * `left`: the cards of each class not yet given;
    * `quotas`: for each block, the cards of each class that it still gets;
    * `pools`: for each pair two bytes, the cards that both may have and still come, and how many of
      them the first holder still gets.
    """

    def __init__(self, plan: Plan, classes: Classes, known: Situations, quotas: jax.Array) -> None:
        self.blocks, self.cards = plan.blocks, classes.cards
        self.holders = len(plan.max_sizes)
        # Quotas of the blocks, and the cards of each class that are left.
        self.quotas = [_bytes(row) for row in quotas]
        self.left = _bytes(quotas.sum(0, dtype=jnp.int32))
        self.allowed, pools = {}, []
        # Pools of the pairs: the first holder gets all that only it may have; `mine` is the rest.
        for block, pair in enumerate(plan.blocks):
            if len(pair) == 2:
                a, b = (classes.may[holder] for holder in pair)
                both = jnp.where(a & b, quotas[block], 0).sum(dtype=jnp.int32)
                mine = known.sizes[pair[0]] - jnp.where(a & ~b, quotas[block], 0).sum(dtype=jnp.int32)
                self.allowed[block] = (self._words(a), self._words(b))
                pools += [both, mine]
        # At most two pairs: their four numbers fit in one word.
        (self.pools,) = _bytes(jnp.stack([*pools, *[jnp.int32(0)] * (4 - len(pools))]))

    def _words(self, may: jax.Array) -> Words:
        """Return the hidden cards of the classes where bool[C] `may` is True."""
        found = tuple(jnp.zeros_like(word) for word in self.cards[0])
        for c, words in enumerate(self.cards):
            found = tuple(x | jnp.where(may[c], word, 0) for x, word in zip(found, words, strict=True))
        return found

    def walk(self, words: prng.KeyWords, counter: int) -> tuple[Words, ...]:
        """Return the cards of each holder; uses the random words from number `counter` on."""
        num_words = len(self.cards[0])

        def step(carry: tuple, place: jax.Array) -> tuple[tuple, None]:
            state, hands = carry
            hands = [list(hand) for hand in hands]
            for w in range(num_words):
                # Each bit of each word has a counter of its own.
                bits = prng.random_word(words, counter + w + num_words * place)
                state, gets = self._give(state, bits, place, w)
                for holder, one in gets.items():
                    hands[holder][w] |= one << place
            return (state, tuple(map(tuple, hands))), None

        nothing = tuple(jnp.zeros_like(word) for word in self.cards[0])
        state = (self.left, self.quotas, self.pools)
        # Unused bits of a word are in no class: no block gets them, and no quota changes.
        places = jnp.arange(32, dtype=jnp.uint32)
        (_, hands), _ = lax.scan(step, (state, (nothing,) * self.holders), places)
        return hands

    def _give(
        self, state: tuple, bits: jax.Array, place: jax.Array, w: int
    ) -> tuple[tuple, dict[int, jax.Array]]:
        """Give one card: return the next state, and for each holder 1 if it gets the card, else 0.

        The high word of the product of `bits` with the cards left selects the block. The low word,
        which is evenly spread given the high one, decides within a pair.
        """
        left, quotas, pools = state
        # Locate the numbers of the card's class: a word of four classes, and a byte in it.
        inside = [(word[w] >> place) & 1 for word in self.cards]
        here, shifts = [], []  # for each word: 1 if the card is of one of its classes, and the shift
        for group in range(len(left)):
            four = inside[4 * group : 4 * group + 4]
            here.append(sum(four, jnp.uint32(0)))
            # The shift to byte c of the word; at most one of the four bits is set.
            shifts.append(sum((bit << 3) * c for c, bit in enumerate(four)))

        # A word without the card's class adds 0.
        def read(packed: Sequence[jax.Array]) -> jax.Array:
            found = ((x >> s & 255) * h for x, s, h in zip(packed, shifts, here, strict=True))
            return sum(found, jnp.uint32(0))

        # No byte falls below 0, so none borrows from its neighbour.
        def less(packed: Sequence[jax.Array], by: jax.Array) -> list[jax.Array]:
            return [x - ((h & by) << s) for x, s, h in zip(packed, shifts, here, strict=True)]

        # The first block whose quota, added to those of the blocks before, exceeds the number drawn.
        cards = read(left)
        position, rest = scaled(bits, cards), bits * cards
        free = sum(here, jnp.uint32(0))  # 1 until a block gets the card
        passed, gets, after, pool = jnp.uint32(0), {}, [], 0
        for block, holders in enumerate(self.blocks):
            passed = passed + read(quotas[block])
            taken = free & (position < passed).astype(jnp.uint32)
            free = free & ~taken
            after.append(less(quotas[block], taken))
            if len(holders) == 1:
                gets[holders[0]] = taken
                continue
            # Within a pair: the card goes to the holder that may have it; if both may, by the pool.
            in_a, in_b = ((words[w] >> place) & 1 for words in self.allowed[block])
            drawn = scaled(rest, pools >> pool & 255) < pools >> pool + 8 & 255
            # `taken` is 0 or 1, which clears the high bits of `~in_b`.
            gets[holders[0]] = taken & in_a & (drawn.astype(jnp.uint32) | ~in_b)
            gets[holders[1]] = taken & ~gets[holders[0]]
            # Cards for both also leave the pool, and the share of the first holder if it gets them.
            shared = taken & in_a & in_b
            pools = pools - (shared << pool) - ((shared & gets[holders[0]]) << pool + 8)
            pool += 16
        return (less(left, jnp.uint32(1)), after, pools), gets


def _bytes(numbers: jax.Array) -> list[jax.Array]:
    """Pack numbers below 256 in words, four in each, the first lowest."""
    packed = []
    for start in range(0, numbers.shape[0], 4):
        four = numbers[start : start + 4].astype(jnp.uint32)
        packed.append(sum((four[k] << (8 * k) for k in range(four.shape[0])), jnp.uint32(0)))
    return packed
