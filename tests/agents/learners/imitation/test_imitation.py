"""Imitation: training decisions from records, the gradient step, and prediction of held-out games."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.fakes.players import Lowest

import jaxcards
from jaxcards import records, xla
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners.decisions import masks
from jaxcards.agents.learners.imitation import measures
from jaxcards.agents.learners.imitation.config import ImitationConfig
from jaxcards.agents.learners.imitation.examples import Deals, examples
from jaxcards.agents.learners.imitation.learner import Imitation
from jaxcards.records.arrays import to_arrays

GAME = jaxcards.make("euchre")
CONFIG = ImitationConfig(hidden=(32,), deals_per_update=16, learning_rate=5e-3)


@pytest.fixture(scope="module")
def played():
    """Deals of a player that chooses the same wherever it sees the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        return [records.play_deal(GAME, Lowest(), 1, jax.random.key(n)) for n in range(16)]


def deals_of(played, **changes):
    number = len(played)
    given = Deals(
        to_arrays(GAME, played),
        np.ones(number, bool),
        np.zeros((number, GAME.deck.num_cards), bool),
        np.ones(number, bool),
    )
    return given._replace(**changes)


@pytest.fixture(scope="module")
def compiled():
    return quick.jit(lambda deals: examples(GAME, deals))


@pytest.mark.slow_after(1)
def test_decisions_are_those_of_the_players(played, compiled):
    """Against a replay of each deal, action by action."""
    rows, decides = compiled(deals_of(played))

    def look(state):
        observation = GAME.observe(state, state.current_player)
        legal = GAME.legal_actions(state)
        actions = jnp.arange(GAME.num_actions)
        names = jax.vmap(lambda action: GAME.relabel_action(observation, action))(actions)
        return GAME.feature_words(observation), legal.mask(), names, legal.count()

    looked = quick.jit(jax.vmap(look))
    for column, deal in enumerate(played[:4]):
        states = records.replay(deal).states
        padded = jax.tree.map(lambda x: np.resize(x, (GAME.max_steps + 1, *x.shape[1:])), states)
        features, legal, names, count = jax.device_get(looked(padded))
        number = len(deal.actions)
        for step, action in enumerate(deal.actions):
            np.testing.assert_array_equal(rows.features[step, column], features[step])
            assert rows.action[step, column] == names[step][action]
            assert decides[step, column] == (count[step] > 1)
            mask = np.zeros(GAME.num_actions, bool)
            mask[names[step][legal[step]]] = True
            np.testing.assert_array_equal(masks(GAME, rows.legal[step, column][None])[0], mask)
        assert not np.asarray(decides[number:, column]).any()


def test_what_nobody_knows_is_not_learned(played, compiled):
    rows, decides = compiled(deals_of(played))
    calls = rows.action >= GAME.deck.num_cards
    made_up = compiled(deals_of(played, calls_known=np.arange(16) != 3))[1]
    expected = np.array(decides)
    expected[:, 3] &= ~np.asarray(calls)[:, 3]
    np.testing.assert_array_equal(made_up, expected)
    padding = compiled(deals_of(played, valid=np.arange(16) != 5))[1]
    assert not padding[:, 5].any() and padding[:, 6].any()
    # A card was never seen: the decisions of the player who would have had it are left out.
    unknown = np.zeros((16, GAME.deck.num_cards), bool)
    unknown[0, played[0].deck[0]] = True
    fewer = compiled(deals_of(played, unknown=unknown))[1]
    replayed = records.replay(played[0])
    players = np.asarray(replayed.states.current_player)[: len(played[0].actions)]
    hands = GAME.card_places(GAME.init_from_deck(played[0].deck, played[0].dealer)).hands
    (first,) = [seat for seat, hand in enumerate(hands) if played[0].deck[0] in hand.to_list()]
    own = np.asarray(fewer)[: len(players), 0]
    assert not own[players == first].any()
    np.testing.assert_array_equal(
        own[players != first], np.asarray(decides)[: len(players), 0][players != first]
    )


@pytest.fixture(scope="module")
def learner():
    return Imitation(GAME, CONFIG)


@pytest.mark.slow
def test_a_network_learns_what_it_is_shown(learner, played):
    state, batch = learner.fresh(), deals_of(played)
    train, measure = type(learner).train, type(learner).measure
    held = measures.figures(measure(learner, state.params["policy"], batch).cards)
    assert held.accuracy < 0.7 and held.cross_entropy == pytest.approx(0.9, abs=0.3)
    for _ in range(150):
        state, metrics = train(learner, state, batch, jnp.float32(150))
    assert int(state.update) == 150 and metrics["accuracy"] > 0.97 > 0.5 > metrics["cross_entropy"]
    held = measure(learner, state.params["policy"], batch)
    cards, calls = measures.figures(held.cards), measures.figures(held.calls)
    number = cards.decisions + calls.decisions
    assert number == metrics["decisions"] == int(compiled_number(played))
    together = (cards.accuracy * cards.decisions + calls.accuracy * calls.decisions) / number
    assert together == pytest.approx(float(metrics["accuracy"]), abs=0.02)
    assert 0.2 < cards.by_chance < 0.6 and held.times is None


def compiled_number(played):
    return quick.jit(lambda deals: examples(GAME, deals)[1])(deals_of(played)).sum()


@pytest.mark.slow
def test_the_gradient_is_that_of_the_cross_entropy(learner, played):
    """In parts of the decisions or all at once, and against the mean over them written down."""
    params = learner.fresh().params
    params = jax.tree.map(lambda x: x + 0.1, params)
    batch = deals_of(played)

    def plain(params):
        rows, decides = examples(GAME, batch)
        flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), rows)
        chances = learner._chances(params["policy"], flat)
        chosen = jnp.take_along_axis(chances, flat.action[:, None], -1)[:, 0]
        which = decides.reshape(-1)
        return -jnp.where(which, chosen, 0).sum() / which.sum()

    wanted = quick.jit(jax.grad(plain))(params)
    for share in (0.1, 1.0):
        own = Imitation(GAME, dataclasses.replace(CONFIG, decision_share=share))

        def slope(params, batch, value, own=own):
            return jax.lax.psum(own._of_deals(params, batch)[0], "deals")

        found = quick.jit(lambda params, own=own, slope=slope: own._shared(slope)(params, batch, 0.0))(
            params
        )
        for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.slow
def test_devices_share_a_batch(learner, played):
    """Two devices come to what one does; deals without a decision are on one of them alone."""
    valid = np.arange(16) < 9
    after = []
    for number in (1, 2):
        own = Imitation(GAME, CONFIG, number)
        state = own.place(jax.device_get(own.fresh()))
        state, metrics = own.train(state, deals_of(played, valid=valid), jnp.float32(1))
        after.append((state.params, metrics["cross_entropy"], metrics["decisions"]))
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, atol=1e-5), *map(jax.device_get, after))


# --- Measures -----------------------------------------------------------------------------------


def test_figures_against_plain_numbers():
    rng = np.random.default_rng(0)
    mask = rng.random((500, 6)) < 0.6
    mask[:, 0] = True
    logits = np.where(mask, 3 * rng.normal(size=(500, 6)), -np.inf)
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    action = np.array([rng.choice(6, p=row) for row in chances])
    weight = (rng.random(500) < 0.8).astype(np.float32)
    logs = np.where(mask, np.log(np.maximum(chances, 1e-30)), -4e30).astype(np.float32)
    found = measures.figures(jax.device_get(measures.sums(logs, mask, action, weight)))
    own = weight > 0
    certain, right = chances.max(1)[own], (chances.argmax(1) == action)[own]
    assert found.decisions == own.sum() and found.accuracy == pytest.approx(right.mean())
    lost = -np.log(chances[np.arange(500), action])[own]
    assert found.cross_entropy == pytest.approx(lost.mean(), rel=1e-5)
    assert found.by_chance == pytest.approx((1 / mask.sum(1))[own].mean())
    bins = np.minimum((certain * 15).astype(int), 14)
    gaps = [abs((certain - right)[bins == n].sum()) for n in range(15)]
    assert found.calibration_error == pytest.approx(sum(gaps) / own.sum(), abs=1e-5)
    assert found.calibration_error < 0.1, "the actions are drawn from the policy"


def test_a_policy_that_is_too_sure_is_miscalibrated():
    mask = np.ones((1000, 2), bool)
    logs = np.log(np.tile([[0.99, 0.01]], (1000, 1)))
    action = (np.arange(1000) % 2).astype(int)
    found = measures.figures(jax.device_get(measures.sums(logs, mask, action, np.ones(1000))))
    assert found.calibration_error == pytest.approx(0.49, abs=1e-3) and found.accuracy == 0.5


def test_errors_of_times():
    seconds = np.array([0.0, 3.0, np.nan, 10.0], np.float32)
    predicted = np.log1p(np.array([0.0, 5.0, 9.0, 7.0], np.float32))
    weight = np.array([1.0, 1, 1, 1])
    found = measures.time_figures(jax.device_get(measures.times(predicted, seconds, weight)))
    assert found.rows == 3 and found.seconds_error == pytest.approx((0 + 2 + 3) / 3, rel=1e-5)
    logs = np.log1p([0.0, 3, 10])
    assert found.log_spread == pytest.approx(logs.std(), rel=1e-4)
    errors = logs - np.log1p([0.0, 5, 7])
    assert found.log_error == pytest.approx(np.sqrt((errors**2).mean()), rel=1e-4)
    nothing = measures.times(predicted, np.full(4, np.nan, np.float32), weight)
    assert measures.time_figures(jax.device_get(nothing)) is None


@pytest.mark.slow
def test_a_random_player_is_foretold_by_chance():
    played = [records.play_deal(GAME, RandomAgent(), (), jax.random.key(n)) for n in range(16)]
    learner = Imitation(GAME, CONFIG)
    held = type(learner).measure(learner, learner.fresh().params["policy"], deals_of(played))
    cards = measures.figures(held.cards)
    assert cards.accuracy == pytest.approx(cards.by_chance, abs=0.15)
