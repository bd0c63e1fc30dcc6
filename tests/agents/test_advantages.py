"""Turn-based advantages against a slow oracle that follows their definition player by player."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.agents.advantages import turn_based


def oracle(
    rewards: np.ndarray,
    players: np.ndarray,
    values: np.ndarray,
    decides: np.ndarray,
    discount: float,
    gae_lambda: float,
) -> np.ndarray:
    """Advantages of one deal: for each player the list of its turns, then the sum of its errors."""
    steps, num_players = rewards.shape
    advantages = np.zeros(steps)
    for player in range(num_players):
        turns = [t for t in range(steps) if decides[t] and players[t] == player]
        errors = []
        for number, turn in enumerate(turns):
            last = number + 1 == len(turns)
            until = steps if last else turns[number + 1]
            received = rewards[turn:until, player].sum()
            following = 0.0 if last else values[until]
            errors.append(received + discount * following - values[turn])
        for number, turn in enumerate(turns):
            weights = (discount * gae_lambda) ** np.arange(len(turns) - number)
            advantages[turn] = (weights * errors[number:]).sum()
    return advantages


def random_deals(rng: np.random.Generator, sides: str) -> tuple[np.ndarray, ...]:
    """Random deals whose rewards go to sides: fixed, dependent on the deal, or to players alone."""
    steps, deals, players = 38, 64, 4
    gain = rng.normal(size=(steps, deals)) * (rng.random((steps, deals)) < 0.3)
    if sides == "fixed":
        side = np.broadcast_to([1, -1, 1, -1], (deals, players))
    elif sides == "dependent":  # a declarer and a partner against the rest, others in every deal
        side = np.where(rng.random((deals, players)) < 0.4, 1, -1)
    else:
        side = rng.normal(size=(deals, players))
    rewards = gain[:, :, None] * side[None]
    return (
        rewards.astype(np.float32),
        rng.integers(players, size=(steps, deals)).astype(np.int32),
        rng.normal(size=(steps, deals)).astype(np.float32),
        rng.random((steps, deals)) < 0.75,
    )


@pytest.mark.parametrize("sides", ["fixed", "dependent", "alone"])
@pytest.mark.parametrize(("discount", "gae_lambda"), [(1.0, 0.95), (0.97, 0.8), (1.0, 0), (0.9, 1)])
def test_equals_the_oracle(sides: str, discount: float, gae_lambda: float) -> None:
    deals = random_deals(np.random.default_rng(0), sides)
    found = np.asarray(turn_based(*map(jnp.asarray, deals), discount, gae_lambda))
    rewards, players, values, decides = deals
    for deal in range(rewards.shape[1]):
        expected = oracle(
            rewards[:, deal], players[:, deal], values[:, deal], decides[:, deal], discount, gae_lambda
        )
        np.testing.assert_allclose(found[:, deal], expected, atol=2e-5)


def test_steps_that_are_no_turns_get_none() -> None:
    rewards, players, values, decides = random_deals(np.random.default_rng(1), "fixed")
    found = turn_based(*map(jnp.asarray, (rewards, players, values, decides)), 1.0, 0.95)
    assert (np.asarray(found)[~decides] == 0).all()


def test_full_returns_credit_all_later_rewards() -> None:
    """With lambda = discount = 1 and no values, an advantage is all that is still to come."""
    rewards, players, values, decides = random_deals(np.random.default_rng(2), "alone")
    found = turn_based(
        jnp.asarray(rewards),
        jnp.asarray(players),
        jnp.zeros(values.shape),
        jnp.asarray(decides),
        1.0,
        1.0,
    )
    to_come = np.flip(np.cumsum(np.flip(rewards, 0), 0), 0)
    expected = np.take_along_axis(to_come, players[..., None], -1)[..., 0]
    np.testing.assert_allclose(np.asarray(found)[decides], expected[decides], atol=2e-5)


def test_single_equals_batched() -> None:
    deals = random_deals(np.random.default_rng(3), "dependent")
    batched = turn_based(*map(jnp.asarray, deals), 1.0, 0.9)
    single = jax.vmap(lambda *deal: turn_based(*deal, 1.0, 0.9), in_axes=1, out_axes=1)(
        *map(jnp.asarray, deals)
    )
    np.testing.assert_allclose(batched, single, atol=1e-6)
