"""The Belote heuristic: a rule-of-thumb player that serves as a baseline for learners."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.base import HeuristicAgent
from jaxcards.agents.heuristics.belote import bidding, playing
from jaxcards.agents.heuristics.belote.view import view_of
from jaxcards.agents.heuristics.weights import float32
from jaxcards.agents.heuristics.worth import Weights as CardWeights
from jaxcards.cards.actions import ActionSet
from jaxcards.games.belote.game import Belote
from jaxcards.games.belote.play import DECK, Observation
from jaxcards.games.belote.rules import BeloteRules


class Weights(NamedTuple):
    """All numbers of the player except the tables of its estimates.

    Attributes:
      calls: thresholds for calling.
      trumps, no_trump, all_trump: the choice of a card in each kind of mode.
    """

    calls: bidding.Weights
    trumps: CardWeights
    no_trump: CardWeights
    all_trump: CardWeights


WEIGHTS = Weights(bidding.WEIGHTS, playing.TRUMPS, playing.NO_TRUMPS, playing.ALL_TRUMPS)


class BeloteHeuristicAgent(HeuristicAgent[BeloteRules]):
    """A player of Bela, belote, contrée and coinche at the level of a club player. Deterministic.

    The player estimates the worth of its hand with every suit as trumps, and calls accordingly
    (`bidding`). It plays the card of the greatest worth (`playing`).
    """

    game_class = Belote

    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action; see `Agent.act`. `params` and `key` are not used."""
        return choose(self.rules, WEIGHTS, observation, legal)


def choose(
    rules: BeloteRules, weights: Weights, observation: Observation, legal: ActionSet
) -> jax.Array:
    """Return the action that the heuristic with these weights chooses: int32."""
    weights, playable = float32(weights), legal.cards(DECK)
    view = view_of(rules, observation, playable)
    of_modes = (weights.trumps, weights.no_trump, weights.all_trump)
    card = playing.choose_card(rules, of_modes, observation.public.mode, view)
    call = bidding.choose_call(rules, weights.calls, observation, legal)
    return jnp.where(playable.any(), card, call)
