"""The phases of a deal of Jass: what is legal, and what an action does (contract sections 3 and 4).

Forehand chooses a mode or pushes (in Differenzler everyone predicts), then the cards are played.
"""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards import history, sets, tricks
from jaxcards.cards.actions import IDLE, ActionLayout
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.jass import deck as jass_deck
from jaxcards.games.jass import score, weis
from jaxcards.games.jass.deck import CARD_POINTS, DECK
from jaxcards.games.jass.rules import JassRules
from jaxcards.games.jass.state import (
    NO_WINNER,
    NUM_CARDS_PLAYED,
    POINTS_BITS,
    State,
)
from jaxcards.stages import known
from jaxcards.xla.fence import fence

CHOOSE = 36  # + mode 0..5
PUSH = 42
CHOOSE_SLALOM = 43  # + 0, 1 for modes 6, 7
PREDICT = 36  # + predicted points, in Differenzler


def action_layout(rules: JassRules) -> ActionLayout:
    """Returns how a set of actions is packed into words."""
    if rules.game == "differenzler":
        return ActionLayout.after_cards(DECK, PREDICT + CARD_POINTS + 1, most=CARD_POINTS + 1)
    return ActionLayout.after_cards(DECK, 45 if rules.slalom else 43, most=jass_deck.HAND_SIZE)


def legal_calls(rules: JassRules, layout: ActionLayout, state: State) -> list[Any]:
    if rules.game == "differenzler":
        return [jnp.uint32(w) for w in layout.constant(range(PREDICT, layout.num_actions))]
    modes = [*range(CHOOSE, CHOOSE + 6)]
    if rules.slalom:
        modes += [CHOOSE_SLALOM, CHOOSE_SLALOM + 1]
    must_choose = layout.constant(modes)
    if not rules.push:
        return [jnp.uint32(word) for word in must_choose]
    may_push = layout.constant([*modes, PUSH])
    first = state.num_calls == 0
    return [
        jnp.uint32(a) if a == b else jnp.where(first, jnp.uint32(a), jnp.uint32(b))
        for a, b in zip(may_push, must_choose, strict=True)
    ]


def legal_cards(rules: JassRules, state: State) -> CardSet:
    """Returns the cards that the current player may play (contract section 4.1)."""
    hand = by_seat(state.hands, state.current_player) - state.played
    if state.stage.last:
        return hand
    trick = state.trick
    trump = state.mode
    follow = hand & CardSet.suit_of(DECK, trick.led)
    trumps = hand & CardSet.suit_of(DECK, trump)
    stronger = tricks.stronger_trumps(DECK, jass_deck.TRUMP_ORDER, trump, trick.best)
    higher = trumps & stronger
    # The jack of trumps, if it is the only trump, need not be played when trumps are led.
    jacks = CardSet.of(DECK, range(jass_deck.JACK, DECK.num_cards, DECK.ranks_per_suit))
    excused = (trick.led == trump) & ~(trumps - jacks).any()
    free = hand
    if rules.undertrump == "banned":
        # With nothing but trumps in hand any of them will do, a lower one than on the table as well.
        free = sets.select((hand - trumps).any(), hand - (trumps - higher), hand)
    # On an empty table nothing is led, so nothing can follow and every card is free.
    return sets.select(follow.any() & ~excused, follow | higher, free)


def choose(rules: JassRules, state: State, action: jax.Array) -> State:
    """Forehand or, after a push, its partner chooses a mode (contract section 3)."""
    pushed = action == PUSH
    last_choice = CHOOSE + 6 if not rules.slalom else CHOOSE_SLALOM + 2
    chooses = (action >= CHOOSE) & (action < last_choice) & ~pushed
    mode = action - CHOOSE
    if rules.slalom:
        mode = jnp.where(action >= CHOOSE_SLALOM, mode - 1, mode)
    player = state.current_player
    partner = (player + 2) & 3
    player = jnp.where(pushed, partner, player)
    if rules.pushed_leader == "forehand":
        player = jnp.where(chooses, state.forehand.astype(jnp.int32), player)
    settled = state.weis
    if settled is not None:
        partner_leads = score.partner_leads(rules, state)
        settled = jnp.where(chooses, weis.settle(settled, mode, partner_leads), settled)
    return dataclasses.replace(
        state,
        weis=settled,
        mode=jnp.where(chooses, mode, state.mode),
        num_calls=state.num_calls + (pushed | chooses).astype(jnp.uint8),
        current_player=player,
    )


def predict(rules: JassRules, state: State, action: jax.Array) -> State:
    """Every seat in turn predicts its points (Differenzler)."""
    predicts = (action >= PREDICT) & (action != IDLE)
    shift = state.current_player.astype(jnp.uint32) * POINTS_BITS
    predictions = state.predictions
    assert predictions is not None
    following = (state.current_player + 1) & 3
    return dataclasses.replace(
        state,
        predictions=predictions | jnp.where(predicts, (action - PREDICT) << shift, 0),
        num_calls=state.num_calls + predicts.astype(jnp.uint8),
        current_player=jnp.where(predicts, following, state.current_player),
    )


def play(rules: JassRules, state: State, card: jax.Array) -> State:
    """Plays a card; any other action changes nothing."""
    plays = state.plays(card < DECK.num_cards)
    single = CardSet.single(DECK, card)
    seat = state.current_player.astype(jnp.uint32)
    suit, rank = DECK.suit_and_rank(card)
    trump = suit == state.mode
    trick = state.trick
    strength = _strength(rules, state, rank, trump, suit == tricks.lead_suit(trick, suit))
    value = score.card_value(state.mode, rank, trump)
    table = fence(tricks.pack(tricks.add_card(trick, seat, suit, strength, value)))
    trick = tricks.unpack(table)

    complete = plays & known(state.stage.completes, state.num_played & 3 == 3)
    last = state.num_played == NUM_CARDS_PLAYED - 1
    won = trick.points + jnp.where(last, jnp.uint32(jass_deck.LAST_TRICK_POINTS), 0)
    following = jnp.where(complete, trick.winner, (seat + 1) & 3).astype(jnp.int32)
    cleared = jnp.where(complete, jnp.uint32(tricks.EMPTY_TABLE), table)
    after = dataclasses.replace(
        state,
        played=state.played | single,
        history=history.append(state.history, state.num_played, card, plays),
        current_player=jnp.where(plays, following, state.current_player),
        num_played=state.num_played + plays.astype(jnp.uint32),
        table=jnp.where(plays, cleared, state.table),
        points=state.points + jnp.where(complete, won << (trick.winner * POINTS_BITS), 0),
        winners=state.winners | jnp.where(complete, trick.winner << ((state.num_played >> 2) * 2), 0),
        voids=state.voids | jnp.where(plays, _shown_void(rules, state, seat, suit, rank), 0),
    )
    return _match_winner(rules, after, complete) if rules.target else after


def _strength(
    rules: JassRules, state: State, rank: jax.Array, trump: jax.Array, follows: jax.Array
) -> jax.Array:
    """Returns the strength of a card in the current trick, 0 if it can win nothing."""
    downward = state.mode == jass_deck.UNDENUFE
    if rules.slalom:
        odd = (state.num_played >> 2) & 1  # the second trick, the fourth, …
        slalom_down = (state.mode >= jass_deck.SLALOM_TOP) & ((state.mode & 1) != odd)
        downward = downward | slalom_down
    plain = jnp.where(downward, DECK.ranks_per_suit - rank, rank + 1)
    plain = jnp.where(follows, plain, 0)
    return jnp.where(trump, tricks.TRUMP + jass_deck.TRUMP_ORDER.strength(rank), plain)


def _shown_void(
    rules: JassRules, state: State, seat: jax.Array, suit: jax.Array, rank: jax.Array
) -> jax.Array:
    """Returns the suits that a play shows to be missing, in the layout of `State.voids`.

    A card that neither follows nor is a trump shows that its player has no card of the led suit
    (but perhaps the jack, if trumps were led). A trump below one on the table shows, where that
    is banned, that only trumps are left; where it is allowed to the void, that the led suit is
    missing.
    """
    trick, trump = state.trick, state.mode
    strength = tricks.TRUMP + jass_deck.TRUMP_ORDER.strength(rank)
    is_trump = suit == trump
    discards = (trick.led != NO_SUIT) & (suit != trick.led)
    under = discards & is_trump & (strength < trick.best)
    shown = jnp.where(discards & ~is_trump, jnp.uint32(1) << trick.led, 0)
    if rules.undertrump == "banned":
        plain_suits = jnp.uint32(15) & ~(jnp.uint32(1) << trump)
    else:
        plain_suits = jnp.uint32(1) << trick.led
    shown = jnp.where(under, plain_suits, shown)
    return shown << (seat * 4)


def _match_winner(rules: JassRules, state: State, complete: jax.Array) -> State:
    assert state.match_winner is not None
    open_ = complete & (state.match_winner == NO_WINNER)
    winner = score.match_winner(rules, state)
    return dataclasses.replace(state, match_winner=jnp.where(open_, winner, state.match_winner))
