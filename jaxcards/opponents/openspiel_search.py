"""OpenSpiel's search over information sets where OpenSpiel itself cannot sample hidden cards.

Its Skat and its Spades lack information states and `ResampleFromInfostate`. The search is the one that
OpenSpiel has in Python; this module adds both.
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
from jaxcards.cards.sets import CardSet
from jaxcards.game import Game
from jaxcards.opponents.openspiel import ONE_BY_ONE, SKAT_BID, SKAT_DEALT, SKAT_PASS, SKAT_TAKE
from jaxcards.xla import prng


class SearchBot(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's search in Spades, with worlds from `Game.sample_state` and a random rollout each.

    Args:
      theirs: the game in OpenSpiel; cards have our numbers.
      ours: the same game here. Their seat 0 is our seat 0 if the last seat deals.
      simulations: of each decision.
      seed: of all random choices.

    Attributes:
      dealt: the block of cards that gets each card, in the order in which OpenSpiel deals.
    """

    dealt: Sequence[int] = ONE_BY_ONE

    def __init__(self, theirs: Any, ours: Game, simulations: int, seed: int) -> None:
        self._source = np.random.RandomState(seed)
        # As wide as the returns, as in the search of other games.
        width = theirs.max_utility() - theirs.min_utility()
        rollouts = _Rollouts(ours.num_players, seed)
        super().__init__(theirs, rollouts, width, simulations, random_state=self._source)
        self._ours, self._draw = ours, _worlds(ours, simulations)
        self._worlds: Iterator[tuple[list[int], list[int]]] = iter(())
        # Places in the order of dealing, block by block.
        self._places = np.argsort(self.dealt, kind="stable")
        self._blocks = [np.flatnonzero(np.array(self.dealt) == block).tolist() for block in range(4)]

    def get_state_key(self, state: Any) -> Any:
        """Return the player to act, the cards dealt to it, and all actions since the deal."""
        player, history = state.current_player(), state.history()
        return player, self.block(history, player), *history[len(self.dealt) :]

    def step(self, state: Any) -> int:
        history, actions = state.history(), np.full(self._ours.max_steps, IDLE, np.int32)
        made = self.to_ours(history[len(self.dealt) :])
        actions[: len(made)] = made
        deck, player = np.array(history)[self._places], np.int32(state.current_player())
        words = self._source.randint(0, 2**31, 2).astype(np.uint32)
        masks, buried = map(np.asarray, self._draw(words, deck, actions, player))
        # The cards of each block, ascending; then in the order of dealing.
        cards = np.zeros((len(masks), len(deck)), int)
        cards[:, self._places] = np.nonzero(masks)[2].reshape(cards.shape)
        discards = [np.flatnonzero(mask).tolist() for mask in buried]
        self._worlds = iter(list(zip(cards.tolist(), discards, strict=True)))
        return int(super().step(state))

    def resample_from_infostate(self, state: Any) -> Any:
        """Return the next world."""
        world, (cards, discards) = self._game.new_initial_state(), next(self._worlds)
        made = self.with_discards(state, state.history()[len(cards) :], discards)
        for action in (*cards, *made):
            world.apply_action(action)
        return world

    def block(self, history: Sequence[int], number: int) -> frozenset[int]:
        """Return the cards dealt to a block."""
        return frozenset(map(history.__getitem__, self._blocks[number]))

    def to_ours(self, actions: Sequence[int]) -> Sequence[int]:
        """Return our numbers of the actions since the deal."""
        return actions

    def with_discards(self, state: Any, actions: list[int], discards: list[int]) -> list[int]:
        """Return the actions since the deal in a world with other discards."""
        return actions


class SkatBot(SearchBot):
    """OpenSpiel's search in Skat, whose declarer names the game before it discards."""

    dealt = SKAT_DEALT

    def get_state_key(self, state: Any) -> Any:
        """Return the player to act, the cards that it got, and the actions that it saw."""
        player, history = state.current_player(), state.history()
        actions = history[len(self.dealt) :]
        game = _place_of_game(actions)
        if player == game < len(actions):
            # Only the declarer has seen the skat and its discards.
            return player, self.block(history, player), self.block(history, 3), *actions
        # For the others, the two discards behind the named game are left out.
        return player, self.block(history, player), *actions[: game + 1], *actions[game + 3 :]

    def to_ours(self, actions: Sequence[int]) -> Sequence[int]:
        game = _place_of_game(actions)
        passes, discards, cards = actions[:game], actions[game + 1 : game + 3], actions[game + 3 :]
        if game == len(actions):
            return passes
        # Ours names the game after the discards. Its number is larger by 2.
        named = [actions[game] + 2] if len(discards) == 2 else []
        return [*passes, SKAT_BID, SKAT_TAKE, *discards, *named, *cards]

    def with_discards(self, state: Any, actions: list[int], discards: list[int]) -> list[int]:
        game = _place_of_game(actions)
        if state.current_player() == game:
            return actions
        return [*actions[: game + 1], *discards, *actions[game + 3 :]]


def _place_of_game(actions: Sequence[int]) -> int:
    """Return the place of the first action after the passes, which is also its player."""
    return next((place for place, action in enumerate(actions) if action != SKAT_PASS), len(actions))


class _Rollouts:
    """An evaluator of OpenSpiel: a random rollout in C++, and equal priors."""

    def __init__(self, seats: int, seed: int) -> None:
        self._source = np.random.RandomState(seed)
        self._bots = [pyspiel.make_uniform_random_bot(seat, seed) for seat in range(seats)]

    def evaluate(self, state: Any) -> Sequence[float]:
        seed = int(self._source.randint(2**31))
        returns: Sequence[float] = pyspiel.evaluate_bots(state, self._bots, seed)
        return returns

    def prior(self, state: Any) -> list[tuple[int, float]]:
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


@functools.lru_cache(maxsize=8)
def _worlds(game: Any, number: int) -> Any:
    """Compile a function that draws worlds: their blocks of cards, and their discards.

    Its arguments are two random words, the deck, all actions (then `IDLE`), and the player. It returns
    bool[number, blocks, cards] and bool[number, cards].
    """

    def draw(
        words: jax.Array, deck: jax.Array, actions: jax.Array, player: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        start = game.init_from_deck(deck, game.num_players - 1)
        state, _ = jax.lax.scan(lambda one, action: (game.step(one, action), None), start, actions)
        seen = game.observe(state, player)

        def world(index: jax.Array) -> tuple[jax.Array, jax.Array]:
            state = game.sample_state(jnp.stack(prng.fold((words[0], words[1]), index)), seen)
            blocks = jnp.stack([block.mask() for block in game.blocks_of(state)])
            return blocks, getattr(state, "buried", CardSet.empty(game.deck)).mask()

        return jax.vmap(world)(jnp.arange(number, dtype=jnp.uint32))

    return xla.jit(draw)
