"""The Rikiki heuristic: a rule-of-thumb player that serves as a baseline for learners."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.base import HeuristicAgent
from jaxcards.agents.heuristics.rikiki import bidding, hands, playing
from jaxcards.agents.heuristics.rikiki.aim import Aim
from jaxcards.agents.heuristics.rikiki.view import view_of
from jaxcards.agents.heuristics.weights import float32
from jaxcards.cards.actions import ActionSet
from jaxcards.games.rikiki.game import Rikiki
from jaxcards.games.rikiki.play import DECK, Observation
from jaxcards.games.rikiki.rules import RikikiRules


class Weights(NamedTuple):
    """All numbers of the player.

    Attributes:
      hand: the worth of cards; see `hands.PARTS`.
      bidding: how reliably bids are made.
      play: of the choice of a card.
    """

    hand: Any
    bidding: Aim
    play: playing.Weights


WEIGHTS = Weights(hands.WEIGHTS, bidding.AIM, playing.WEIGHTS)


class RikikiHeuristicAgent(HeuristicAgent[RikikiRules]):
    """A player of Rikiki, for any number of players and any scoring, at the level of a club player.

    Deterministic. The player estimates the chance of each of its cards to win a trick (`hands`), and
    bids for the highest expected score (`bidding`). It plays the card after which the expected score is
    highest (`playing`).
    """

    game_class = Rikiki

    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action; see `Agent.act`. `params` and `key` are not used."""
        return choose(self.rules, WEIGHTS, observation, legal)


def choose(
    rules: RikikiRules, weights: Weights, observation: Observation, legal: ActionSet
) -> jax.Array:
    """Return the action that the heuristic with these weights chooses: int32."""
    weights, playable = float32(weights), legal.cards(DECK)
    view = view_of(rules, observation, playable)
    chances = hands.winning_chances(weights.hand, view)
    if rules.covers_hands:
        # With its card on the forehead, a player bids by the cards that it sees.
        unknown = (observation.public.hand_size == 1) & ~playable.any()
        chances = jnp.where(unknown, hands.unknown_card(rules, observation), chances)
    card = playing.choose_card(rules, weights.play, view, chances)
    bid = bidding.choose_bid(rules, weights.bidding, view, chances, legal)
    return jnp.where(playable.any(), card, bid)
