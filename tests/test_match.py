"""Matches: totals, dealers and winners against a match kept by hand in Python."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from jaxcards import Match, rollout
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.testing.deals import quick_jit
from jaxcards.xla import prng

MATCHES = {
    "jass/schieber_1000": {},
    "jass/schieber_2500": {},
    "jass/swisslos": {},
    "jass/tournament": {"deals": 5},
    "jass/differenzler": {"deals": 4},
}


@pytest.fixture(
    scope="module",
    params=by_cost(MATCHES, {*MATCHES} - {"jass/schieber_1000"}),
    ids=str,
)
def played(request):
    """Return a match, and 24 of them played at random: their states and actions, step by step."""
    game = jaxcards.make(request.param, **MATCHES[request.param])
    match = Match(game)

    def play(key):
        words = prng.key_words(key)

        def step(state, time):
            legal = match.legal_actions(state)
            action = legal.sample_word(prng.random_word(words, time + jnp.uint32(1 << 20)))
            after = match.step(state, action)
            ended = after.num_deals != state.num_deals
            deal, before = game.step(state.deal, action), state.deal.public.totals
            outcome = (game.points(deal), deal.public.dealer, _match_winner(deal), before)
            return after, (state, action, ended, outcome)

        return jax.lax.scan(step, match.init(key), jnp.arange(match.max_steps, dtype=jnp.uint32))

    keys = jax.random.split(jax.random.key(1), 24)
    return match, jax.tree.map(np.asarray, quick_jit(jax.vmap(play))(keys))


def _match_winner(deal):
    return jnp.int32(2) if deal.match_winner is None else deal.match_winner.astype(jnp.int32)


def test_a_match_kept_by_hand(played):
    """Adds up the points of finished deals, and applies the rules of section 4.6 to them."""
    match, (final, (states, _, ended, (points, dealer, first, before))) = played
    rules = match.game.rules
    assert final.over.all() and ended.any()
    for i in range(24):
        totals, deals = np.zeros(4, int), 0
        for time in np.flatnonzero(ended[i]):
            if before is not None:
                assert [int(t[i, time]) for t in before] == totals[:2].tolist()
            assert states.totals[i, time].tolist() == totals.tolist()
            assert not states.over[i, time]
            totals, deals = totals + points[i, time], deals + 1
            last = time
            if rules.target and rules.finish == "deal_end":
                assert (first[i, time] != 2) == (totals.max() >= rules.target)
            if deals < int(final.num_deals[i]):
                assert not rules.target or first[i, time] == 2
        assert final.totals[i].tolist() == totals.tolist()
        assert final.num_deals[i] == deals
        if rules.deals:
            assert deals == rules.deals
            best = totals.min() if rules.game == "differenzler" else totals.max()
            winners = totals == best
        else:
            assert first[i, last] != 2
            winners = np.arange(4) % 2 == first[i, last]
            assert totals.max() >= rules.target
        assert final.winners[i].tolist() == winners.tolist()
        assert final.winners[i].any()


def test_the_dealer_moves_on(played):
    _, (_, (_, _, ended, (_, dealer, _, _))) = played
    for i in range(24):
        dealers = dealer[i][ended[i]]
        assert (dealers[1:] == (dealers[:-1] + 1) % 4).all()
    assert len(set(dealer[:, 0].tolist())) == 4


def test_deals_of_a_match_differ(played):
    _, (_, (states, _, ended, _)) = played
    words = states.deal.hands[0].words
    for i in range(24):
        hands = {(int(words[0][i, t]), int(words[1][i, t])) for t in np.flatnonzero(ended[i])}
        assert len(hands) == ended[i].sum()


def test_returns_add_up_to_nothing(played):
    match, (final, _) = played
    returns = np.asarray(jax.vmap(match.returns)(final))
    assert returns.dtype == np.float32
    assert np.abs(returns.sum(axis=1)).max() < 1e-6
    everybody = final.winners.all(axis=1)
    assert ((returns > 0) == (final.winners & ~everybody[:, None])).all()
    assert (returns[final.winners & ~everybody[:, None]] == 1).all()


def test_stepping_by_hand_is_the_same_match(played):
    """One match, step by step, with the deals and totals of the compiled loop."""
    match, (final, (states, actions, _, _)) = played
    step = quick_jit(match.step)
    state = jax.tree.map(lambda leaf: jnp.asarray(leaf[0, 0]), states)
    number = int((~states.over[0]).sum())
    for time in range(number):
        assert not bool(state.terminated)
        assert int(state.current_player) == int(states.deal.public.current_player[0, time])
        state = step(state, actions[0, time])
    assert bool(state.terminated)
    same = jax.tree.map(lambda a, b: bool(np.array_equal(a, b[0])), state, final)
    assert jax.tree.all(same)
    for action in (0, 20, match.num_actions - 1):
        again = step(state, jnp.int32(action))
        assert jax.tree.all(jax.tree.map(lambda a, b: bool(np.array_equal(a, b)), again, state))
    assert any(line.startswith("won by seat") for line in match.to_string(state).splitlines())


# ---- Rules, without playing ---------------------------------------------------------------------


def over(id, totals, num_deals, match_winner=None, **rules):
    game = jaxcards.make(id, **rules)
    state = jax.eval_shape(game.init, jax.random.key(0))
    if match_winner is not None:
        state = dataclasses.replace(state, match_winner=jnp.uint8(match_winner))
    ended, winners = game.match_over(state, jnp.asarray(totals), jnp.int32(num_deals))
    return bool(ended), np.flatnonzero(winners).tolist()


def test_who_wins():
    assert over("jass/tournament", [900, 700, 900, 700], 11) == (False, [0, 2])
    assert over("jass/tournament", [900, 700, 900, 700], 12) == (True, [0, 2])
    assert over("jass/tournament", [800, 800, 800, 800], 12) == (True, [0, 1, 2, 3])
    assert over("jass/differenzler", [90, 20, 30, 20], 12) == (True, [1, 3])
    assert over("jass/differenzler", [90, 20, 30, 25], 12) == (True, [1])
    # Who reached the target first wins, though the other side has more.
    assert over("jass/schieber_1000", [1010, 1050, 1010, 1050], 9, 0) == (True, [0, 2])
    assert over("jass/schieber_1000", [990, 980, 990, 980], 9, 2)[0] is False
    # With a number of deals as well: whatever comes first.
    both = {"target": 1000, "deals": 4}
    assert over("jass/schieber_1000", [300, 500, 300, 500], 4, 2, **both) == (True, [1, 3])
    assert over("jass/schieber_1000", [300, 1000, 300, 1000], 3, 1, **both) == (True, [1, 3])
    assert over("jass/schieber_1000", [300, 500, 300, 500], 3, 2, **both)[0] is False


def test_the_longest_match_is_bounded():
    for id in MATCHES:
        match = Match(jaxcards.make(id))
        rules = match.game.rules
        most = match.max_match_deals
        assert most == rules.deals if rules.deals else most * 157 >= 2 * rules.target - 1
        assert match.max_steps == most * match.game.max_steps


def test_a_match_from_a_given_deal():
    match = Match(jaxcards.make("jass/tournament"))
    deck = np.random.default_rng(0).permutation(36)
    state = match.init_from_deck(deck, 1, key=jax.random.key(3))
    assert state.deal.hands[2].to_list() == sorted(deck[:9].tolist())
    assert int(state.num_deals) == 0 and not bool(state.over)
    default = match.init_from_deck(deck, 1)
    assert default.key.tolist() != state.key.tolist()


STANDINGS = [
    ("euchre/stick_the_dealer", {"totals": (9, 7)}, [9, 7, 9, 7]),
    ("belote/bela", {"totals": (990, 400)}, [990, 400] * 2),
    ("jass/schieber_1000", {"totals": (990, 400)}, [990, 400] * 2),
    ("jass/tournament", {"totals": (500, 400), "num_deals": 11}, [500, 400] * 2),
    ("rikiki/standard", {"totals": (1, -2, 3, 4), "round": 18}, [1, -2, 3, 4]),
    ("sheepshead/standard", {"totals": (1, -2, 3, 4, -6)}, [1, -2, 3, 4, -6]),
]


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "id, given, totals",
    [
        pytest.param(*row, marks=() if row[0].startswith("rikiki") else pytest.mark.slow)
        for row in STANDINGS
    ],
)
def test_a_match_begins_at_any_standing(id, given, totals):
    game = jaxcards.make(id)
    match = Match(game)
    state = match.init_from_deck(np.arange(game.deck.num_cards), 0, **given)
    deals = given.get("num_deals", given.get("round", 0))
    assert state.totals.tolist() == totals and int(state.num_deals) == deals
    if "totals" in game.opening_facts:
        assert game.opening(state.deal).facts["totals"].tolist() == list(given["totals"])
    deal, legal = state.deal, quick_jit(game.legal_action_mask)
    step, step_match = quick_jit(game.step), quick_jit(match.step)
    while not deal.terminated:
        action = legal(deal).argmax()
        deal, state = step(deal, action), step_match(state, action)
    assert (state.totals - game.points(deal)).tolist() == totals
    assert int(state.num_deals) == deals + 1


@pytest.mark.parametrize(
    "id, given, words",
    [
        ("euchre/standard", {"totals": (10, 3)}, "totals must be from 0 to 9, not 10"),
        ("belote/bela", {"totals": (3, 1001)}, "totals must be from 0 to 1000, not 1001"),
        ("belote/belote_501", {"totals": (520, 501)}, "totals of 501 or more must be equal"),
        ("belote/belote_501", {"totals": (3, 501)}, "totals of 501 or more must be equal"),
        ("jass/schieber_1000", {"totals": (-1, 0)}, "totals must be from 0 to 999, not -1"),
        ("jass/tournament", {"num_deals": 12}, "num_deals must be an int from 0 to 11, not 12"),
        ("jass/schieber_1000", {"totals": (1, 2, 3)}, "totals must be 2 numbers, not 3"),
        ("rikiki/standard", {"totals": (1, 2)}, "totals must be 4 numbers, not 2"),
    ],
)
def test_a_standing_at_which_a_match_is_over_is_refused(id, given, words):
    match = Match(jaxcards.make(id))
    with pytest.raises(UserError, match=words):
        match.init_from_deck(np.arange(match.deck.num_cards), 0, **given)


@pytest.mark.parametrize("totals", [(501, 501), (730, 730), (500, 0)])
def test_a_match_that_plays_on_after_a_tie_begins_above_the_target(totals):
    state = Match(jaxcards.make("belote/belote_501")).init_from_deck(np.arange(32), 0, totals=totals)
    assert state.totals.tolist() == [*totals, *totals]


def test_a_match_of_a_match_is_refused():
    match = Match(jaxcards.make("jass/tournament"))
    for wrong in (match, "jass", None):
        with pytest.raises(UserError, match="Match takes a game of single deals"):
            Match(wrong)
    state = jax.eval_shape(match.init, jax.random.key(0))
    with pytest.raises(UserError, match="cannot be a deal of another match"):
        match.next_deal(jax.random.key(0), state, state.totals)
    with pytest.raises(UserError, match="cannot be a deal of another match"):
        match.match_over(state, state.totals, state.num_deals)


@pytest.mark.slow
@pytest.mark.parametrize(
    "id, rules, said",
    [
        ("euchre/standard", {"max_deals": 2}, True),
        pytest.param("euchre/stick_the_dealer", {"max_deals": 2}, True, marks=pytest.mark.slow),
        pytest.param("euchre/standard", {"target": 1}, False, marks=pytest.mark.slow),
        pytest.param(
            "jass/tournament", {"deals": 2}, False, marks=pytest.mark.slow
        ),  # that is a rule of the game
    ],
)
def test_a_match_that_is_ended_at_its_bound_says_so(id, rules, said):
    match = Match(jaxcards.make(id, **rules))
    played = quick_jit(lambda key: rollout(match, RandomAgent(), (), key).state)
    state = played(jax.random.key(1))
    assert state.over and bool(match.ended_at_bound(state)) == said
    assert ("ended at the bound of 2 deals" in match.to_string(state).splitlines()) == said
    assert not match.ended_at_bound(match.init(jax.random.key(1)))


@pytest.mark.slow
def test_the_history_of_a_match_is_that_of_the_deal_on_the_table():
    match = Match(jaxcards.make("jass/tournament", deals=2))
    state = match.init(jax.random.key(0))
    actions = []
    for _ in range(3):
        actions.append(int(match.legal_actions(state).nth(jnp.uint32(0))))
        state = match.step(state, jnp.int32(actions[-1]))
    found = match.history(match.observe(state, jnp.int32(0)))
    assert found.actions.shape == (match.game.max_steps,)
    assert found.actions[:4].tolist() == [*actions, -1]
