"""The Sheepshead heuristic: a rule-of-thumb player that serves as a baseline for learners."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.base import HeuristicAgent
from jaxcards.agents.heuristics.outlook import best_of
from jaxcards.agents.heuristics.sheepshead import bidding, burying, playing
from jaxcards.agents.heuristics.sheepshead.view import view_of
from jaxcards.agents.heuristics.weights import float32
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import CardSet
from jaxcards.games.sheepshead.game import Sheepshead
from jaxcards.games.sheepshead.play import BURY, CALL, DECK, PLAY, Observation
from jaxcards.games.sheepshead.rules import SheepsheadRules


class Weights(NamedTuple):
    """All numbers of the player except those that depend on the rules.

    Attributes:
      hand: the worth of the parts of a hand, as in `bidding.PARTS`.
      bury: of the call, the unknown and the bury.
      play: of the choice of a card.
    """

    hand: Any
    bury: burying.Weights
    play: playing.Play


WEIGHTS = Weights(
    tuple(part.worth for part in bidding.PARTS),
    burying.WEIGHTS,
    playing.WEIGHTS,
)


class SheepsheadHeuristicAgent(HeuristicAgent[SheepsheadRules]):
    """A player of Sheepshead, for all rules, at the level of a club player. Deterministic.

    The player picks, goes alone and cracks by the worth of its hand (`bidding`), and calls and buries
    by its suits (`burying`). It plays the card of the greatest worth (`playing`), with an estimate of
    who the secret partner is (`view`).
    """

    game_class = Sheepshead

    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action; see `Agent.act`. `params` and `key` are not used."""
        limits = bidding.limits_of(self.rules)
        return choose(self.rules, WEIGHTS, limits, observation, legal)


def choose(
    rules: SheepsheadRules,
    weights: Weights,
    limits: bidding.Thresholds,
    observation: Observation,
    legal: ActionSet,
) -> jax.Array:
    """Return the action that the heuristic with these weights chooses: int32."""
    weights, public = float32(weights), observation.public
    # The first word has the cards, the second one all other actions.
    cards, others = legal.words
    playable = CardSet(DECK, [cards])
    view = view_of(rules, observation, playable)
    call, unknown, bury = burying.card_scores(rules, weights.bury, observation, view)
    scores = jnp.where(public.phase == CALL, call, unknown)
    scores = jnp.where(public.phase == BURY, bury, scores)
    play = playing.card_scores(rules, weights.play, view)
    card = best_of(jnp.where(public.phase == PLAY, play, scores), playable)
    said = bidding.choose_call(rules, weights.hand, limits, observation, others)
    return jnp.where(playable.any(), card, said)
