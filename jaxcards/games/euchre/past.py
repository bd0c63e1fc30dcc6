"""Which action was taken at a moment of a deal that went on."""

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards import history
from jaxcards.cards.sets import NO_SUIT
from jaxcards.games.euchre.calls import CALL, PASS, SAY_ALONE, SAY_TEAM
from jaxcards.games.euchre.deck import turned_suit
from jaxcards.games.euchre.play import legal_cards
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.state import ALONE, BID1, BID2, DEFEND, DISCARD, EXCHANGE, PLAY, State
from jaxcards.xla.lowest import lowest_place


def action_taken(rules: EuchreRules, state: State, later: State) -> jax.Array:
    """Returns what the player to act did then: uint32; see `Game.action_taken`.

    Of cards laid aside the lowest is the first. A dealer that takes the dummy lays cards aside twice;
    the lowest of those that it had before counts as its discard.
    """
    phase = state.calls.phase
    lays_aside = (phase == DISCARD) | (phase == EXCHANGE)
    said = _said(state, later)
    said = jnp.where(lays_aside, _laid_aside(rules, state, later), said)
    card = history.card_at(later.public.history, state.num_played)
    return jnp.where(phase == PLAY, card, said)


def _said(state: State, later: State) -> jax.Array:
    """Returns what was said: a suit, a pass, or whether somebody plays alone (docs/euchre.md, 6)."""
    now, then = state.calls, later.calls
    phase = now.phase
    # The first round names the suit of the card turned up, the second one any other.
    turned = then.trump == turned_suit(state.public.up_card)
    in_this_round = ((phase == BID1) & turned) | ((phase == BID2) & ~turned)
    names = (then.trump != NO_SUIT) & (then.maker == now.seat) & in_this_round
    named = CALL + then.trump
    bid = jnp.where(names, named, jnp.uint32(PASS))
    answer = ((phase == ALONE) & (then.alone == 1)) | ((phase == DEFEND) & (then.defender == now.seat))
    answered = jnp.where(answer, jnp.uint32(SAY_ALONE), jnp.uint32(SAY_TEAM))
    said = jnp.where((phase == BID1) | (phase == BID2), bid, named)
    return jnp.where((phase == ALONE) | (phase == DEFEND), answered, said)


def _laid_aside(rules: EuchreRules, state: State, later: State) -> jax.Array:
    """Returns the lowest of the cards that the player to act has laid aside since, and may."""
    (word,) = (legal_cards(rules, state, stages.ANY) & later.aside).words
    return lowest_place(word)
