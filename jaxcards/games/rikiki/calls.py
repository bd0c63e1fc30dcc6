"""The bids of Rikiki: what is legal, and what a bid does (docs/rikiki.md, 4.1).

Everyone bids once, the dealer last.
"""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.history import History
from jaxcards.cards.seats import seat_after
from jaxcards.games.rikiki.play import DECK, Observation, Public, RikikiGame, State, bid_of, count_bits
from jaxcards.games.rikiki.rules import RikikiRules

BID = DECK.num_cards  # + the number of tricks


def call_names(game: RikikiGame) -> list[str]:
    return [f"bid {tricks}" for tricks in range(max(game.rules.schedule) + 1)]


def legal_calls(game: RikikiGame, state: State) -> ActionSet:
    """Return the legal bids (docs/rikiki.md, 4.1)."""
    public, size = state.public, state.public.hand_size
    # Bit b is the bid of b tricks, from 0 to the size of the hands.
    bids = (jnp.uint32(2) << size) - 1
    if game.rules.hook:
        last = last_may_be_hooked(game.rules, public)
        # A sum above the number of tricks cannot become equal to it: then every bid is legal.
        hooked = last & (state.bid_total <= size)
        # The bid that would make the sum equal to the number of tricks.
        forbidden = (size - state.bid_total) & 31
        bids = jnp.where(hooked, bids & ~(jnp.uint32(1) << forbidden), bids)
    return game.call_set(bids)


def last_may_be_hooked(rules: RikikiRules, public: Public) -> jax.Array:
    """Return whether the last bid is next, in a round with the hook: bool (docs/rikiki.md, 4.1)."""
    last = public.num_bids == rules.num_players - 1
    return last & (public.hand_size >= rules.hook_from) if rules.hook_from > 1 else last


def call(game: RikikiGame, state: State, action: jax.Array) -> State:
    """Make a bid; any other action changes nothing (docs/rikiki.md, 4.1)."""
    public, players, lead_offset = state.public, game.num_players, game.rules.lead_offset
    bids = (action >= BID) & (action != IDLE)
    amount = jnp.where(bids, action - BID, 0)
    seat = public.current_player.astype(jnp.uint32)
    following = seat_after(public.current_player, 1, players)
    if lead_offset != 1:
        # The dealer bids last. The seat after the dealer is next in turn, but another one leads.
        last = public.num_bids == players - 1
        following = seat_after(following, jnp.where(last, lead_offset - 1, 0), players)
    after = state.with_public(
        bids=public.bids | amount << (seat * count_bits(players)),
        num_bids=public.num_bids + bids.astype(jnp.uint32),
        current_player=jnp.where(bids, following, public.current_player),
    )
    return dataclasses.replace(after, bid_total=state.bid_total + amount)


def calls_seen(game: RikikiGame, observation: Observation) -> list[History]:
    public, players = observation.public, game.num_players
    # The seat after the dealer bids first.
    seats = seat_after(public.dealer.astype(jnp.uint32), jnp.arange(players) + 1, players)
    return [history.part(BID + bid_of(public.bids, seats, players), seats, public.num_bids)]
