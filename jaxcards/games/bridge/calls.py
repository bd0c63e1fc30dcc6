"""Passes, bids and doubles: which are legal, and what they do (docs/bridge.md, 3).

The auction has a word for each level, and six bits in it for each strain. The lower three bits are 0 if
the bid was not made, else 1 more than the passes directly before it. The upper three bits name the
doubles of the bid: see `_DOUBLE`.
"""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.history import History
from jaxcards.cards.seats import seat_after
from jaxcards.games.bridge import play
from jaxcards.games.bridge.play import DECK, SEATS, STRAINS, BridgeGame, Observation, Public, State
from jaxcards.xla.lookup import lookup

PASS_ACTION, DOUBLE_ACTION, REDOUBLE_ACTION, BID_ACTION = range(DECK.num_cards, DECK.num_cards + 4)
NAMES = (
    "pass", "double", "redouble",
    *(f"bid {level}{name}" for level in range(1, 8) for name in ("C", "D", "H", "S", "NT")),
)  # fmt: skip
_TINY_BIDS = 0b11_1001_1100  # bit n for bid n: two levels of hearts, spades and no trump
MOST_CALLS, TINY_CALLS = (3 + bids * 9 + 1 for bids in (play.NUM_BIDS, _TINY_BIDS.bit_count()))
"""Three passes, each bid with a double and a redouble and two passes before each, and a last pass."""

_BITS, _ENTRY = 6, 7
# By the upper bits of an entry, 0 without one: the double and the redouble, each with passes before it.
_DOUBLE, _REDOUBLE = (0, 1, 3, 1, 3, 1, 3, 0), (0, 0, 0, 1, 1, 3, 3, 0)
_SPARE = 58  # the first action of the last word of a set


def legal_calls(game: BridgeGame, state: State) -> ActionSet:
    """Return the legal calls (docs/bridge.md, 3)."""
    public, few = state.public, _SPARE - BID_ACTION
    number, theirs = public.num_bids, (public.bidder ^ public.current_player.astype(jnp.uint32)) & 1
    any_bid = number > 0
    double = any_bid & (public.doubled == 0) & (theirs == 1)
    redouble = (public.doubled == 1) & (theirs == 0)
    low = (jnp.uint32(7) << jnp.minimum(number, few)) & 7
    calls = 1 | double.astype(jnp.uint32) << 1 | redouble.astype(jnp.uint32) << 2 | low << 3
    # A shift by 32 is undefined.
    above = jnp.where(number > few, jnp.subtract(number, few), 0)
    high = jnp.where(above < 32, jnp.uint32(0xFFFFFFFF) << jnp.minimum(above, 31), 0)
    if game.rules.tiny:
        calls, high = calls & (_TINY_BIDS << 3 | 7), high & (_TINY_BIDS >> few)
    layout = game.action_layout
    first = DECK.num_cards - layout.offsets[1]
    return ActionSet(layout, [jnp.uint32(0), calls << first, high])


def call(game: BridgeGame, state: State, action: jax.Array) -> State:
    """Make a call; any other action changes nothing (docs/bridge.md, 3)."""
    public = state.public
    calls = (action >= PASS_ACTION) & (action != IDLE)
    seat = public.current_player.astype(jnp.uint32)
    bids, passes = calls & (action >= BID_ACTION), calls & (action == PASS_ACTION)
    doubles = calls & ((action == DOUBLE_ACTION) | (action == REDOUBLE_ACTION))
    bid = action.astype(jnp.uint32) - BID_ACTION
    before = public.passes
    # An entry is written once, and its doubles are added to it.
    late = (before == 2).astype(jnp.uint32)
    worth = jnp.where(public.doubled == 0, 1 + late, 2 + 2 * late)
    entry = jnp.where(bids, 1 + before, worth << 3)
    place = jnp.where(bids, bid, jnp.subtract(public.num_bids, 1))
    row, strain = jax.lax.div(place, jnp.uint32(STRAINS)), jax.lax.rem(place, jnp.uint32(STRAINS))
    changes = bids | doubles
    added = jnp.where(changes, entry << (_BITS * strain), 0)
    auction = tuple(
        word + jnp.where(row == level, added, 0) for level, word in enumerate(public.auction)
    )
    shift = 2 * (STRAINS * (seat & 1) + strain)
    unnamed = bids & ((public.namers >> shift) & 3 == 0)
    namers = public.namers | jnp.where(unnamed, (1 + (seat >> 1)) << shift, 0)
    number = jnp.where(bids, bid + 1, public.num_bids)
    bidder = jnp.where(bids, seat, public.bidder)
    doubled = jnp.where(bids, 0, public.doubled + doubles.astype(jnp.uint32))
    count = jnp.where(passes, before + 1, jnp.where(changes, 0, before))
    last = public.last >> 13 << 13 | number | bidder << 6 | doubled << 8 | count << 10
    over = passes & (count == jnp.where(number > 0, 3, 4))
    ended = jnp.where(number > 0, play.PLAY, play.DONE)
    phase = jnp.where(over, ended, public.phase).astype(jnp.uint32)
    after = state.with_public(auction=auction, namers=namers, last=last)
    leader = seat_after(after.public.declarer, 1, SEATS)
    following = jnp.where(over & (number > 0), leader, seat_after(seat, 1, SEATS)).astype(jnp.int32)
    return after.with_public(
        phase=phase, current_player=jnp.where(calls, following, public.current_player)
    )


# ---- The past -------------------------------------------------------------------------------------


def _entries(public: Public) -> jax.Array:
    """Return the entry of each bid: uint32[35]."""
    words = jnp.stack(public.auction)[:, None]
    strains = jnp.arange(STRAINS, dtype=jnp.uint32)[None] * _BITS
    return ((words >> strains) & ((1 << _BITS) - 1)).reshape(play.NUM_BIDS)


def _calls(public: Public) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Return the calls in order, their number, and the number of calls before each bid.

    Returns:
      int32[MOST_CALLS], passes behind the last call; int32; int32[35], undefined for bids not made.
    """
    entries = _entries(public)
    made = (entries & _ENTRY) > 0
    passes = (entries & _ENTRY).astype(jnp.int32) - 1
    first, second = (lookup(calls, entries >> 3).astype(jnp.int32) for calls in (_DOUBLE, _REDOUBLE))
    length = jnp.where(made, passes + 1 + first + second, 0)
    start = jnp.cumsum(length) - length
    bid = start + passes
    found = jnp.full(MOST_CALLS, PASS_ACTION, jnp.int32)

    def put(found: jax.Array, place: jax.Array, where: jax.Array, action: jax.Array | int) -> jax.Array:
        # A place behind the last one is dropped.
        return found.at[jnp.where(where, place, MOST_CALLS)].set(action, mode="drop")

    found = put(found, bid, made, BID_ACTION + jnp.arange(play.NUM_BIDS, dtype=jnp.int32))
    found = put(found, bid + first, made & (first > 0), DOUBLE_ACTION)
    found = put(found, bid + first + second, made & (second > 0), REDOUBLE_ACTION)
    return found, length.sum() + public.passes.astype(jnp.int32), bid


def bidders_of(public: Public) -> jax.Array:
    """Return the seat that made each bid: int32[35], -1 for a bid that was not made."""
    seats = (public.dealer.astype(jnp.int32) + _calls(public)[2]) & 3
    return jnp.where((_entries(public) & _ENTRY) > 0, seats, -1)


def auction_of(public: Public) -> list[tuple[int, int]]:
    """Return the seat and the action of each call of an untraced deal."""
    found, length, _ = jax.device_get(_calls(public))
    dealer = int(public.dealer)
    return [((dealer + turn) % SEATS, int(found[turn])) for turn in range(int(length))]


def calls_seen(game: BridgeGame, observation: Observation) -> list[History]:
    del game
    found, length, _ = _calls(observation.public)
    seats = (observation.public.dealer.astype(jnp.int32) + jnp.arange(MOST_CALLS)) & 3
    return [history.part(found, seats, length)]


def history_of(game: BridgeGame, observation: Observation) -> History:
    """See `Game.history`. The declarer takes the actions of the dummy."""
    public, most = observation.public, SEATS * game.hand_size
    plays = history.plays(public.history, most, public.num_played, observation.played_by)
    dummy, declarer = public.dummy.astype(jnp.int32), public.declarer.astype(jnp.int32)
    players = jnp.where(plays.players == dummy, declarer, plays.players)
    parts = [*calls_seen(game, observation), plays._replace(players=players)]
    return history.joined(game.max_steps, parts)
