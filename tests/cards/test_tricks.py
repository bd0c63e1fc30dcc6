"""The trick: orders of ranks, who wins, and how it is packed."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.cards import tricks
from jaxcards.cards.sets import NO_SUIT
from jaxcards.cards.tricks import RankOrder, Trick
from jaxcards.games.jass.play import BOTTOM_UP_ORDER, DECK, PLAIN_ORDER, TRUMP_ORDER

ORDERS = [PLAIN_ORDER, BOTTOM_UP_ORDER, TRUMP_ORDER, RankOrder("789TJQKA", "78QK9TAJ")]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.low_to_high)
def test_strength_follows_the_order(order):
    ranks = jnp.arange(len(order.ranks), dtype=jnp.uint32)
    strength = jax.vmap(order.strength)(ranks).tolist()
    by_strength = sorted(order.ranks, key=lambda rank: strength[order.ranks.index(rank)])
    assert "".join(by_strength) == order.low_to_high
    assert sorted(strength) == list(range(1, len(order.ranks) + 1))


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.low_to_high)
def test_stronger_are_the_ranks_above(order):
    size = len(order.ranks)
    strength = jax.vmap(order.strength)(jnp.arange(size, dtype=jnp.uint32)).tolist()
    above = jax.vmap(order.stronger)(jnp.arange(size + 1, dtype=jnp.uint32)).tolist()
    for beaten, word in enumerate(above):
        assert word == sum(1 << r for r in range(size) if strength[r] > beaten)


def test_an_order_must_be_of_its_ranks():
    with pytest.raises(ValueError, match="'6789TJQKK' is not an order"):
        RankOrder("6789TJQKA", "6789TJQKK")


def test_pack_and_unpack_every_trick():
    grid = itertools.product(range(8), range(32), range(8), (0, 1, 77, (1 << 19) - 1))
    values = np.array(list(grid), np.uint32).T
    trick = Trick(*values)
    words = jax.vmap(tricks.pack)(Trick(*map(jnp.asarray, trick)))
    assert int(words.max()) < 1 << 30
    back = jax.vmap(tricks.unpack)(words)
    for name, a, b in zip(Trick._fields, trick, back, strict=True):
        assert (a == np.asarray(b)).all(), name
    assert len(np.unique(words)) == len(words)


def test_the_empty_table():
    empty = tricks.unpack(jnp.uint32(tricks.EMPTY_TABLE))
    assert [int(x) for x in empty] == [NO_SUIT, 0, 0, 0]


def strength(mode: int, led: int, card: int) -> int:
    suit, rank = divmod(card, 9)
    if suit == mode:
        return tricks.TRUMP + TRUMP_ORDER.low_to_high.index(DECK.ranks[rank]) + 1
    return rank + 1 if suit == led else 0


@pytest.mark.parametrize("mode", [1, 4])
def test_add_card_finds_the_winner(mode):
    """200 random tricks of four cards against the definition; mode 4 has no trumps."""
    rng = np.random.default_rng(mode)
    drawn = np.stack([rng.permutation(36)[:4] for _ in range(200)])
    leader = rng.integers(4, size=200)
    strengths = np.array([[strength(mode, t[0] // 9, c) for c in t] for t in drawn], np.uint32)

    def play(cards, strengths, leader):
        trick = tricks.unpack(jnp.uint32(tricks.EMPTY_TABLE))
        for i in range(4):
            seat, suit = (leader + i) & 3, cards[i] // 9
            trick = tricks.add_card(trick, seat, suit, strengths[i], cards[i])
        return trick

    found = jax.vmap(play)(jnp.asarray(drawn, jnp.uint32), strengths, jnp.asarray(leader, jnp.uint32))
    assert (np.asarray(found.led) == drawn[:, 0] // 9).all()
    assert (np.asarray(found.winner) == (leader + strengths.argmax(axis=1)) % 4).all()
    assert (np.asarray(found.best) == strengths.max(axis=1)).all()
    assert (np.asarray(found.points) == drawn.sum(axis=1)).all()


def test_stronger_trumps():
    def names(trump, best):
        found = tricks.stronger_trumps(DECK, TRUMP_ORDER, jnp.uint32(trump), jnp.uint32(best))
        return DECK.names(found.to_list())

    assert names(2, 0) == "6h 7h 8h 9h Th Jh Qh Kh Ah"
    assert names(2, 9) == "6h 7h 8h 9h Th Jh Qh Kh Ah"  # a plain ace is beaten by every trump
    queen = tricks.TRUMP + TRUMP_ORDER.low_to_high.index("Q") + 1
    assert names(2, queen) == "9h Jh Kh Ah"
    assert names(0, tricks.TRUMP + 9) == ""
    assert names(4, 0) == "" and names(8, 0) == ""  # modes without trumps, and none chosen
