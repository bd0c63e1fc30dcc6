"""Matches of Rikiki: rounds in order, dealers, totals and winners, against a match kept by hand."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from jaxcards import Match
from jaxcards.testing.deals import quick_jit
from jaxcards.xla import prng

MATCHES = {
    "rikiki/plain": {"schedule": (2, 3, 4)},
    "rikiki/standard5": {"schedule": (2, 1, 2, 10)},
    "rikiki/cycle": {"schedule": (1, 1, 2, 1, 1, 1), "dealer_rotates": False},
    "rikiki/open_spiel": {},
}
NUMBER = 64


@pytest.fixture(
    scope="module",
    params=by_cost(MATCHES, ["rikiki/plain", "rikiki/standard5", "rikiki/cycle"]),
    ids=str,
)
def played(request):
    """Return a match, and random ones: states before each step, and finished deals."""
    game = jaxcards.make(request.param, **MATCHES[request.param])
    match = Match(game)

    def play(key):
        words = prng.key_words(key)

        def step(state, time):
            word = prng.random_word(words, time + jnp.uint32(1 << 20))
            action = match.legal_actions(state).sample_word(word)
            after = match.step(state, action)
            deal = game.step(state.deal, action)
            return after, (state, after.num_deals != state.num_deals, game.points(deal))

        return jax.lax.scan(step, match.init(key), jnp.arange(match.max_steps, dtype=jnp.uint32))

    keys = jax.random.split(jax.random.key(1), NUMBER)
    return match, jax.tree.map(np.asarray, quick_jit(jax.vmap(play))(keys))


@pytest.mark.slow
def test_a_match_kept_by_hand(played):
    match, (final, (states, ended, points)) = played
    rules, n = match.game.rules, match.num_players
    assert final.over.all()
    shared = 0
    for i in range(NUMBER):
        totals, number = np.zeros(n, int), 0
        for time in np.flatnonzero(ended[i]):
            deal = jax.tree.map(lambda leaf, i=i, t=time: leaf[i, t], states.deal)
            assert int(deal.public.round) == number
            assert int(deal.public.hand_size) == rules.schedule[number]
            moved = number if rules.dealer_rotates else 0
            assert int(deal.public.dealer) == (int(states.deal.public.dealer[i, 0]) + moved) % n
            assert states.totals[i, time].tolist() == totals.tolist()
            if deal.public.totals is not None:
                assert [int(total) for total in deal.public.totals] == totals.tolist()
            if rules.trump_mode == "cycle":
                assert int(deal.public.trump) == rules.trump_cycle[number % len(rules.trump_cycle)]
            totals, number = totals + points[i, time], number + 1
        assert number == len(rules.schedule) == int(final.num_deals[i])
        assert final.totals[i].tolist() == totals.tolist()
        assert final.winners[i].tolist() == (totals == totals.max()).tolist()
        shared += final.winners[i].sum() > 1
    assert shared or len(rules.schedule) == 1


def test_every_seat_deals_first(played):
    match, (_, (states, _, _)) = played
    assert set(states.deal.public.dealer[:, 0].tolist()) == set(range(match.num_players))
    assert (states.deal.public.round[:, 0] == 0).all()


def test_deals_of_a_match_differ(played):
    match, (_, (states, ended, _)) = played
    first = states.deal.hands[0].words
    for i in range(NUMBER):
        if min(match.game.rules.schedule) > 1:
            hands = {(int(first[0][i, t]), int(first[1][i, t])) for t in np.flatnonzero(ended[i])}
            assert len(hands) == ended[i].sum()


def test_a_given_match():
    match = Match(jaxcards.make("rikiki/plain"))
    state = match.init_from_deck(list(range(52)), 0)
    assert int(state.deal.public.round) == 0 and int(state.deal.public.dealer) == 0
    assert match.max_steps == 11 * 52
