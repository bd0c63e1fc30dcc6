"""Every adapter: whole deals with the engine's players agree with ours, and can be played again."""

from importlib.util import find_spec

import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.evaluation.seatings import seatings
from jaxcards.opponents import names
from jaxcards.opponents.lockstep import Lockstep, engine_of
from jaxcards.opponents.names import opponent

DEALS = 25

pytestmark = pytest.mark.differential


def of(engine: str, *rest, slow: bool = False):
    """Return a parameter of a test that needs an engine."""
    entry = names.ENGINES[engine]
    missing = find_spec(entry.module) is None
    skip = pytest.mark.skipif(missing, reason=f"{entry.title} is not installed")
    return pytest.param(
        *rest, marks=[skip, pytest.mark.slow] if slow else skip, id="-".join(map(str, rest))
    )


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


def scores(game_id, name, deals, *, seed=0, first=0, both=False, caller=None):
    """Points and returns of a player against random ones of ours: float[deals, seatings, 2, players].

    `both` seats the player everywhere.
    """
    game, player = jaxcards.make(game_id), opponent(name)
    players = [player if both else RandomAgent(), player]
    table = Lockstep(engine_of(player, game), players, [(), ()], seed, caller)
    tables = list(enumerate(seatings(game).tolist()))
    return np.array(
        [[table.play(deal, s, k) for k, s in tables] for deal in range(first, first + deals)]
    )


@pytest.mark.parametrize(
    "game, engine",
    [
        of(engine, id, engine, slow=number > 0)
        for engine, entry in names.ENGINES.items()
        for number, id in enumerate(entry.presets)
    ],
)
def test_random_deals_agree(game, engine):
    """Legal actions, players and counts agree, or a `Disagreement` would have been raised."""
    deals = 4 if game.startswith("rikiki") else DEALS  # of eight seatings
    found = scores(game, f"{engine}:random", deals)
    assert len(np.unique(found[:, :, 1], axis=0)) > 3 and np.unique(found[:, 0, 1]).size > 3
    two_sides = game.partition("/")[0] not in ("rikiki", "hearts", "skat")
    assert not two_sides or not found[:, :, 1].sum(-1).any()


PLAYERS = [
    of("openspiel", "euchre/open_spiel_lone_defender", "openspiel:ismcts:50", 40),
    of("openspiel", "rikiki/open_spiel_penalty", "openspiel:ismcts:50", 5, slow=True),
    of("openspiel", "skat/open_spiel", "openspiel:ismcts:50", 8),
    of("openspiel", "spades/open_spiel", "openspiel:ismcts:50", 6),
    of("pyschieber", "jass/tournament", "pyschieber:challenge", 6),
    of("pyschieber", "jass/tournament", "pyschieber:greedy", 60, slow=True),
    of("colver", "belote/contree", "colver:isdd:1", 3),
]


@pytest.mark.slow
@pytest.mark.parametrize("game, player, deals", PLAYERS)
def test_players_beat_random_play(game, player, deals):
    found = scores(game, player, deals)
    seated = seatings(jaxcards.make(game)) == 1
    assert found[:, :, 1][:, seated].mean() > found[:, :, 1][:, ~seated].mean()


@pytest.mark.slow
@pytest.mark.parametrize("player", [of("openspiel", "openspiel:ismcts:50")])
def test_openspiels_search_plays_hearts_if_another_player_passes_the_cards(player):
    with pytest.raises(UserError, match="its search cannot pass cards: add --calls heuristic"):
        scores("hearts/open_spiel", player, 4, seed=1)
    found = scores("hearts/open_spiel", player, 3, seed=1, caller=(RandomAgent(), ()))
    seated = seatings(jaxcards.make("hearts/open_spiel")) == 1
    assert found[:, :, 1][:, seated].mean() > found[:, :, 1][:, ~seated].mean()


@pytest.mark.slow
@pytest.mark.parametrize("player", [of("openspiel", "openspiel:ismcts:10")])
def test_openspiels_search_does_not_discard_for_a_game_of_another_player(player):
    with pytest.raises(UserError, match="for its own games only: leave out --calls"):
        scores("skat/open_spiel", player, 8, caller=(RandomAgent(), ()))


@pytest.fixture
def worlds(monkeypatch):
    """Record every world that the search draws: the player, the history and the world's history."""
    pytest.importorskip("pyspiel")
    from jaxcards.opponents.openspiel_search import SearchBot

    drawn, resample = [], SearchBot.resample_from_infostate

    def kept(self, state):
        world = resample(self, state)
        drawn.append((state.current_player(), state.history(), world.history()))
        return world

    monkeypatch.setattr(SearchBot, "resample_from_infostate", kept)
    return drawn


def check_legal(game, history):
    state = game.new_initial_state()
    for action in history:
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.mark.slow
@pytest.mark.parametrize("player", [of("openspiel", "openspiel:ismcts:20")])
def test_worlds_of_openspiels_search_in_spades_fit_what_the_player_knows(player, worlds):
    from jaxcards.opponents.openspiel import spades

    scores("spades/open_spiel", player, 1)
    game, others = spades("open_spiel"), 0
    for player, history, world in worlds:
        assert sorted(world[player:52:4]) == sorted(history[player:52:4])
        assert world[52:] == history[52:]
        check_legal(game, world)
        others += {*world[(player + 1) % 4 : 52 : 4]} != {*history[(player + 1) % 4 : 52 : 4]}
    assert others > len(worlds) / 2


@pytest.mark.slow
@pytest.mark.parametrize("player", [of("openspiel", "openspiel:ismcts:20")])
def test_worlds_of_openspiels_search_in_skat_fit_what_the_player_knows(player, worlds):
    from jaxcards.opponents.openspiel import SKAT_DEALT, skat

    scores("skat/open_spiel", player, 2)
    game, others, discards = skat("open_spiel"), 0, 0

    def block(history, number):
        return {card for card, place in zip(history, SKAT_DEALT, strict=False) if place == number}

    for player, history, world in worlds:
        check_legal(game, world)
        assert block(world, player) == block(history, player)
        passes = history[32:].count(32)
        buried = slice(33 + passes, 35 + passes)
        if len(history) > 32 + passes and player == passes:
            assert block(world, 3) == block(history, 3) and world[32:] == history[32:]
        else:
            assert world[32 : buried.start] == history[32 : buried.start]
            assert world[buried.stop :] == history[buried.stop :]
            discards += {*world[buried]} != {*history[buried]}
        others += block(world, (player + 1) % 3) != block(history, (player + 1) % 3)
    assert others > len(worlds) / 2 and discards > len(worlds) / 10


# OpenSpiel's search breaks ties in the order of a hash table, which is another one each time.
REPRODUCIBLE = [
    of("openspiel", "euchre/open_spiel", "openspiel:random"),
    of("openspiel", "skat/open_spiel", "openspiel:ismcts:10", slow=True),
    of("openspiel", "spades/open_spiel", "openspiel:ismcts:10", slow=True),
    of("pyschieber", "jass/tournament", "pyschieber:challenge"),
    of("pyschieber", "jass/tournament", "pyschieber:random"),
    of("colver", "belote/contree", "colver:isdd:1", slow=True),
    of("colver", "belote/contree", "colver:random"),
]


@pytest.mark.parametrize("game, player", REPRODUCIBLE)
def test_deals_can_be_played_again(game, player):
    """The same deals are played one by one, in any order."""
    found = scores(game, player, 2, both=True)
    again = [scores(game, player, 1, first=first, both=True)[0] for first in (1, 0)]
    assert np.array_equal(found, again[::-1])
    assert not np.array_equal(found[0], found[1])


@pytest.mark.parametrize("name", [of("openspiel", "euchre"), of("openspiel", "oh_hell")])
def test_worlds_of_openspiel_have_the_cards_dealt(name):
    """The search of OpenSpiel knows which cards are undealt, as the page says; others do move."""
    import pyspiel

    from jaxcards.opponents import openspiel

    rng, state = np.random.default_rng(0), getattr(openspiel, name)("open_spiel").new_initial_state()
    while state.is_chance_node():
        state.apply_action(int(rng.choice([action for action, _ in state.chance_outcomes()])))
    dealt, orders = state.history(), set()
    for seed in range(20):
        sampler = pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0)
        world = state.resample_from_infostate(state.current_player(), sampler).history()
        assert sorted(world) == sorted(dealt)
        orders.add(tuple(world))
    assert len(orders) > 10


@pytest.mark.slow
@pytest.mark.parametrize("engine", [of("pyschieber", "pyschieber")])
def test_forced_over_ruffs(engine):
    """pyschieber forbids to a hand of trumps only what the Swiss rule allows."""
    from jaxcards.opponents.pyschieber import PyschieberDeal, forced_over_ruffs

    jack = 32
    assert forced_over_ruffs(3, [0, 28], [27, 29], [27, 29]) == [29]
    assert forced_over_ruffs(3, [0, jack], [27, 29], [27, 29]) == [27, 29]
    assert forced_over_ruffs(3, [0, 28], [1, 29], [1, 29]) == [1, 29]
    assert forced_over_ruffs(3, [28, 27], [29, 30], [29, 30]) == [29, 30]
    assert forced_over_ruffs(3, [0, 1], [27, 29], [27, 29]) == [27, 29]
    assert forced_over_ruffs(5, [0, 28], [27, 29], [27, 29]) == [27, 29]
    rng, forced = np.random.default_rng(0), 0
    while forced < 3:
        hands = rng.permutation(36).reshape(4, 9).tolist()
        deal, played, mode = PyschieberDeal(hands, 0), [], int(rng.integers(4))
        deal.step(36 + mode)
        while not deal.terminated:
            hand = sorted(set(hands[deal.current_player]) - set(played))
            table = played[len(played) // 4 * 4 :]
            if all(card // 9 == mode for card in hand):
                assert deal.legal() == deal.predict(hand)
                forced += deal.legal() == forced_over_ruffs(mode, table, hand, hand) != hand
            played.append(int(rng.choice(deal.legal())))
            deal.step(played[-1])


@pytest.mark.parametrize("player", [of("colver", "colver:random")])
def test_all_points_without_all_tricks(player):
    """In this deal a trick of four cards without points is all that a side wins: no capot."""
    scores("belote/contree", player, 1, first=1293)


@pytest.mark.parametrize("player", [of("colver", "colver:isdd:1")])
def test_contracts_score_as_the_page_says(player):
    """The worked numbers: made, made with a belote, doubled, failed, redoubled, capot."""
    from jaxcards.opponents.colver import contract_score

    assert contract_score(80, 0, 0, [92, 70], [0, 0], False) == [170, 70]
    assert contract_score(80, 0, 1, [70, 92], [0, 20], False) == [70, 190]
    assert contract_score(80, 0, 0, [81, 81], [0, 0], False) == [0, 240]  # exactly half
    assert contract_score(100, 1, 1, [62, 100], [20, 0], False) == [20, 520]
    assert contract_score(100, 2, 0, [62, 100], [20, 0], False) == [20, 1040]
    assert contract_score(90, 1, 0, [252, 0], [0, 0], True) == [680, 0]
    assert contract_score(250, 0, 0, [130, 32], [0, 0], False) == [0, 410]
