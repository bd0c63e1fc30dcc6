"""Features that follow from the rules, against a plain computation with names of cards."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from games.features import by_name, trumps_first
from games.jass import reference
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners.match_deals import DealOfMatch
from jaxcards.games.jass import score
from jaxcards.games.jass.play import DECK
from jaxcards.rollouts import recorded_rollout
from jaxcards.testing.deals import quick_jit

PRESETS = ("schieber_1000", "slalom", "differenzler")


@pytest.fixture(scope="module", params=by_cost(PRESETS, ["slalom"]))
def played(request):
    game = jaxcards.make(f"jass/{request.param}")

    @quick_jit
    @jax.vmap
    def play(key):
        steps = recorded_rollout(game, RandomAgent(), (), key)[1]
        words = jax.vmap(game.feature_words)(steps.observation)
        hand = jax.vmap(lambda o: o.hand.mask())(steps.observation)
        seen = jax.vmap(lambda o: jnp.stack([p.mask() for p in o.played_by]).any(0))(steps.observation)
        public = steps.observation.public
        return steps.valid, public.mode, public.num_played, hand, seen, (
            words, steps.action,
        )  # fmt: skip

    valid, mode, num_played, hand, seen, (words, action) = jax.device_get(
        play(jax.random.split(jax.random.key(8), 64))
    )
    return game, valid, mode, num_played, hand, seen, by_name(game.feature_table, words), action


def _direction(mode: int, trick: int) -> int:
    """Return the mode that orders the cards in a trick: slaloms alternate."""
    if mode in (6, 7):
        return 5 if (mode == 6) == (trick % 2 == 0) else 4
    return mode


@pytest.mark.slow_after(1)
def test_highest_taking_and_trumps_unseen(played) -> None:
    game, valid, mode, num_played, hand, seen, parts, action = played
    checked = {"highest of their suit": 0, "taking the trick": 0}
    for deal in range(valid.shape[0]):
        table: list[int] = []
        for step in range(valid.shape[1]):
            if not valid[deal, step]:
                continue
            cards = set(np.flatnonzero(hand[deal, step]))
            gone = set(np.flatnonzero(seen[deal, step])) | cards
            unseen = set(range(DECK.num_cards)) - gone
            chosen = int(mode[deal, step])
            if chosen < 8 and game.rules.game != "differenzler" or action[deal, step] < 36:
                rule = _direction(chosen, int(num_played[deal, step]) // 4)
                beats = {
                    "highest of their suit": {
                        c for c in cards
                        if all(_winner(rule, [c, u]) == 0 for u in unseen if u // 9 == c // 9)
                    },
                    "taking the trick": {
                        c for c in cards if table and _winner(rule, [*table, c]) == len(table)
                    },
                }  # fmt: skip
                for name, expected in beats.items():
                    found = set(np.flatnonzero(parts[name][deal, step]))
                    renamed = trumps_first(chosen, expected, DECK.ranks_per_suit)
                    assert found == renamed, (name, deal, step)
                    checked[name] += bool(expected)
                trumps = sum(u // 9 == rule for u in unseen)
                assert parts["trumps unseen"][deal, step].sum() == min(trumps, 6)
            if action[deal, step] < 36:
                table = [*table, int(action[deal, step])] if len(table) < 3 else []
    assert min(checked.values()) > 200


def _winner(mode: int, trick: list[int]) -> int:
    return reference.trick_winner(mode, trick, 1)


@pytest.mark.slow
def test_hand_is_written_with_trumps_first(played) -> None:
    _, valid, mode, _, hand, _, parts, _ = played
    for deal, step in np.argwhere(valid)[::7]:
        held = set(np.flatnonzero(hand[deal, step]).tolist())
        expected = trumps_first(int(mode[deal, step]), held, DECK.ranks_per_suit)
        assert set(np.flatnonzero(parts["hand"][deal, step])) == expected


MATCHES = {
    "all": {},
    "no Stöck": {"stock": False, "weis_share_cards": False},
    "no Weis": {"weis": False},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MATCHES)
def test_missing_points_are_those_after_what_is_known_of_the_deal(name) -> None:
    """Tricks, Weis once they lie open, and Stöck of the own hand or with both cards played."""
    game = jaxcards.make("jass/schieber_2500", **MATCHES[name])
    match = DealOfMatch(game)
    before = np.array([2150, 2300])

    @quick_jit
    @jax.vmap
    def play(key):
        start = game.next_deal(key, game.init(key), jnp.asarray(before)[jnp.arange(4) % 2])

        def turn(state, step):
            seen = [game.observe(state, player) for player in range(4)]
            now = (
                state.public.mode,
                state.public.num_played,
                game.points(state)[:2],
                jnp.stack([hand.mask() for hand in state.hands]),
                state.played.mask(),
                jnp.stack([jnp.stack(score.known_score(game.rules, one)) for one in seen]),
                jnp.stack([match.feature_words(one) for one in seen]),
            )
            return game.step(state, game.legal_actions(state).sample(key, step)), now

        return jax.lax.scan(turn, start, jnp.arange(game.max_steps))[1]

    *columns, words = jax.device_get(play(jax.random.split(jax.random.key(5), 60)))
    found = by_name(match.feature_table, words)
    levels = {f.name: np.array(f.levels) for f in match.feature_table if f.levels}
    hidden = reached = 0
    for deal, step in np.ndindex(columns[0].shape):
        mode, num_played, points, hands, played, known = (column[deal, step] for column in columns)
        pair = [9 * int(mode) + rank for rank in (6, 7)] if mode < 4 else []
        stock = 20 * game.rules.multipliers[mode & 7] if game.rules.stock else 0
        of_stock = [stock if pair and hand[pair].all() else 0 for hand in hands]
        for player in range(4):
            in_sight = [
                (holder == player or played[pair].all()) * points
                for holder, points in enumerate(of_stock)
            ]
            expected = np.array([sum(in_sight[team::2]) for team in (0, 1)])
            if num_played >= 4:
                expected += points - [sum(of_stock[team::2]) for team in (0, 1)]
            np.testing.assert_array_equal(known[player], expected)
            hidden += (expected < points).any()
            for whose, team in (("own", player % 2), ("other side's", 1 - player % 2)):
                missing, feature = 2500 - before[team] - expected[team], f"{whose} missing points"
                bits = found[feature][deal, step, player]
                np.testing.assert_array_equal(bits, missing >= levels[feature])
                reached += missing <= 0
    assert reached > 50 and (hidden > 50 or not (game.rules.weis or game.rules.stock))
