"""The three auctions of Belote: who may call what, and what a call does (contract section 3).

In the auctions "bela" and "turnup" every call but the last is a pass, so that a counter and the mode
tell all of it. In contract auctions the calls are kept, and what matters of them is packed into a word.
"""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.actions import ActionLayout
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote.deck import CAPOT_LEVEL, DECK, HAND_SIZE, VOID
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.games.belote.state import NO_SEAT, NUM_SEATS, State, find_straights
from jaxcards.xla import bitfields

PASS = 32
NAME = 33  # + suit 0..3
BID = 37  # + 6 * level + mode
COINCHE = 97
SURCOINCHE = 98
NUM_LEVELS = CAPOT_LEVEL + 1
BIDS_PER_LEVEL = 6
MOST_CALLS = 37  # of a contract auction

CALL_BITS = 7  # a call in `State.calls`: its action less 32
TURN_UP_BITS = 5  # a card in `State.turn_up`
TURNED = 3  # the place in `State.turn_up` of the card turned up


class Contract(NamedTuple):
    """A contract auction so far.

    Attributes:
      level: uint32, 1 + level of the last bid; 0 before the first.
      mode: uint32, mode of the last bid.
      bidder: uint32, the seat of the last bid.
      doubled: uint32, 0, 1 after a coinche, 2 after a surcoinche.
      passes: uint32, passes since the last other call.
    """

    level: jax.Array
    mode: jax.Array
    bidder: jax.Array
    doubled: jax.Array
    passes: jax.Array


_CONTRACT_BITS = Contract(level=4, mode=3, bidder=2, doubled=2, passes=2)  # type: ignore[arg-type]


def pack(contract: Contract) -> jax.Array:
    """Returns a contract as one uint32 word."""
    return bitfields.pack(contract, _CONTRACT_BITS)  # type: ignore[arg-type]


def unpack(word: jax.Array) -> Contract:
    """Returns the contract of a word of `pack`."""
    return Contract(*bitfields.unpack(word, _CONTRACT_BITS))  # type: ignore[arg-type]


def action_layout(rules: BeloteRules) -> ActionLayout:
    """Returns how a set of actions is packed into words."""
    if rules.auction != "contract":
        return ActionLayout.after_cards(DECK, BID, most=HAND_SIZE)
    most = 1 + NUM_LEVELS * (BIDS_PER_LEVEL if rules.modes_nt_at else 4)
    return ActionLayout.after_cards(DECK, SURCOINCHE + 1, most=most)


def longest(rules: BeloteRules) -> int:
    """Returns the largest number of calls of an auction that is not void."""
    if rules.auction == "contract":
        return MOST_CALLS
    if rules.auction == "turnup":
        return 2 * NUM_SEATS
    return NUM_SEATS + (rules.all_pass == "forehand_must")


def bidder(rules: BeloteRules, state: State) -> jax.Array:
    """Returns the seat that plays for its bid: uint32; `NO_SEAT` before the end of the auction."""
    if state.contract is not None:
        seat = unpack(state.contract).bidder
    else:
        seat = (state.dealer.astype(jnp.uint32) + state.num_calls) & 3
    return jnp.where(state.playing, seat, NO_SEAT).astype(jnp.uint32)


def turned_up(state: State) -> jax.Array:
    """Returns the card that was turned up: uint32."""
    assert state.turn_up is not None
    return field(state.turn_up, TURNED, TURN_UP_BITS)


# ---- What may be called -------------------------------------------------------------------------


def legal_calls(rules: BeloteRules, state: State) -> list[jax.Array]:
    """Returns the words behind that of the cards: the calls of the current player."""
    if rules.auction == "contract":
        return _legal_bids(rules, state)
    calls, pass_bit, names = state.num_calls, 1, jnp.uint32(0b11110)
    last = longest(rules) - 1
    if rules.auction == "turnup":
        # Round 1 is about the suit of the card turned up, round 2 about the others.
        suit, _ = DECK.suit_and_rank(turned_up(state))
        taken = jnp.uint32(2) << suit
        names = jnp.where(calls < NUM_SEATS, taken, names & ~taken)
    if rules.all_pass == "void":
        return [names | pass_bit]
    return [names | jnp.where(calls < last, jnp.uint32(pass_bit), 0)]


def _legal_bids(rules: BeloteRules, state: State) -> list[jax.Array]:
    assert state.contract is not None
    contract = unpack(state.contract)
    layout = action_layout(rules)
    modes = range(BIDS_PER_LEVEL if rules.modes_nt_at else 4)
    every_bid = [BID + BIDS_PER_LEVEL * level + mode for level in range(NUM_LEVELS) for mode in modes]
    doubled = contract.doubled > 0
    # Everything from the lowest bid of the next level on; when doubled, nothing is high enough.
    lowest = BID + BIDS_PER_LEVEL * jnp.where(doubled, NUM_LEVELS, contract.level).astype(jnp.int32)
    words = []
    for bids, offset in zip(layout.constant(every_bid)[1:], layout.offsets[1:], strict=True):
        below = jnp.clip(lowest - offset, 0, 32).astype(jnp.uint32)
        from_lowest = jnp.where(below < 32, jnp.uint32(0xFFFFFFFF) << (below & 31), 0)
        words.append(jnp.uint32(bids) & from_lowest)
    words[0] = words[0] | 1 << (PASS - layout.offsets[1])
    own = ((state.current_player.astype(jnp.uint32) ^ contract.bidder) & 1) == 0
    coinche = (contract.level > 0) & ~own & ~doubled
    surcoinche = own & (contract.doubled == 1)
    for legal, action in ((coinche, COINCHE), (surcoinche, SURCOINCHE)):
        words[-1] = words[-1] | legal.astype(jnp.uint32) << (action - layout.offsets[-1])
    return words


# ---- What a call does ---------------------------------------------------------------------------


def call(rules: BeloteRules, state: State, action: jax.Array) -> State:
    """Returns the state after a call; other actions change nothing.

    Args:
      action: uint32 scalar.
    """
    if rules.auction == "contract":
        return _bid(rules, state, action)
    names = (action >= NAME) & (action < BID)
    calls = state.num_calls + (names | (action == PASS)).astype(jnp.uint8)
    mode = jnp.where(names, action - NAME, state.mode)
    if rules.all_pass == "void":
        mode = jnp.where((action == PASS) & (calls == longest(rules)), jnp.uint32(VOID), mode)
    after = dataclasses.replace(
        state,
        mode=mode,
        num_calls=calls,
        current_player=_next_caller(state, names, action == PASS),
    )
    return _hand_out(after, state, names) if rules.auction == "turnup" else after


def _next_caller(state: State, settled: jax.Array, called: jax.Array) -> jax.Array:
    """Returns who is to act: forehand, who leads, once a mode is settled."""
    player = jnp.where(called, (state.current_player + 1) & 3, state.current_player)
    return jnp.where(settled, state.forehand.astype(jnp.int32), player)


def _hand_out(after: State, before: State, names: jax.Array) -> State:
    """The bidder takes the card turned up; the others' last cards follow from who that is."""
    assert before.turn_up is not None
    forehand = before.forehand
    taker = (before.current_player.astype(jnp.uint32) - forehand) & 3
    hands = []
    for seat, hand in enumerate(before.hands):
        place = (jnp.uint32(seat) - forehand) & 3
        last = jnp.where(place == taker, TURNED, place - (place > taker).astype(jnp.uint32))
        card = CardSet.single(DECK, field(before.turn_up, last, TURN_UP_BITS))
        hands.append(CardSet(DECK, [hand.words[0] | jnp.where(names, card.words[0], 0)]))
    straights = before.straights
    if straights is not None:
        straights = jnp.where(names, find_straights(tuple(hands)), straights)
    return dataclasses.replace(after, hands=tuple(hands), straights=straights)


def _bid(rules: BeloteRules, state: State, action: jax.Array) -> State:
    """A pass, a bid, a coinche or a surcoinche."""
    assert state.contract is not None and state.calls is not None
    before = unpack(state.contract)
    passes, bids = action == PASS, (action >= BID) & (action < COINCHE)
    coinche, surcoinche = action == COINCHE, action == SURCOINCHE
    called = passes | bids | coinche | surcoinche
    number = jnp.where(bids, action - BID, 0)
    level = number // BIDS_PER_LEVEL
    after = Contract(
        level=jnp.where(bids, level + 1, before.level),
        mode=jnp.where(bids, number - level * BIDS_PER_LEVEL, before.mode),
        bidder=jnp.where(bids, state.current_player.astype(jnp.uint32), before.bidder),
        doubled=jnp.where(coinche, 1, jnp.where(surcoinche, 2, before.doubled)),
        passes=jnp.where(passes, before.passes + 1, jnp.where(called, 0, before.passes)) & 3,
    )
    settled = surcoinche | (passes & (before.level > 0) & (before.passes == 2))
    void = passes & (before.level == 0) & (before.passes == 3)
    mode = jnp.where(settled, before.mode, jnp.where(void, jnp.uint32(VOID), state.mode))
    calls = state.num_calls.astype(jnp.uint32)
    return dataclasses.replace(
        state,
        mode=mode,
        contract=pack(after),
        num_calls=state.num_calls + called.astype(jnp.uint8),
        calls=history.append(state.calls, calls, action - PASS, called, bits=CALL_BITS),
        current_player=_next_caller(state, settled, called),
    )
