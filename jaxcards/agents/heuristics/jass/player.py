"""The Jass heuristic: a rule-of-thumb player that serves as a baseline for learners."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.base import HeuristicAgent
from jaxcards.agents.heuristics.jass import bidding, playing
from jaxcards.agents.heuristics.jass.view import missing_points, view_of
from jaxcards.agents.heuristics.weights import float32
from jaxcards.agents.heuristics.worth import Weights as CardWeights
from jaxcards.cards.actions import ActionSet
from jaxcards.games.jass.game import Jass
from jaxcards.games.jass.play import DECK, NO_TRUMP, Observation
from jaxcards.games.jass.rules import JassRules


class Weights(NamedTuple):
    """All numbers of the player except the tables of its estimates.

    Attributes:
      trumps, no_trumps: the choice of a card with a trump suit, and without one.
      alone: the same in Differenzler.
    """

    trumps: CardWeights
    no_trumps: CardWeights
    alone: CardWeights


WEIGHTS = Weights(playing.TRUMPS, playing.NO_TRUMPS, playing.ALONE)


class JassHeuristicAgent(HeuristicAgent[JassRules]):
    """A player of Schieber, slalom and Differenzler at the level of a club player. Deterministic.

    The player estimates the worth of its hand in every mode and chooses the best mode or pushes
    (`bidding`). It plays the card of the greatest worth (`playing`).
    """

    game_class = Jass

    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action; see `Agent.act`. `params` and `key` are not used."""
        return choose(self.rules, WEIGHTS, observation, legal)


def choose(rules: JassRules, weights: Weights, observation: Observation, legal: ActionSet) -> jax.Array:
    """Return the action that the heuristic with these weights chooses: int32."""
    playable = legal.cards(DECK)
    view = view_of(rules, observation, playable)
    if rules.game == "differenzler":
        card = playing.choose_toward(float32(weights.alone), view, missing_points(observation))
        call = bidding.choose_prediction(rules, observation)
    else:
        trumps = observation.public.mode < NO_TRUMP
        # The weights that matter only with trumps are equal in both sets, and need no choice.
        of_mode = jax.tree.map(
            lambda a, b: a if a is b else jnp.where(trumps, *float32((a, b))),
            weights.trumps,
            weights.no_trumps,
        )
        card = playing.choose_card(float32(of_mode), view)
        call = bidding.choose_mode(rules, observation)
    return jnp.where(playable.any(), card, call)
