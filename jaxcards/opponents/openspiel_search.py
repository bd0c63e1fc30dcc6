"""OpenSpiel's search over information sets where OpenSpiel itself cannot sample hidden cards: Spades.

Its Spades lacks information states and `ResampleFromInfostate`. The search is the one that OpenSpiel
has in Python; this module adds both.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts

from jaxcards import xla
from jaxcards.cards.actions import IDLE
from jaxcards.game import Game
from jaxcards.xla import prng

_CARDS, _SEATS = 52, 4


class SearchBot(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's search, with worlds from `Game.sample_state` and a random rollout each.

    Args:
      theirs: the game in OpenSpiel: 52 cards dealt round the table, then actions with our numbers.
      ours: the same game here. Their seat 0 is our seat 0 if seat 3 deals.
      simulations: of each decision.
      seed: of all random choices.
    """

    def __init__(self, theirs: Any, ours: Game, simulations: int, seed: int) -> None:
        self._source = np.random.RandomState(seed)
        # As wide as the returns, as in the search of other games.
        width = theirs.max_utility() - theirs.min_utility()
        super().__init__(theirs, _Rollouts(seed), width, simulations, random_state=self._source)
        self._ours, self._draw = ours, _worlds(ours, simulations)
        self._worlds: Iterator[list[int]] = iter(())

    def get_state_key(self, state: Any) -> Any:
        """Return the player to act, the cards dealt to it, and all actions since the deal."""
        player, history = state.current_player(), state.history()
        return player, frozenset(history[player:_CARDS:_SEATS]), tuple(history[_CARDS:])

    def step(self, state: Any) -> int:
        history, actions = state.history(), np.full(self._ours.max_steps, IDLE, np.int32)
        actions[: len(history) - _CARDS] = history[_CARDS:]
        deck = [card for seat in range(_SEATS) for card in history[seat:_CARDS:_SEATS]]
        words = self._source.randint(0, 2**31, 2).astype(np.uint32)
        masks = np.asarray(self._draw(words, np.array(deck), actions, np.int32(state.current_player())))
        # The cards of each hand, ascending; then card by card round the table.
        hands = np.nonzero(masks)[2].reshape(len(masks), _SEATS, -1)
        self._worlds = iter(hands.transpose(0, 2, 1).reshape(len(masks), _CARDS).tolist())
        return int(super().step(state))

    def resample_from_infostate(self, state: Any) -> Any:
        """Return the next world."""
        world = self._game.new_initial_state()
        for action in (*next(self._worlds), *state.history()[_CARDS:]):
            world.apply_action(action)
        return world


class _Rollouts:
    """An evaluator of OpenSpiel: a random rollout in C++, and equal priors."""

    def __init__(self, seed: int) -> None:
        self._source = np.random.RandomState(seed)
        self._bots = [pyspiel.make_uniform_random_bot(seat, seed) for seat in range(_SEATS)]

    def evaluate(self, state: Any) -> Sequence[float]:
        seed = int(self._source.randint(2**31))
        returns: Sequence[float] = pyspiel.evaluate_bots(state, self._bots, seed)
        return returns

    def prior(self, state: Any) -> list[tuple[int, float]]:
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


@functools.lru_cache(maxsize=8)
def _worlds(game: Game, number: int) -> Any:
    """Compile a function that draws worlds: their hands, bool[number, 4, 52].

    Its arguments are two random words, the deck, all actions (then `IDLE`), and the player.
    """

    def draw(words: jax.Array, deck: jax.Array, actions: jax.Array, player: jax.Array) -> jax.Array:
        start = game.init_from_deck(deck, _SEATS - 1)
        state, _ = jax.lax.scan(lambda one, action: (game.step(one, action), None), start, actions)
        seen = game.observe(state, player)

        def hands(index: jax.Array) -> jax.Array:
            world = game.sample_state(jnp.stack(prng.fold((words[0], words[1]), index)), seen)
            return jnp.stack([hand.mask() for hand in world.hands])

        return jax.vmap(hands)(jnp.arange(number, dtype=jnp.uint32))

    return xla.jit(draw)
