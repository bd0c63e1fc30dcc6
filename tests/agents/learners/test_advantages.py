"""Turn-based advantages against a slow oracle that follows their definition player by player."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.agents.learners.advantages import turn_based_advantages


def oracle(
    rewards: np.ndarray,
    players: np.ndarray,
    values: np.ndarray,
    decides: np.ndarray,
    discount: float,
    gae_lambda: float,
    next_values: np.ndarray | None = None,
) -> np.ndarray:
    """Advantages of one deal: for each player the list of its turns, then the sum of its errors.

    If the deal goes on after these steps, `next_values` has the value of each player's next turn.
    """
    steps, num_players = rewards.shape
    advantages = np.zeros(steps)
    for player in range(num_players):
        turns = [t for t in range(steps) if decides[t] and players[t] == player]
        errors = []
        for number, turn in enumerate(turns):
            last = number + 1 == len(turns)
            until = steps if last else turns[number + 1]
            received = rewards[turn:until, player].sum()
            following = values[until] if not last else 0.0
            if last and next_values is not None:
                following = next_values[player]
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
    found = np.asarray(turn_based_advantages(*map(jnp.asarray, deals), discount, gae_lambda))
    rewards, players, values, decides = deals
    for deal in range(rewards.shape[1]):
        expected = oracle(
            rewards[:, deal], players[:, deal], values[:, deal], decides[:, deal], discount, gae_lambda
        )
        np.testing.assert_allclose(found[:, deal], expected, atol=2e-5)


def test_steps_that_are_no_turns_get_none() -> None:
    rewards, players, values, decides = random_deals(np.random.default_rng(1), "fixed")
    found = turn_based_advantages(*map(jnp.asarray, (rewards, players, values, decides)), 1.0, 0.95)
    assert (np.asarray(found)[~decides] == 0).all()


def test_full_returns_credit_all_later_rewards() -> None:
    """With lambda = discount = 1 and no values, an advantage is all that is still to come."""
    rewards, players, values, decides = random_deals(np.random.default_rng(2), "alone")
    found = turn_based_advantages(
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
    batched = turn_based_advantages(*map(jnp.asarray, deals), 1.0, 0.9)
    single = jax.vmap(lambda *deal: turn_based_advantages(*deal, 1.0, 0.9), in_axes=1, out_axes=1)(
        *map(jnp.asarray, deals)
    )
    np.testing.assert_allclose(batched, single, atol=1e-6)


@pytest.mark.parametrize("sides", ["fixed", "dependent", "alone"])
@pytest.mark.parametrize(("discount", "gae_lambda"), [(1.0, 0.95), (0.97, 0.8), (1.0, 0), (0.9, 1)])
def test_a_window_of_several_deals_equals_the_oracle_on_each_of_them(sides, discount, gae_lambda):
    rng = np.random.default_rng(4)
    deals = rewards, players, values, decides = random_deals(rng, sides)
    terminated = rng.random(decides.shape) < 0.1
    terminated[-1, :32] = True  # these lanes end with a deal, the others in the middle of one
    terminated[-1, 32:] = False
    next_values = rng.normal(size=(64, 4)).astype(np.float32)
    found = turn_based_advantages(
        *map(jnp.asarray, deals),
        discount,
        gae_lambda,
        terminated=jnp.asarray(terminated),
        next_values=jnp.asarray(next_values),
    )
    for lane in range(64):
        ends = [*np.flatnonzero(terminated[:, lane]) + 1, len(terminated)]
        start = 0
        for end in ends:
            own = slice(start, end), lane
            goes_on = end == len(terminated) and not terminated[-1, lane]
            after = next_values[lane] if goes_on else None
            parts = rewards[own], players[own], values[own], decides[own]
            expected = oracle(*parts, discount, gae_lambda, after)
            np.testing.assert_allclose(np.asarray(found)[own], expected, atol=2e-5)
            start = end


def test_windows_with_values_of_what_follows_equal_one_long_window():
    """With lambda = 0 a window may be cut anywhere, if each player's next value is known."""
    deals = rewards, players, values, decides = random_deals(np.random.default_rng(5), "alone")
    whole = np.asarray(turn_based_advantages(*map(jnp.asarray, deals), 0.9, 0.0))
    cut, lanes = 20, np.arange(64)
    next_values = np.zeros((64, 4), np.float32)
    received = np.zeros((64, 4), np.float32)
    for player in range(4):
        turns = decides[cut:] & (players[cut:] == player)
        first = np.where(turns.any(0), turns.argmax(0), len(turns))
        for lane in lanes:
            received[lane, player] = rewards[cut : cut + first[lane], lane, player].sum()
            if turns[:, lane].any():
                next_values[lane, player] = values[cut + first[lane], lane]
    parts = [jnp.asarray(x[:cut]) for x in deals]
    to_come = jnp.asarray(next_values + received / 0.9)
    found = turn_based_advantages(*parts, 0.9, 0.0, next_values=to_come)
    np.testing.assert_allclose(found, whole[:cut], atol=2e-5)
