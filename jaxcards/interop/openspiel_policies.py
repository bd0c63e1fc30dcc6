"""Policies of OpenSpiel's form as jaxcards agents. Does not need OpenSpiel.

A policy is an object with `action_probabilities(state, player_id=None)`, which returns a dict from
actions to probabilities: OpenSpiel's `policy.Policy`, such as the average policy of a CFR solver. It
runs on the host, for one decision at a time.
"""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.networks import masking
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.interop.openspiel_programs import Knowledge, knowledge, to_text
from jaxcards.xla import prng


class SeenState:
    """The state that a policy sees: one of a game of `interop.openspiel`, limited to one player.

    It has the members that policies read of a state, and nothing that is hidden from the player.
    """

    def __init__(self, game: Game, known: Knowledge, mask: np.ndarray) -> None:
        self._game, self._known, self._mask = game, known, mask

    def current_player(self) -> int:
        """Return the player to act, who is the observing player."""
        return int(self._known.player)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions, ascending."""
        return np.flatnonzero(self._mask).tolist()

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Return 1 for each legal action, and 0 for others."""
        return self._mask.astype(int).tolist()

    def information_state_string(self, player: int | None = None) -> str:
        """Return the information state, as in `interop.openspiel`."""
        self._check(player)
        return to_text(self._game, self._known)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return the information state as numbers, as in `interop.openspiel`."""
        self._check(player)
        return np.asarray(self._known.tensor).tolist()

    observation_string = information_state_string
    observation_tensor = information_state_tensor

    def action_to_string(self, player: int, action: int) -> str:
        """Return the name of an action."""
        return self._game.action_to_string(action)

    def is_terminal(self) -> bool:
        """Return False: the deal is not over."""
        return False

    def is_chance_node(self) -> bool:
        """Return False: a player is to act."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Return False: one player is to act."""
        return False

    def num_players(self) -> int:
        """Return the number of players."""
        return self._game.num_players

    def num_distinct_actions(self) -> int:
        """Return the number of actions."""
        return self._game.num_actions

    def _check(self, player: int | None) -> None:
        if player not in (None, self.current_player()):
            raise UserError(
                f"player {self.current_player()} is to act and cannot see what player {player} sees"
            )


@dataclasses.dataclass(frozen=True, eq=False)
class OpenSpielAgent:
    """A player by a policy of OpenSpiel's form, for a game of `interop.openspiel` of the same rules.

    Its parameters are (). Agents are compared by identity.

    Attributes:
      game: the game of single deals.
      policy: has `action_probabilities(state, player_id=None)`; it is called with a `SeenState`.
    """

    game: Game
    policy: Any

    def __post_init__(self) -> None:
        if not callable(getattr(self.policy, "action_probabilities", None)):
            raise UserError(
                "a policy of OpenSpiel needs action_probabilities(state), but "
                f"{type(self.policy).__name__} lacks it"
            )

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        mask = legal.mask()
        shape = jax.ShapeDtypeStruct(mask.shape, jnp.float32)
        known = knowledge(self.game, observation)
        # In order and one at a time: policies are not pure functions of arrays.
        chances = jax.pure_callback(self._ask, shape, known, mask, vmap_method="sequential")
        # `where` computes both sides: the limit keeps the logarithm of 0 away.
        log_probability = jnp.where(chances > 0, jnp.log(jnp.maximum(chances, 1e-30)), -jnp.inf)
        logits = masking.log_probabilities(log_probability, mask & (chances > 0))
        return masking.sample(logits, prng.uniform(prng.first_word(key)))

    def _ask(self, known: Knowledge, mask: Any) -> np.ndarray:
        known = jax.tree.map(np.asarray, known)
        legal = np.asarray(mask)
        state = SeenState(self.game, known, legal)
        found = np.zeros(legal.shape, np.float32)
        for action, chance in self.policy.action_probabilities(state).items():
            found[int(action)] = chance
        found = np.where(legal, found, 0)
        # After the end every action is legal, and policies do not know the state.
        return found if found.sum() > 0 else legal.astype(np.float32)
