"""The phases of a deal of Euchre: what is legal, and what an action does (contract sections 6 and 7).

Trump is named in up to two rounds, the dealer discards, the maker says whether it plays alone and may
take the dummy, a defender may play alone as well, then the cards are played.
"""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards import history, sets
from jaxcards.cards.actions import ActionLayout
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.euchre.deck import (
    HAND_SIZE,
    JOKER,
    NUM_SUITS,
    NUM_TRICKS,
    deck_of,
    suit_and_strength,
    suit_cards,
    turned_suit,
)
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of
from jaxcards.games.euchre.state import (
    ALONE,
    BID1,
    BID2,
    DEFEND,
    DISCARD,
    DONE,
    EXCHANGE,
    NAME_BLIND,
    PLAY,
    Call,
    State,
    Table,
    hand_of,
    num_discarded,
    pack_call,
    pack_table,
    unpack_table,
)
from jaxcards.stages import Schedule, known

PASS = 25
CALL = 26  # + suit
SAY_ALONE = 30
SAY_TEAM = 31
NUM_ACTIONS = 32

_ALL_CALLS = 15 << CALL


def action_layout(rules: EuchreRules) -> ActionLayout:
    """Returns how a set of actions is packed: all of them in one word."""
    most = 2 * HAND_SIZE if seating_of(rules).pool else HAND_SIZE + 1
    return ActionLayout.after_cards(deck_of(rules), NUM_ACTIONS, most)


def longest_deal(rules: EuchreRules) -> int:
    """Returns the largest number of decisions of a deal (contract section 10)."""
    seating = seating_of(rules)
    # The longest bidding is that of two rounds, in which nobody picks a card up.
    bids = 2 * len(seating.bidders) + rules.allow_alone
    together = seating.num_seats * NUM_TRICKS
    together += 5 if seating.pool else 2 if rules.defend_alone == "always" else 0
    alone = (seating.num_seats - 1) * NUM_TRICKS + (2 if rules.defend_alone != "never" else 0)
    return bids + max(together, alone)


def schedule(rules: EuchreRules) -> Schedule:
    """Returns the stages of a deal, of tricks in which nobody sits out."""
    seating = seating_of(rules)
    bidders = len(seating.bidders)
    before = {
        NAME_BLIND: int(rules.joker),
        BID1: bidders,
        DISCARD: 1,
        BID2: bidders,
        ALONE: int(rules.allow_alone),
        EXCHANGE: HAND_SIZE if seating.pool else 0,
        DEFEND: 2 if rules.defend_alone != "never" else 0,
    }
    between = [
        dataclasses.replace(stages.FOLLOW, after=after) for after in range(seating.num_seats - 2, 0, -1)
    ]
    trick = (stages.LEAD, *between, stages.COMPLETE)
    return stages.of_phases(before) + stages.with_last(NUM_TRICKS, trick)


def legal_calls(rules: EuchreRules, state: State) -> jax.Array:
    """Returns what may be said in the phases in which no card is chosen: a word of actions."""
    call = state.calls
    turned = jnp.uint32(1 << CALL) << turned_suit(state.up_card)
    may_pass: jax.Array | int = 1 << PASS
    if rules.stick_dealer:
        may_pass = jnp.where(call.seat == state.dealer, jnp.uint32(0), jnp.uint32(1 << PASS))
    first = turned | (1 << PASS)
    second = (_ALL_CALLS & ~turned) | may_pass
    said = jnp.where(call.phase == BID1, first, second)
    if rules.joker:
        said = jnp.where(call.phase == NAME_BLIND, jnp.uint32(_ALL_CALLS), said)
    answers = jnp.uint32(1 << SAY_ALONE | 1 << SAY_TEAM)
    return jnp.where((call.phase == ALONE) | (call.phase == DEFEND), answers, said)


def legal_cards(rules: EuchreRules, state: State) -> CardSet:
    """Returns the cards that may be laid aside or played (contract sections 6 and 7.3)."""
    call, table = state.calls, unpack_table(state.table)
    hand = hand_of(state, call.seat)
    if state.stage.leads or state.stage.last:
        return hand
    follow = hand & suit_cards(hand.deck, table.led, call.trump)
    # On an empty table nothing is led, so nothing can follow and every card is free.
    free = hand
    if not rules.discard_upcard and not state.stage.plays:
        discards = call.phase == DISCARD
        up_card = jnp.uint32(1) << state.up_card
        (word,) = hand.words
        free = CardSet(hand.deck, [word & ~jnp.where(discards, up_card, 0)])
    return sets.select(follow.any(), follow, free)


def chooses_card(phase: jax.Array) -> jax.Array:
    """Returns whether a card is due: bool; else something is to be said."""
    return (phase == PLAY) | (phase == DISCARD) | (phase == EXCHANGE)


def first_defender(state: State, maker: jax.Array) -> jax.Array:
    """Returns the first seat to the left of the dealer that is not on the makers' side: uint32."""
    following = state.dealer + 1
    return (following + ((following ^ maker ^ 1) & 1)) & 3


class Turn(NamedTuple):
    """What an action is in its phase; all bool scalars."""

    passes: jax.Array
    names: jax.Array
    discards: jax.Array
    exchanges: jax.Array
    plays: jax.Array
    answers: jax.Array  # of the maker, whether alone
    defends: jax.Array  # answers of a defender


def _turn(state: State, action: jax.Array) -> Turn:
    phase, card = state.calls.phase, action <= JOKER
    answer = (action | 1) == SAY_TEAM
    if state.stage.plays:
        no = jnp.bool_(False)
        return Turn(no, no, no, no, ~state.idle, no, no)
    return Turn(
        passes=action == PASS,
        names=(action >= CALL) & (action < CALL + NUM_SUITS),
        discards=card & (phase == DISCARD),
        exchanges=card & (phase == EXCHANGE),
        plays=known(state.stage.plays, card & (phase == PLAY)),
        answers=answer & (phase == ALONE),
        defends=answer & (phase == DEFEND),
    )


def step(rules: EuchreRules, state: State, action: jax.Array) -> State:
    """Returns the state after an action, uint32; `IDLE` changes nothing.

    Only a handful of words depend on the action, so that fences beside the one around it (in
    `Euchre.step`) gain nothing here.
    """
    deck = deck_of(rules)
    turn = _turn(state, action)
    single = CardSet.single(deck, action).words[0]
    table, lacks, complete = _table_after(rules, state, turn, action)
    call, begins, takes = _call_after(rules, state, turn, action, complete, table)
    call = call._replace(phase=state.phase_after(call.phase))
    table = table._replace(waiting=jnp.where(begins, call.active, table.waiting))

    up_card = jnp.uint32(1) << state.up_card
    picked = turn.names & (state.calls.phase != BID2)
    moved = jnp.where(turn.discards | turn.exchanges, single, jnp.where(picked, up_card, 0))
    if state.dummy is not None:
        # Without `allow_alone` the dealer's discard and the dummy move at once.
        moved = moved | jnp.where(takes, state.dummy.words[0], 0)
    return dataclasses.replace(
        state,
        # What is picked up was there, what is laid down was not.
        aside=CardSet(deck, [state.aside.words[0] ^ moved]),
        played=CardSet(deck, [state.played.words[0] | jnp.where(turn.plays, single, 0)]),
        history=history.append(state.history, state.num_played, action, turn.plays),
        call=pack_call(call),
        table=pack_table(table),
        voids=state.voids | lacks,
    )


def _table_after(
    rules: EuchreRules, state: State, turn: Turn, card: jax.Array
) -> tuple[Table, jax.Array, jax.Array]:
    """Returns the table after a card, the suit its seat has shown to lack, and if the trick is over.

    The suit is a bit in the layout of `State.voids`. The table of a complete trick is empty but for
    the winner.
    """
    call, table = state.calls, unpack_table(state.table)
    if state.stage.leads:
        table = table._replace(led=jnp.uint32(NO_SUIT), best=jnp.uint32(0))
    suit, strength = suit_and_strength(deck_of(rules), card, call.trump, table.led)
    plays = turn.plays
    wins = plays & (strength > table.best)
    leads = known(state.stage.leads, table.led == NO_SUIT)
    after = table._replace(
        led=jnp.where(plays & leads, suit, table.led),
        best=jnp.where(wins, strength, table.best),
        winner=jnp.where(wins, call.seat, table.winner),
        waiting=table.waiting & ~(plays.astype(jnp.uint32) << call.seat),
    )
    complete = plays & known(state.stage.completes, after.waiting == 0)
    lacks = jnp.where(plays & ~leads & (suit != table.led), jnp.uint32(1) << table.led, 0)
    cleared = after._replace(
        led=jnp.where(complete, jnp.uint32(NO_SUIT), after.led),
        best=jnp.where(complete, 0, after.best),
        waiting=jnp.where(complete, call.active, after.waiting),
        tricks=after.tricks + complete.astype(jnp.uint32),
        winners=after.winners | jnp.where(complete, after.winner << (2 * after.tricks), 0),
    )
    return cleared, lacks << (4 * call.seat), complete


def _most_out(rules: EuchreRules) -> int:
    """Returns how many seats can be out of turn: they do not bid, or a partner plays alone."""
    seating = seating_of(rules)
    paired = any(partner is not None for partner in seating.partners)
    lone = rules.allow_alone + (rules.defend_alone != "never")
    return max(seating.num_seats - len(seating.bidders), lone if paired else 0)


def _call_after(
    rules: EuchreRules, state: State, turn: Turn, action: jax.Array, complete: jax.Array, table: Table
) -> tuple[Call, jax.Array, jax.Array]:
    """Returns the call after an action, whether the play begins, and whether the dummy is taken."""
    seating, call = seating_of(rules), state.calls
    phase, no = call.phase, jnp.zeros((), bool)
    trump = jnp.where(turn.names, action - CALL, call.trump)
    maker = jnp.where(turn.names, call.seat, call.maker)
    second = phase == BID2
    fixed = (turn.names & second) | turn.discards
    settled = turn.answers if rules.allow_alone else fixed
    alone = call.alone | (turn.answers & (action == SAY_ALONE)).astype(jnp.uint32)
    active = jnp.where(settled, seating.everyone, call.active)
    out = seating.partner_bit(maker)
    active = jnp.where(settled & (alone == 1), active & ~out, active)

    takes = no
    if seating.pool:
        takes = settled & (alone == 0)
        if rules.mode == "dummy_pool":
            takes = takes & (maker == 0)
    asks, goes_on, defender = no, no, call.defender
    if rules.defend_alone != "never":
        asks = settled if rules.defend_alone == "always" else settled & (alone == 1)
        defends = turn.defends & (action == SAY_ALONE)
        goes_on = turn.defends & ~defends & (call.seat == first_defender(state, maker))
        defender = jnp.where(defends, call.seat, defender)
        active = jnp.where(defends, active & ~seating.partner_bit(call.seat), active)
    begins = settled & ~takes & ~asks
    if seating.pool:
        begins = begins | (turn.exchanges & (num_discarded(state) == 4))
    if rules.defend_alone != "never":
        begins = begins | (turn.defends & ~goes_on)

    # The phase that follows.
    at_dealer = call.seat == state.dealer
    phase = jnp.where(turn.passes & at_dealer, jnp.where(second, jnp.uint32(DONE), BID2), phase)
    phase = jnp.where(turn.names, jnp.uint32(DISCARD), phase)
    if rules.allow_alone:
        phase = jnp.where(fixed, jnp.uint32(ALONE), phase)
    phase = jnp.where(takes, jnp.uint32(EXCHANGE), phase)
    phase = jnp.where(asks, jnp.uint32(DEFEND), phase)
    phase = jnp.where(begins, jnp.uint32(PLAY), phase)
    phase = jnp.where(complete & (table.tricks == NUM_TRICKS), jnp.uint32(DONE), phase)

    # The seat that is next to act.
    base = state.dealer
    if rules.lone_lead == "maker_left":
        base = jnp.where(alone == 1, maker, base)
    following = seating.following(jnp.where(begins, base, call.seat), active, _most_out(rules))
    moves_on = begins | turn.passes | turn.plays
    seat = jnp.where(moves_on, following, call.seat)
    seat = jnp.where(turn.names & ~second, state.dealer, seat)
    seat = jnp.where(turn.discards & ~begins, maker, seat)
    seat = jnp.where(complete, table.winner, seat)
    if rules.defend_alone != "never":
        seat = jnp.where(asks, first_defender(state, maker), seat)
        seat = jnp.where(goes_on, (call.seat + 2) & 3, seat)
    return Call(phase, seat, trump, maker, alone, defender, active), begins, takes
