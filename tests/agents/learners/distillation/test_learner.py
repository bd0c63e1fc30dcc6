"""Distillation: what is made small, that the teacher is learned, and which teachers there are."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.training import same, trainer

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.decisions import masks
from jaxcards.agents.learners.distillation.config import DistillationConfig
from jaxcards.agents.learners.distillation.learner import Distillation
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.mixture import Mixture
from jaxcards.agents.learners.self_play import self_play
from jaxcards.agents.networks import masking, symmetry
from jaxcards.agents.networks.network import NetworkAgent, PlanesNetwork, forward
from jaxcards.agents.networks.symmetry import symmetries
from jaxcards.agents.networks.vocabulary import Start, policy_vocabulary
from jaxcards.cards.features import unpack
from jaxcards.errors import UserError
from jaxcards.match import Match
from jaxcards.testing.deals import quick_jit

# Three players with two cards each: bids and tricks, and compiled in little time.
GAME = jaxcards.make("rikiki", num_players=3, schedule=(2,))
CONFIG = DistillationConfig(seed=3, deals_per_update=64, hidden=(64,), learning_rate=1e-2)
SCHEDULE = jnp.float32(160)
ONCE = NetworkAgent(GAME, (16,), greedy=True)
MEAN = dataclasses.replace(ONCE, symmetric=True)
# Large weights: a teacher that prefers some actions clearly.
PARAMS = jax.device_get(jax.tree.map(lambda x: 20 * x, ONCE.init(jax.random.key(1), GAME)))
LEARNER = Distillation(GAME, CONFIG, teachers=(FixedPlayer(ONCE, PARAMS),))


def played(params, update):
    """Every step of an update's deals; see `steps`."""
    return steps(GAME, LEARNER.player.network, params, update, jnp.arange(64, dtype=jnp.uint32))


def steps(game, network, params, update, deals):
    """Every step of some deals, one in a row: features, mask, and which are decisions."""
    keys = sharding.keys_of(CONFIG.seed, update, deals)
    found, _ = self_play(game, network, params, keys, critic=False)
    features, legal, decides = (
        x.reshape(-1, *x.shape[2:]) for x in (found.features, found.legal, found.decides)
    )
    return features, masks(game, legal), decides


def apart(wanted, own, mask, which):
    """Mean divergence of rows of log-probabilities, and how often both like the same action best."""
    rows = list(zip(*(np.asarray(x)[which] for x in (wanted, own, mask)), strict=True))
    lost = [(np.exp(x[legal]) * (x[legal] - y[legal])).sum() for x, y, legal in rows]
    return np.mean(lost), np.mean([x.argmax() == y.argmax() for x, y, _ in rows])


@pytest.fixture(scope="module")
def play():
    return quick_jit(played)


@pytest.mark.slow
def test_the_loss_is_the_divergence_from_the_teacher(play):
    """Against plain sums over the decisions of the same deals."""
    state = LEARNER.fresh()
    policy = jax.device_get(state.params["policy"])
    _, metrics = trainer(LEARNER, 1)(state, SCHEDULE)
    features, mask, decides = play(policy, jnp.int32(0))
    wanted, own = (
        masking.log_probabilities(forward(agent.network, params, features), mask)
        for agent, params in ((ONCE, PARAMS), (LEARNER.player, policy))
    )
    lost, agreed = apart(wanted, own, mask, np.asarray(decides))
    np.testing.assert_allclose(metrics["divergence"], lost, rtol=1e-4)
    np.testing.assert_allclose(metrics["agreement"], agreed, rtol=1e-5)
    assert metrics["choices"] == decides.sum() and 0.1 < lost < 5


@pytest.mark.slow
@pytest.mark.parametrize("calls", [True, False])
def test_a_teacher_of_all_names_answers_under_each_in_turn(play, calls, monkeypatch):
    """Calls that are not the same under other names are left out where those are used."""
    found = symmetries(GAME)
    number = len(found.calls)
    if not calls:
        found = found._replace(calls=np.arange(number) == 0)
        monkeypatch.setattr(symmetry, "symmetries", lambda game: found)
    config = dataclasses.replace(CONFIG, learning_rate=2e-2 if calls else 3e-2)  # compiled anew
    learner = Distillation(GAME, config, teachers=(FixedPlayer(MEAN, PARAMS),))
    network, seen = PlanesNetwork(GAME.num_features, ONCE.hidden, GAME.num_actions), set()
    for update in (0, 1, number):
        state = learner.fresh()._replace(update=jnp.int32(update))
        policy = jax.device_get(state.params["policy"])
        _, metrics = trainer(learner, 1)(state, SCHEDULE)
        features, mask, decides = play(policy, jnp.int32(update))
        name = update % number
        bits = unpack(features, GAME.num_features, jnp.float32)[:, found.inputs[name]]
        wanted = masking.log_probabilities(forward(network, PARAMS, bits)[:, found.actions[name]], mask)
        own = masking.log_probabilities(forward(LEARNER.player.network, policy, features), mask)
        is_call = np.asarray(mask)[:, GAME.deck.num_cards :].any(-1)
        which = np.asarray(decides) & (found.calls[name] | ~is_call)
        lost, agreed = apart(wanted, own, mask, which)
        np.testing.assert_allclose(metrics["divergence"], lost, rtol=1e-4)
        np.testing.assert_allclose(metrics["agreement"], agreed, rtol=1e-5)
        seen.add(int(which.sum()) < int(decides.sum()))
    assert number > 1 and seen == ({False} if calls else {False, True})


@pytest.mark.slow
def test_it_learns_the_teacher():
    train, state = trainer(LEARNER, 20), LEARNER.fresh()
    found = []
    for _ in range(8):
        state, metrics = train(state, SCHEDULE)
        found.append({name: float(value) for name, value in metrics.items()})
    assert found[-1]["divergence"] < found[0]["divergence"] / 4
    assert found[-1]["agreement"] > 0.95 > found[0]["agreement"]
    for x, y in zip(jax.tree.leaves(state.teacher), jax.tree.leaves(PARAMS), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.slow
def test_several_games_share_the_deals_of_an_update(monkeypatch):
    """The loss is the mean over the decisions of both, each as its own teacher would decide."""
    games = (GAME, jaxcards.make("rikiki", num_players=4, schedule=(2,), hook=False))
    monkeypatch.setattr(Distillation, "mixture", Mixture(games))
    agents = [NetworkAgent(game, (16,), greedy=True) for game in games]
    own = [PARAMS, jax.tree.map(lambda x: 20 * x, agents[1].init(jax.random.key(2), games[1]))]
    teachers = tuple(map(FixedPlayer, agents, own))
    config = dataclasses.replace(CONFIG, presets=("another",), learning_rate=2e-3)
    learner = Distillation(GAME, config, teachers=teachers)
    state = learner.fresh()
    policy = jax.device_get(state.params["policy"])
    lost, agreed, number = 0, 0, 0
    for place, game in enumerate(games):
        network = dataclasses.replace(learner.player, game=game).network
        params = learner.vocabulary.for_game(game, policy)
        deals = jnp.arange(32 * place, 32 * (place + 1), dtype=jnp.uint32)
        features, mask, decides = quick_jit(steps, static_argnums=(0, 1))(
            game, network, params, 0, deals
        )
        wanted, found = (
            masking.log_probabilities(forward(asked, given, features), mask)
            for asked, given in ((agents[place].network, own[place]), (network, params))
        )
        one, same_action = apart(wanted, found, mask, np.asarray(decides))
        count = int(decides.sum())
        lost, agreed, number = lost + one * count, agreed + same_action * count, number + count
    state, metrics = trainer(learner, 1)(state, SCHEDULE)
    np.testing.assert_allclose(metrics["divergence"], lost / number, rtol=1e-4)
    np.testing.assert_allclose(metrics["agreement"], agreed / number, rtol=1e-5)
    assert metrics["choices"] == number
    # Only the players of four know these cards and bids: their rows have learned, too.
    told = set(learner.vocabulary.inputs) - set(policy_vocabulary([GAME]).inputs)
    rows = [place for place, name in enumerate(learner.vocabulary.inputs) if name in told]
    before, after = (
        np.asarray(x["params"]["Dense_0"]["kernel"])[rows] for x in (policy, state.params["policy"])
    )
    assert rows and not np.array_equal(before, after)
    # The player has the rows of the first game alone; what is saved has those of both.
    own, every = (f(state)["params"]["Dense_0"]["kernel"] for f in (learner.parameters, learner.saved))
    assert own.shape == (GAME.num_features, 64)
    assert every.shape == (learner.vocabulary.num_inputs, 64) != own.shape
    with pytest.raises(
        UserError, match="2 games cannot share 63 deals evenly: change deals_per_update"
    ):
        Distillation(GAME, dataclasses.replace(config, deals_per_update=63), teachers=teachers)
    with pytest.raises(UserError, match="needs a teacher that is a network"):
        Distillation(GAME, config, teachers=teachers[:1])


@pytest.mark.slow
def test_two_devices_learn_what_one_does():
    found = []
    for devices in (1, 2):
        learner = Distillation(GAME, CONFIG, devices, teachers=(FixedPlayer(MEAN, PARAMS),))
        found.append(trainer(learner, 1)(learner.place(learner.fresh()), SCHEDULE))
    (one, _), (both, _) = found
    same(one, both, rtol=1e-3, atol=1e-6)
    assert not np.array_equal(one.params["policy"]["params"]["Dense_0"]["bias"], 0)
    for name, value in found[0][1].items():
        np.testing.assert_allclose(value, found[1][1][name], rtol=1e-4, err_msg=name)


def test_a_run_begins_with_a_given_network():
    start = Start(policy_vocabulary([GAME]), PARAMS)
    config = dataclasses.replace(CONFIG, hidden=(16,), start="a friend")
    state = Distillation(GAME, config, teachers=(FixedPlayer(ONCE, PARAMS),), start=start).fresh()
    for x, y in zip(jax.tree.leaves(state.params["policy"]), jax.tree.leaves(PARAMS), strict=True):
        np.testing.assert_array_equal(x, y)
    narrow = dataclasses.replace(config, hidden=(8,))
    with pytest.raises(UserError, match="the run cannot start from a friend: it has hidden"):
        Distillation(GAME, narrow, teachers=(FixedPlayer(ONCE, PARAMS),), start=start).fresh()


@pytest.mark.parametrize(
    "teacher, words",
    [
        (None, "distillation needs a teacher that is a network"),
        (RandomAgent(), "distillation needs a teacher that is a network"),
        (dataclasses.replace(ONCE, inputs="planes"), "champion sees planes, but a teacher must"),
        (NetworkAgent(Match(GAME)), "champion reads the score of a match, but a teacher must"),
    ],
    ids=["none", "random", "planes", "match"],
)
def test_who_cannot_teach(teacher, words):
    with pytest.raises(UserError, match=words):
        Distillation(GAME, CONFIG, teachers=(FixedPlayer(teacher, PARAMS),) if teacher else ())


def test_a_teacher_has_a_name():
    with pytest.raises(UserError, match="distillation needs a teacher: name champion, or the run"):
        DistillationConfig(teacher="")
