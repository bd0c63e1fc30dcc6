"""The called card: what may be called, and what the call obliges picker and partner to.

Contract sections 6.3, 6.5 and 7. Sets of cards are uint32 words here.
"""

import jax
import jax.numpy as jnp

from jaxcards.cards.sets import NO_SUIT
from jaxcards.games.sheepshead.deck import (
    ACE,
    NO_CARD,
    class_set,
    fail_set,
    fails_of,
    rank_set,
)
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.state import PLAY, State, single

FALL_BACK = ("T", "K", "9", "8", "7")  # in the order in which they may be called


def callable_cards(rules: SheepsheadRules, hand: jax.Array) -> jax.Array:
    """Returns the cards that a picker may call (contract section 6.3).

    Args:
      rules: of the game.
      hand: uint32, all cards of the picker, those picked up included.
    """
    fails = fail_set(rules.trump_suit)
    aces = fails & rank_set("A")
    missing = jnp.uint32(aces) & ~hand
    held = hand & jnp.uint32(fails)
    # A suit is eight bits, the ace on top: a sum carries into the top bit if any other is set.
    low = jnp.uint32(0x7F7F7F7F)
    with_fails = missing & ((held & low) + low)
    lower = _fall_back(rules, fails, hand)
    beyond = jnp.where(missing != 0, missing if rules.allow_unknown else jnp.uint32(0), lower)
    return jnp.where(with_fails != 0, with_fails, beyond)


def _fall_back(rules: SheepsheadRules, fails: int, hand: jax.Array) -> jax.Array:
    """Returns what a picker with all fail aces may call: uint32."""
    # To get to the next rank takes three more cards in hand, so that not all ranks can be reached.
    reachable = (rules.hand_size + rules.blind_size) // 3
    ranks = {"none": (), "ten": FALL_BACK[:1], "down": FALL_BACK[:reachable]}[rules.call_fallback]
    found = jnp.uint32(0)
    for rank in reversed(ranks):
        missing = jnp.uint32(fails & rank_set(rank)) & ~hand
        found = jnp.where(missing != 0, missing, found)
    return found


def open_call(state: State) -> jax.Array:
    """Returns the called card, as a word, while it has not been played, else 0: uint32."""
    assert state.called is not None
    return single(state.called) & ~state.played.words[0]


def called_class(rules: SheepsheadRules, state: State) -> jax.Array:
    """Returns the cards of the called suit's class, the unknown included: uint32; 0 without a call."""
    assert state.called is not None
    cards = fails_of(rules.trump_suit, state.called >> 3)
    return cards if state.unknown is None else cards | single(state.unknown)


def cards_of_class(rules: SheepsheadRules, state: State, number: jax.Array) -> jax.Array:
    """Returns the cards that follow a class, with the unknown where it belongs: uint32."""
    cards = class_set(rules.trump_suit, number)
    if state.unknown is None or state.called is None:
        return cards
    unknown = single(state.unknown)
    return jnp.where(number == state.called >> 3, cards | unknown, cards & ~unknown)


def kept_ace(rules: SheepsheadRules, called: jax.Array) -> jax.Array:
    """Returns the ace that a picker must keep for a call below the ace: uint32; 0 if there is none."""
    if rules.called_hold == "any":
        return jnp.uint32(0)
    low_call = (called < NO_CARD) & (called & 7 != ACE)
    return jnp.where(low_call, single(called | ACE), 0)


def playable(rules: SheepsheadRules, state: State, hand: jax.Array) -> jax.Array:
    """Returns the cards that may be played, buried or made the unknown: uint32.

    Contract sections 6.4, 6.5 and 7. A bury is like a discard on a suit that the hand lacks: the
    picker keeps what it owes to the called suit, of which the unknown is a card.
    """
    led = state.trick.led
    follow = hand & cards_of_class(rules, state, led)
    cards = jnp.where(follow == 0, hand, follow)
    if not rules.calls or state.called is None:
        return cards
    own_call = open_call(state)
    suit = called_class(rules, state)
    picks = (state.current_player.astype(jnp.uint32) == state.picker) & (own_call != 0)
    # What a holder must give when the suit is asked for: the called card, or the ace kept for it.
    partner_card = hand & own_call
    ace = jnp.where(picks, kept_ace(rules, state.called) & hand, 0)
    key = partner_card | ace
    withheld = jnp.where(key != 0, suit & ~key, 0)
    # What it must not throw away.
    own = hand & suit
    last_one = jnp.where(own & (own - 1) == 0, own, 0)
    owed = jnp.where(picks, jnp.where(ace != 0, ace, last_one), 0)
    if not rules.partner_offsuit:
        owed = owed | partner_card
    leads = (led == NO_SUIT) & (state.deciding == PLAY)
    left = cards & ~jnp.where((follow == 0) & ~leads, owed, withheld)
    return jnp.where(left == 0, hand, left)  # the last card may always be played
