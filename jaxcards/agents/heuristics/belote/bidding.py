"""Calling at Belote: naming trumps, taking the card turned up, bidding, raising, doubling.

A player names its best suit if the estimate for it exceeds the value of passing at this place in the
auction. With contracts, the player bids the expected result of its hand at once, less a margin. Partner
and opponents then take that bid into account when they judge their own hands.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.belote import hands
from jaxcards.agents.heuristics.belote.bidding_tables import Column
from jaxcards.agents.heuristics.belote.hands import estimates
from jaxcards.agents.heuristics.weights import select
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import CardSet, fence_set
from jaxcards.games.belote import calls as auction
from jaxcards.games.belote.play import CONTRACT_WORD, DECK, Contract, Observation
from jaxcards.games.belote.rules import LOWEST_BID, BeloteRules
from jaxcards.xla.fence import fence

_NOTHING = -1000.0  # an estimate below all others
_CAPOT = 200.0  # value of a capot for doubling: less than its 252, which estimates seldom reach


class Weights(NamedTuple):
    """Thresholds for calling, in points.

    Attributes:
      dealer_must, forehand_must, void: the lowest estimate for naming a suit, by the number of earlier
        calls. At the end of the auction the dealer must name a suit, forehand must, or the deal is
        void.
      turnup_dealer_must, turnup_void: the same with a card turned up.
      open: margin between the estimate and an opening bid.
      raise_: the same margin for a bid of the partner's mode.
      contested: deduction from the estimate if an opponent has bid.
      coinche: double a bid that exceeds the bidders' expected result by this margin.
      surcoinche: redouble a bid if the bidders' expected result exceeds it by this margin.
      capot: the lowest estimate for bidding all tricks.
    """

    dealer_must: Any
    forehand_must: Any
    void: Any
    turnup_dealer_must: Any
    turnup_void: Any
    open: Any
    raise_: Any
    contested: Any
    coinche: Any
    surcoinche: Any
    capot: Any


WEIGHTS = Weights(
    dealer_must=(5.0, 5.0, 5.0, 0.0),
    forehand_must=(5.0, 5.0, 5.0, 20.0, 0.0),
    void=(5.0, 5.0, 5.0, 0.0),
    turnup_dealer_must=(5.0, 5.0, 5.0, 0.0, 5.0, 5.0, 5.0, 0.0),
    turnup_void=(10.0, 10.0, 10.0, 5.0, 5.0, 5.0, 5.0, 0.0),
    open=27.8,
    raise_=28.9,
    contested=0.0,
    coinche=3.6,
    surcoinche=27.4,
    capot=250.0,
)


def choose_call(rules: BeloteRules, weights: Weights, seen: Observation, legal: ActionSet) -> jax.Array:
    """Return the call that the heuristic chooses: int32, always a legal one."""
    if rules.auction == "contract":
        return _choose_bid(rules, weights, seen)
    return _choose_suit(rules, weights, seen, legal)


def _is_forehand(seen: Observation) -> jax.Array:
    return ((seen.player - seen.public.dealer.astype(jnp.int32)) & 3) == 1


# ---- Naming a suit ------------------------------------------------------------------------------


def suit_estimates(rules: BeloteRules, seen: Observation) -> list[jax.Array]:
    """Return the expected result of naming each suit: float32, own score less the other side's."""
    hand, column = seen.hand, Column.BELA
    if seen.turn_up is not None:
        # The hand is judged with the card turned up.
        hand = hand | CardSet.single(DECK, seen.turn_up.astype(jnp.uint32))
        column = Column.TURNUP
    hand = fence_set(hand)
    parts = hands.describe(rules, hand, _is_forehand(seen), jnp.uint32(0))
    return estimates(rules, parts, column)


def thresholds(rules: BeloteRules, weights: Weights) -> Any:
    """Return the lowest estimate for naming a suit, by the number of earlier calls."""
    if rules.auction == "turnup":
        return weights.turnup_void if rules.all_pass == "void" else weights.turnup_dealer_must
    if rules.all_pass == "void":
        return weights.void
    return weights.dealer_must if rules.all_pass == "dealer_must" else weights.forehand_must


def _choose_suit(
    rules: BeloteRules, weights: Weights, seen: Observation, legal: ActionSet
) -> jax.Array:
    best, action = jnp.float32(_NOTHING), jnp.int32(auction.NAME)
    for suit, value in enumerate(suit_estimates(rules, seen)):
        # A suit that may not be named is below all others.
        value = jnp.where(legal.contains(jnp.uint32(auction.NAME + suit)), value, 2 * _NOTHING)
        better = value > best
        best, action = jnp.where(better, value, best), jnp.where(better, auction.NAME + suit, action)
    enough = select(thresholds(rules, weights), seen.public.num_calls)
    passes = (best < enough) & legal.contains(jnp.uint32(auction.PASS))
    return fence(jnp.where(passes, auction.PASS, action))


# ---- Contracts ----------------------------------------------------------------------------------


class Bid(NamedTuple):
    """The last bid of one player or side.

    Attributes:
      made: bool, whether there is a bid.
      level, mode: uint32, undefined without a bid.
    """

    made: jax.Array
    level: jax.Array
    mode: jax.Array


def last_bids(rules: BeloteRules, seen: Observation) -> tuple[Bid, Bid, Bid]:
    """Return the last bids of this player, of the partner, and of the opponents."""
    public = seen.public
    assert public.calls is not None
    per_word = 32 // auction.CALL_BITS
    shifts = jnp.arange(per_word, dtype=jnp.uint32) * auction.CALL_BITS
    # calls: uint32[words, per_word], in the order of the auction.
    calls = (jnp.stack(public.calls)[:, None] >> shifts[None]) & ((1 << auction.CALL_BITS) - 1)
    order = jnp.arange(calls.size, dtype=jnp.int32).reshape(calls.shape)
    number = calls.astype(jnp.int32) + (auction.PASS - auction.BID)
    called = order < public.num_calls.astype(jnp.int32)
    is_bid = (number >= 0) & (number < auction.coinche(rules) - auction.BID) & called
    # places: int32[words, per_word], from this player to the one who made each call.
    places = (public.dealer.astype(jnp.int32) + 1 + order - seen.player) & 3
    bids = []
    for who in (places == 0, places == 2, (places & 1) == 1):
        # Bids ascend, so the highest number is the last one; 0 stands for none.
        last = fence(jnp.where(is_bid & who, number + 1, 0).max()).astype(jnp.uint32)
        # Bids are numbered by level, then by mode.
        level = (jnp.maximum(last, 1) - 1) // auction.BIDS_PER_LEVEL
        bids.append(Bid(last > 0, level, jnp.maximum(last, 1) - 1 - level * auction.BIDS_PER_LEVEL))
    return bids[0], bids[1], bids[2]


class Outcomes(NamedTuple):
    """Expected results of each mode: lists of float32, in points of the bidding side.

    Attributes:
      opened: result of the player's side.
      raised: the same, if the partner has bid this mode at the level of its last bid.
      theirs: result of the other side if it bids the mode at the present level.
    """

    opened: list[jax.Array]
    raised: list[jax.Array]
    theirs: list[jax.Array]


def outcomes(rules: BeloteRules, seen: Observation, partner: Bid) -> Outcomes:
    """Return the points that the player's hand is expected to bring in each mode.

    Args:
      rules: the rules.
      seen: the player's observation.
      partner: the partner's last bid.
    """
    public = seen.public
    assert public.contract is not None
    # The level of the present bid, from 0 on.
    present = jnp.maximum(CONTRACT_WORD.unpack(public.contract).level, 1) - 1
    hand = fence_set(seen.hand)

    def found(column: Column, level: jax.Array) -> list[jax.Array]:
        parts = hands.describe(rules, hand, _is_forehand(seen), level)
        return estimates(rules, parts, column)

    return Outcomes(
        found(Column.OPEN, jnp.uint32(0)),
        found(Column.RAISE, partner.level),
        found(Column.DEFEND, present),
    )


def _choose_bid(rules: BeloteRules, weights: Weights, seen: Observation) -> jax.Array:
    public = seen.public
    assert public.contract is not None
    contract = CONTRACT_WORD.unpack(public.contract)
    mine, partner, others = last_bids(rules, seen)
    expected = outcomes(rules, seen, partner)
    level, mode = jnp.int32(-1), jnp.int32(0)
    most = jnp.float32(_NOTHING)
    ours, theirs = jnp.float32(0), jnp.float32(0)
    for number, (opened, raised, theirs_) in enumerate(zip(*expected, strict=True)):
        with_partner = partner.made & (partner.mode == number)
        # A player's own bid already describes its hand fully: only the partner may raise it.
        raises = with_partner & ~(mine.made & (mine.mode == number))
        value = jnp.where(raises, raised, opened) - jnp.where(others.made, weights.contested, 0.0)
        margin = jnp.where(raises, weights.raise_, weights.open)
        # The highest level that the value covers, in tens; a capot has a limit of its own.
        reached = jnp.floor((value - margin) / 10).astype(jnp.int32) - LOWEST_BID // 10
        reached = jnp.minimum(reached, rules.capot - 1)
        reached = jnp.where(value >= weights.capot, rules.capot, reached)
        better = value - margin > most
        most = jnp.where(better, value - margin, most)
        level, mode = jnp.where(better, reached, level), jnp.where(better, number, mode)
        present = contract.mode == number
        ours = jnp.where(present, jnp.where(with_partner, raised, opened), ours)
        theirs = jnp.where(present, theirs_, theirs)
    # Levels of contracts count from 1: an equal number is a higher bid.
    bids = (level >= contract.level.astype(jnp.int32)) & (contract.doubled == 0)
    action = jnp.where(bids, auction.BID + auction.BIDS_PER_LEVEL * level + mode, auction.PASS)
    return fence(_doubled(rules, weights, seen, contract, action, ours, theirs))


def _doubled(rules: BeloteRules, weights: Weights, seen: Observation, contract: Contract,
             action: jax.Array, ours: jax.Array, theirs: jax.Array) -> jax.Array:  # fmt: skip
    """Return the action, or coinche or surcoinche as a replacement."""
    level = jnp.maximum(contract.level, 1) - 1
    # The points that the bid asks for.
    value = jnp.where(level >= rules.capot, _CAPOT, 80.0 + 10.0 * level.astype(jnp.float32))
    # Seats of equal parity are partners.
    own = ((seen.player.astype(jnp.uint32) ^ contract.bidder) & 1) == 0
    bid = contract.level > 0
    coinche = bid & ~own & (contract.doubled == 0) & (theirs < value - weights.coinche)
    surcoinche = bid & own & (contract.doubled == 1) & (ours > value + weights.surcoinche)
    double = auction.coinche(rules)
    action = jnp.where(coinche, double, action)
    return jnp.where(surcoinche, double + 1, action)
