"""`determinize` deals possible deals only, and all of them equally often."""

import functools
import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

from games.belote.playout import game_of, random_deals, random_scripts
from games.belote.reference_deal import ReferenceDeal
from games.belote.variants import rules_of
from jaxcards.games.belote.play import bidder
from jaxcards.testing.deals import quick_jit, take

SAMPLES = 2048
BATCH = 512  # of one call of `determinized`


@functools.cache
def _determinize(name: str):
    # The whole state is asked for: a stack of the hands alone takes XLA minutes to compile.
    return quick_jit(jax.vmap(game_of(name).determinize))


def determinized(name: str, keys, states, players):
    """States with other hidden cards, in batches of `BATCH`: one compiled function for all tests."""
    parts = []
    for start in range(0, len(keys), BATCH):
        rows = slice(start, start + BATCH)
        parts.append(_determinize(name)(keys[rows], take(states, rows), players[rows]))
    return jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts)


def played(name: str, number: int, seed: int):
    """States [number, max_steps + 1] of random deals, and the actions."""
    game = game_of(name)
    deals = random_deals(number, seed)
    script = np.full((number, game.max_steps), -1, np.int32)
    for i, calls in enumerate(random_scripts(name, number, seed)):
        script[i, : len(calls)] = calls

    def one(deck, dealer, script, bits):
        def body(state, given):
            action, word = given
            drawn = game.legal_actions(state).sample_word(word)
            action = jnp.where(action >= 0, action, drawn)
            return game.step(state, action), (state, action)

        return jax.lax.scan(body, game.init_from_deck(deck, dealer), (script, bits))[1]

    bits = np.random.default_rng(seed).integers(0, 2**32, script.shape, dtype=np.uint32)
    states, actions = quick_jit(jax.vmap(one))(deals.decks, deals.dealers, script, bits)
    return deals, jax.tree.map(np.asarray, states), np.asarray(actions)


def deck_of(rules, dealer: int, hands: list[list[int]], bidder: int, turn_up: int | None):
    """Return a deck that gives these hands of eight cards to the seats."""
    order = [(dealer + 1 + k) % 4 for k in range(4)]
    size = {"bela": 6, "turnup": 5, "contract": 8}[rules.auction]
    hands = [[c for c in hand if c != turn_up] for hand in hands]
    first = [c for seat in order for c in hands[seat][:size]]
    middle = [] if turn_up is None else [turn_up]
    return first + middle + [c for seat in order for c in hands[seat][size:]]


SLOW = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("belote_501", "hard_contract", "contree", "turnup_must", "void_bela")
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bela", *SLOW])
def test_redealt_hands_could_have_been_played(name):
    """From them every call and card was legal, and the same belotes were announced."""
    rules = rules_of(name)
    deals, states, actions = played(name, 64, seed=11)
    rng = np.random.default_rng(0)
    mode, num_played = states.public.mode, states.public.num_played
    eligible = np.argwhere((mode < 6) & (num_played > 0) & (num_played < 30))
    chosen = rng.permutation(eligible)[:BATCH]
    assert len(chosen) == BATCH
    picked = take(states, (chosen[:, 0], chosen[:, 1]))
    keys = jax.random.split(jax.random.key(1), len(chosen))
    players = np.arange(len(chosen), dtype=np.int32) % 4
    redealt = determinized(name, keys, picked, players)

    def look(state):
        return bidder(state.public), jnp.stack([hand.mask() for hand in state.hands])

    bidders, masks = map(np.asarray, quick_jit(jax.vmap(look))(redealt))
    moved = 0
    for k, (i, t) in enumerate(chosen.tolist()):
        hands = [np.flatnonzero(mask).tolist() for mask in masks[k]]
        before = deals.reference(name, i)
        turn_up = before.turn_up
        deck = deck_of(rules, before.dealer, hands, int(bidders[k]), turn_up)
        after = ReferenceDeal(rules, deck, before.dealer)
        for action in actions[i, :t].tolist():
            assert after.mode is None or action in after.legal()
            before.step(action)
            after.step(action)
        assert after.dealt[players[k]] == before.dealt[players[k]]
        assert seen(after) == seen(before)
        moved += after.dealt != before.dealt
    assert moved > 400


def seen(deal: ReferenceDeal):
    """Return the facts that distinguish deals after the same calls and cards, besides the own hand."""
    return deal.announced(), deal.shown(), deal.belote_shown(), deal.terminated


def consistent(name: str, deal: ReferenceDeal, player: int) -> set[tuple[frozenset, ...]]:
    """Every way to deal the unseen cards to the other seats that agrees with what the player saw."""
    gone = {c for _, c in deal.played}
    unseen = sorted(set(range(32)) - gone - set(deal.hands[player]))
    others = [(player + k) % 4 for k in (1, 2, 3)]
    known = [set(shown) | set(belote) for shown, belote in zip(
        deal.shown(), deal.belote_shown(), strict=True)]  # fmt: skip
    if deal.turn_up is not None:
        known[deal.bidder].add(deal.turn_up)
    may = []
    for seat in others:
        elsewhere = set().union(*(known[other] for other in range(4) if other != seat))
        may.append([c for c in unseen if c not in deal.excluded[seat] and c not in elsewhere])
    sizes = [len(deal.hands[seat]) for seat in others]
    found = set()
    for first in itertools.combinations(may[0], sizes[0]):
        rest = [c for c in may[1] if c not in first]
        for second in itertools.combinations(rest, sizes[1]):
            third = set(unseen) - set(first) - set(second)
            if third <= set(may[2]) and _announces(name, deal, player, (first, second, third)):
                found.add((frozenset(first), frozenset(second), frozenset(third)))
    return found


def _announces(name: str, deal: ReferenceDeal, player: int, held) -> bool:
    """Return whether the others would have announced and shown the same with these cards."""
    hands = [list(hand) for hand in deal.dealt]
    for k, cards in enumerate(held, start=1):
        seat = (player + k) % 4
        hands[seat] = [*cards, *(c for s, c in deal.played if s == seat)]
    deck = deck_of(deal.rules, deal.dealer, hands, deal.bidder, deal.turn_up)
    other = ReferenceDeal(deal.rules, deck, deal.dealer)
    for action in deal.said:
        other.step(action)
    return seen(other) == seen(deal)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bela", *SLOW])
def test_every_possible_deal_is_equally_likely(name):
    deals, states, actions = played(name, 48, seed=17)
    tested = 0
    for i in range(len(deals)):
        deal = deals.reference(name, i)
        t, deal.said = 0, []
        while not deal.terminated and len(deal.played) < 20 + i % 6:
            deal.said.append(int(actions[i, t]))
            deal.step(deal.said[-1])
            t += 1
        if deal.terminated:
            continue
        player = (i // 6) % 4
        possible = consistent(name, deal, player)
        if not 3 <= len(possible) <= 150:
            continue
        keys = jax.random.split(jax.random.key(i), SAMPLES)
        state = jax.tree.map(lambda leaf: np.repeat(leaf, SAMPLES), take(states, (i, t)))
        redealt = determinized(name, keys, state, np.full(SAMPLES, player, np.int32))
        held = [np.asarray(hand.words[0]) & ~state.played.words[0] for hand in redealt.hands]
        counts = dict.fromkeys(possible, 0)
        for row in np.stack(held, axis=1).tolist():
            hands = [row[(player + k) % 4] for k in (1, 2, 3)]
            dealt = tuple(frozenset(c for c in range(32) if hand >> c & 1) for hand in hands)
            counts[dealt] += 1  # a KeyError: a deal that cannot be
        expected = SAMPLES / len(possible)
        chi = sum((n - expected) ** 2 / expected for n in counts.values())
        freedom = len(possible) - 1
        assert chi < freedom + 6 * np.sqrt(2 * freedom) + 10, (i, t, player)
        tested += 1
        if tested == 8:
            break
    assert tested >= 4


@pytest.mark.slow
@pytest.mark.parametrize("name", by_cost(["bela", "belote_501"], ["belote_501"]))
def test_talons_are_redealt_during_the_auction(name):
    """Every unseen card is equally likely in every hidden place."""
    game = game_of(name)
    _, states, _ = played(name, 1, seed=3)
    state, player = take(states, (0, 0)), 0

    def look(state):
        places = game.card_places(state)
        return jnp.stack([cards.mask() for cards in (*places.hands, places.aside)])

    keys = jax.random.split(jax.random.key(4), SAMPLES)
    many = jax.tree.map(lambda leaf: np.repeat(leaf, SAMPLES), state)
    redealt = determinized(name, keys, many, np.full(SAMPLES, player, np.int32))
    masks = np.asarray(quick_jit(jax.vmap(look))(redealt))
    before = game.card_places(state)
    assert (masks[:, player] == np.asarray(before.hands[player].mask())).all()
    unseen = ~np.asarray(before.hands[player].mask())
    if name == "belote_501":
        turned = int(state.turn_up) >> 15
        assert masks[:, 4, turned].all()
        unseen[turned] = False
    for place in (1, 2, 3, 4):
        size = masks[0, place].sum() - (name == "belote_501" and place == 4)
        share = size / unseen.sum()
        counts = masks[:, place][:, unseen].sum(axis=0)
        assert (np.abs(counts - SAMPLES * share) < 5 * np.sqrt(SAMPLES * share * (1 - share))).all()


def test_own_talon_is_not_known():
    """A bidder of Bela holds two cards that it has not seen: `determinize` deals them as well."""
    game = game_of("bela")

    start = quick_jit(jax.vmap(lambda deck: game.init_from_deck(deck, 3)))
    states = start(np.tile(np.arange(32), (BATCH, 1)))
    keys = jax.random.split(jax.random.key(0), BATCH)
    redealt = determinized("bela", keys, states, np.zeros(BATCH, np.int32))
    words = np.asarray(redealt.hands[0].words[0]).tolist()
    six = sum(1 << c for c in range(6))
    assert all(word & six == six and word.bit_count() == 8 for word in words)
    assert len(set(words)) > 200  # of 325 pairs
