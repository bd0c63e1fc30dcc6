"""The course of a deal, the play of the cards, and what an action does (docs/euchre.md, 6 and 7)."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards import history, sets
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.seats import vector
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.euchre.calls import Turn, call_after, chooses_card, legal_calls, turn_of
from jaxcards.games.euchre.deck import (
    HAND_SIZE,
    NUM_TRICKS,
    deck_of,
    suit_and_strength,
    suit_cards,
)
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
    EuchreGame,
    State,
    Table,
    hand_of,
    pack_call,
    pack_table,
)
from jaxcards.stages import Schedule, Stage, known


def max_steps(game: EuchreGame) -> int:
    """Return the largest number of decisions of a deal (docs/euchre.md, 10)."""
    rules = game.rules
    seating = seating_of(rules)
    # The longest bidding is that of two rounds, in which nobody picks a card up.
    bids = 2 * len(seating.bidders) + rules.allow_alone
    together = seating.num_seats * NUM_TRICKS
    together += 5 if seating.pool else 2 if rules.defend_alone == "always" else 0
    alone = (seating.num_seats - 1) * NUM_TRICKS + (2 if rules.defend_alone != "never" else 0)
    return bids + max(together, alone)


def schedule(game: EuchreGame, round: Any = None) -> Schedule:
    """Return the stages of a deal, of tricks in which every seat plays."""
    del round  # every deal has the same stages
    rules = game.rules
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


def legal_cards(rules: EuchreRules, state: State, stage: Stage) -> CardSet:
    """Return the cards that may be laid aside or played (docs/euchre.md, 6 and 7.3)."""
    public = state.public
    call, table = state.calls_in(stage), public.tricks
    hand = hand_of(state, call.seat)
    if stage.leads or stage.last:
        return hand
    follow = hand & suit_cards(hand.deck, table.led, call.trump)
    # On an empty table nothing is led, so nothing can follow and every card is free.
    free = hand
    if not rules.discard_upcard and not stage.plays:
        discards = call.phase == DISCARD
        up_card = jnp.uint32(1) << public.up_card
        (word,) = hand.words
        free = CardSet(hand.deck, [word & ~jnp.where(discards, up_card, 0)])
    return sets.select(follow.any(), follow, free)


def cards_to_play(game: EuchreGame, state: State) -> jax.Array:
    """See `Game.cards_to_play`; a hand for each seat. A seat that sits out has no card to play."""
    rules = game.rules
    active = state.calls.active
    held = []
    for seat in range(seating_of(rules).num_seats):
        plays = (active >> seat) & 1 == 1
        held.append(jnp.where(plays, hand_of(state, jnp.uint32(seat)).count(), 0))
    return jnp.where(state.playing, vector(held), deck_of(rules).num_cards)


def legal(game: EuchreGame, state: State, stage: Stage) -> ActionSet:
    """See `Game._legal`."""
    (card,) = legal_cards(game.rules, state, stage).words
    chooses = known(stage.plays or None, chooses_card(state.calls_in(stage).phase))
    word = jnp.where(chooses, card, legal_calls(game.rules, state, stage))
    return ActionSet(game.action_layout, [word])


def step(game: EuchreGame, state: State, action: jax.Array, stage: Stage) -> State:
    """See `Game._step`.

    Only a handful of words depend on the action, so that no fence but the one around it, in
    `Game.step`, gains anything.
    """
    rules, public = game.rules, state.public
    deck = deck_of(rules)
    turn = turn_of(state, action, stage)
    single = CardSet.single(deck, action).words[0]
    table, lacks, complete = _table_after(rules, state, turn, action, stage)
    call, begins, takes = call_after(rules, state, turn, action, complete, table, stage)
    call = call._replace(phase=state.phase_after(call.phase, stage))
    table = table._replace(waiting=jnp.where(begins, call.active, table.waiting))

    up_card = jnp.uint32(1) << public.up_card
    picked = turn.names & (state.calls_in(stage).phase != BID2)
    moved = jnp.where(turn.discards | turn.exchanges, single, jnp.where(picked, up_card, 0))
    if state.dummy is not None:
        # Without `allow_alone` the dealer's discard and the dummy move at once.
        moved = moved | jnp.where(takes, state.dummy.words[0], 0)
    after = state.with_public(
        history=history.append(public.history, state.num_played, action, turn.plays),
        call=pack_call(call),
        table=pack_table(table),
        voids=public.voids | lacks,
    )
    return dataclasses.replace(
        after,
        # Cards that are picked up lie there, cards that are laid down do not.
        aside=CardSet(deck, [state.aside.words[0] ^ moved]),
        played=CardSet(deck, [state.played.words[0] | jnp.where(turn.plays, single, 0)]),
    )


def _table_after(
    rules: EuchreRules, state: State, turn: Turn, card: jax.Array, stage: Stage
) -> tuple[Table, jax.Array, jax.Array]:
    """Return the table after a card, a suit shown to be missing, and whether the trick is over: bool.

    The suit is a bit in the layout of `Public.voids`. The table of a complete trick is empty but for
    the winner.
    """
    call, table = state.calls, state.public.tricks
    if stage.leads:
        table = table._replace(led=jnp.uint32(NO_SUIT), best=jnp.uint32(0))
    suit, strength = suit_and_strength(deck_of(rules), card, call.trump, table.led)
    plays = turn.plays
    wins = plays & (strength > table.best)
    leads = known(stage.leads, table.led == NO_SUIT)
    after = table._replace(
        led=jnp.where(plays & leads, suit, table.led),
        best=jnp.where(wins, strength, table.best),
        winner=jnp.where(wins, call.seat, table.winner),
        waiting=table.waiting & ~(plays.astype(jnp.uint32) << call.seat),
    )
    complete = plays & known(stage.completes, after.waiting == 0)
    lacks = jnp.where(plays & ~leads & (suit != table.led), jnp.uint32(1) << table.led, 0)
    cleared = after._replace(
        led=jnp.where(complete, jnp.uint32(NO_SUIT), after.led),
        best=jnp.where(complete, 0, after.best),
        waiting=jnp.where(complete, call.active, after.waiting),
        tricks=after.tricks + complete.astype(jnp.uint32),
        winners=after.winners | jnp.where(complete, after.winner << (2 * after.tricks), 0),
    )
    return cleared, lacks << (4 * call.seat), complete
