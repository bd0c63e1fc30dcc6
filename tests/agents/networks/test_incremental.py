"""The incremental first layer: sums without rounding errors, in any group."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.marks import by_cost

import jaxcards
from jaxcards.agents.networks.incremental import incremental_product, rounded
from jaxcards.agents.networks.network import BitsNetwork, NetworkAgent
from jaxcards.cards.features import unpack

RNG = np.random.default_rng(0)
INPUTS, OUTPUTS, GROUPS, POSITIONS = 465, 24, 3, 40
KEY = jax.random.key(0)
KERNEL = RNG.normal(size=(INPUTS, OUTPUTS)).astype(np.float32)


def similar_positions(differing):
    """Return uint32[groups, positions, words] with this number of differing bits in all groups."""
    words = np.repeat(RNG.integers(0, 1 << 32, (GROUPS, 1, 15), dtype=np.uint32), POSITIONS, axis=1)
    for bit in RNG.permutation(INPUTS)[:differing]:
        group, positions = RNG.integers(GROUPS), RNG.random(POSITIONS) < 0.5
        positions[:2] = False, True  # the first one is what the others differ from
        words[group, positions, bit // 32] ^= np.uint32(1 << bit % 32)
    return jnp.asarray(words)


def exact(words, kernel):
    """Return the products in float64."""
    return np.asarray(unpack(words, kernel.shape[0]), np.float64) @ np.asarray(kernel, np.float64)


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("differing", by_cost([0, 1, 31, 32, 33, 96, 97, 300], {31, 32, 96, 97}))
def test_sums_have_no_rounding_errors_in_any_company(differing):
    words, kernel = similar_positions(differing), rounded(jnp.asarray(KERNEL))
    group = jax.vmap(incremental_product, in_axes=(0, None))
    found = quick.jit(jax.vmap(group, in_axes=(0, None)))(words, kernel)
    expected = exact(words, kernel)
    assert (np.asarray(found, np.float64) == expected).all()
    alone = quick.jit(group)(words[0], kernel)
    assert (np.asarray(alone) == expected[0]).all()
    assert (np.asarray(incremental_product(words[1, 2], kernel)) == expected[1, 2]).all()


def test_a_kernel_of_each_row_of_a_batch():
    words = similar_positions(5)[:, 0]
    kernels = rounded(jnp.asarray(KERNEL)) * jnp.array([1, 2, 4])[:, None, None]
    each = jax.vmap(incremental_product)
    expected = np.stack([exact(w, k) for w, k in zip(words, kernels, strict=True)])
    assert (np.asarray(quick.jit(each)(words, kernels)) == expected).all()
    shared = jax.vmap(incremental_product, in_axes=(None, 0))
    expected = np.stack([exact(words[0], kernel) for kernel in kernels])
    assert (np.asarray(quick.jit(shared)(words[0], kernels)) == expected).all()
    of_groups = jax.vmap(jax.vmap(incremental_product, in_axes=(0, None)))
    found = quick.jit(of_groups)(jnp.stack([words] * 3), kernels)
    assert (np.asarray(found) == np.stack([exact(words, k) for k in kernels])).all()


@pytest.mark.parametrize("size", [1e-6, 1, 1e4])
def test_rounding_is_slight_and_happens_once(size):
    kernel = jnp.asarray(KERNEL * np.float32(size))
    found, largest = rounded(kernel), np.abs(np.asarray(kernel, np.float64)).sum(0).max()
    off = np.abs(np.asarray(found, np.float64) - np.asarray(kernel))
    assert 0 < off.max() <= largest * 2.0**-22  # half of a step
    assert (rounded(found) == found).all()
    assert (rounded(jnp.zeros((5, 2))) == 0).all()


def test_few_differences_are_a_small_product():
    """The number of differing bits chooses the program at run time."""
    group = jax.vmap(incremental_product, in_axes=(0, None))
    program = jax.make_jaxpr(group)(jnp.zeros((POSITIONS, 15), jnp.uint32), KERNEL)
    assert factors(program.jaxpr) == [32, 96, INPUTS, INPUTS]


def factors(jaxpr):
    """Return the number of terms in each product of a program, in ascending order."""
    found = []
    for equation in jaxpr.eqns:
        if equation.primitive.name == "dot_general":
            (axis,), _ = equation.params["dimension_numbers"][0]
            found.append(equation.invars[0].aval.shape[axis])
        for inner in jax.tree.leaves(list(equation.params.values()), is_leaf=has_equations):
            if has_equations(inner):
                found += factors(getattr(inner, "jaxpr", inner))
    return sorted(found)


def has_equations(value):
    return hasattr(getattr(value, "jaxpr", value), "eqns")


@pytest.mark.slow
def test_the_policy_for_similar_positions_is_the_same_player():
    game = jaxcards.make("jass")
    agent = NetworkAgent(game, (16, 8), symmetric=True)
    params = jax.tree.map(lambda x: RNG.normal(size=x.shape).astype(np.float32), agent.init(KEY, game))
    other, own = agent.for_similar_positions(params)
    states = quick.jit(jax.vmap(game.init))(jax.random.split(KEY, 8))

    def policy(agent, params):
        def one(state):
            seen = game.observe(state, state.current_player)
            return agent.log_probabilities(params, seen, game.legal_actions(state))

        return quick.jit(jax.vmap(one))(states)

    assert not other.symmetric and isinstance(other.network, BitsNetwork)
    expected = np.asarray(policy(agent.fast_policy, params))
    np.testing.assert_allclose(policy(other, own), expected, rtol=1e-4, atol=1e-3)
    assert jax.tree.map(np.shape, own) == jax.tree.map(np.shape, params)


@pytest.mark.parametrize(
    "settings", [{"hidden": ()}, pytest.param({"precision": "bfloat16"}, marks=pytest.mark.slow)]
)
def test_other_networks_keep_their_parameters(settings):
    game = jaxcards.make("jass")
    agent = NetworkAgent(game, **{"hidden": (16,)} | settings)
    params = agent.init(KEY, game)
    other, own = agent.for_similar_positions(params)
    assert own is params and not other.network.is_incremental
