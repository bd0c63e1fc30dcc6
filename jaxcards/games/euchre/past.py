"""Which actions were taken in a deal, as its states and what a player sees of them tell."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards import history
from jaxcards.cards.history import History
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.euchre.calls import CALL, PASS, SAY_ALONE, SAY_TEAM, first_defender
from jaxcards.games.euchre.deck import HAND_SIZE, JOKER, turned_suit
from jaxcards.games.euchre.play import legal_cards
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of
from jaxcards.games.euchre.state import (
    ALONE,
    BID1,
    BID2,
    DEFEND,
    DISCARD,
    EXCHANGE,
    NAME_BLIND,
    PLAY,
    EuchreGame,
    Observation,
    State,
)
from jaxcards.xla.lowest import lowest_place


def action_taken(game: EuchreGame, state: State, later: State) -> jax.Array:
    """Return the action of the player to act: uint32; see `Game.action_taken`.

    Of cards laid aside the lowest is the first. A dealer that takes the dummy lays cards aside twice;
    the lowest of those that it had before counts as its discard.
    """
    rules, phase = game.rules, state.calls.phase
    lays_aside = (phase == DISCARD) | (phase == EXCHANGE)
    said = _said(state, later)
    said = jnp.where(lays_aside, _laid_aside(rules, state, later), said)
    card = history.card_at(later.public.history, state.num_played)
    return jnp.where(phase == PLAY, card, said)


def _said(state: State, later: State) -> jax.Array:
    """Return what was said: a suit, a pass, or whether somebody plays alone (docs/euchre.md, 6)."""
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
    """Return the lowest of the cards that the player to act has laid aside since, and may."""
    (word,) = (legal_cards(rules, state, stages.ANY) & later.aside).words
    return lowest_place(word)


def history_of(game: EuchreGame, observation: Observation) -> History:
    """See `Game.history`. Others do not see which cards a player lays aside.

    Of those the player itself knows no order: they come in ascending order, and if it has laid cards
    aside twice, the first is the lowest that it could discard.
    """
    rules, seen = game.rules, observation
    seating, public, call = seating_of(rules), seen.public, seen.public.calls
    named, blind = call.trump != NO_SUIT, public.up_card == JOKER

    def part(actions: Sequence[Any], seats: Any, length: Any) -> History:
        stacked = jnp.stack([jnp.asarray(action).astype(jnp.int32) for action in actions])
        return history.part(stacked, seating.agent_of(jnp.asarray(seats, jnp.uint32)), length)

    def answer(alone: jax.Array) -> jax.Array:
        return jnp.where(alone, SAY_ALONE, SAY_TEAM)

    parts = [_bids(rules, seen)]
    if rules.joker:
        parts.insert(0, part([CALL + call.trump], public.dealer, blind & named))
    discard, exchanged = _own_laid_aside(rules, seen)
    discarded = named & public.picked_up & (call.phase > DISCARD)
    parts.append(part([discard], public.dealer, discarded))
    if rules.allow_alone:
        parts.append(part([answer(call.alone == 1)], call.maker, named & (call.phase > ALONE)))
    if seen.num_discarded is not None:
        parts.append(part(list(exchanged), call.maker, seen.num_discarded))
    if rules.defend_alone != "never":
        first = first_defender(public.dealer, call.maker)
        asked = named & ((rules.defend_alone == "always") | (call.alone == 1))
        number = jnp.where(call.defender == first, 1, 2)
        number = jnp.where(call.phase == DEFEND, call.seat != first, number)
        number = jnp.where(asked & (call.phase >= DEFEND), number, 0)
        seats = [first, (first + 2) & 3]
        said = [answer(call.defender == seat) for seat in seats]
        parts.append(part(said, jnp.stack(seats), number))
    played = sum(cards.count() for cards in seen.played_by)
    most = HAND_SIZE * seating.num_seats
    plays = history.plays(public.history, most, played, seen.played_by)
    parts.append(plays._replace(players=seating.agent_of(plays.players.astype(jnp.uint32))))
    return history.joined(game.max_steps, parts)


def _bids(rules: EuchreRules, seen: Observation) -> History:
    """Return the bids of both rounds: passes, and the name of a suit if somebody has named one."""
    seating, public, call = seating_of(rules), seen.public, seen.public.calls
    round_of_seats = [seating.next_bidder(public.dealer)]
    for _ in seating.bidders[1:]:
        round_of_seats.append(seating.next_bidder(round_of_seats[-1]))
    seats, size = jnp.stack(round_of_seats * 2), len(seating.bidders)
    named, second = call.trump != NO_SUIT, ~public.picked_up
    # How many bids came before the one of the maker, or before the one that is due.
    place = (seats == jnp.where(named, call.maker, call.seat)).argmax()
    place = place + jnp.where(jnp.where(named, second, call.phase == BID2), size, 0)
    number = jnp.where(named, place + 1, jnp.where(call.phase <= BID2, place, 2 * size))
    number = jnp.where((call.phase == NAME_BLIND) | (public.up_card == JOKER), 0, number)
    names = named & (jnp.arange(2 * size) == number - 1)
    return history.part(jnp.where(names, CALL + call.trump, PASS), seating.agent_of(seats), number)


def _own_laid_aside(rules: EuchreRules, seen: Observation) -> tuple[jax.Array, jax.Array]:
    """Return the discard of the dealer, int32, and the cards laid down for the dummy's, int32[5].

    `history.UNKNOWN` stands for those of other players.
    """
    call, public = seen.public.calls, seen.public
    seat = seating_of(rules).seat_of(seen.player)
    may = seen.discards
    if seen.num_discarded is not None:
        assert seen.dummy is not None
        may = may - seen.dummy
    if not rules.discard_upcard:
        may = may - CardSet.single(may.deck, public.up_card)
    own = (seat == public.dealer) & public.picked_up
    discard = jnp.where(own, history.ascending(may, 1)[0], history.UNKNOWN)
    left = seen.discards - CardSet.single(may.deck, discard)
    exchanged = history.ascending(left, HAND_SIZE)
    return discard, jnp.where(seat == call.maker, exchanged, history.UNKNOWN)
