"""A Jass player that follows rules of thumb: the yardstick of learning."""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.actions import ActionSet
from jaxcards.agents import jass_bidding, jass_play, jass_view
from jaxcards.game import Game
from jaxcards.games.jass.deck import DECK, NO_TRUMP
from jaxcards.games.jass.observation import Observation
from jaxcards.games.jass.rules import JassRules


class Weights(NamedTuple):
    """All numbers of the player but the tables of its estimates.

    Attributes:
      trumps, no_trumps: the choice of a card with a trump suit, and without one.
      alone: the same in Differenzler.
    """

    trumps: jass_play.Weights
    no_trumps: jass_play.Weights
    alone: jass_play.Weights


WEIGHTS = Weights(jass_play.TRUMPS, jass_play.NO_TRUMPS, jass_play.ALONE)


@dataclasses.dataclass(frozen=True)
class JassRulesAgent:
    """Plays Schieber, slalom and Differenzler as a club player would. Deterministic.

    It estimates what its hand is worth in every mode and chooses the best or pushes
    (`jass_bidding`), and plays the card of the greatest worth (`jass_play`).

    Attributes:
      rules: the rules that are played.
    """

    rules: JassRules

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """See `Agent.act`; neither `params` nor `key` is used."""
        return choose(self.rules, WEIGHTS, observation, legal)


def choose(rules: JassRules, weights: Weights, observation: Observation, legal: ActionSet) -> jax.Array:
    """Returns the action that rules of thumb with these weights choose: int32."""
    playable = legal.cards(DECK)
    view = jass_view.view(observation, playable)
    if rules.game == "differenzler":
        card = jass_play.choose_card(rules, weights.alone, observation, view)
        call = jass_bidding.choose_prediction(rules, observation)
    else:
        trumps = observation.mode < NO_TRUMP
        of_mode = jax.tree.map(lambda a, b: jnp.where(trumps, a, b), weights.trumps, weights.no_trumps)
        card = jass_play.choose_card(rules, of_mode, observation, view)
        call = jass_bidding.choose_mode(rules, observation)
    return jnp.where(playable.any(), card, call)
