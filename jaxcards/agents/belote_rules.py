"""A Belote player that follows rules of thumb: the yardstick of learning."""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.actions import ActionSet
from jaxcards.agents import belote_bidding, belote_play, belote_view
from jaxcards.game import Game
from jaxcards.games.belote.deck import DECK
from jaxcards.games.belote.observation import Observation
from jaxcards.games.belote.rules import BeloteRules


class Weights(NamedTuple):
    """All numbers of the player but the tables of its estimates.

    Attributes:
      calls: when something is called.
      trumps, no_trump, all_trump: the choice of a card in each kind of mode.
    """

    calls: belote_bidding.Weights
    trumps: belote_play.Weights
    no_trump: belote_play.Weights
    all_trump: belote_play.Weights


WEIGHTS = Weights(
    belote_bidding.WEIGHTS, belote_play.TRUMPS, belote_play.NO_TRUMPS, belote_play.ALL_TRUMPS
)


@dataclasses.dataclass(frozen=True)
class BeloteRulesAgent:
    """Plays Bela, belote, contrée and coinche as a club player would. Deterministic.

    It estimates what its hand is worth with every suit as trumps, and calls accordingly
    (`belote_bidding`); it plays the card of the greatest worth (`belote_play`).

    Attributes:
      rules: the rules that are played.
    """

    rules: BeloteRules

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """See `Agent.act`; neither `params` nor `key` is used."""
        return choose(self.rules, WEIGHTS, observation, legal)


def choose(
    rules: BeloteRules, weights: Weights, observation: Observation, legal: ActionSet
) -> jax.Array:
    """Returns the action that rules of thumb with these weights choose: int32."""
    playable = legal.cards(DECK)
    view = belote_view.view(rules, observation, playable)
    of_modes = (weights.trumps, weights.no_trump, weights.all_trump)
    card = belote_play.choose_card(rules, of_modes, observation, view)
    call = belote_bidding.choose_call(rules, weights.calls, observation, legal)
    return jnp.where(playable.any(), card, call)
