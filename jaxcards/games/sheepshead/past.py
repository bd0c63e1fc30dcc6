"""Which actions were taken in a deal, as its states and what a player sees of them tell."""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.history import History
from jaxcards.cards.seats import places_after, seat_after
from jaxcards.games.sheepshead.calls import (
    ALONE_ACTION,
    CRACK_ACTION,
    PARTNER_ACTION,
    PASS_ACTION,
    PICK_ACTION,
    RECRACK_ACTION,
)
from jaxcards.games.sheepshead.deck import NO_CARD
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.state import (
    BURY,
    CALL,
    CRACK,
    LONER,
    NO_SEAT,
    PICK,
    PLAY,
    RECRACK,
    UNKNOWN,
    Observation,
    Public,
    SheepsheadGame,
    State,
    sees_aside,
)
from jaxcards.xla.lowest import lowest_place


def action_taken(game: SheepsheadGame, state: State, later: State) -> jax.Array:
    """Return the action of the player to act: uint32; see `Game.action_taken`.

    Of the cards of a bury the lowest is the first.
    """
    del game
    phase = state.public.phase
    card = history.card_at(later.public.history, state.public.num_played)
    if later.unknown is not None:
        card = jnp.where(card == NO_CARD, later.unknown, card)
        card = jnp.where(phase == UNKNOWN, later.unknown, card)
    if later.public.called is not None:
        card = jnp.where(phase == CALL, later.public.called, card)
    buried = later.buried.words[0] & ~state.buried.words[0]
    card = jnp.where(phase == BURY, lowest_place(buried), card)
    chooses_card = (phase == PLAY) | (phase == BURY) | (phase == CALL) | (phase == UNKNOWN)
    return jnp.where(chooses_card, card, _said(state, later))


def _said(state: State, later: State) -> jax.Array:
    """Return what was said: pick, partner, crack, re-crack, or not (docs/sheepshead.md, 6)."""
    phase, public = state.public.phase, later.public
    seat = state.current_player.astype(jnp.uint32)
    does, action = (phase == PICK) & (public.picker == seat), jnp.uint32(PICK_ACTION)
    if public.cracker is not None:
        cracks = (phase == CRACK) & (public.cracker == seat)
        does, action = does | cracks, jnp.where(cracks, CRACK_ACTION, action)
    if public.recracked is not None:
        recracks = (phase == RECRACK) & public.recracked
        does, action = does | recracks, jnp.where(recracks, RECRACK_ACTION, action)
    said = jnp.where(does, action, PASS_ACTION)
    if public.called is not None:
        said = jnp.where(phase == LONER, _answer(public), said)
    return said.astype(jnp.uint32)


def _answer(public: Public) -> jax.Array:
    """Return the answer of the picker, a partner or alone: uint32."""
    assert public.called is not None
    # A card is called right after that, if any is.
    partner = (public.called < NO_CARD) | (public.phase == CALL)
    return jnp.where(partner, jnp.uint32(PARTNER_ACTION), jnp.uint32(ALONE_ACTION))


def history_of(game: SheepsheadGame, observation: Observation) -> History:
    """See `Game.history`. The bury and the unknown are the picker's alone until the end.

    The order of a bury is not known: its cards come in ascending order.
    """
    rules, seen = game.rules, observation
    public, phase = seen.public, seen.public.phase
    picked = public.picker != NO_SEAT
    parts = [_asked(rules, public)]
    if rules.partner != "none" and rules.loner_choice:
        parts.append(history.part(_answer(public)[None], public.picker, picked & (phase > LONER)))
    if rules.calls:
        assert public.called is not None
        parts.append(history.part(public.called[None], public.picker, public.called < NO_CARD))
    unknown = jnp.full(1, history.UNKNOWN)
    if seen.unknown is not None:
        unknown = jnp.where(seen.unknown == NO_CARD, unknown, seen.unknown.astype(jnp.int32))
        parts.append(history.part(unknown, public.picker, seen.has_unknown))
    if rules.blind_size:
        bury = history.ascending(seen.buried, rules.blind_size)
        bury = jnp.where(sees_aside(public, seen.player), bury, history.UNKNOWN)
        parts.append(history.part(bury, public.picker, seen.num_buried))
    if rules.crack:
        parts += _cracked(rules, public)
    plays = history.plays(public.history, rules.num_plays, public.num_played, seen.played_by)
    face_down = plays.actions == NO_CARD
    actions = jnp.where(face_down, unknown, plays.actions)
    players = jnp.where(face_down, public.picker.astype(jnp.int32), plays.players)
    return history.joined(game.max_steps, [*parts, history.part(actions, players, plays.length)])


def _asked(rules: SheepsheadRules, public: Public) -> History:
    """Return the passes on the blind, and the pick if somebody has picked."""
    n = rules.num_players
    seats = seat_after(public.dealer, 1 + jnp.arange(n, dtype=jnp.uint32), n)
    picked = public.picker != NO_SEAT
    due = jnp.where(public.phase == PICK, (seats == public.current_player).argmax(), n)
    number = jnp.where(picked, (seats == public.picker).argmax() + 1, due)
    actions = jnp.where(seats == public.picker, PICK_ACTION, PASS_ACTION)
    return history.part(actions, seats, number)


def _cracked(rules: SheepsheadRules, public: Public) -> list[History]:
    """Return the passes and the crack of the other players, and the answer of the picker."""
    n, picker, cracker = rules.num_players, public.picker, public.cracker
    assert cracker is not None
    picker = jnp.minimum(picker, n - 1)  # without one, nobody is asked
    seats = seat_after(picker, 1 + jnp.arange(n - 1, dtype=jnp.uint32), n)
    cracked = cracker != NO_SEAT
    everyone = places_after(picker, public.dealer, n) if rules.crack_who == "unasked" else n - 1
    due = jnp.where(public.phase == CRACK, (seats == public.current_player).argmax(), everyone)
    number = jnp.where(cracked, (seats == cracker).argmax() + 1, due)
    asked = (public.picker != NO_SEAT) & (public.phase >= CRACK)
    actions = jnp.where(seats == cracker, CRACK_ACTION, PASS_ACTION)
    parts = [history.part(actions, seats, jnp.where(asked, number, 0))]
    if public.recracked is not None:
        answer = jnp.where(public.recracked, RECRACK_ACTION, PASS_ACTION)[None]
        parts.append(history.part(answer, public.picker, cracked & (public.phase > RECRACK)))
    return parts
