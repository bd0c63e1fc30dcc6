"""The compiled game against OpenSpiel's Oh Hell, at every decision of random deals.

Legal sets, the player to act and the returns agree without exception. OpenSpiel leaves out deals
without a card to turn up, free bids, other leaders and other scores.
"""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import OPEN_SPIEL, by_cost

import jaxcards
from games.playout import play_out
from games.rikiki.playout import compiled, random_deals
from jaxcards.opponents import openspiel
from jaxcards.testing.deals import quick_jit

SCORES = [(False, 1), (True, 1), (False, 3), (True, 2)]  # off_bid_penalty, points_per_trick
BATCH = 64

pytestmark = OPEN_SPIEL
all_players = pytest.mark.parametrize("players", by_cost(range(3, 8), range(5, 8)))


def game_of(players: int, score: tuple[bool, int] = SCORES[0]):
    """Our game with every hand size that OpenSpiel knows: one card is left to turn up."""
    penalty, per_trick = score
    return jaxcards.make(
        "rikiki",
        num_players=players,
        schedule=tuple(range(1, 51 // players + 1)),
        made_linear=per_trick,
        **{"miss_diff" if penalty else "miss_trick": per_trick},
    )


@cache
def peer(players: int, score: tuple[bool, int]):
    import pyspiel

    penalty, per_trick = score
    return pyspiel.load_game(
        "oh_hell",
        {"players": players, "off_bid_penalty": penalty, "points_per_trick": per_trick},
    )


@cache
def _compiled(players: int):
    return compiled(game_of(players))


def points(players: int, record) -> np.ndarray:
    """Return the points of every deal under its score, `SCORES[i % 4]`."""
    final = {key: value[:, -1] for key, value in record.items()}
    found = np.empty((len(final["bids"]), players), int)
    for number, score in enumerate(SCORES):
        of_seat = _scored(players, score)
        found[number::4] = of_seat(final["bids"], final["progress"])[number::4]
    return found


@cache
def _scored(players: int, score: tuple[bool, int]):
    from jaxcards.games.rikiki.score import seat_points

    rules = game_of(players, score).rules
    size = jnp.uint32(0)  # these rules do not read it
    return quick_jit(jax.vmap(jax.vmap(lambda bid, won: seat_points(rules, bid, won, size))))


def compare(players: int, number: int, seed: int) -> set[int]:
    """Play deals side by side; return the hand sizes that came up."""
    game = game_of(players)
    deals = random_deals(game.rules, number, seed)
    record = play_out(_compiled(players), game, deals, seed=seed, batch=BATCH)
    ours = points(players, record)
    for i in range(number):
        k = game.rules.schedule[deals.rounds[i]]
        deck = deals.decks[i].tolist()
        hands = [deck[k * seat : k * seat + k] for seat in range(players)]
        turnup, dealer = deck[players * k], int(deals.dealers[i])
        theirs = openspiel.OhHellDeal(peer(players, SCORES[i % 4]), hands, turnup, dealer)
        for t in range(players * (k + 1)):
            told = (deck, k, deals.dealers[i], record["action"][i, :t].tolist())
            assert not theirs.terminated and not record["terminated"][i, t], told
            assert theirs.current_player == record["player"][i, t], told
            assert theirs.legal() == np.flatnonzero(record["mask"][i, t]).tolist(), told
            theirs.step(int(record["action"][i, t]))
        assert theirs.terminated and record["terminated"][i, t + 1]
        assert theirs.counted() == ours[i].tolist()
    return {game.rules.schedule[number] for number in deals.rounds}


@pytest.mark.slow_after(1)
@all_players
def test_open_spiel(players):
    compare(players, BATCH, seed=players)


@pytest.mark.slow
@all_players
def test_open_spiel_in_many_deals(players):
    sizes = compare(players, 18 * BATCH, seed=100 + players)  # 5,760 deals in all
    assert sizes == set(range(1, 51 // players + 1))


def test_named_presets_are_open_spiels():
    """Bids have OpenSpiel's numbers where a deal has one size; so do the numbers of actions."""
    for preset in openspiel.OH_HELL:
        ours, theirs = jaxcards.make(f"rikiki/{preset}"), openspiel.oh_hell(preset)
        assert ours.num_actions == theirs.num_distinct_actions() == 63
        assert ours.max_steps + 41 + 2 == theirs.max_game_length()  # cards dealt, size and dealer
