"""Masked distributions: right where a plain softmax is right, and never a NaN."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.agents.networks import masking

ACTIONS = 43


def _loss(logits: jax.Array, mask: jax.Array) -> jax.Array:
    """All that training takes from a distribution: chosen log-probability and entropy."""
    log_probability = masking.log_probabilities(logits, mask)
    chosen = log_probability.max(-1)
    other = masking.log_probabilities(-logits, mask)
    apart = masking.divergence(log_probability, other) + masking.divergence(other, log_probability)
    return chosen.sum() + 0.01 * (masking.entropy(log_probability).sum() + apart.sum())


_value_and_gradient = jax.jit(jax.value_and_grad(_loss))


def _check_finite(logits: jax.Array, mask: jax.Array) -> None:
    value, gradient = _value_and_gradient(logits, mask)
    assert np.isfinite(float(value))
    assert np.isfinite(np.asarray(gradient, np.float32)).all()
    # Rows without a legal action count as rows where all are legal.
    illegal = ~np.asarray(masking.effective(mask))
    assert (np.asarray(gradient, np.float32)[illegal] == 0).all()


def test_equals_softmax_over_the_legal_actions() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(500, ACTIONS)).astype(np.float32)
    mask = rng.random((500, ACTIONS)) < 0.3
    mask[:, 0] = True
    found = np.exp(np.asarray(masking.log_probabilities(jnp.asarray(logits), jnp.asarray(mask))))
    entropy = np.asarray(masking.entropy(masking.log_probabilities(logits, mask)))
    for row in range(500):
        exact = np.exp(logits[row, mask[row]].astype(np.float64))
        exact /= exact.sum()
        np.testing.assert_allclose(found[row, mask[row]], exact, rtol=1e-5)
        assert (found[row, ~mask[row]] == 0).all()
        np.testing.assert_allclose(entropy[row], -(exact * np.log(exact)).sum(), atol=1e-5)


def test_divergence_is_that_of_the_legal_actions() -> None:
    rng = np.random.default_rng(2)
    logits = rng.normal(size=(2, 200, ACTIONS)).astype(np.float32)
    mask = rng.random((200, ACTIONS)) < 0.3
    mask[:, 0] = True
    own, other = (masking.log_probabilities(part, mask) for part in logits)
    found = np.asarray(masking.divergence(own, other))
    for row in range(200):
        p, q = (np.asarray(part, np.float64)[row, mask[row]] for part in (own, other))
        np.testing.assert_allclose(found[row], (np.exp(p) * (p - q)).sum(), atol=1e-5)
    np.testing.assert_array_equal(masking.divergence(own, own), 0)
    assert (found >= -1e-6).all() and found.max() > 1


@pytest.mark.parametrize("size", [1.0, 1e9, -1e9, 3e38])
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16])
def test_no_nan_at_huge_logits(size: float, dtype: jnp.dtype) -> None:
    rng = np.random.default_rng(1)
    logits = jnp.asarray(rng.choice([size, 0.0, -size], (200, ACTIONS)), dtype)
    mask = jnp.asarray(rng.random((200, ACTIONS)) < 0.2)
    _check_finite(logits, mask)


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16])
def test_one_legal_action_is_certain_and_has_no_gradient(dtype: jnp.dtype) -> None:
    mask = jnp.eye(ACTIONS, dtype=bool)
    logits = jnp.full((ACTIONS, ACTIONS), -1e9, dtype)
    _check_finite(logits, mask)
    log_probability = masking.log_probabilities(logits, mask)
    assert (np.asarray(log_probability)[np.eye(ACTIONS, dtype=bool)] == 0).all()
    _, gradient = _value_and_gradient(logits, mask)
    assert (np.asarray(gradient, np.float32) == 0).all()


def test_no_legal_action_counts_as_all() -> None:
    mask = jnp.zeros((3, ACTIONS), bool)
    log_probability = masking.log_probabilities(jnp.zeros((3, ACTIONS)), mask)
    np.testing.assert_allclose(log_probability, -np.log(ACTIONS), rtol=1e-5)
    _check_finite(jnp.zeros((3, ACTIONS)), mask)


@pytest.mark.slow
def test_a_million_random_masks() -> None:
    """The test has the rows of a long training run, of every density."""

    @jax.jit
    def finite(key: jax.Array) -> jax.Array:
        keys = jax.random.split(key, 3)
        density = jax.random.uniform(keys[0], (50_000, 1)) ** 2
        mask = jax.random.uniform(keys[1], (50_000, ACTIONS)) < density
        logits = 50 * jax.random.normal(keys[2], (50_000, ACTIONS))
        value, gradient = jax.value_and_grad(_loss)(logits, mask)
        return jnp.isfinite(value) & jnp.isfinite(gradient).all()

    for key in jax.random.split(jax.random.key(2), 20):
        assert bool(finite(key))


def test_sampling_follows_the_distribution_and_the_mask() -> None:
    rng = np.random.default_rng(3)
    logits = jnp.asarray(rng.normal(size=ACTIONS) * 2, jnp.float32)
    mask = jnp.asarray(rng.random(ACTIONS) < 0.3)
    log_probability = masking.log_probabilities(logits, mask)
    uniform = (np.arange(100_000) + 0.5) / 100_000
    rows = jnp.broadcast_to(log_probability, (100_000, ACTIONS))
    drawn = np.asarray(jax.jit(masking.sample)(rows, jnp.asarray(uniform, jnp.float32)))
    share = np.bincount(drawn, minlength=ACTIONS) / 100_000
    np.testing.assert_allclose(share, np.exp(log_probability), atol=2e-4)
    assert (share[~np.asarray(mask)] == 0).all()


def test_sampling_at_the_edges_stays_legal() -> None:
    mask = np.zeros((2 * ACTIONS, ACTIONS), bool)
    mask[np.arange(2 * ACTIONS), np.arange(2 * ACTIONS) % ACTIONS] = True
    log_probability = masking.log_probabilities(jnp.zeros(mask.shape), jnp.asarray(mask))
    edges = jnp.asarray([0.0] * ACTIONS + [1 - 2**-24] * ACTIONS, jnp.float32)
    drawn = np.asarray(masking.sample(log_probability, edges))
    assert (drawn == np.arange(2 * ACTIONS) % ACTIONS).all()


def test_epsilon_greedy_is_the_best_action_or_any():
    values = jnp.array([[1.0, 5.0, 3.0, 9.0], [jnp.nan, 2.0, 1.0, 0.0], [0.0, 0.0, 0.0, 7.0]])
    mask = jnp.array([[True, True, True, False], [False, True, True, True], [False] * 4])
    chance = np.exp(masking.epsilon_greedy(values, mask, jnp.float32(0.3)))
    expected = [[0.1, 0.8, 0.1, 0], [0, 0.8, 0.1, 0.1], [0.075, 0.075, 0.075, 0.775]]
    np.testing.assert_allclose(chance, expected, atol=1e-6)
    sure = np.asarray(masking.epsilon_greedy(values, mask, jnp.float32(0)))
    assert np.isfinite(sure).all() and sure.argmax(-1).tolist() == [1, 1, 3]
    np.testing.assert_allclose(np.exp(sure).sum(-1), 1, atol=1e-6)
