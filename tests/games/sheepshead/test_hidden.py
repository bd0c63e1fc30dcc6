"""`determinize` against every deal with the same observations."""

import functools
import itertools
import math
from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

from games.sheepshead.playout import game_of, random_deals
from games.sheepshead.reference import rank
from games.sheepshead.reference_deal import ReferenceDeal
from games.sheepshead.variants import RARE, VARIANTS, rules_of
from jaxcards import testing
from jaxcards.games.sheepshead import hidden, known
from jaxcards.games.sheepshead.calls import PASS_ACTION
from jaxcards.games.sheepshead.play import DONE
from jaxcards.testing.deals import quick_jit, to_numpy

MOST = 500  # ways to fill the holders, of a situation that is enumerated


def states_of(variant, n, seed):
    """Decks with calls of every kind, played at random: states and actions [max_steps, n], deals."""
    game = game_of(variant)
    deals = random_deals(variant, n, seed)

    def play(deck, dealer, key):
        def step(state, key):
            action = game.legal_actions(state).sample_word(jax.random.bits(key))
            return game.step(state, action), (state, action)

        keys = jax.random.split(key, game.max_steps)
        return jax.lax.scan(step, game.init_from_deck(deck, dealer), keys)[1]

    keys = jax.random.split(jax.random.key(seed), n)
    states, actions = quick_jit(jax.vmap(play, out_axes=1))(deals.decks, deals.dealers, keys)
    return to_numpy(states), np.asarray(actions), deals


def possible(variant):
    game = game_of(variant)

    def look(state, player):
        return known.possible_cards(game.rules, game.observe(state, player))

    return quick_jit(jax.vmap(look))


def set_of(word) -> frozenset[int]:
    return frozenset(number for number in range(32) if int(word) >> number & 1)


def truth(game, state, player):
    """Return each holder's true cards that the player does not see, in the order of `known.Hidden`."""
    n = game.num_players
    places = game.card_places(jax.tree.map(jnp.asarray, state))
    hands = [frozenset(hand.to_list()) for hand in places.hands]
    picker = int(state.public.picker)
    seen = picker == player or state.public.phase == DONE
    aside = set_of(state.blind.words[0] if picker >= n else state.buried.words[0])
    found = [hands[(player + k) % n] for k in range(1, n)]
    found.append(frozenset() if seen else aside)
    if state.unknown is not None:
        there = int(state.unknown) < 32 and not seen
        unknown = frozenset([int(state.unknown)] if there else [])
        found = [hand - unknown for hand in found] + [unknown]
    return found


@pytest.mark.slow_after(2)
@pytest.mark.parametrize("variant", by_cost(VARIANTS, RARE))
def test_the_real_deal_is_always_possible(variant):
    game = game_of(variant)
    states, _, _ = states_of(variant, 48, seed=3)
    rows = [(t, i) for t in range(game.max_steps) for i in range(48) if (t * 7 + i) % 16 == 0]
    picked = [jax.tree.map(lambda leaf, t=t, i=i: leaf[t, i], states) for t, i in rows]
    players = np.arange(len(rows), dtype=np.int32) % game.num_players
    batch = jax.tree.map(lambda *leaves: np.stack(leaves), *picked)
    known = to_numpy(possible(variant)(batch, players))
    for k, state in enumerate(picked):
        real = truth(game, state, int(players[k]))
        for holder, cards in enumerate(real):
            placed = set_of(known.placed[holder][k])
            assert placed <= cards
            assert cards - placed <= set_of(known.allowed[holder][k])
            assert len(cards - placed) == known.sizes[holder][k]
            for number, inside in enumerate(known.classes):
                assert len(cards & set_of(inside[k])) >= known.least[holder][number][k]
        # `determinize` deals the bury and the unknown as one, and has the picker's limits for one seat.
        n, picker = game.num_players, int(state.public.picker)
        if len(real) > n and known.sizes[n][k]:
            assert known.allowed[n][k] == known.allowed[n - 1][k]
        merged = [*real[: n - 1], frozenset().union(*real[n - 1 :])]
        for holder, cards in enumerate(merged):
            is_picker = holder < n - 1 and (int(players[k]) + 1 + holder) % n == picker
            row = 0 if is_picker else max(holder, 1)
            cards = cards - frozenset().union(*(set_of(word[k]) for word in known.placed))
            assert len(cards) <= known.max_sizes[row][k]
            for number, inside in enumerate(known.classes):
                assert len(cards & set_of(inside[k])) <= known.most[row][number][k]
        # Classes part the hidden cards, and each holder may have all of a class or none.
        sets = [set_of(inside[k]) for inside in known.classes]
        sizes = [int(size[k]) for size in known.class_sizes]
        assert all(len(cards) <= size for cards, size in zip(sets, sizes, strict=True))
        union = frozenset().union(*sets)
        assert sum(map(len, sets)) == len(union)
        for holder, cards in enumerate(real):
            allowed = set_of(known.allowed[holder][k])
            assert cards - set_of(known.placed[holder][k]) <= union
            if known.sizes[holder][k]:
                assert all(inside & allowed in (inside, frozenset()) for inside in sets)


def fillings(allowed, sizes, union):
    """Return every way to give the cards of `union` to holders with these numbers of places."""
    if not allowed:
        if not union:
            yield ()
        return
    for chosen in itertools.combinations(sorted(union & allowed[0]), sizes[0]):
        for rest in fillings(allowed[1:], sizes[1:], union - set(chosen)):
            yield (frozenset(chosen), *rest)


def by_matrix(known, k):
    """All deals that `possible_cards` admits."""
    placed = [set_of(word[k]) for word in known.placed]
    allowed = [set_of(word[k]) for word in known.allowed]
    sizes = [int(size[k]) for size in known.sizes]
    classes = [set_of(word[k]) for word in known.classes]
    least = [[int(x if np.ndim(x) == 0 else x[k]) for x in row] for row in known.least]
    found = set()
    for deal in fillings(allowed, sizes, frozenset().union(*classes)):
        enough = all(
            len(cards & inside) >= number
            for cards, row in zip(deal, least, strict=True)
            for inside, number in zip(classes, row, strict=True)
        )
        if enough:
            found.add(tuple(cards | sure for cards, sure in zip(deal, placed, strict=True)))
    return found


@functools.cache
def _fit(variant):
    game = game_of(variant)

    def fit(state, player, words):
        seen = game.observe(state, player)
        return jax.vmap(lambda words: hidden.fits(game.rules, seen, words))(words)

    return quick_jit(fit)


def fitting(variant, state, player, ways):
    """Those of some deals in which the picker could have called as it did."""
    ways, n = sorted(ways, key=str), game_of(variant).num_players
    if not game_of(variant).rules.calls:
        return set(ways)
    merged = [[*way[: n - 1], frozenset().union(*way[n - 1 :])] for way in ways]
    rows = [[sum(1 << card for card in cards) for cards in way] for way in merged]
    padded = np.array([rows[i % len(rows)] for i in range(MOST)], np.uint32)
    fit = np.asarray(_fit(variant)(state, jnp.int32(player), list(padded.T)))
    return {way for way, fits in zip(ways, fit, strict=False) if fits}


def by_replay(variant, deal, real, player, actions):
    """All deals in which the same actions are legal and the player sees the same."""
    rules, n = rules_of(variant), deal.n
    union = frozenset().union(*real)
    seen = deal.observation(player)
    found = set()
    for guess in fillings([union] * len(real), [len(cards) for cards in real], union):
        if _replays(rules, deal, real, guess, player, actions, seen):
            found.add(guess)
    assert tuple(real) in found and n == len(deal.hands)
    return found


def _replays(rules, deal, real, guess, player, actions, seen) -> bool:
    n, picker = deal.n, deal.picker
    others = [(player + k) % n for k in range(1, n)]
    owned = {player: set(deal.hands[player])}
    for seat, cards in zip(others, guess, strict=False):
        owned[seat] = set(cards)
    unknown = deal.unknown
    secret = len(guess) > n and bool(guess[n])
    if secret:
        (unknown,) = guess[n]
    for seat, number in deal.record:
        owned[seat].add(unknown if secret and number == deal.unknown else number)
    buried = list(deal.buried) if picker == player else sorted(guess[n - 1])
    if picker is None:
        blind = sorted(guess[n - 1])
    else:
        owned[picker] |= set(buried) | ({unknown} if secret else set())
        blind = deal.blind if picker == player else sorted(owned[picker])[-deal.b :]
        owned[picker] -= set(blind)
    if any(len(owned[seat]) != deal.h for seat in range(n)):
        return False
    deck = [number for seat in range(n) for number in sorted(owned[seat])] + blind
    phases = [phase for _, phase, _ in deal.calls]
    if picker is None or picker == player:
        orders = [buried]
    else:
        orders = itertools.permutations(buried)
    for order in orders:
        again, left = ReferenceDeal(rules, deck, deal.dealer), list(order)
        for t, given in enumerate(actions):
            phase = phases[t] if t < len(phases) else "play"
            action = given
            if phase == "bury" and given < 32:
                action = left.pop(0)
            elif secret and given == deal.unknown and phase in ("unknown", "play"):
                action = unknown
            if again.terminated or again.phase != phase or action not in again.legal():
                break
            again.step(action)
        else:
            return again.observation(player) == seen
    return False


@pytest.mark.slow
@pytest.mark.parametrize("variant", by_cost(VARIANTS, {*VARIANTS} - {"six_jd"}))
def test_a_player_sees_the_same_in_a_sampled_deal(variant):
    """Check every moment, the end included, also of deals that all players pass."""
    game = game_of(variant)
    deals = testing.play_deals(game, 96, first=[PASS_ACTION] * game.num_players)
    testing.check_determinize(game, deals)


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "variant",
    by_cost(
        "deepsheep deepsheep_jd deepsheep_4p standard standard_jd six_called four_partner "
        "called_up_jack blitz black_queens".split(),
        {"deepsheep", "deepsheep_jd", "deepsheep_4p", "standard_jd", "four_partner", "black_queens"},
    ),
)
def test_possible_deals_are_those_that_replay(variant):
    """Late in the deal, where all can be tried."""
    game, rules = game_of(variant), rules_of(variant)
    states, actions, deals = states_of(variant, 240, seed=11)
    look, checked, left_out = possible(variant), Counter(), Counter()
    source = np.random.default_rng(5)
    for i in range(240):
        end = int(np.argmax(states.public.phase[:, i] == 8)) or game.max_steps
        t = end - int(source.integers(2, game.num_players + 4))
        player = int(source.integers(game.num_players))
        state = jax.tree.map(lambda leaf, t=t, i=i: leaf[t, i], states)
        if t < 1 or state.public.phase < 7:
            continue
        deal = ReferenceDeal(rules, deals.decks[i].tolist(), int(deals.dealers[i]))
        for action in actions[:t, i].tolist():
            deal.step(action)
        real = truth(game, state, player)
        ways = math.factorial(sum(map(len, real)))
        ways //= math.prod(math.factorial(len(cards)) for cards in real)
        kind = "unknown" if deal.unknown is not None else "plain"
        if deal.called is not None and rank(deal.called) != "A":
            kind = "low"
        if not 3 <= ways <= MOST or checked[kind] >= 8:
            continue
        one = jax.tree.map(lambda leaf: leaf[None], state)
        known = to_numpy(look(one, np.array([player], np.int32)))
        matrix = by_matrix(known, 0)
        replay = by_replay(variant, deal, real, player, actions[:t, i].tolist())
        assert replay <= matrix
        assert fitting(variant, state, player, matrix) == replay, (i, t, player)
        left_out[kind] += len(matrix - replay)
        checked[kind] += 1
    assert checked["plain"] >= 6, checked
    assert not left_out["plain"], "what needs no draws is in the situation"
