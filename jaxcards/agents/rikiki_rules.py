"""A Rikiki player that follows rules of thumb: the yardstick of learning."""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.actions import ActionSet
from jaxcards.agents import rikiki_bidding, rikiki_hand, rikiki_play, rikiki_view
from jaxcards.agents.rikiki_aim import Aim
from jaxcards.game import Game
from jaxcards.games.rikiki.deck import DECK
from jaxcards.games.rikiki.observation import Observation
from jaxcards.games.rikiki.rules import RikikiRules


class Weights(NamedTuple):
    """All numbers of the player.

    Attributes:
      hand: what cards are worth; see `rikiki_hand.PARTS`.
      bidding: how surely bids are made.
      play: of the choice of a card.
    """

    hand: Any
    bidding: Aim
    play: rikiki_play.Weights


WEIGHTS = Weights(rikiki_hand.WEIGHTS, rikiki_bidding.AIM, rikiki_play.WEIGHTS)


@dataclasses.dataclass(frozen=True)
class RikikiRulesAgent:
    """Plays Rikiki as a club player would, with any number of players, however it is scored.

    Deterministic. It estimates for each of its cards how likely it wins a trick (`rikiki_hand`), bids
    what promises most points (`rikiki_bidding`), and plays the card after which most are to be
    expected (`rikiki_play`).

    Attributes:
      rules: the rules that are played.
    """

    rules: RikikiRules

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """See `Agent.act`; neither `params` nor `key` is used."""
        return choose(self.rules, WEIGHTS, observation, legal)


def choose(
    rules: RikikiRules, weights: Weights, observation: Observation, legal: ActionSet
) -> jax.Array:
    """Returns the action that rules of thumb with these weights choose: int32."""
    playable = legal.cards(DECK)
    view = rikiki_view.view(rules, observation, playable)
    chances = rikiki_hand.winning_chances(weights.hand, view)
    card = rikiki_play.choose_card(rules, weights.play, view, chances)
    bid = rikiki_bidding.choose_bid(rules, weights.bidding, view, chances, legal)
    return jnp.where(playable.any(), card, bid)
