"""Functions of features as jaxcards agents: networks that were trained in other libraries.

A policy of pgx maps a batch of observations to logits and a value; one of PureJaxRL maps it to a
distribution and a value. A `PolicyAgent` makes both available at our tables and in our evaluations.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.networks import masking
from jaxcards.agents.networks.encoding import Encoding
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.features import unpack
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.interop.turns import legal_one
from jaxcards.xla import prng


@dataclasses.dataclass(frozen=True)
class PolicyAgent:
    """A player by a function of features.

    Attributes:
      game: the game, or match, whose features and actions the function was made for.
      function: `function(params, observation)` with float32[1, inputs] returns logits, float32[1,
        num_actions]; or an object with an attribute `logits`, such as a distribution of distrax; or a
        tuple that begins with one of the two, such as (logits, value). Actions have the names of the
        features; see `interop.turns`.
      greedy: play the most likely legal action; otherwise draw from the policy.
      with_mask: the inputs are the features and then the mask, as in the gymnax adapter.
      masked: illegal actions are left out of the policy. If False, the policy may choose one, and a
        legal one replaces it (`turns.legal_one`), as in the adapters of gymnasium and gymnax. Use False
        for a policy that was trained there without a mask.
    """

    game: Game
    function: Callable[[Any, jax.Array], Any]
    greedy: bool = True
    with_mask: bool = False
    masked: bool = True

    def init(self, key: jax.Array, game: Game) -> Any:
        """Raise `UserError`: the training framework has the parameters."""
        raise UserError("a PolicyAgent cannot make parameters: pass those of its function")

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        encoding = Encoding(self.game)
        words = self.game.feature_words(observation)
        features = unpack(words, self.game.num_features, jnp.float32)
        named = encoding.legal(observation, legal)
        mask = named.mask()
        inputs = jnp.concatenate([features, mask]) if self.with_mask else features
        logits = self._logits(self.function(params, inputs[None]))
        allowed = mask if self.masked else jnp.ones_like(mask)
        log_probability = masking.log_probabilities(logits, allowed)
        if self.greedy:
            action = log_probability.argmax(-1).astype(jnp.int32)
        else:
            action = masking.sample(log_probability, prng.uniform(prng.first_word(key)))
        return encoding.action(observation, legal_one(named, action))

    def _logits(self, found: Any) -> jax.Array:
        """Return the logits from the function's result: float32[num_actions].

        Raises:
          UserError: if the result has no logits of this size.
        """
        found = found[0] if isinstance(found, tuple) else found
        logits = jnp.asarray(getattr(found, "logits", found))
        if logits.shape != (1, self.game.num_actions):
            raise UserError(
                f"the policy must give logits of shape [1, {self.game.num_actions}] for "
                f"{self.game.id or self.game.name}, not {list(logits.shape)}"
            )
        return logits[0]
