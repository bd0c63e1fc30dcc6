"""The tiny game: scores by example, and against OpenSpiel's tiny Bridge with a search of the play."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.marks import OPEN_SPIEL

import jaxcards
from games.bridge.playout import PLAYOUTS
from games.bridge.reference import BID, PASS, TINY_BIDS, TINY_CARDS, tiny_score
from games.page import Page
from jaxcards.games.bridge import score
from jaxcards.players.loading import load_player

GAME = jaxcards.make("bridge/tiny")
DEALS = 512


@Page("bridge").rows("tiny contract")
def test_tiny_scores(row):
    contract, tricks, points = row
    bid, *doubled = contract.replace("`", "").split()
    times = ["", "doubled", "redoubled"].index("".join(doubled))
    given = int(bid[0]), ["C", "D", "H", "S", "NT"].index(bid[1:]), times
    assert tiny_score(*given, int(tricks)) == int(points)
    assert int(score.tiny_score(*map(jnp.uint32, given), jnp.int32(int(tricks) - given[0]))) == int(
        points
    )


def test_a_tiny_deal_by_hand():
    # Seat 3 deals, so seat 0 has the first two cards: hearts jack and queen.
    rest = sorted(set(range(52)) - set(TINY_CARDS))
    state = GAME.init_from_deck(TINY_CARDS + rest, 3)
    for action in ("pass", "pass", "bid 2S", "pass", "pass", "pass"):
        state = GAME.checked_step(state, action)
    assert int(state.current_player) == 2  # seat 1 declares
    for action in ("Js", "As", "Jh", "Kh", "Ks", "Qh", "Ah", "Qs"):
        assert not state.terminated
        state = GAME.checked_step(state, action)
    assert state.terminated and GAME.points(state).tolist() == [0, 30, 0, 30]


@quick.jit
@jax.vmap
def values(deck, dealer, called):
    """Return the result of seat 0 for every choice of cards in the first trick: [2, 2, 2, 2].

    The second trick is forced. The player after the dummy of the last bidder leads, as in OpenSpiel.
    """

    def call(state, action):
        after = GAME.step(state, action)
        return jax.tree.map(lambda a, b: jnp.where(action < 0, a, b), state, after), None

    def result(high):
        def play(state, high):
            legal = GAME.legal_action_mask(state)
            card = jnp.where(high, len(legal) - 1 - legal[::-1].argmax(), legal.argmax())
            return GAME.step(state, card), None

        return GAME.returns(jax.lax.scan(play, begun, high)[0])[0]

    begun = jax.lax.scan(call, GAME.init_from_deck(deck, dealer), called)[0]
    leader = (begun.public.bidder + 3) & 3
    begun = begun.with_public(current_player=leader.astype(jnp.int32))
    choices = np.array([(*first, 0, 0, 0, 0) for first in itertools.product((0, 1), repeat=4)])
    return jax.vmap(result)(choices).reshape(2, 2, 2, 2), begun.public.declarer, leader


def double_dummy(found, leader):
    """Return the result of seat 0 if every player sees all cards."""
    for place in (3, 2, 1, 0):
        best = np.max if (leader + place) % 2 == 0 else np.min
        found = best(found, axis=place)
    return found


def to_theirs(call):
    return {PASS: 0, 53: 7, 54: 8}.get(call) if call < BID else 1 + TINY_BIDS.index(call - BID)


def theirs_of(hands, dealer):
    """Return a deal of OpenSpiel, in which the dealer has seat 0."""
    import pyspiel

    state = pyspiel.load_game("tiny_bridge_4p").new_initial_state()
    for turn in range(4):
        low, high = sorted(map(TINY_CARDS.index, hands[(dealer + turn) % 4]))
        state.apply_action(high * (high - 1) // 2 + low)
    return state


@pytest.mark.differential
@OPEN_SPIEL[1]
def test_calls_and_results_with_open_cards():
    deals, record = PLAYOUTS.played("tiny", DEALS, seed=6)
    called, games = np.full((DEALS, GAME.num_calls), -1, np.int32), []
    for i in range(DEALS):
        dealer = int(deals.dealers[i])
        theirs = theirs_of(deals.reference("tiny", i).hands, dealer)
        for t in range(GAME.num_calls):
            if theirs.is_terminal():
                break
            assert record["player"][i, t] == (theirs.current_player() + dealer) % 4
            legal = np.flatnonzero(record["mask"][i, t]).tolist()
            assert sorted(map(to_theirs, legal)) == theirs.legal_actions(), deals.describe(i)
            called[i, t] = record["action"][i, t]
            theirs.apply_action(to_theirs(int(called[i, t])))
        games.append(theirs)
    found, declarers, leaders = map(np.asarray, values(deals.decks, deals.dealers, called))
    for i, theirs in enumerate(games):
        wanted = theirs.returns()[-int(deals.dealers[i]) % 4]
        assert double_dummy(found[i], leaders[i]) == wanted, deals.describe(i)
    # If the partner of the last bidder declares, the rules of Bridge have the same leader.
    assert 0 < ((declarers + 1) % 4 == leaders).sum() < DEALS
    assert len(np.unique(found)) > 20


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("name", ["heuristic", "champion"])
def test_players_of_bridge_play_the_tiny_game(name):
    agent, params = load_player(name, GAME)
    play = quick.jit(jax.vmap(lambda key: jaxcards.rollout(GAME, agent, params, key)))
    assert play(jax.random.split(jax.random.key(0), 64)).state.terminated.all()


def test_the_tiny_game_has_no_vulnerable_side():
    with pytest.raises(jaxcards.UserError, match="tiny=True needs vulnerability='none'"):
        jaxcards.make("bridge/duplicate", tiny=True)
