"""Every mode of JAX: 64 bits, no implicit promotion, NaNs, meshes, donated buffers.

Most of it shows while a program is traced, which takes a fraction of compiling it.
"""

import contextlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from support import programs
from support.marks import by_cost
from support.programs import SMALL

import jaxcards
from jaxcards import registry
from jaxcards.agents.learners.registry import LEARNERS
from jaxcards.agents.players import make_player
from jaxcards.match import Match
from jaxcards.testing.deals import quick_jit
from jaxcards.xla.leaves import unshared

PRESETS = [id for id in jaxcards.games() if "/" in id]


def by_speed(ids):
    """Return the presets; all except two are slow."""
    return by_cost(ids, {*ids} - {"euchre/standard", "rikiki/standard"})


@contextlib.contextmanager
def no_promotion():
    """Refuse promotion of dtypes and of ranks."""
    with jax.numpy_dtype_promotion("strict"), jax.numpy_rank_promotion("raise"):
        yield


@pytest.fixture(scope="module", params=by_speed(PRESETS))
def found(request):
    """Return a game, and its programs."""
    game = jaxcards.make(request.param)
    return game, programs.traceable(programs.of_game(game))


# ---- Dtypes -------------------------------------------------------------------------------------


@pytest.mark.slow_after(1)
def test_no_program_of_a_game_widens_in_64_bit_mode(found):
    with jax.enable_x64(True):
        wide = {name: programs.too_wide(programs.traced(one)) for name, one in found[1].items()}
    assert {name: values for name, values in wide.items() if values} == {}


@pytest.mark.slow_after(1)
def test_no_program_of_a_game_promotes(found):
    with no_promotion():
        for program in found[1].values():
            programs.traced(program)  # raises where something is promoted


def test_what_promotes_is_refused():
    with no_promotion(), pytest.raises(jax.dtypes.TypePromotionError):
        programs.traced((lambda x: x + jnp.int32(1), (jnp.uint32(1),)))
    with no_promotion(), pytest.raises(ValueError, match="rank_promotion"):
        programs.traced((lambda x: x + jnp.zeros(2, jnp.int32), (jnp.int32(1)[None, None],)))


def test_wide_values_are_found():
    with jax.enable_x64(True):
        half = programs.traced((lambda x: x * jnp.where(x > 0, 0.1, 0.2), (jnp.float32(1),)))
        words = programs.traced((lambda x: x.sum().astype(jnp.uint32), (jnp.ones(3, jnp.uint32),)))
        counts = programs.traced((lambda x: x.sum(), (jnp.ones(3, bool),)))
    assert programs.too_wide(half) and programs.too_wide(words) and programs.too_wide(counts)


@pytest.mark.parametrize("name", by_cost(LEARNERS, {*LEARNERS} - {"ppo"}))
def test_no_learner_widens_or_promotes_ranks_in_64_bit_mode(name):
    fresh, learn = programs.update_of(name)
    with jax.enable_x64(True), jax.numpy_rank_promotion("raise"):
        state = jax.eval_shape(fresh)
        assert programs.too_wide(programs.traced((fresh, ()))) == []
        assert programs.too_wide(programs.traced((learn, (state,)))) == []


def heuristic_points(game, keys):
    player = make_player("heuristic", game)
    play = jax.vmap(lambda key: jaxcards.rollout(game, player, (), key).points)
    return np.asarray(quick_jit(lambda keys: play(keys))(keys))


@pytest.mark.slow
@pytest.mark.parametrize(
    "id", ["euchre", *(pytest.param(id, marks=pytest.mark.slow) for id in registry.GAMES)]
)
def test_heuristics_play_the_same_in_64_bit_mode(id):
    game, keys = jaxcards.make(id), jax.random.split(jax.random.key(5), 16)
    expected = heuristic_points(game, keys)
    with jax.enable_x64(True):
        points = heuristic_points(game, keys)
    assert points.dtype == np.int32
    np.testing.assert_array_equal(points, expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
def test_learners_learn_the_same_in_64_bit_mode(name):
    def learned():
        fresh, learn = programs.update_of(name)
        return jax.device_get(learn(fresh()))

    expected = learned()
    with jax.enable_x64(True), jax.debug_nans(True):
        after = learned()
    for x, y in zip(jax.tree.leaves(after), jax.tree.leaves(expected), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.slow
@pytest.mark.parametrize("id", registry.defaults())
def test_no_step_on_the_way_is_nan(id):
    """Not compiled, so that JAX looks at the result of every operation."""
    game, key = jaxcards.make(id), jax.random.key(2)
    player, state = make_player("heuristic", game), game.init(key)
    with jax.debug_nans(True):
        for turn in range(12):
            observation, legal = game.observe(state, state.current_player), game.legal_actions(state)
            game.features(observation)
            if turn % 6 == 0:
                game.determinize(key, state, state.current_player)
            state = game.step(state, player.act((), observation, legal, key))


# ---- Meshes -------------------------------------------------------------------------------------


def mesh_of(kind):
    return jax.make_mesh((2,), ("deals",), axis_types=(kind,), devices=jax.devices()[:2])


def play(game, key):
    """Return the first loop of README.md."""

    def turn(state, step):
        return game.step(state, game.legal_actions(state).sample(key, step)), None

    steps = jnp.arange(game.max_steps)
    return game.points(jax.lax.scan(turn, game.init(key), steps)[0])


def spread(mesh, function, number=1):
    return jax.shard_map(function, mesh=mesh, in_specs=(P("deals"),) * number, out_specs=P("deals"))


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("id", by_speed(PRESETS))
def test_loops_and_sampling_run_in_shard_map_with_its_defaults(id):
    game, keys = jaxcards.make(id), jax.random.split(jax.random.key(0), 4)
    mesh = mesh_of(AxisType.Auto)
    jax.jit(spread(mesh, jax.vmap(lambda key: play(game, key)))).trace(keys)
    states = jax.eval_shape(jax.vmap(game.init), keys)
    sample = jax.vmap(lambda key, state: game.determinize(key, state, state.current_player))
    jax.jit(spread(mesh, sample, 2)).trace(keys, states)


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("id", by_speed(registry.defaults()))
def test_loops_run_on_a_mesh_with_explicit_axes(id):
    game, mesh = jaxcards.make(id), mesh_of(AxisType.Explicit)
    keys = jax.random.split(jax.random.key(0), 4)
    with jax.set_mesh(mesh):
        spread_keys = jax.device_put(keys, NamedSharding(mesh, P("deals")))
        jax.jit(jax.vmap(lambda key: play(game, key))).trace(spread_keys)
        states = jax.eval_shape(jax.vmap(game.init), spread_keys)
        assert {leaf.sharding.spec for leaf in jax.tree.leaves(states)} == {P("deals")}
        look = jax.vmap(lambda state: game.features(game.observe(state, state.current_player)))
        jax.jit(look).trace(states)


@pytest.mark.slow
def test_meshes_change_no_result():
    keys = jax.random.split(jax.random.key(4), 8)
    one = jax.vmap(lambda key: play(SMALL, key))
    expected = quick_jit(one)(keys)
    np.testing.assert_array_equal(quick_jit(spread(mesh_of(AxisType.Auto), one))(keys), expected)
    mesh = mesh_of(AxisType.Explicit)
    with jax.set_mesh(mesh):
        points = quick_jit(one)(jax.device_put(keys, NamedSharding(mesh, P("deals"))))
    np.testing.assert_array_equal(points, expected)


@pytest.mark.slow
def test_a_round_that_is_known_keeps_counts_unbatched():
    """The loops of whole rounds carry one count for all deals; see `loops.play`."""
    keys = jax.random.split(jax.random.key(0), 2)

    def count(round):
        return jax.vmap(lambda key: SMALL.init(key, round).public.num_played, out_axes=None)(keys)

    assert count(0) == 0
    with pytest.raises(ValueError, match="batched"):
        count(None)


# ---- Buffers ------------------------------------------------------------------------------------


def buffers(state):
    return [leaf.unsafe_buffer_pointer() for leaf in jax.tree.leaves(state)]


@pytest.mark.parametrize("id", by_speed(registry.defaults()))
def test_every_leaf_of_a_first_state_has_a_buffer_of_its_own(id):
    game, key = jaxcards.make(id), jax.random.key(1)
    first = game.init(key)
    deck = np.random.default_rng(0).permutation(game.deck.num_cards)
    facts = {name: fact.lowest for name, fact in game.opening_facts.items() if fact.drawn}
    states = [first, game.init_from_deck(deck, 0, **facts)]
    if game.max_match_deals:
        match = Match(game)
        states += [match.init(key), match.init_from_deck(deck, 0, **facts)]
        states.append(game.next_deal(key, first, jnp.zeros(game.num_players, jnp.int32)))
    for state in states:
        assert len(set(buffers(state))) == len(buffers(state))


def test_a_first_state_can_be_donated():
    step = jax.jit(SMALL.step, donate_argnums=0)
    state = SMALL.init(jax.random.key(0))
    action = SMALL.legal_actions(state).nth(jnp.uint32(0))
    expected = jax.device_get(jax.jit(SMALL.step)(state, action))
    after = step(state, action)
    assert any(leaf.is_deleted() for leaf in jax.tree.leaves(state))
    assert jax.tree.all(jax.tree.map(np.array_equal, jax.device_get(after), expected))


def test_only_leaves_that_share_a_buffer_are_copied():
    one, two = jnp.uint32(1), jnp.uint32(1)
    first, second, third = unshared((one, two, one))
    assert first is one and second is two and third is not one and int(third) == 1


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("id", by_speed(registry.defaults()))
def test_a_state_on_the_host_needs_no_conversion(id):
    """Warnings are errors here, such as that of NumPy where a word goes below 0."""
    game, key = jaxcards.make(id), jax.random.key(1)
    state = game.init(key)
    for number in range(3):
        state = jax.device_get(state)
        observation = jax.device_get(game.observe(state, state.current_player))
        game.features(observation), game.points(state)
        state = game.step(state, game.legal_actions(state).sample(key, number))
