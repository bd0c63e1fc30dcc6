"""The bids: which are legal, and what a bid does (docs/spades.md, 3)."""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.history import History
from jaxcards.cards.seats import by_seat, seat_after
from jaxcards.games.spades.play import BITS, DECK, Observation, Public, SpadesGame, State, spades
from jaxcards.games.spades.rules import SpadesRules

BID = DECK.num_cards  # action BID + n bids n tricks
_LOOKED = 4  # the bit of `Public.blind` for seat 0


def call_names(game: SpadesGame) -> list[str]:
    names = [f"bid {tricks}" for tricks in range(game.hand_size + 1)]
    return [*names, "blind nil", "look"] if game.rules.blind_nil else names


def covered(rules: SpadesRules, public: Public, seat: int | jax.Array) -> jax.Array:
    """Return whether a seat may still bid nil blind, and so may not see its cards: bool."""
    if public.blind is None:
        return jnp.zeros((), bool)
    seat = jnp.asarray(seat).astype(jnp.uint32)
    # Totals are by side: seats of equal parity are partners.
    own = by_seat(public.totals, seat & 1 if rules.partners else seat)
    best = public.totals[0]
    for total in public.totals[1:]:
        best = jnp.maximum(best, total)
    behind = best - own >= rules.blind_behind
    return behind & (public.bid_of(seat) < 0) & ~has_looked(public, seat)


def has_looked(public: Public, seat: int | jax.Array) -> jax.Array:
    """Return whether a seat has looked at its cards instead of bidding nil blind: bool."""
    if public.blind is None:
        return jnp.zeros((), bool)
    return (public.blind >> (_LOOKED + jnp.asarray(seat).astype(jnp.uint32))) & 1 == 1


def is_blind(public: Public, seat: int | jax.Array) -> jax.Array:
    """Return whether a seat has bid nil blind: bool."""
    if public.blind is None:
        return jnp.zeros((), bool)
    return (public.blind >> jnp.asarray(seat).astype(jnp.uint32)) & 1 == 1


def legal_calls(game: SpadesGame, state: State) -> ActionSet:
    """Return the legal bids (docs/spades.md, 3)."""
    rules, public, size = game.rules, state.public, game.hand_size
    # Bit b is the bid of b tricks, from 0 to the size of the hand.
    seat, bids = public.current_player, jnp.uint32((2 << size) - 1)
    partner = public.bid_of(seat_after(seat, 2, 4))
    # The highest bid falls by that of the partner, so that both together stay within the limit.
    if rules.joint_limit:
        bids = bids >> jnp.maximum(partner, 0).astype(jnp.uint32)
    if rules.bidding == "suicide":
        # The first partner bids nil, or four and more; the second has the other of these choices.
        high = bids & ~jnp.uint32(0b1111)
        bids = jnp.where(partner < 0, high | 1, jnp.where(partner == 0, high, 1))
    if rules.bidding == "whiz":
        held = (state.hand_of(seat) & spades()).count().astype(jnp.uint32)
        bids = 1 | jnp.uint32(1) << held
    if public.blind is not None:
        # Behind the bids are two bits: nil blind, and a look at the cards.
        bids = jnp.where(covered(rules, public, seat), jnp.uint32(3 << (size + 1)), bids)
    return game.call_set(bids)


def call(game: SpadesGame, state: State, action: jax.Array) -> State:
    """Make a bid; any other action changes nothing (docs/spades.md, 3)."""
    public, calls = state.public, (action >= BID) & (action != IDLE)
    seat, number, changes = public.current_player.astype(jnp.uint32), action - BID, {}
    bids, entry = calls, number + 1
    if public.blind is not None:
        # A blind nil is stored as nil; a look is a call, but not a bid.
        blind, looks = number == game.hand_size + 1, number == game.hand_size + 2
        bids, entry = calls & ~looks, jnp.where(blind, 1, entry)
        place = jnp.where(blind, 0, _LOOKED) + seat
        choice = jnp.where(calls & (blind | looks), jnp.uint32(1) << place, 0)
        changes["blind"] = public.blind | choice
    # After a look at the cards, the same seat goes on to bid.
    following = seat_after(public.current_player, 1, game.num_players)
    return state.with_public(
        bids=public.bids | jnp.where(bids, entry, 0) << (BITS * seat),
        current_player=jnp.where(bids, following, public.current_player),
        **changes,
    )


def calls_seen(game: SpadesGame, observation: Observation) -> list[History]:
    public, players = observation.public, game.num_players
    turns = jnp.arange(players, dtype=jnp.uint32) + 1
    seats = seat_after(public.dealer, turns, players)
    bids = public.bid_of(seats)
    if public.blind is None:
        return [history.part(BID + bids, seats, (bids >= 0).sum())]
    parts = []
    for turn in range(1, players + 1):
        seat = seat_after(public.dealer, turn % players, players)
        bid, look = public.bid_of(seat), BID + game.hand_size + 2
        # A seat that has looked has made two calls: the look, then its bid.
        looked = (public.blind >> (_LOOKED + seat)) & 1
        # The action of a blind nil comes right before that of the look.
        bid = jnp.where(is_blind(public, seat), look - 1 - BID, bid)
        first = jnp.where(looked == 1, look, BID + bid)
        parts.append(history.part([first, BID + bid], seat, looked + (bid >= 0)))
    return parts
