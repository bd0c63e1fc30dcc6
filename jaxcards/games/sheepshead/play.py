"""The course of a deal, and the play of the cards (docs/sheepshead.md, 3, 6 and 7)."""

from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards import tricks
from jaxcards.cards.actions import ActionSet
from jaxcards.games.sheepshead import calls
from jaxcards.games.sheepshead.deck import (
    ACE,
    CALLED_STRENGTH,
    NO_CARD,
    TRUMP_CLASS,
    UNKNOWN_STRENGTH,
    card_class,
    card_points,
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
    SheepsheadGame,
    State,
    hand_of,
    single,
)
from jaxcards.kit.play import add_winner, play_card, shown_void
from jaxcards.stages import Schedule, Stage
from jaxcards.xla.lookup import lookup


def schedule(game: SheepsheadGame, round: Any = None) -> Schedule:
    """Return the stages of a deal: its phases, then the tricks."""
    del round  # every deal has the same stages
    rules, n = game.rules, game.num_players
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


def legal(game: SheepsheadGame, state: State, stage: Stage) -> ActionSet:
    """See `Game._legal`."""
    return ActionSet(game.action_layout, legal_words(game.rules, state, stage))


def legal_words(rules: SheepsheadRules, state: State, stage: Stage) -> tuple[jax.Array, jax.Array]:
    """Return the legal actions before the end: the cards, and those from 32 on: uint32 each."""
    hand = hand_of(state, state.current_player)
    if stage.last:
        return hand, jnp.uint32(0)
    may_call = calls.callable_cards(rules, hand) if rules.calls else None
    said = calls.legal_calls(rules, state, hand, may_call, stage)
    return _legal_cards(rules, state, hand, may_call, stage), said


def _legal_cards(
    rules: SheepsheadRules, state: State, hand: jax.Array, may_call: jax.Array | None, stage: Stage
) -> jax.Array:
    """Return the cards that may be called, made the unknown, buried or played: uint32."""
    phase = state.deciding(stage)
    found = calls.playable(rules, state, hand, stage)
    if may_call is not None:
        found = jnp.where(phase == CALL, may_call, found)
    moves = (1 << BURY) | (1 << PLAY) | ((1 << CALL | 1 << UNKNOWN) if rules.calls else 0)
    return jnp.where((jnp.uint32(moves) >> phase) & 1 == 1, found, 0)


def step(game: SheepsheadGame, state: State, action: jax.Array, stage: Stage) -> State:
    """See `Game._step`."""
    rules = game.rules
    plays = state.plays((state.public.phase == PLAY) & (action < NO_CARD), stage)
    if stage.plays is not True:
        state = calls.prepare(rules, state, action, stage)
    return state if stage.plays is False else _play(rules, state, action, plays, stage)


def _play(
    rules: SheepsheadRules, state: State, card: jax.Array, plays: jax.Array, stage: Stage
) -> State:
    """Play a card if `plays`, else change nothing (docs/sheepshead.md, 3 and 7)."""
    public, n = state.public, rules.num_players
    seat, before = state.current_player.astype(jnp.uint32), state.trick(stage)
    number, strength, value = _as_played(rules, state, before, card)
    shown = card if state.unknown is None else jnp.where(card == state.unknown, NO_CARD, card)
    after, trick, complete = play_card(
        state, stage, before, card,
        plays=plays, suit=number, strength=strength, points=value, shown=shown,
    )  # fmt: skip
    last = public.num_played == rules.num_plays - 1
    gain = jnp.where(complete, trick.points << ((trick.winner & 3) * POINTS_BITS), 0)
    num_tricks, void = public.num_played // n, shown_void(before.led, number)
    after = after.with_public(
        phase=jnp.where(plays & last, DONE, state.deciding(stage)),
        points=tuple(
            word + (jnp.where(trick.winner // SEATS_PER_WORD == w, gain, 0) if n > 4 else gain)
            for w, word in enumerate(public.points)
        ),
        winners=add_winner(public.winners, num_tricks, trick.winner, complete, WINNER_BITS),
        voids=public.voids | jnp.where(plays, void << (seat * CLASS_BITS), 0),
    )
    if rules.calls:
        after = _follow_the_call(
            rules, state, after, card, number, plays, complete, trick.winner, stage
        )
    return after


def _as_played(
    rules: SheepsheadRules, state: State, trick: tricks.Trick, card: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Return class, strength and public points of a card in the current trick: uint32 each."""
    public = state.public
    number = card_class(rules.trump_suit, card)
    if state.unknown is not None and public.called is not None:
        unknown = card == state.unknown
        number = jnp.where(unknown, public.called >> 3, number)
    led = tricks.lead_suit(trick, number)
    strength = lookup(strength_table(rules.trump_suit, rules.spitz), card & 31)
    if rules.calls and rules.called_ten_wins:
        top = (card == public.called) & (card & 7 != ACE)
        strength = jnp.where(top, CALLED_STRENGTH, strength)
    strength = jnp.where((number == led) | (number == TRUMP_CLASS), strength, 0)
    value = card_points(card)
    if state.unknown is not None:
        strength = jnp.where(unknown, jnp.where(number == led, UNKNOWN_STRENGTH, 0), strength)
        value = jnp.where(unknown, 0, value)
    return number, strength.astype(jnp.uint32), value


def _follow_the_call(
    rules: SheepsheadRules,
    before: State,
    after: State,
    card: jax.Array,
    number: jax.Array,
    plays: jax.Array,
    complete: jax.Array,
    winner: jax.Array,
    stage: Stage,
) -> State:
    """Note who takes the unknown, and when the picker need no longer hold the called suit.

    The picker gives its last card of that suit only where the suit is led, or once the called card
    is gone, or as its last card; whatever it plays of the suit then may be the last.
    """
    public = before.public
    assert public.called is not None and after.public.keeps is not None
    by_picker = before.current_player.astype(jnp.uint32) == public.picker
    of_suit = (number == public.called >> 3) & by_picker & (card < NO_CARD)
    free = (tricks.lead_suit(before.trick(stage), number) == number) | (calls.open_call(before) == 0)
    free = free | (public.num_played >= rules.num_plays - rules.num_players)
    # A bury frees nobody, not even the last card of it, after which the phase is that of the play.
    after = after.with_public(keeps=after.public.keeps & ~(of_suit & free & plays))
    if after.unknown is not None and after.public.unknown_taker is not None:
        taken = complete & (after.public.unknown_taker == NO_SEAT)
        taken = taken & (single(after.unknown) & after.played.words[0] != 0)
        taker = jnp.where(taken, winner, after.public.unknown_taker)
        after = after.with_public(unknown_taker=taker)
    return after
