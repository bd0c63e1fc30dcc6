"""Training examples: decisions of recorded deals, and rows of Swisslos data."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards import loops
from jaxcards.agents.networks.encoding import Encoding
from jaxcards.cards.actions import IDLE
from jaxcards.game import Game
from jaxcards.records.arrays import DealArrays, opening_of, start_of, to_play


class Deals(NamedTuple):
    """Recorded deals of one game, side by side; every array has a leading axis of n deals.

    Attributes:
      arrays: the deals, which can be replayed.
      calls_known: bool[n], the calls are those of the players; some formats lack them.
      unknown: bool[n, num_cards], the card was never seen, and its place in the deck is arbitrary.
      valid: bool[n], False for padding.
    """

    arrays: DealArrays
    calls_known: Any
    unknown: Any
    valid: Any


class Integers(NamedTuple):
    """Rows of Swisslos data; every array has a leading axis of n rows.

    Attributes:
      state: uint8[n, 72], the hand in ascending order.
      legal: bool[n, 9], the slots of the hand that may be played.
      action: uint8[n], the slot that was played.
      seconds: float32[n], the time of the move; NaN if unknown.
      valid: bool[n], False for padding.
    """

    state: Any
    legal: Any
    action: Any
    seconds: Any
    valid: Any


class Rows(NamedTuple):
    """Steps of deals, one in each row, as `decisions.decisions_of` takes them.

    Attributes:
      features: uint32[..., words], the player's features.
      legal: uint32[..., words], the legal actions, under the names of the features.
      action: int32, the chosen action, under the names of the features.
      weight: float32, the weight of the row.
    """

    features: jax.Array
    legal: jax.Array
    action: jax.Array
    weight: jax.Array


def examples(game: Game, deals: Deals) -> tuple[Rows, jax.Array]:
    """Replay deals, and return every step of them.

    Args:
      game: of all deals.
      deals: n of them.

    Returns:
      Rows with axes [max_steps, n] and weight 1; and bool[max_steps, n], which of them are decisions to
      learn from. In these the player had a choice, and its hand and its choice are known.
    """
    encoding = Encoding(game)

    def of_deal(opening: Any, actions: jax.Array, valid: Any, unknown: Any, calls_known: Any) -> Any:
        start = start_of(game, opening)
        # Hands are checked at the start, while they hold every card that was dealt to them.
        knows = _knows(game, start, unknown)

        def emit(state: Any, action: jax.Array, after: Any) -> tuple[Rows, jax.Array]:
            idle = action == IDLE
            # Behind the last action any action will do: the row is not a decision.
            chosen = jnp.where(idle, 0, action.astype(jnp.int32))
            row, choice = _row(game, encoding, state, chosen)
            # A call is learned only if the record has the true calls.
            said = (chosen < game.deck.num_cards) | calls_known
            return row, choice & ~idle & ~state.terminated & knows[state.current_player] & said

        # Padding plays nothing: its deal stays at the start.
        played = jnp.where(valid, to_play(actions), jnp.uint32(IDLE))
        return loops.replay(game, start, played, emit)[1]

    actions = jnp.asarray(deals.arrays.actions)
    facts = jax.tree.map(jnp.asarray, (deals.valid, deals.unknown, deals.calls_known))
    # Steps come first, then deals, as in self-play.
    return jax.vmap(of_deal, out_axes=1)(opening_of(deals.arrays), actions, *facts)


def _row(game: Game, encoding: Encoding, state: Any, action: jax.Array) -> tuple[Rows, jax.Array]:
    """Return the row of a step, and whether the player had a choice."""
    observation = game.observe(state, state.current_player)
    legal = game.legal_actions(state)
    row = Rows(
        features=encoding.encode(observation),
        legal=jnp.stack(encoding.legal(observation, legal).words, -1),
        action=encoding.action(observation, action).astype(jnp.int32),
        weight=jnp.float32(1),
    )
    return row, legal.count() > 1


def _knows(game: Game, state: Any, unknown: jax.Array) -> jax.Array:
    """Return a mask of the players whose dealt cards are all known: bool[num_players]."""
    hands = game.card_places(state).hands
    return jnp.stack([~(hand.mask() & unknown).any() for hand in hands])
