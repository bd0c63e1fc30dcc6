"""The Hearts heuristic: a rule-of-thumb player that serves as a baseline for learners.

Every card gets a number, and the legal card with the largest number is passed or played.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.base import HeuristicAgent, higher_cards, in_usual_mode
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import NO_SUIT
from jaxcards.games.hearts.game import Hearts
from jaxcards.games.hearts.play import DECK, HEART_SUIT, JACK, QUEEN, Observation, all_passed
from jaxcards.games.hearts.rules import HeartsRules

_CARDS = np.arange(DECK.num_cards)
_SUIT, _RANK = _CARDS // DECK.ranks_per_suit, _CARDS % DECK.ranks_per_suit
_SPADE_SUIT = QUEEN // DECK.ranks_per_suit
_HEART, _SPADE = _SUIT == HEART_SUIT, _SUIT == _SPADE_SUIT
_ABOVE_QUEEN = _SPADE & (_CARDS > QUEEN)
_POINTS = np.where(_CARDS == QUEEN, 13, _HEART)
_FAR = 100.0  # more than all other numbers of a choice


class HeartsHeuristicAgent(HeuristicAgent[HeartsRules]):
    """A player of Hearts, for any number of players, at the level of a careful beginner.

    Deterministic. It passes the queen of spades and the cards above it unless low spades guard them,
    high hearts, and high cards of short suits. It stays below the winning card with its highest card,
    discards its most dangerous one, and leads low. It never tries to shoot the moon.
    """

    game_class = Hearts

    @in_usual_mode
    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action; see `Agent.act`. `params` and `key` are not used."""
        seen, hand = observation, observation.hand.mask()
        danger = _danger(self.rules, seen, hand)
        passing = ~all_passed(seen.public, self.rules.num_players)
        led = seen.public.trick.led
        worth = jnp.where(led == _SUIT, _follow(self.rules, seen), danger)
        worth = jnp.where(led == NO_SUIT, _lead(seen, hand), worth)
        worth = jnp.where(passing, danger, worth)
        return jnp.where(legal.cards(DECK).mask(), worth, -jnp.inf).argmax().astype(jnp.int32)


def _lengths(hand: jax.Array) -> jax.Array:
    """Return for each card the number of cards of its suit in the hand: int32[52]."""
    return hand.reshape(len(DECK.suits), -1).sum(1)[_SUIT]


def _danger(rules: HeartsRules, seen: Observation, hand: jax.Array) -> jax.Array:
    """Return the danger of keeping each card: float32[52]."""
    length = _lengths(hand)
    guards = (hand & _SPADE & (_CARDS < QUEEN)).sum()
    queen_out = ~seen.played.contains(jnp.uint32(QUEEN))
    high_spade = jnp.where(_CARDS == QUEEN, 40.0, 30.0) - jnp.where(guards > 3, 40.0, 0.0)
    worth = jnp.where(_HEART, 5.0, 0.0) + _RANK + jnp.where(length < 4, 6.0 - 2 * length, 0.0)
    # Spades are the last suit: behind the queen come only its king and ace.
    worth = jnp.where((_CARDS >= QUEEN) & queen_out, high_spade + _RANK, worth)
    # Once cards are played, a discarded queen costs another player 13 points.
    playing = all_passed(seen.public, rules.num_players)
    worth = jnp.where((_CARDS == QUEEN) & playing, _FAR, worth)
    return jnp.where(_CARDS == JACK, worth + 2.0 * rules.jack, worth)


def _lead(seen: Observation, hand: jax.Array) -> jax.Array:
    """Return the worth of leading each card: low cards of suits in which others hold higher ones."""
    others = ~(hand | seen.played.mask())
    higher = higher_cards(others)
    queen_out = others[QUEEN]
    worth = jnp.where(higher > 0, 6.0, 0.0) - _RANK + jnp.minimum(higher, 4)
    risky = (_CARDS >= QUEEN) & (queen_out | hand[QUEEN])
    # A low spade may drive out the queen.
    worth = worth + jnp.where(_SPADE & (_CARDS < QUEEN) & queen_out & ~hand[QUEEN], 4.0, 0.0)
    return worth - jnp.where(risky, 30.0, 0.0) - jnp.where(_HEART, 2.0, 0.0)


def _follow(rules: HeartsRules, seen: Observation) -> jax.Array:
    """Return the worth of each card of the suit led: the highest below the winner, else see below."""
    public = seen.public
    # A strength is a rank plus 1.
    best = public.trick.best.astype(jnp.int32) - 1
    loses = best > _RANK
    last = public.num_played % rules.num_players == rules.num_players - 1
    # The points of a trick are its lowest five bits; a flag of the jack lies above them.
    points = public.trick.points & 31
    queen_out = ~(seen.played | seen.hand).contains(jnp.uint32(QUEEN))
    below = 20.0 + _RANK + jnp.where(_CARDS == QUEEN, _FAR, 0.0)
    # The last player who has to win takes the trick with its highest card; others stay low.
    high = last | (public.num_played < rules.num_players)
    above = jnp.where(high, 1.0, -1.0) * _RANK - jnp.where(_CARDS == QUEEN, 50.0, 0.0)
    above = above - jnp.where(_ABOVE_QUEEN & queen_out & ~last, 20.0, 0.0)
    free = last & (points == 0)
    # The last player may win a trick without points with a card that would be dangerous later.
    above = above + jnp.where(free & (_POINTS == 0) & (_RANK > 8), 30.0, 0.0)
    worth = jnp.where(loses, below, above)
    takes_jack = (_CARDS == JACK) & ~loses & last
    return worth + jnp.where(takes_jack, -3.0 * rules.jack, 0.0)
