"""The calls of Euchre: what is legal, what an action makes of phase and turn, and which were made.

Trump is named in up to two rounds, the dealer discards, the maker says whether it plays alone and may
take the dummy, a defender may play alone as well (docs/euchre.md, 6). `Euchre.step` moves the cards.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.actions import ActionLayout
from jaxcards.cards.history import History
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.euchre import play
from jaxcards.games.euchre.play import Call, EuchreGame, Observation, State, Table
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of
from jaxcards.stages import Stage, known

REDEAL = 24  # of a farmer's hand; without a joker, no card has this number
PASS = 25
CALL = 26  # + suit
SAY_ALONE = 30
SAY_TEAM = 31
NUM_ACTIONS = 32

_ALL_CALLS = 15 << CALL


def action_layout(game: EuchreGame) -> ActionLayout:
    rules = game.rules
    # A maker with the dummy holds ten cards, a dealer with the card turned up six.
    most = 2 * play.HAND_SIZE if seating_of(rules).pool else play.HAND_SIZE + 1
    return ActionLayout.after_cards(play.deck_of(rules), NUM_ACTIONS, most)


def legal_calls(rules: EuchreRules, state: State, stage: Stage) -> jax.Array:
    """Return the legal calls: a word of actions (docs/euchre.md, 6.1 to 6.6)."""
    public = state.public
    call = state.calls_in(stage)
    turned = jnp.uint32(1 << CALL) << play.turned_suit(public.up_card)
    # With `stick_dealer`, the dealer may not pass in the second round.
    may_pass: jax.Array | int = 1 << PASS
    if rules.stick_dealer:
        may_pass = jnp.where(call.seat == public.dealer, jnp.uint32(0), jnp.uint32(1 << PASS))
    # Round 1: order the up-card up or pass. Round 2: another suit, or pass unless the dealer is stuck.
    first = turned | (1 << PASS)
    second = (_ALL_CALLS & ~turned) | may_pass
    if rules.farmers_hand:
        (hand,) = play.hand_of(state, call.seat).words
        # A farmer's hand has nothing but nines and tens.
        weak = hand & ~jnp.uint32(play.NINES_AND_TENS) == 0
        first = first | jnp.where(weak, jnp.uint32(1 << REDEAL), 0)
    said = jnp.where(call.phase == play.BID1, first, second)
    if rules.joker:
        said = jnp.where(call.phase == play.NAME_BLIND, jnp.uint32(_ALL_CALLS), said)
    answers = jnp.uint32(1 << SAY_ALONE | 1 << SAY_TEAM)
    if rules.canadian_loner:
        # The dealer's partner is seat ^ 2.
        ordered = play.picked_up(public.up_card, call) & (call.maker == public.dealer ^ 2)
        must = ordered & (call.phase == play.ALONE)
        answers = jnp.where(must, jnp.uint32(1 << SAY_ALONE), answers)
    return jnp.where((call.phase == play.ALONE) | (call.phase == play.DEFEND), answers, said)


def chooses_card(phase: jax.Array) -> jax.Array:
    """Return whether a card is due: bool; else something is to be said."""
    return (phase == play.PLAY) | (phase == play.DISCARD) | (phase == play.EXCHANGE)


def first_defender(dealer: jax.Array, maker: jax.Array) -> jax.Array:
    """Return the first seat to the left of the dealer that is not on the makers' side: uint32."""
    following = dealer + 1
    # Sides have different parities: one seat further if the first one is on the makers' side.
    return (following + ((following ^ maker ^ 1) & 1)) & 3


class Turn(NamedTuple):
    """The kind of an action in its phase; all bool scalars."""

    passes: jax.Array
    names: jax.Array
    discards: jax.Array
    exchanges: jax.Array
    plays: jax.Array
    answers: jax.Array  # of the maker, whether alone
    defends: jax.Array  # answers of a defender


def turn_of(state: State, action: jax.Array, stage: Stage) -> Turn:
    phase, card = state.calls_in(stage).phase, action <= play.JOKER
    # The two answers differ in the lowest bit only.
    answer = (action | 1) == SAY_TEAM
    # Where all deals play cards, the other kinds of action are constants.
    if stage.plays:
        no = jnp.bool_(False)
        return Turn(no, no, no, no, ~state.idle(stage), no, no)
    return Turn(
        passes=action == PASS,
        names=(action >= CALL) & (action < CALL + play.NUM_SUITS),
        discards=card & (phase == play.DISCARD),
        exchanges=card & (phase == play.EXCHANGE),
        plays=known(stage.plays, card & (phase == play.PLAY)),
        answers=answer & (phase == play.ALONE),
        defends=answer & (phase == play.DEFEND),
    )


def _most_out(rules: EuchreRules) -> int:
    """Return the number of seats that can be out of turn: they do not bid, or a partner plays alone."""
    seating = seating_of(rules)
    paired = any(partner is not None for partner in seating.partners)
    lone = rules.allow_alone + (rules.defend_alone != "never")
    return max(seating.num_seats - len(seating.bidders), lone if paired else 0)


def call_after(
    rules: EuchreRules, state: State, turn: Turn, action: jax.Array, complete: jax.Array,
    table: Table, stage: Stage,
) -> tuple[Call, jax.Array, jax.Array]:  # fmt: skip
    """Return the call after an action, whether the play begins, and whether the dummy is taken."""
    public = state.public
    seating, call = seating_of(rules), state.calls_in(stage)
    phase, no = call.phase, jnp.zeros((), bool)
    # Trumps and their maker. `fixed`: no card is left to discard, so the maker is asked about alone.
    trump = jnp.where(turn.names, action - CALL, call.trump)
    maker = jnp.where(turn.names, call.seat, call.maker)
    second = phase == play.BID2
    fixed = (turn.names & second) | turn.discards
    # `settled`: it is known who plays alone. Then the maker's partner sits out, if the maker is alone.
    settled = turn.answers if rules.allow_alone else fixed
    alone = call.alone | (turn.answers & (action == SAY_ALONE)).astype(jnp.uint32)
    # In the auction only the bidders are active; from now on all seats are.
    active = jnp.where(settled, seating.everyone, call.active)
    out = seating.partner_bit(maker)
    active = jnp.where(settled & (alone == 1), active & ~out, active)

    # Whether the maker takes the dummy's cards: only one that is not alone.
    takes = no
    if seating.pool:
        takes = settled & (alone == 0)
        if rules.mode == "dummy_pool":
            takes = takes & (maker == 0)
    # Whether a defender is asked about alone, and after a "no" the other one.
    asks, goes_on, defender = no, no, call.defender
    if rules.defend_alone != "never":
        asks = settled if rules.defend_alone == "always" else settled & (alone == 1)
        defends = turn.defends & (action == SAY_ALONE)
        goes_on = turn.defends & ~defends & (call.seat == first_defender(public.dealer, maker))
        defender = jnp.where(defends, call.seat, defender)
        active = jnp.where(defends, active & ~seating.partner_bit(call.seat), active)
    # The first lead comes at once, after the fifth exchanged card, or after the last defender's answer.
    begins = settled & ~takes & ~asks
    if seating.pool:
        begins = begins | (turn.exchanges & (play.num_discarded(state) == 4))
    if rules.defend_alone != "never":
        begins = begins | (turn.defends & ~goes_on)

    # The phase that follows; each line overrides those before it.
    at_dealer = call.seat == public.dealer
    phase = jnp.where(
        turn.passes & at_dealer, jnp.where(second, jnp.uint32(play.DONE), play.BID2), phase
    )
    phase = jnp.where(turn.names, jnp.uint32(play.DISCARD), phase)
    if rules.farmers_hand and not stage.plays:
        # Before trumps are named, `alone` marks a new deal.
        redeals = (action == REDEAL) & (call.phase == play.BID1)
        alone = alone | redeals.astype(jnp.uint32)
        phase = jnp.where(redeals, jnp.uint32(play.DONE), phase)
    if rules.allow_alone:
        phase = jnp.where(fixed, jnp.uint32(play.ALONE), phase)
    phase = jnp.where(takes, jnp.uint32(play.EXCHANGE), phase)
    phase = jnp.where(asks, jnp.uint32(play.DEFEND), phase)
    phase = jnp.where(begins, jnp.uint32(play.PLAY), phase)
    phase = jnp.where(complete & (table.tricks == play.NUM_TRICKS), jnp.uint32(play.DONE), phase)

    # The seat that is next to act: in turn, from the dealer (or the lone maker) at the first lead.
    base = public.dealer
    if rules.lone_lead == "maker_left":
        base = jnp.where(alone == 1, maker, base)
    following = seating.following(jnp.where(begins, base, call.seat), active, _most_out(rules))
    moves_on = begins | turn.passes | turn.plays
    seat = jnp.where(moves_on, following, call.seat)
    # A suit named in the first round: the dealer discards. After that the maker goes on.
    seat = jnp.where(turn.names & ~second, public.dealer, seat)
    seat = jnp.where(turn.discards & ~begins, maker, seat)
    seat = jnp.where(complete, table.winner, seat)
    if rules.defend_alone != "never":
        seat = jnp.where(asks, first_defender(public.dealer, maker), seat)
        seat = jnp.where(goes_on, (call.seat + 2) & 3, seat)
    return Call(phase, seat, trump, maker, alone, defender, active), begins, takes


def history_of(game: EuchreGame, observation: Observation) -> History:
    """See `Game.history`. Others do not see which cards a player lays aside.

    Of those the player itself knows no order: they come in ascending order, after its discard.
    """
    rules, seen = game.rules, observation
    seating, public, call = seating_of(rules), seen.public, seen.public.calls
    named, blind = call.trump != NO_SUIT, public.up_card == play.JOKER

    def part(actions: Sequence[Any], seats: Any, length: Any) -> History:
        stacked = jnp.stack([jnp.asarray(action).astype(jnp.int32) for action in actions])
        return history.part(stacked, seating.agent_of(jnp.asarray(seats, jnp.uint32)), length)

    def answer(alone: jax.Array) -> jax.Array:
        return jnp.where(alone, SAY_ALONE, SAY_TEAM)

    parts = [_bids(rules, seen)]
    # A dealer that names trumps blindly does so before all bids.
    if rules.joker:
        parts.insert(0, part([CALL + call.trump], public.dealer, blind & named))
    discard, exchanged = _own_laid_aside(rules, seen)
    discarded = named & public.picked_up & (call.phase > play.DISCARD)
    parts.append(part([discard], public.dealer, discarded))
    if rules.allow_alone:
        parts.append(part([answer(call.alone == 1)], call.maker, named & (call.phase > play.ALONE)))
    if seen.num_discarded is not None:
        parts.append(part(list(exchanged), call.maker, seen.num_discarded))
    if rules.defend_alone != "never":
        first = first_defender(public.dealer, call.maker)
        asked = named & ((rules.defend_alone == "always") | (call.alone == 1))
        # The second defender is asked only after a "no" of the first.
        number = jnp.where(call.defender == first, 1, 2)
        # While a defender is asked, only an earlier answer counts.
        number = jnp.where(call.phase == play.DEFEND, call.seat != first, number)
        number = jnp.where(asked & (call.phase >= play.DEFEND), number, 0)
        seats = [first, (first + 2) & 3]
        said = [answer(call.defender == seat) for seat in seats]
        parts.append(part(said, jnp.stack(seats), number))
    played = sum(cards.count() for cards in seen.played_by)
    most = play.HAND_SIZE * seating.num_seats
    plays = history.plays(public.history, most, played, seen.played_by)
    parts.append(plays._replace(players=seating.agent_of(plays.players.astype(jnp.uint32))))
    return history.joined(game.max_steps, parts)


def _bids(rules: EuchreRules, seen: Observation) -> History:
    """Return the bids of both rounds: passes, and the name of a suit if somebody has named one."""
    seating, public, call = seating_of(rules), seen.public, seen.public.calls
    # The order in which seats are asked, the same in both rounds.
    round_of_seats = [seating.next_bidder(public.dealer)]
    for _ in seating.bidders[1:]:
        round_of_seats.append(seating.next_bidder(round_of_seats[-1]))
    seats, size = jnp.stack(round_of_seats * 2), len(seating.bidders)
    named, second = call.trump != NO_SUIT, ~public.picked_up
    # How many bids came before the one of the maker, or before the one that is due.
    place = (seats == jnp.where(named, call.maker, call.seat)).argmax()
    place = place + jnp.where(jnp.where(named, second, call.phase == play.BID2), size, 0)
    number = jnp.where(named, place + 1, jnp.where(call.phase <= play.BID2, place, 2 * size))
    number = jnp.where((call.phase == play.NAME_BLIND) | (public.up_card == play.JOKER), 0, number)
    if rules.farmers_hand:
        number = jnp.where(play.dealt_again(call), place + 1, number)
    last = jnp.arange(2 * size) == number - 1
    said = jnp.where(named & last, CALL + call.trump, PASS)
    if rules.farmers_hand:
        said = jnp.where(play.dealt_again(call) & last, REDEAL, said)
    return history.part(said, seating.agent_of(seats), number)


def _own_laid_aside(rules: EuchreRules, seen: Observation) -> tuple[jax.Array, jax.Array]:
    """Return the discard, int32, and the cards laid down for the dummy's, int32[5], if known."""
    call, public = seen.public.calls, seen.public
    seat = seating_of(rules).seat_of(seen.player)
    may = seen.discards
    if seen.num_discarded is not None:
        assert seen.dummy is not None
        # The discard came before the dummy, so it is not one of the dummy's cards.
        may = may - seen.dummy
    if not rules.discard_upcard:
        may = may - CardSet.single(may.deck, public.up_card)
    own = (seat == public.dealer) & public.picked_up
    discard = jnp.where(own, history.ascending(may, 1)[0], history.UNKNOWN)
    left = seen.discards - CardSet.single(may.deck, discard)
    exchanged = history.ascending(left, play.HAND_SIZE)
    return discard, jnp.where(seat == call.maker, exchanged, history.UNKNOWN)
