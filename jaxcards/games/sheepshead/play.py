"""The phases of a deal of Sheepshead: what is legal, and what an action does (contract sections 6, 7).

Seats ask for the blind, the picker finds its partner and buries, the others may crack; then the cards
are played.
"""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards import history, tricks
from jaxcards.cards.actions import IDLE, ActionLayout
from jaxcards.cards.seats import seat_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.sheepshead import call
from jaxcards.games.sheepshead.deck import (
    ACE,
    CALLED_STRENGTH,
    DECK,
    JACK_OF_DIAMONDS,
    NO_CARD,
    TRUMP_CLASS,
    UNKNOWN_STRENGTH,
    card_class,
    card_points,
    fails_of,
    strength_table,
)
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.state import (
    BURY,
    CALL,
    CLASS_BITS,
    CRACK,
    DONE,
    LONER,
    NO_SEAT,
    PICK,
    PLAY,
    POINTS_BITS,
    RECRACK,
    SEATS_PER_WORD,
    UNKNOWN,
    WINNER_BITS,
    State,
    hand_of,
    leader,
    single,
)
from jaxcards.stages import Schedule, known
from jaxcards.xla.fence import fence
from jaxcards.xla.lookup import lookup

PASS_ACTION, PICK_ACTION, PARTNER_ACTION, ALONE_ACTION, CRACK_ACTION, RECRACK_ACTION = range(32, 38)
NUM_ACTIONS = 38
_PHASE_BITS = 4


def action_layout(rules: SheepsheadRules) -> ActionLayout:
    """Returns how a set of actions is packed into words."""
    return ActionLayout.after_cards(DECK, NUM_ACTIONS, most=rules.hand_size + rules.blind_size)


def schedule(rules: SheepsheadRules) -> Schedule:
    """Returns the stages of a deal: its phases, then the tricks."""
    n = rules.num_players
    before = {
        PICK: n,
        LONER: int(rules.partner != "none" and rules.loner_choice),
        CALL: int(rules.calls),
        UNKNOWN: int(rules.calls and rules.allow_unknown),
        BURY: rules.blind_size,
        CRACK: (n - 1) * rules.crack,
        RECRACK: int(rules.recrack),
    }
    return stages.of_phases(before) + stages.of_tricks(rules.hand_size, n)


# ---- What is legal ------------------------------------------------------------------------------


def legal_words(rules: SheepsheadRules, state: State) -> tuple[jax.Array, jax.Array]:
    """Returns the legal actions before the end: the cards, and those from 32 on: uint32 each."""
    hand = hand_of(state, state.current_player)
    if state.stage.last:
        return hand, jnp.uint32(0)
    may_call = call.callable_cards(rules, hand) if rules.calls else None
    return _legal_cards(rules, state, hand, may_call), _legal_calls(rules, state, hand, may_call)


def _legal_cards(
    rules: SheepsheadRules, state: State, hand: jax.Array, may_call: jax.Array | None
) -> jax.Array:
    """Returns the cards that may be called, made the unknown, buried or played: uint32."""
    found = call.playable(rules, state, hand)
    if may_call is not None:
        found = jnp.where(state.deciding == CALL, may_call, found)
    moves = (1 << BURY) | (1 << PLAY) | ((1 << CALL | 1 << UNKNOWN) if rules.calls else 0)
    return jnp.where((jnp.uint32(moves) >> state.deciding) & 1 == 1, found, 0)


def _legal_calls(
    rules: SheepsheadRules, state: State, hand: jax.Array, may_call: jax.Array | None
) -> jax.Array:
    """Returns the actions from 32 on that are legal, bit 0 for 32: uint32 (contract section 6)."""
    pass_, pick, partner, alone, crack, recrack = (1 << i for i in range(6))
    phase = state.deciding
    found = jnp.where(phase == PICK, jnp.uint32(pass_ | pick), 0)
    if rules.no_pick == "forced_pick":
        forced = (phase == PICK) & (state.current_player.astype(jnp.uint32) == state.dealer)
        found = jnp.where(forced, pick, found)
    if rules.partner != "none" and rules.loner_choice:
        if may_call is not None:
            possible = may_call != 0
        else:
            possible = hand & jnp.uint32(1 << JACK_OF_DIAMONDS) == 0
        both = jnp.where(possible, jnp.uint32(partner | alone), jnp.uint32(alone))
        found = jnp.where(phase == LONER, both, found)
    if rules.crack and state.called is not None:
        is_partner = hand & single(state.called) != 0
        may_crack = jnp.where(is_partner, jnp.uint32(pass_), jnp.uint32(pass_ | crack))
        found = jnp.where(phase == CRACK, may_crack, found)
    elif rules.crack:
        found = jnp.where(phase == CRACK, jnp.uint32(pass_ | crack), found)
    if rules.recrack:
        found = jnp.where(phase == RECRACK, jnp.uint32(pass_ | recrack), found)
    return found


# ---- Before the play ----------------------------------------------------------------------------


def step(rules: SheepsheadRules, state: State, action: jax.Array) -> State:
    """Returns the state after an action, a uint32 that is `IDLE` after the end."""
    plays = state.plays((state.phase == PLAY) & (action < NO_CARD))
    if state.stage.plays is not True:
        state = prepare(rules, state, action)
    return state if state.stage.plays is False else play(rules, state, action, plays)


def prepare(rules: SheepsheadRules, state: State, action: jax.Array) -> State:
    """Picks, finds a partner, buries or cracks; the play of a card changes nothing here."""
    phase, seat = state.deciding, state.current_player.astype(jnp.uint32)
    is_card = action < NO_CARD
    passes, picks = action == PASS_ACTION, action == PICK_ACTION
    buries = is_card & (phase == BURY)
    buried = state.buried.words[0] | jnp.where(buries, single(action), 0)
    bury_full = jax.lax.population_count(buried) == rules.blind_size
    picker = jnp.where(picks, seat, state.picker)
    changed = dataclasses.replace(state, picker=picker, buried=CardSet(DECK, [buried]))
    following = _after_pick(rules, state, action)
    following = jnp.where(passes & (phase == PICK), _after_pass(rules, state), following)
    if rules.calls:
        changed, following = _call(rules, changed, action, following)
    elif rules.partner == "jack_of_diamonds":
        assert state.called is not None
        sure = picks if not rules.loner_choice else action == PARTNER_ACTION
        called = jnp.where(sure, jnp.uint32(JACK_OF_DIAMONDS), state.called)
        changed = dataclasses.replace(changed, called=called)
    goes_left = passes
    if rules.crack:
        changed, following = _crack(rules, changed, action, following, buries & bury_full)
        goes_left = goes_left | ((phase == BURY) & (following == CRACK))
    else:
        following = jnp.where(buries & bury_full, PLAY, following)
    left = seat_after(seat, 1, rules.num_players)
    player = jnp.where(goes_left, left, seat)
    if rules.recrack:
        player = jnp.where((following == RECRACK) & (phase == CRACK), picker, player)
    begins = (following == PLAY) & (phase != PLAY)
    player = jnp.where(begins, leader(state), player)
    following = state.phase_after(following.astype(jnp.uint32))
    # Fenced together: without it random play is 5 % slower.
    both = fence(following | player << _PHASE_BITS)
    return dataclasses.replace(
        changed,
        phase=both & ((1 << _PHASE_BITS) - 1),
        current_player=(both >> _PHASE_BITS).astype(jnp.int32),
    )


def _after_pick(rules: SheepsheadRules, state: State, action: jax.Array) -> jax.Array:
    """Returns the phase after `PICK`, `PARTNER` or `ALONE`, else the phase that is: uint32."""
    picks = action == PICK_ACTION
    if rules.partner == "none":
        return jnp.where(picks, BURY, state.deciding)
    first = CALL if rules.calls else BURY
    if rules.loner_choice:
        following = jnp.where(picks, LONER, state.deciding)
        following = jnp.where(action == PARTNER_ACTION, first, following)
        return jnp.where(action == ALONE_ACTION, BURY, following)
    if not rules.calls:
        return jnp.where(picks, BURY, state.deciding)
    hand = hand_of(state, state.current_player) | state.blind.words[0]
    after = jnp.where(call.callable_cards(rules, hand) != 0, CALL, BURY)
    return jnp.where(picks, after, state.deciding)


def _after_pass(rules: SheepsheadRules, state: State) -> jax.Array:
    """Returns the phase after a pass on the blind: uint32 (contract section 6.1)."""
    nobody = DONE if rules.no_pick == "doubler" else PLAY
    last = state.current_player.astype(jnp.uint32) == state.dealer
    return jnp.where(last, nobody, state.deciding)


def _call(
    rules: SheepsheadRules, state: State, action: jax.Array, following: jax.Array
) -> tuple[State, jax.Array]:
    """Calls a card and chooses the unknown; returns the phase that follows as well."""
    assert state.called is not None and state.keeps is not None
    is_card = action < NO_CARD
    calls = is_card & (state.deciding == CALL)
    state = dataclasses.replace(
        state, called=jnp.where(calls, action, state.called), keeps=state.keeps | calls
    )
    after = jnp.uint32(BURY)
    if state.unknown is not None:
        marks = is_card & (state.deciding == UNKNOWN)
        state = dataclasses.replace(state, unknown=jnp.where(marks, action, state.unknown))
        # Only an ace can be called without a card of its suit, and then with an unknown.
        held = hand_of(state, state.current_player) & fails_of(rules.trump_suit, action >> 3)
        after = jnp.where(held == 0, UNKNOWN, after)
        following = jnp.where(marks, BURY, following)
    return state, jnp.where(calls, after, following)


def _crack(
    rules: SheepsheadRules, state: State, action: jax.Array, following: jax.Array, done: jax.Array
) -> tuple[State, jax.Array]:
    """Cracks and re-cracks (contract sections 6.6, 6.7); returns the phase that follows as well.

    Args:
      rules: of the game.
      state: with the bury of this action, in the phase before it.
      action: uint32.
      following: the phase that follows as far as other actions decide it.
      done: bool, this action completes the bury.
    """
    assert state.cracker is not None
    phase, seat = state.deciding, state.current_player.astype(jnp.uint32)
    in_crack = phase == CRACK
    cracks = action == CRACK_ACTION
    if rules.crack_who == "unasked":
        last = state.dealer
        asks = jnp.where(state.picker == last, jnp.uint32(PLAY), jnp.uint32(CRACK))
    else:
        last = seat_after(state.picker, rules.num_players - 1, rules.num_players)
        asks = jnp.uint32(CRACK)
    following = jnp.where(done, asks, following)
    all_passed = in_crack & (action == PASS_ACTION) & (seat == last)
    following = jnp.where(all_passed, PLAY, following)
    following = jnp.where(cracks, RECRACK if rules.recrack else PLAY, following)
    state = dataclasses.replace(state, cracker=jnp.where(cracks, seat, state.cracker))
    if state.recracked is not None:
        recracks = action == RECRACK_ACTION
        answered = (phase == RECRACK) & (action < IDLE)
        following = jnp.where(answered, PLAY, following)
        state = dataclasses.replace(state, recracked=state.recracked | recracks)
    return state, following


# ---- The play -----------------------------------------------------------------------------------


def play(rules: SheepsheadRules, state: State, card: jax.Array, plays: jax.Array) -> State:
    """Plays a card if `plays`, else changes nothing (contract sections 3 and 7)."""
    n = rules.num_players
    seat = state.current_player.astype(jnp.uint32)
    trick = state.trick
    number, strength, value = _as_played(rules, state, card)
    table = fence(tricks.pack(tricks.add_card(trick, seat, number, strength, value)))
    trick = tricks.unpack(table)
    complete = plays & known(state.stage.completes, state.num_played % n == n - 1)
    last = state.num_played == rules.num_plays - 1
    following = jnp.where(complete, trick.winner, seat_after(seat, 1, n)).astype(jnp.int32)
    cleared = jnp.where(complete, jnp.uint32(tricks.EMPTY_TABLE), table)
    shown = card if state.unknown is None else jnp.where(card == state.unknown, NO_CARD, card)
    gain = jnp.where(complete, trick.points << ((trick.winner & 3) * POINTS_BITS), 0)
    place = (state.num_played // n) * WINNER_BITS
    after = dataclasses.replace(
        state,
        played=state.played | CardSet(DECK, [jnp.where(plays, single(card), 0)]),
        history=history.append(state.history, state.num_played, shown, plays),
        current_player=jnp.where(plays, following, state.current_player),
        phase=jnp.where(plays & last, DONE, state.phase),
        num_played=state.num_played + plays.astype(jnp.uint32),
        table=jnp.where(plays, cleared, state.table),
        points=tuple(
            word + (jnp.where(trick.winner // SEATS_PER_WORD == w, gain, 0) if n > 4 else gain)
            for w, word in enumerate(state.points)
        ),
        winners=state.winners | jnp.where(complete, trick.winner << place, 0),
        voids=state.voids | jnp.where(plays, _shown_void(state, seat, number), 0),
    )
    if rules.calls:
        after = _follow_the_call(rules, state, after, card, number, complete, trick.winner)
    return after


def _as_played(
    rules: SheepsheadRules, state: State, card: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns class, strength and public points of a card in the current trick: uint32 each."""
    number = card_class(rules.trump_suit, card)
    if state.unknown is not None and state.called is not None:
        unknown = card == state.unknown
        number = jnp.where(unknown, state.called >> 3, number)
    led = tricks.lead_suit(state.trick, number)
    strength = lookup(strength_table(rules.trump_suit, rules.spitz), card & 31)
    if rules.calls and rules.called_ten_wins:
        top = (card == state.called) & (card & 7 != ACE)
        strength = jnp.where(top, CALLED_STRENGTH, strength)
    strength = jnp.where((number == led) | (number == TRUMP_CLASS), strength, 0)
    value = card_points(card)
    if state.unknown is not None:
        strength = jnp.where(unknown, jnp.where(number == led, UNKNOWN_STRENGTH, 0), strength)
        value = jnp.where(unknown, 0, value)
    return number, strength.astype(jnp.uint32), value


def _shown_void(state: State, seat: jax.Array, number: jax.Array) -> jax.Array:
    """Returns the class that a play shows to be missing, in the layout of `State.voids`."""
    led = state.trick.led
    discards = (led != NO_SUIT) & (number != led)
    return jnp.where(discards, jnp.uint32(1) << ((seat * CLASS_BITS + led) & 31), 0)


def _follow_the_call(
    rules: SheepsheadRules,
    before: State,
    after: State,
    card: jax.Array,
    number: jax.Array,
    complete: jax.Array,
    winner: jax.Array,
) -> State:
    """Notes who takes the unknown, and when the picker need no longer hold the called suit.

    The picker gives its last card of that suit only where the suit is led, or once the called card
    is gone, or as its last card; whatever it plays of the suit then may be the last.
    """
    assert before.called is not None and after.keeps is not None
    by_picker = before.current_player.astype(jnp.uint32) == before.picker
    of_suit = (number == before.called >> 3) & by_picker & (card < NO_CARD)
    free = (tricks.lead_suit(before.trick, number) == number) | (call.open_call(before) == 0)
    free = free | (before.num_played >= rules.num_plays - rules.num_players)
    in_play = before.phase == PLAY
    after = dataclasses.replace(after, keeps=after.keeps & ~(of_suit & free & in_play))
    if after.unknown is not None and after.unknown_taker is not None:
        taken = complete & (after.unknown_taker == NO_SEAT)
        taken = taken & (single(after.unknown) & after.played.words[0] != 0)
        taker = jnp.where(taken, winner, after.unknown_taker)
        after = dataclasses.replace(after, unknown_taker=taker)
    return after
