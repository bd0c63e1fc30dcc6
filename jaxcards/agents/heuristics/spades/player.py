"""The Spades heuristic: a rule-of-thumb player that serves as a baseline for learners.

Every action gets a number, and the legal action with the largest number is taken.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.base import HeuristicAgent, higher_cards, in_usual_mode
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.seats import by_seat, seat_after
from jaxcards.cards.sets import NO_SUIT
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.spades.game import Spades
from jaxcards.games.spades.play import DECK, SPADES, Observation
from jaxcards.games.spades.rules import SpadesRules
from jaxcards.games.spades.score import needed

_CARDS = np.arange(DECK.num_cards)
_SUIT, _RANK = _CARDS // DECK.ranks_per_suit, _CARDS % DECK.ranks_per_suit
_SPADE = _SUIT == SPADES
_FAR = 100.0  # more than all other numbers of a choice
# The chance that an ace, king or queen wins a trick, by the length of its plain suit.
_ACE = np.array([0, 0.95, 0.95, 0.9, 0.85, 0.75, 0.6, 0.5] + [0.3] * 10)
_KING = np.array([0, 0.2, 0.7, 0.65, 0.6, 0.45, 0.3, 0.2] + [0.1] * 10)
_QUEEN = np.array([0, 0, 0.1, 0.3, 0.25, 0.15] + [0.05] * 12)
_HIGH_SPADE = np.array([0] * 9 + [0.4, 0.7, 0.9, 1.0])  # of a guarded spade, by rank
_RUFFS = np.array([1.0, 0.6, 0.2] + [0] * 15)  # tricks by ruffing, by the length of a plain suit


class SpadesHeuristicAgent(HeuristicAgent[SpadesRules]):
    """A player of Spades, for all rules of the game, at the level of a careful beginner.

    Deterministic. It counts probable tricks, and bids nil with a hand of low cards. It wins tricks
    cheaply until its side has its bid, then ducks. It takes tricks away from a partner who has bid nil,
    and leaves them to an opponent who has. It always looks at its cards.
    """

    game_class = Spades

    @in_usual_mode
    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action; see `Agent.act`. `params` and `key` are not used."""
        trick = observation.public.trick
        table = _table(self.rules, observation)
        cards = jnp.where(trick.led == NO_SUIT, _lead(table), _follow(table, observation))
        worth = jnp.concatenate([cards, _bids(self.rules, observation.hand.mask())])
        if self.rules.blind_nil:
            worth = jnp.concatenate([worth, jnp.array([-_FAR, 0.0])])  # never blind, but look
        return jnp.where(legal.mask(), worth, -jnp.inf).argmax().astype(jnp.int32)


# ---- Bids ------------------------------------------------------------------------------------------


def probable_tricks(hand: jax.Array) -> jax.Array:
    """Return the tricks that a hand is expected to win: float32; the hand is bool[52]."""
    suits = hand.reshape(len(DECK.suits), -1)
    length, plain = suits.sum(1), suits[:SPADES]
    high = [jnp.array(chances)[length[:SPADES]] for chances in (_ACE, _KING, _QUEEN)]
    # Aces have rank 12; kings and queens are the two ranks below.
    tricks = sum((plain[:, 12 - n] * chance).sum() for n, chance in enumerate(high))
    spades, number = suits[SPADES], length[SPADES]
    # missing: for each rank, the higher spades that are in other hands.
    missing = 12 - jnp.arange(13) - (number - spades.cumsum())
    guarded = spades & (spades.cumsum() > missing)  # a lower spade for each higher one missing
    honours = (guarded * _HIGH_SPADE).sum()
    # Spades that do not count as honours.
    small = jnp.maximum(number - honours, 0)
    ruffs = jnp.array(_RUFFS)[length[:SPADES]].sum()
    # A small spade wins by its length, or by a ruff.
    return tricks + honours + jnp.minimum(small, jnp.maximum(0.8 * (number - 3), 0) + 0.7 * ruffs)


def danger_of_nil(hand: jax.Array) -> jax.Array:
    """Return a score of the danger that a nil fails: float32; the hand is bool[52]."""
    suits = hand.reshape(len(DECK.suits), -1)
    place = suits.cumsum(1) - 1  # 0 for the lowest card of a suit
    # safe: the highest rank that is harmless as the lowest, second or third card of a suit.
    safe = jnp.where(jnp.arange(4)[:, None] == SPADES, 2 + 2 * place, 4 + 3 * place)
    excess = jnp.where(suits & (place < 3), jnp.maximum(jnp.arange(13) - safe, 0), 0).sum(1)
    # Queen, king and ace of spades.
    top = jnp.where(suits[SPADES, 10:], jnp.array([2, 6, 12]), 0).sum()
    return (
        0.5 * excess.sum() + 0.5 * excess[SPADES] + top + 1.5 * jnp.maximum(suits[SPADES].sum() - 3, 0)
    )


def _bids(rules: SpadesRules, hand: jax.Array) -> jax.Array:
    """Return the worth of every bid: float32[size + 1]."""
    # The constants are for hands of 13 cards; larger hands win more in proportion.
    size = DECK.num_cards // rules.num_players
    wanted = probable_tricks(hand) * size / 13 + 0.4
    worth = -jnp.abs(jnp.arange(size + 1) - jnp.maximum(wanted, 1.0))
    # A partner covers a nil; with three players everyone wins tricks.
    limit = 2.5 if rules.partners else 1.0 if size == 13 else -2.0
    return worth.at[0].set(limit - danger_of_nil(hand))


# ---- Cards -----------------------------------------------------------------------------------------


class _Table(NamedTuple):
    """Facts for the play: bool each, and for each card the number of higher ones with others."""

    nil: jax.Array  # the player may still make its nil
    cover: jax.Array  # the partner may still make its nil
    sets: jax.Array  # an opponent who may still make a nil wins the trick so far
    ally: jax.Array  # the partner wins the trick so far
    wants: jax.Array  # the side still needs tricks
    higher: jax.Array  # int32[52]


def _table(rules: SpadesRules, seen: Observation) -> _Table:
    public, players = seen.public, rules.num_players
    me, winner = seen.player.astype(jnp.uint32), public.trick.winner
    # A nil may still be made until its player wins a trick.
    nils = [(public.bid_of(seat) == 0) & (public.won_by(seat) == 0) for seat in range(players)]
    partner = seat_after(me, 2, 4)
    allied = (winner == partner) if rules.partners else jnp.zeros((), bool)
    short = by_seat([needed(rules, public, seat % rules.num_sides) for seat in range(players)], me)
    others = ~(seen.hand | seen.played).mask()
    return _Table(
        nil=by_seat(nils, me),
        cover=by_seat(nils, partner) if rules.partners else jnp.zeros((), bool),
        sets=by_seat(nils, winner) & (winner != me) & ~allied,
        ally=allied, wants=short > 0, higher=higher_cards(others),
    )  # fmt: skip


def _lead(table: _Table) -> jax.Array:
    """Return the worth of leading each card: float32[52]."""
    # low: cards below those of others, spades last; best: unbeatable cards, plain ones first.
    low = 1.0 * jnp.minimum(table.higher, 4) - _RANK - 6.0 * _SPADE
    best = jnp.where(table.higher == 0, 20.0 + 4.0 * ~_SPADE, low)
    high = 1.0 * _RANK - 8.0 * _SPADE
    aims = jnp.where(table.cover, high, jnp.where(table.wants, best, low))
    return jnp.where(table.nil, low, aims)


def _follow(table: _Table, seen: Observation) -> jax.Array:
    """Return the worth of playing each card to a trick: float32[52]."""
    trick, players = seen.public.trick, len(seen.played_by)
    # Strengths as in `Trick`: 0 for cards that cannot win.
    strength = jnp.where(_SUIT == trick.led, _RANK + 1, 0)
    strength = jnp.where(_SPADE, TRUMP + _RANK + 1, strength).astype(jnp.uint32)
    wins, last = strength > trick.best, seen.public.num_played % players == players - 1
    cheap = -1.0 * _RANK - 15.0 * _SPADE
    # To duck: the highest card that loses, or else the lowest that wins.
    duck = jnp.where(wins, jnp.where(last, -cheap, cheap) - 2 * _FAR, _RANK + 8.0 * _SPADE)
    # To win: the cheapest card if it is safe, otherwise the highest of the suit.
    safe = last | (table.higher == 0) | _SPADE
    take = jnp.where(wins, _FAR + jnp.where(safe, 20.0 + cheap, 1.0 * _RANK), cheap)
    aims = jnp.where(table.ally & ~table.cover, cheap, take)
    aims = jnp.where(table.wants | table.cover, aims, duck)
    return jnp.where(table.nil | (table.sets & ~table.cover), duck, aims)
