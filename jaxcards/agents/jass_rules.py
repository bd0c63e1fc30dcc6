"""A Jass player that follows rules of thumb: the yardstick of learning."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.actions import ActionSet
from jaxcards.agents import jass_bidding, jass_play, jass_view
from jaxcards.cards import CardSet
from jaxcards.game import Game
from jaxcards.games.jass.deck import DECK, NO_TRUMP
from jaxcards.games.jass.observation import Observation
from jaxcards.games.jass.rules import JassRules


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
        rules = self.rules
        card_bits = (1 << DECK.word_bits) - 1
        playable = CardSet(DECK, [word & card_bits for word in legal.words[: DECK.num_words]])
        view = jass_view.view(observation, playable)
        if rules.game == "differenzler":
            card = jass_play.choose_card(rules, jass_play.ALONE, observation, view)
            call = jass_bidding.choose_prediction(rules, observation)
        else:
            trumps = observation.mode < NO_TRUMP
            weights = jax.tree.map(
                lambda a, b: jnp.where(trumps, a, b), jass_play.TRUMPS, jass_play.NO_TRUMPS
            )
            card = jass_play.choose_card(rules, weights, observation, view)
            call = jass_bidding.choose_mode(rules, observation)
        return jnp.where(playable.any(), card, call)
