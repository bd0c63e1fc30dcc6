"""The Euchre heuristic: a rule-of-thumb player that serves as a baseline for learners."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.base import HeuristicAgent
from jaxcards.agents.heuristics.euchre import bidding, bidding_tables, playing
from jaxcards.agents.heuristics.euchre.bidding import Bids, Defence
from jaxcards.agents.heuristics.euchre.view import view_of
from jaxcards.agents.heuristics.weights import float32
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import CardSet
from jaxcards.games.euchre.calls import chooses_card
from jaxcards.games.euchre.game import Euchre
from jaxcards.games.euchre.play import NUM_SUITS, PLAY, Observation, deck_of
from jaxcards.games.euchre.rules import EuchreRules


class Weights(NamedTuple):
    """All numbers of the player.

    Attributes:
      bids: for all seats, and for seat 0 if it differs from the others (else None).
      defence: thresholds for defending alone.
      play: of the choice of a card.
      keep: of discards.
    """

    bids: Bids
    own: Bids | None
    defence: Defence
    play: playing.Weights
    keep: playing.Keep


def weights_of(rules: EuchreRules) -> Weights:
    """Return the numbers for a set of rules."""
    others, own = bidding_tables.bids_of(rules)
    return Weights(
        bids=others,
        own=own,
        defence=bidding_tables.DEFENCE,
        play=playing.WEIGHTS,
        keep=playing.KEEP,
    )


class EuchreHeuristicAgent(HeuristicAgent[EuchreRules]):
    """A player of Euchre, with partners or a dummy, at the level of a club player. Deterministic.

    The player estimates the result of its hand with each suit as trumps, alone and together, and names
    a suit or passes (`bidding`). It lays down or plays the card of the greatest worth (`playing`).
    """

    game_class = Euchre

    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action; see `Agent.act`. `params` and `key` are not used."""
        return choose(self.rules, weights_of(self.rules), observation, legal)


def choose(rules: EuchreRules, weights: Weights, seen: Observation, legal: ActionSet) -> jax.Array:
    """Return the action that the heuristic with these weights chooses: int32."""
    weights, deck = float32(weights), deck_of(rules)
    phase = seen.public.calls.phase
    # Cards and calls share a word: keep the bits of the cards.
    playable = CardSet(deck, [legal.words[0] & ((1 << deck.word_bits) - 1)])
    view = view_of(rules, seen, playable)
    played = playing.choose_card(rules, weights.play, seen, view)
    laid = playing.choose_discard(weights.keep, view.hand, view.outlook.legal)
    card = jnp.where(phase == PLAY, played, laid).astype(jnp.uint32)
    # Back to the printed suits; the joker keeps its number.
    suit, rank = deck.suit_and_rank(card)
    printed = (suit ^ view.first) * deck.ranks_per_suit + rank
    card = jnp.where(card < NUM_SUITS * deck.ranks_per_suit, printed, card).astype(jnp.int32)
    bids = seat_bids(weights, seen)
    said = bidding.choose_call(rules, bids, weights.defence, seen, legal)
    return jnp.where(chooses_card(phase), card, said)


def seat_bids(weights: Weights, seen: Observation) -> Bids:
    """Return the numbers of bidding for the seat that acts."""
    if weights.own is None:
        return weights.bids
    first = seen.public.calls.seat == 0
    return jax.tree.map(lambda own, other: jnp.where(first, own, other), weights.own, weights.bids)
