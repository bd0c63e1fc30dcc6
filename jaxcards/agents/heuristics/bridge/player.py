"""The Bridge heuristic: a rule-of-thumb player that serves as a baseline for learners.

Every card gets a number, and the legal card with the largest number is played.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.base import HeuristicAgent, higher_cards, in_usual_mode
from jaxcards.agents.heuristics.bridge.bidding import choose_bid, hand_of
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import NO_SUIT
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.bridge import calls, play
from jaxcards.games.bridge.game import Bridge
from jaxcards.games.bridge.play import DECK, Observation
from jaxcards.games.bridge.rules import BridgeRules

_CARDS = np.arange(DECK.num_cards)
_SUIT, _RANK = _CARDS // 13, _CARDS % 13
_JACK = 9
_FAR = 100.0  # more than all other numbers of a choice


class BridgeHeuristicAgent(HeuristicAgent[BridgeRules]):
    """A player of Bridge, for all rules of the game, at the level of a careful beginner.

    Deterministic. It bids by high card points and the length of suits, without conventions. It leads
    the top of a sequence or its fourth best card, draws trumps, cashes high cards, plays low in second
    seat and high in third, and ruffs.
    """

    game_class = Bridge

    @in_usual_mode
    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action; see `Agent.act`. `params` and `key` are not used."""
        table = table_of(observation)
        leads = observation.public.trick.led == NO_SUIT
        worth = jnp.where(leads, lead_worth(table), follow_worth(table, observation))
        mask = legal.mask()
        card = jnp.where(mask[: DECK.num_cards], worth, -jnp.inf).argmax()
        call = choose_call(observation)
        call = jnp.where(mask[call], call, calls.PASS_ACTION)
        return jnp.where(observation.public.phase == play.PLAY, card, call).astype(jnp.int32)


def choose_call(seen: Observation) -> jax.Array:
    """Return the call that a player wants to make; a pass if it is not legal: int32."""
    public, hand = seen.public, hand_of(seen.hand.mask())
    bid = choose_bid(hand, calls.bidders_of(public), seen.player)
    # Four trumps and a strong hand double a contract that should fail.
    # No trump, strain 4, reads the last entry, which is enough for any hand.
    trumps = jnp.append(hand.length, 4)[public.strain]
    doubles = (public.level >= 4) & (hand.points >= 12) & (trumps >= 4) & (public.doubled == 0)
    call = jnp.where(bid >= 0, calls.BID_ACTION + bid, calls.PASS_ACTION)
    return jnp.where(doubles, calls.DOUBLE_ACTION, call)


class Table(NamedTuple):
    """Facts for the play of each card, by the player who chooses it."""

    hand: jax.Array  # bool[52], the hand that plays: the player's or the dummy's
    strength: jax.Array  # int32[52], as the trick compares cards
    trump: jax.Array  # bool[52]
    higher: jax.Array  # int32[52], higher cards of the suit that are hidden from the player
    declares: jax.Array  # bool: a hand of the declarer's side plays
    drawn: jax.Array  # bool: no hidden card is a trump


def table_of(seen: Observation) -> Table:
    """Return the facts that a card is chosen by."""
    public = seen.public
    trump = _SUIT == public.strain.astype(jnp.int32)
    hidden, own = seen.unseen.mask(), public.current_player == seen.player
    strength = jnp.where(_SUIT == public.trick.led, _RANK + 1, 0)
    return Table(
        hand=jnp.where(own, seen.hand.mask(), seen.dummy.mask()),
        strength=jnp.where(trump, TRUMP + _RANK + 1, strength),
        trump=trump, higher=higher_cards(hidden), drawn=~(hidden & trump).any(),
        declares=public.declarer.astype(jnp.int32) == seen.player,
    )  # fmt: skip


def lead_worth(table: Table) -> jax.Array:
    """Return the worth of leading each card: float32[52]."""
    length, above = table.hand.reshape(4, 13).sum(1)[_SUIT], higher_cards(table.hand)
    top = jnp.roll(table.hand, 1) & (_RANK >= _JACK) & (above == 0)  # with the next lower card
    # Three cards of the suit in the hand are higher; of a shorter suit it is the lowest card.
    fourth = above == jnp.minimum(length, 4) - 1
    choice = 3.0 * length + jnp.where(top, 8.0, jnp.where(fourth, 4.0, 0.0)) - 0.1 * _RANK
    master = table.higher == 0
    cash = jnp.where(master & (table.drawn | ~table.declares), 20.0 + 0.1 * _RANK, 0.0)
    # Trumps are led as long as a hidden one is left: the highest if it wins, else the lowest.
    draws = table.declares & table.trump & ~table.drawn
    drawing = jnp.where(draws, 60.0 + jnp.where(master, 1.0, -1.0) * _RANK, 0.0)
    return choice + cash + drawing - 12.0 * (table.trump & ~draws)


def follow_worth(table: Table, seen: Observation) -> jax.Array:
    """Return the worth of playing each card to a trick: float32[52]."""
    trick, place = seen.public.trick, seen.public.num_played % 4
    wins = table.strength > trick.best.astype(jnp.int32)
    last, master = place == 3, (table.higher == 0) | table.trump
    # Partners sit at an even distance.
    ally = (trick.winner.astype(jnp.int32) - seen.public.current_player) % 2 == 0
    # Only cards of the suit led are feared, not ruffs.
    hidden_beats = (seen.unseen.mask() & wins & (_SUIT == trick.led)).any()
    cheap = -1.0 * _RANK - 15.0 * table.trump
    # Second hand low, third hand high, last hand as cheap as possible.
    high = jnp.where(master, 20.0 + cheap, 1.0 * _RANK)
    take = jnp.where(last, 20.0 + cheap, high)
    aims = jnp.where(wins & ((place > 1) | master), _FAR + take, cheap)
    return jnp.where(ally & (last | ~hidden_beats), cheap, aims)
