"""Runs and fours found on words, against lists, for packs of one word and of two."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.cards import melds
from jaxcards.cards.sets import CardSet, Deck

DECKS = {
    "one word": Deck(suits="dhsc", ranks="789TJQKA", symbols="♦♥♠♣"),
    "two words": Deck(suits="dchs", ranks="6789TJQKA", symbols="♦♣♥♠"),
}
POINTS = (0, 0, 0, 2, 5, 10, 10, 10, 10, 10)


def clustered_hands(deck: Deck) -> list[list[int]]:
    """Hands with many runs and fours, and some without any."""
    rng = np.random.default_rng(1)
    size, hands = deck.ranks_per_suit, []
    for i in range(300):
        near = rng.normal(0, (0.3, 1.0, 4.0)[i % 3], deck.num_cards)
        cards = np.arange(deck.num_cards)
        center = cards % size if i % 2 else cards // size * 3 + cards % size / 4
        hands.append(np.argsort(center + near)[:size].tolist())
    return hands


def blocks(deck: Deck, hand: list[int]) -> list[list[int]]:
    """Maximal blocks of at least three neighbouring ranks of a suit."""
    found = []
    for suit in range(4):
        size = deck.ranks_per_suit
        ranks = sorted(card % size for card in hand if card // size == suit)
        for _, group in itertools.groupby(enumerate(ranks), lambda pair: pair[1] - pair[0]):
            block = [suit * deck.ranks_per_suit + rank for _, rank in group]
            if len(block) >= 3:
                found.append(block)
    return found


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
def test_melds_of_a_hand(deck):
    hands = clustered_hands(deck)
    size = deck.ranks_per_suit

    def look(words):
        hand = CardSet(deck, words)
        runs = melds.runs(hand, size)
        longest = melds.longest_run(runs)
        held = melds.ranks_held(longest.starts)
        return {
            "fours": melds.fours(hand),
            "length": longest.length,
            "lowest": melds.lowest(held),
            "highest": melds.highest(held),
            "suits": melds.suits_held(longest.starts, jnp.uint32(2**size - 1)),
            "points": melds.run_points(runs, POINTS),
            "cards": melds.run_cards(runs[0]).mask(),
            "of fours": melds.of_ranks(deck, melds.fours(hand)).mask(),
        }

    words = [CardSet.of(deck, hand).words for hand in hands]
    found = jax.jit(jax.vmap(look))(tuple(np.array(word) for word in zip(*words, strict=True)))
    lengths = set()
    for i, hand in enumerate(hands):
        runs = blocks(deck, hand)
        fours = [r for r in range(size) if all(size * suit + r in hand for suit in range(4))]
        longest = [run for run in runs if len(run) == max(map(len, runs))]
        lengths.add(len(longest[0]) if longest else 0)
        assert int(found["fours"][i]) == sum(1 << rank for rank in fours)
        assert int(found["length"][i]) == max(map(len, runs), default=2)
        assert int(found["points"][i]) == sum(POINTS[len(run)] for run in runs)
        assert int(found["suits"][i]) == sum({1 << run[0] // size for run in longest})
        if longest:
            starts = [run[0] % size for run in longest]
            assert [int(found[name][i]) for name in ("lowest", "highest")] == [min(starts), max(starts)]
        assert np.flatnonzero(found["cards"][i]).tolist() == sorted(itertools.chain(*runs))
        assert np.flatnonzero(found["of fours"][i]).tolist() == [
            size * suit + rank for suit in range(4) for rank in fours
        ]
    assert {0, 3, 4, 5, 6} <= lengths


def test_runs_longer_than_looked_for():
    deck = DECKS["one word"]
    hand = CardSet.of(deck, range(1, 8))  # seven in a row, up to the ace
    runs = melds.runs(hand, 5)
    longest = melds.longest_run(runs)
    assert int(longest.length) == 5
    assert int(melds.highest(melds.ranks_held(longest.starts))) == 3  # 10 to ace
    assert int(melds.run_points(runs[:3], POINTS)) != 10
    assert int(melds.run_points(melds.runs(hand, 6), POINTS)) == 10


def test_the_earlier_of_equal_melds_wins():
    for leader in range(4):
        early = melds.turns(jnp.uint32(leader))
        for keys in itertools.product(range(3), repeat=4):
            order = [(leader + k) % 4 for k in range(4)]
            best = max(order, key=lambda seat: keys[seat])  # the first of equals
            wins = melds.second_team_wins([jnp.uint32(key) for key in keys], early)
            assert bool(wins) == bool(best % 2), (leader, keys)


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
def test_every_meld_is_in_the_table_by_its_points(deck):
    """A hand with melds has a set of the table for the best of them, but no set of more points."""
    fours = deck.by_rank({"J": 20, "9": 15, "A": 10})
    table = melds.meld_table(deck, POINTS, fours)
    sets = sum(t.astype(object) << (deck.word_bits * k) for k, t in enumerate(table.sets))
    by_points = {
        points: [int(word) for word in row[:number]]
        for points, (row, number) in enumerate(zip(sets, table.number.tolist(), strict=True))
    }
    for hand in clustered_hands(deck):
        worth = [POINTS[min(len(block), 9)] for block in blocks(deck, hand)]
        ranks = [card % deck.ranks_per_suit for card in hand]
        worth += [fours[rank] for rank in set(ranks) if ranks.count(rank) == 4]
        held = sum(1 << card for card in hand)
        found = {points for points, words in by_points.items() if any(w & ~held == 0 for w in words)}
        assert max(found, default=0) == max(worth, default=0)
    assert all(word.bit_count() >= 3 for words in by_points.values() for word in words)
