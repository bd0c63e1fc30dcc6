"""Features that follow from the rules, against a plain computation with names of cards."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from games.belote import reference
from games.belote.playout import calls_of
from games.belote.reference import BID, COINCHE, PASS, SURCOINCHE
from games.features import by_name, trumps_first
from jaxcards.agent import RandomAgent
from jaxcards.games.belote.play import DECK
from jaxcards.rollouts import recorded_rollout
from jaxcards.testing.deals import quick_jit

PRESETS = ("bela", "coinche_nt_at")


@pytest.fixture(scope="module", params=by_cost(PRESETS, ["coinche_nt_at"]))
def played(request):
    game = jaxcards.make(f"belote/{request.param}")

    def play(key):
        steps = recorded_rollout(game, RandomAgent(), (), key)[1]
        words = jax.vmap(game.feature_words)(steps.observation)
        hand = jax.vmap(lambda o: o.hand.mask())(steps.observation)
        seen = jax.vmap(lambda o: jnp.stack([p.mask() for p in o.played_by]).any(0))(steps.observation)
        return steps.valid, steps.observation.public.mode, hand, seen, words, steps.action

    keys = jax.random.split(jax.random.key(8), 48)
    valid, mode, hand, seen, words, action = jax.device_get(quick_jit(jax.vmap(play))(keys))
    return game, valid, mode, hand, seen, by_name(game.feature_table, words), action


@pytest.mark.slow
def test_highest_taking_and_trumps_unseen(played) -> None:
    _, valid, mode, hand, seen, parts, action = played
    checked = {"highest of their suit": 0, "taking the trick": 0}
    modes = set()
    for deal in range(valid.shape[0]):
        table: list[int] = []
        for step in range(valid.shape[1]):
            if not valid[deal, step] or mode[deal, step] > 5:
                continue
            cards = set(np.flatnonzero(hand[deal, step]).tolist())
            gone = set(np.flatnonzero(seen[deal, step]).tolist()) | cards
            unseen = set(range(DECK.num_cards)) - gone
            chosen = int(mode[deal, step])
            modes.add(chosen)
            wanted = {
                "highest of their suit": {
                    c for c in cards
                    if all(_winner(chosen, [c, u]) == 0 for u in unseen if u // 8 == c // 8)
                },
                "taking the trick": {
                    c for c in cards if table and _winner(chosen, [*table, c]) == len(table)
                },
            }  # fmt: skip
            for name, expected in wanted.items():
                found = set(np.flatnonzero(parts[name][deal, step]))
                assert found == trumps_first(chosen, expected, DECK.ranks_per_suit), (name, deal, step)
                checked[name] += bool(expected)
            best = table[_winner(chosen, table)] if table else None
            beaten = table and any(
                u // 8 == best // 8 and _winner(chosen, [best, u]) == 1 for u in unseen
            )
            flag = parts["best card beaten by an unseen one of its suit"][deal, step, 0]
            assert flag == bool(beaten)
            trumps = sum(u // 8 == chosen for u in unseen)
            assert parts["trumps unseen"][deal, step].sum() == min(trumps, 6)
            table = [*table, int(action[deal, step])] if len(table) < 3 else []
    assert min(checked.values()) > 200
    assert modes >= {0, 1, 2, 3}


def _winner(mode: int, trick: list[int]) -> int:
    return reference.trick_winner(mode, trick)


@pytest.mark.slow
def test_hand_is_written_with_trumps_first(played) -> None:
    _, valid, mode, hand, _, parts, _ = played
    for deal, step in np.argwhere(valid)[::7]:
        held = set(np.flatnonzero(hand[deal, step]).tolist())
        expected = trumps_first(int(mode[deal, step]), held, DECK.ranks_per_suit)
        assert set(np.flatnonzero(parts["hand"][deal, step])) == expected


def test_bids_are_written_by_player():
    """Modes that were bid, the last bid, and the doubling, from every seat, and in play renamed."""
    game = jaxcards.make("belote/coinche_nt_at")
    step = quick_jit(game.step)
    look = quick_jit(lambda state, player: game.feature_words(game.observe(state, player)))
    calls = [BID + 1, PASS, BID + 6 + 4, BID + 12 + 2, PASS, PASS, BID + 18 + 1, COINCHE]
    state = game.init_from_deck(jnp.arange(32), 1)  # seat 2 speaks first
    for call in (*calls, None, PASS, PASS, SURCOINCHE):
        if call is not None:
            state = step(state, jnp.int32(call))
            continue
        _check_bids(game, look, state, swap={})
        assert calls_of("coinche_nt_at", state) == [((2 + k) % 4, c) for k, c in enumerate(calls)]
    assert int(state.public.mode) == 1
    _check_bids(game, look, state, swap={0: 1, 1: 0})


def _check_bids(game, look, state, swap):
    bids = {0: {4, 1}, 1: {2}, 2: {1}, 3: set()}  # the seats' modes; the last bid is of seat 0, hearts
    for player in range(4):
        parts = by_name(game.feature_table, np.asarray(look(state, jnp.int32(player))))
        for name, places in (("me", 0), ("next", 1), ("partner", 2), ("previous", 3)):
            said = {swap.get(mode, mode) for mode in bids[(player + places) % 4]}
            assert set(np.flatnonzero(parts[f"modes bid by {name}"])) == said, (player, name)
        assert np.flatnonzero(parts["last bid by"]).tolist() == [(0 - player) % 4]
        assert np.flatnonzero(parts["mode of the last bid"]).tolist() == [swap.get(1, 1)]
        assert parts["level"].sum() == 4
        assert parts["doubled"].sum() == (2 if swap else 1)


def test_the_highest_bids_have_features():
    game = jaxcards.make("belote/coinche_nt_at", max_bid=400, generale=True)
    [level] = [feature for feature in game.feature_table if feature.name == "level"]
    assert level.bit_names()[-1] == "level >= 35"
