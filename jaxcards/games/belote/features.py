"""The features of a Belote observation, all of them bits.

Suits are interchangeable, so the trump suit, whatever it is called, takes the place of suit 0 in the
features; `Belote.relabel_action` and `relabel_legal` translate actions. Seats are relative.
"""

import jax
import jax.numpy as jnp

from jaxcards.cards import history, sets
from jaxcards.cards.features import BitWriter
from jaxcards.cards.relabel import below_highest, swap_suit, swap_trump
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.belote import calls as auction
from jaxcards.games.belote import play
from jaxcards.games.belote.play import DECK, BeloteGame, Observation, Public, State
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.kit.features import (
    OTHERS,
    write_cards,
    write_shown,
    write_strength,
    write_table,
    write_trick,
)

_TRICK_POINTS = (1, 4, 10, 11, 16, 21, 30)  # levels


def write_features(game: BeloteGame, observation: Observation) -> BitWriter:
    rules, public, out = game.rules, observation.public, BitWriter()
    me, mode = observation.player.astype(jnp.uint32), public.mode
    write_cards(out, observation, mode)
    _write_auction(rules, out, observation, me)
    write_trick(out, public, mode, me, play.NUM_TRICKS, _TRICK_POINTS)
    _write_strength(rules, out, observation)
    for name, places in OTHERS:
        lacking = by_seat(public.lacks, (me + places) & 3)
        out.cards(f"known to lack: {name}", swap_trump(mode, lacking))
    _write_declarations(out, observation, me)
    _write_score(out, public, me)
    return out


def write_full_state(game: BeloteGame, state: State) -> BitWriter:
    """See `Game.write_full_state`: what is played does not matter any more, and is left out."""
    rules, out = game.rules, BitWriter()
    seen = game.observe(state, state.current_player)
    me = state.current_player.astype(jnp.uint32)
    for name, places in (("me", 0), *OTHERS):
        hand = by_seat(play.visible_hands(state), (me + places) & 3)
        out.cards(f"hand of {name}", swap_trump(state.public.mode, hand))
        if state.talon is not None:
            talon = by_seat(state.hands, (me + places) & 3) & state.talon
            hidden = sets.select(state.playing, CardSet.empty(DECK), talon)
            out.cards(f"talon of {name}", hidden)
    write_table(out, seen, state.public.mode)
    _write_auction(rules, out, seen, me)
    write_trick(out, state.public, state.public.mode, me, play.NUM_TRICKS, _TRICK_POINTS)
    if seen.declared is not None:
        _write_declared(out, seen, me)
    _write_score(out, seen.public, me)
    return out


# ---- The auction --------------------------------------------------------------------------------


def _write_auction(rules: BeloteRules, out: BitWriter, observation: Observation, me: jax.Array) -> None:
    public = observation.public
    mode = public.mode
    out.flag("undecided", mode == play.UNDECIDED)
    if rules.modes_nt_at:
        out.flag("no trump", mode == play.NO_TRUMP)
        out.flag("all trump", mode == play.ALL_TRUMP)
    forehand = public.forehand
    out.one_hot("forehand", (forehand - me) & 3, play.NUM_SEATS)
    bidder = observation.bidder.astype(jnp.uint32)
    # `NO_SEAT` is outside the one-hot range and sets no bit.
    place = jnp.where(bidder == play.NO_SEAT, play.NO_SEAT, (bidder - me) & 3)
    out.one_hot("bidder", place, play.NUM_SEATS)
    if rules.auction == "contract":
        _write_contract(rules, out, public, me)
    else:
        out.levels("calls", public.num_calls, range(1, auction.longest(rules) + 1))
    if observation.turn_up is not None:
        out.cards("card turned up", swap_trump(mode, CardSet.single(DECK, observation.turn_up)))


def _write_contract(rules: BeloteRules, out: BitWriter, public: Public, me: jax.Array) -> None:
    assert public.contract is not None and public.calls is not None
    mode = public.mode
    contract = play.CONTRACT_WORD.unpack(public.contract)
    out.levels("level", contract.level, range(1, len(rules.levels) + 1))
    bid = jnp.where(contract.level > 0, contract.mode, NO_SUIT)
    modes = auction.BIDS_PER_LEVEL if rules.modes_nt_at else 4
    out.one_hot("mode of the last bid", swap_suit(mode, bid), modes, of="suits")
    last = jnp.where(contract.level > 0, (contract.bidder - me) & 3, play.NO_SEAT)
    out.one_hot("last bid by", last, play.NUM_SEATS)
    out.levels("doubled", contract.doubled, (1, 2))
    out.levels("passes", jnp.where(mode == play.UNDECIDED, contract.passes, 0), (1, 2, 3))
    bids = _modes_bid(rules, public)
    for name, places in (("me", 0), *OTHERS):
        seat = (me + places) & 3
        said = jnp.uint32(0)
        for number in range(modes):
            # The bit of a mode under its new name: the trump suit changes places with suit 0.
            named = swap_suit(mode, jnp.uint32(number))
            bit = (bids >> (auction.BIDS_PER_LEVEL * seat + named)) & 1
            said = said | bit << number
        out.bits(f"modes bid by {name}", said, modes, of="suits")


def _modes_bid(rules: BeloteRules, public: Public) -> jax.Array:
    """Return the modes that each seat has bid at any level: uint32, six bits a seat."""
    assert public.calls is not None
    most = auction.longest(rules)
    order = jnp.arange(most, dtype=jnp.int32)
    calls = history.cards(public.calls, most, bits=auction.CALL_BITS)
    # Calls are stored as action - PASS.
    number = calls.astype(jnp.int32) + auction.PASS - auction.BID
    called = order < public.num_calls.astype(jnp.int32)
    is_bid = (number >= 0) & (number < auction.coinche(rules) - auction.BID) & called
    seat = (public.dealer.astype(jnp.int32) + 1 + order) & 3
    place = auction.BIDS_PER_LEVEL * seat + number % auction.BIDS_PER_LEVEL
    places = jnp.arange(auction.BIDS_PER_LEVEL * play.NUM_SEATS, dtype=jnp.int32)
    # said: bool[24], for each seat and mode whether any call is that bid.
    said = ((place[:, None] == places[None]) & is_bid[:, None]).any(axis=0)
    return (said.astype(jnp.uint32) << places.astype(jnp.uint32)).sum(dtype=jnp.uint32)


# ---- The trick ----------------------------------------------------------------------------------


def _write_strength(rules: BeloteRules, out: BitWriter, observation: Observation) -> None:
    mode, trick = observation.public.mode, observation.public.trick
    unseen = swap_trump(mode, observation.unseen)
    # A strength above TRUMP is that of a trump.
    ruffed, empty = trick.best > TRUMP, trick.best == 0
    plain = play.PLAIN_ORDER.stronger(trick.best & (TRUMP - 1))
    if rules.modes_nt_at:
        high = play.TRUMP_ORDER.stronger(trick.best & (TRUMP - 1))
        plain = jnp.where(mode == play.ALL_TRUMP, high, plain)
    # While a plain card is best, every trump beats it.
    over = play.TRUMP_ORDER.stronger(jnp.where(ruffed, jnp.subtract(trick.best, TRUMP), 0))
    write_strength(
        out, observation, mode, unseen=unseen, beaten=_beaten(rules, mode, unseen),
        plain=jnp.where(ruffed | empty, 0, plain),
        over=jnp.where((mode < play.NO_TRUMP) & ~empty, over, 0), levels=range(1, 7),
    )  # fmt: skip


def _beaten(rules: BeloteRules, mode: jax.Array, unseen: CardSet) -> CardSet:
    """Return the cards that an unseen card of their suit beats; trumps are suit 0."""
    beaten = []
    for order in (play.PLAIN_ORDER, play.TRUMP_ORDER):
        # In order of strength, the beaten cards lie below the highest; then back to ranks.
        ranked = CardSet(DECK, [order.to_strength(unseen.words[0], 4)])
        beaten.append(CardSet(DECK, [order.to_ranks(below_highest(ranked).words[0], 4)]))
    plain, high = beaten
    high_cards = CardSet.suit_of(DECK, jnp.where(mode < play.NO_TRUMP, jnp.uint32(0), NO_SUIT))
    if rules.modes_nt_at:
        high_cards = sets.select(mode == play.ALL_TRUMP, CardSet.full(DECK), high_cards)
    return (high & high_cards) | (plain - high_cards)


# ---- Declarations and points --------------------------------------------------------------------


def _write_declarations(out: BitWriter, observation: Observation, me: jax.Array) -> None:
    mode = observation.public.mode
    if observation.belote is not None:
        held = [a - b for a, b in zip(observation.belote, observation.played_by, strict=True)]
        for name, places in OTHERS:
            of_seat = by_seat(held, (me + places) & 3)
            out.cards(f"belote held by {name}", swap_trump(mode, of_seat))
    if observation.announced is None:
        return
    write_shown(out, observation, mode, "declarations", play.ANNOUNCED_BITS, play.NOT_ANNOUNCED)
    _write_declared(out, observation, me)


def _write_declared(out: BitWriter, observation: Observation, me: jax.Array) -> None:
    assert observation.declared is not None
    for name, team in (("own", me & 1), ("other side's", ~me & 1)):
        points = field(observation.declared, team, play.DECLARED_BITS)
        out.levels(f"{name} declarations", points, (2, 4, 5, 7, 10, 15, 20, 30))


def _write_score(out: BitWriter, public: Public, me: jax.Array) -> None:
    for name, team in (("own", me & 1), ("other side's", ~me & 1)):
        points = field(public.points, team, play.POINTS_BITS)
        out.levels(f"{name} points", points, range(10, 170, 10))
    if public.carry is not None:
        out.levels("points carried", public.carry, (1, 100, 150, 200))
