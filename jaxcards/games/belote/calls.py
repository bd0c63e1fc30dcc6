"""The three auctions of Belote: who may call what, and what a call does (docs/belote.md, 3).

In the auctions "bela" and "turnup" every call but the last is a pass: a counter and the mode tell all.
Contract auctions keep the calls, and pack what matters of them into a word.
"""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.history import History
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote import play
from jaxcards.games.belote.declarations import find_straights
from jaxcards.games.belote.play import DECK, BeloteGame, Contract, Observation, State
from jaxcards.games.belote.rules import MODES, BeloteRules

PASS = 32
NAME = 33  # + suit 0..3
BID = 37  # + 6 * level + mode
BIDS_PER_LEVEL = 6

CALL_BITS = 8  # a call in `Public.calls`: its action less 32


def call_names(game: BeloteGame) -> list[str]:
    names = ["pass", *(f"trumps {suit}" for suit in MODES[:4])]
    if game.rules.auction == "contract":
        names += [f"bid {level} {mode}" for level in game.rules.levels for mode in MODES]
        names += ["coinche", "surcoinche"]
    return names


def coinche(rules: BeloteRules) -> int:
    """Return the action that doubles; the next one redoubles."""
    return BID + BIDS_PER_LEVEL * len(rules.levels)


def longest(rules: BeloteRules) -> int:
    """Return the largest number of calls of an auction that is not void."""
    if rules.auction == "contract":
        # Three passes before the end and before each bid, a coinche and a surcoinche.
        return 3 * len(rules.levels) + 7
    if rules.auction == "turnup":
        return 2 * play.NUM_SEATS
    return play.NUM_SEATS + (rules.all_pass == "forehand_must")


# ---- What may be called -------------------------------------------------------------------------


def legal_calls(game: BeloteGame, state: State) -> ActionSet:
    contract = game.rules.auction == "contract"
    words = _legal_bids(game, state) if contract else _legal_names(game.rules, state)
    return ActionSet(game.action_layout, [jnp.uint32(0), *words])


def _legal_names(rules: BeloteRules, state: State) -> list[jax.Array]:
    """Return the words behind that of the cards, where there are no contracts."""
    # Behind the cards, bit 0 passes and bits 1 to 4 name a suit.
    calls, names = state.public.num_calls, jnp.uint32(0b11110)
    if rules.auction == "turnup":
        # Round 1 is about the suit of the card turned up, round 2 about the others.
        suit, _ = DECK.suit_and_rank(play.turned_up(state))
        taken = jnp.uint32(2) << suit
        names = jnp.where(calls < play.NUM_SEATS, taken, names & ~taken)
    if rules.all_pass == "void":
        return [names | 1]
    # The last caller must name a suit.
    return [names | jnp.where(calls < longest(rules) - 1, jnp.uint32(1), 0)]


def _legal_bids(game: BeloteGame, state: State) -> list[jax.Array]:
    """Return the words behind that of the cards, in an auction of contracts."""
    rules, layout = game.rules, game.action_layout
    assert state.public.contract is not None
    contract, levels = play.CONTRACT_WORD.unpack(state.public.contract), range(len(rules.levels))
    modes = range(BIDS_PER_LEVEL if rules.modes_nt_at else 4)
    every_bid = [BID + BIDS_PER_LEVEL * level + mode for level in levels for mode in modes]
    doubled = contract.doubled > 0
    # Everything from the lowest bid of the next level on; when doubled, nothing is high enough.
    lowest = BID + BIDS_PER_LEVEL * jnp.where(doubled, len(levels), contract.level).astype(jnp.int32)
    words = []
    for bids, offset in zip(layout.constant(every_bid)[1:], layout.offsets[1:], strict=True):
        # below: the number of bits of this word that are too low.
        below = jnp.clip(lowest - offset, 0, 32).astype(jnp.uint32)
        from_lowest = jnp.where(below < 32, jnp.uint32(0xFFFFFFFF) << (below & 31), 0)
        words.append(jnp.uint32(bids) & from_lowest)
    words[0] = words[0] | 1 << (PASS - layout.offsets[1])
    # The other side may double; the bidding side may then redouble.
    own = ((state.current_player.astype(jnp.uint32) ^ contract.bidder) & 1) == 0
    doubles = (contract.level > 0) & ~own & ~doubled, own & (contract.doubled == 1)
    for action, legal in enumerate(doubles, start=coinche(rules)):
        word, bit = divmod(action - layout.offsets[1], 32)
        words[word] = words[word] | legal.astype(jnp.uint32) << bit
    return words


# ---- What a call does ---------------------------------------------------------------------------


def call(game: BeloteGame, state: State, action: jax.Array) -> State:
    """Make a call; any other action changes nothing."""
    rules, public = game.rules, state.public
    if rules.auction == "contract":
        return _bid(rules, state, action)
    names = (action >= NAME) & (action < BID)
    calls = public.num_calls + (names | (action == PASS)).astype(jnp.uint8)
    mode = jnp.where(names, action - NAME, public.mode)
    # The last pass of an auction without a bid makes the deal void.
    if rules.all_pass == "void":
        mode = jnp.where((action == PASS) & (calls == longest(rules)), jnp.uint32(play.VOID), mode)
    following = _next_caller(state, names, action == PASS)
    after = state.with_public(mode=mode, num_calls=calls, current_player=following)
    return _hand_out(after, state, names) if rules.auction == "turnup" else after


def _next_caller(state: State, settled: jax.Array, called: jax.Array) -> jax.Array:
    """Return the seat to act: forehand, who leads, once a mode is settled."""
    player = jnp.where(called, (state.current_player + 1) & 3, state.current_player)
    return jnp.where(settled, state.public.forehand.astype(jnp.int32), player)


def _hand_out(after: State, before: State, names: jax.Array) -> State:
    """Deal the last cards: the bidder takes the card turned up, the others fill up their hands."""
    assert before.turn_up is not None
    forehand = before.public.forehand
    taker = (before.current_player.astype(jnp.uint32) - forehand) & 3
    hands = []
    for seat, hand in enumerate(before.hands):
        place = (jnp.uint32(seat) - forehand) & 3
        # The taker gets the card turned up, the others the last cards in turn, without a gap for it.
        last = jnp.where(place == taker, play.TURNED, place - (place > taker).astype(jnp.uint32))
        card = CardSet.single(DECK, field(before.turn_up, last, play.TURN_UP_BITS))
        hands.append(hand | card.where(names))
    straights = before.straights
    if straights is not None:
        straights = jnp.where(names, find_straights(tuple(hands)), straights)
    return dataclasses.replace(after, hands=tuple(hands), straights=straights)


def _bid(rules: BeloteRules, state: State, action: jax.Array) -> State:
    """Return the state after a pass, a bid, a coinche or a surcoinche (docs/belote.md, 3.3)."""
    public = state.public
    assert public.contract is not None and public.calls is not None
    before = play.CONTRACT_WORD.unpack(public.contract)
    double = coinche(rules)
    passes, bids = action == PASS, (action >= BID) & (action < double)
    doubles, redoubles = action == double, action == double + 1
    called = passes | bids | doubles | redoubles
    number = jnp.where(bids, action - BID, 0)
    # Bids are numbered by level, then by mode.
    level = number // BIDS_PER_LEVEL
    after = Contract(
        level=jnp.where(bids, level + 1, before.level),
        mode=jnp.where(bids, number - level * BIDS_PER_LEVEL, before.mode),
        bidder=jnp.where(bids, state.current_player.astype(jnp.uint32), before.bidder),
        doubled=jnp.where(doubles, 1, jnp.where(redoubles, 2, before.doubled)),
        # Two bits suffice: a fourth pass ends the auction.
        passes=jnp.where(passes, before.passes + 1, jnp.where(called, 0, before.passes)) & 3,
    )
    # A redouble or three passes after a bid settle the contract; four passes void the deal.
    settled = redoubles | (passes & (before.level > 0) & (before.passes == 2))
    void = passes & (before.level == 0) & (before.passes == 3)
    mode = jnp.where(settled, before.mode, jnp.where(void, jnp.uint32(play.VOID), public.mode))
    calls = public.num_calls.astype(jnp.uint32)
    return state.with_public(
        mode=mode,
        contract=play.CONTRACT_WORD.pack(after),
        num_calls=public.num_calls + called.astype(jnp.uint8),
        calls=history.append(public.calls, calls, action - PASS, called, bits=CALL_BITS),
        current_player=_next_caller(state, settled, called),
    )


# ---- Which calls were made ----------------------------------------------------------------------


def calls_seen(game: BeloteGame, observation: Observation) -> list[History]:
    public, number = observation.public, jnp.arange(game.num_calls, dtype=jnp.uint32)
    if public.calls is None:
        # Every call but the last was a pass.
        names = public.playing & (number + 1 == public.num_calls)
        actions = jnp.where(names, NAME + public.mode, jnp.uint32(PASS))
    else:
        actions = PASS + history.cards(public.calls, len(number), bits=CALL_BITS)
    return [history.part(actions, (public.forehand + number) & 3, public.num_calls)]
