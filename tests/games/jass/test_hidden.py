"""`determinize` deals possible deals only, and all of them equally often."""

import functools
import itertools

import jax
import numpy as np
import pytest
from support.marks import by_cost

from games.jass.playout import game_of, random_deals
from games.jass.reference import ReferenceDeal
from games.jass.variants import rules_of
from jaxcards.testing.deals import quick_jit, take

BATCH = 512  # of one call of `redealt`
NAMES = ["schieber_1000", "old_weis", "swisslos", "differenzler"]
RARE = {"old_weis", "swisslos", "differenzler"}


@functools.cache
def _determinize(name: str):
    return quick_jit(jax.vmap(game_of(name).determinize))


def redealt(name: str, states, players, seed: int):
    """int[n, 4]: the cards dealt to each seat in a sampled world, as sets, for each state."""
    found = []
    for start in range(0, len(players), BATCH):
        rows = np.arange(start, start + BATCH) % len(players)
        keys = jax.random.split(jax.random.key(seed + start), BATCH)
        worlds = _determinize(name)(keys, take(states, rows), players[rows])
        masks = np.stack([cards_of(hand) for hand in worlds.hands], axis=1)
        found += masks.tolist()[: len(players) - start]
    return found


def cards_of(cards):
    """Return sets of cards, one for each row of a batched `CardSet`."""
    words = [np.asarray(word).tolist() for word in cards.words]
    bits = cards.deck.word_bits
    return np.array(
        [
            frozenset(c for c in range(36) if row[c // bits] >> c % bits & 1)
            for row in zip(*words, strict=True)
        ]
    )


@functools.cache
def played(name: str, number: int, seed: int):
    """Deals, states [number, max_steps] of random play, and the actions."""
    game, deals = game_of(name), random_deals(name, number, seed)

    def one(deck, dealer, totals, mode, bits):
        def body(state, word):
            action = game.legal_actions(state).sample_word(word)
            return game.step(state, action), (state, action)

        more = {"mode": mode} if game.rules.game == "differenzler" else {"totals": tuple(totals)}
        return jax.lax.scan(body, game.init_from_deck(deck, dealer, **more), bits)[1]

    shape = (number, game.max_steps)
    bits = np.random.default_rng(seed).integers(0, 2**32, shape, dtype=np.uint32)
    states, actions = quick_jit(jax.vmap(one))(
        deals.decks, deals.dealers, deals.totals, deals.modes, bits
    )
    return deals, jax.tree.map(np.asarray, states), np.asarray(actions)


def replayed(name: str, deals, i: int, hands, actions) -> ReferenceDeal | None:
    """Return a deal with other hands after the same actions, or None if that is impossible."""
    deck = [c for k in range(4) for c in sorted(hands[(int(deals.dealers[i]) + 1 + k) % 4])]
    deal = ReferenceDeal(rules_of(name), deck, int(deals.dealers[i]), **deals.arguments(name, i))
    for action in actions:
        if action not in deal.legal():
            return None
        deal.step(action)
    return deal


def seen(deal: ReferenceDeal, player: int):
    """Return the facts that distinguish deals for a player that has seen the same actions."""
    return deal.hands[player], deal.announced(), deal.shown(), deal.terminated


@pytest.mark.slow
@pytest.mark.parametrize("name", by_cost(NAMES, RARE))
def test_a_world_could_have_been_played(name):
    """Every action was legal in it, and the same was announced and laid open."""
    deals, states, actions = played(name, 64, seed=11)
    over = np.asarray(quick_jit(jax.vmap(jax.vmap(lambda state: state.terminated)))(states))
    eligible = np.argwhere(~over)
    chosen = np.random.default_rng(0).permutation(eligible)[:BATCH]
    players = np.arange(BATCH, dtype=np.int32) % 4
    worlds = redealt(name, take(states, (chosen[:, 0], chosen[:, 1])), players, seed=1)
    moved = 0
    for (i, t), player, hands in zip(chosen.tolist(), players.tolist(), worlds, strict=True):
        said = actions[i, :t].tolist()
        before = deals.reference(name, i)
        for action in said:
            before.step(action)
        after = replayed(name, deals, i, hands, said)
        assert after is not None
        assert seen(after, player) == seen(before, player)
        moved += after.dealt != before.dealt
    assert moved > 400


def possible(name: str, deals, i: int, deal: ReferenceDeal, player: int, said) -> set:
    """Every way to deal the unseen cards to the other seats in which the player sees the same."""
    others = [(player + k) % 4 for k in (1, 2, 3)]
    unseen = {c for seat in others for c in deal.hands[seat]}
    out = [{c for seat, c in deal.played if seat == other} for other in range(4)]
    sizes, found = [len(deal.hands[seat]) for seat in others], set()
    for first in itertools.combinations(sorted(unseen), sizes[0]):
        for second in itertools.combinations(sorted(unseen - {*first}), sizes[1]):
            third = unseen - {*first, *second}
            held = dict(zip(others, (first, second, third), strict=True))
            hands = [out[seat] | {*held.get(seat, deal.hands[player])} for seat in range(4)]
            after = replayed(name, deals, i, hands, said)
            if after is not None and seen(after, player) == seen(deal, player):
                found.add(tuple(frozenset(held[seat]) for seat in others))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", by_cost(NAMES[:3], {*NAMES[1:3]}))
def test_every_possible_deal_is_equally_likely(name):
    deals, states, actions = played(name, 64, seed=17)
    tested = 0
    for i in range(len(deals)):
        deal, said = deals.reference(name, i), []
        player = (i // 3) % 4
        while not deal.terminated and len(deal.played) < 26 + i % 3:
            said.append(int(actions[i, len(said)]))
            deal.step(said[-1])
        hidden = [seat for seat in range(4) if deal.announced()[seat] > 0 and not deal.shown()[seat]]
        if deal.terminated or not (set(hidden) - {player} or name == "swisslos"):
            continue  # what is announced says nothing of the hidden cards
        ways = possible(name, deals, i, deal, player, said)
        if len(ways) < 3:
            continue
        state = jax.tree.map(lambda leaf: np.repeat(leaf, 4 * BATCH), take(states, (i, len(said))))
        worlds = redealt(name, state, np.full(4 * BATCH, player, np.int32), seed=i)
        gone = {c for _, c in deal.played}
        counts = dict.fromkeys(ways, 0)
        for hands in worlds:
            counts[tuple(frozenset(hands[(player + k) % 4] - gone) for k in (1, 2, 3))] += 1
        expected = len(worlds) / len(ways)
        chi, freedom = sum((n - expected) ** 2 / expected for n in counts.values()), len(ways) - 1
        assert chi < freedom + 6 * np.sqrt(2 * freedom) + 10, (i, player)
        tested += 1
        if tested == 6:
            break
    assert tested >= 3
