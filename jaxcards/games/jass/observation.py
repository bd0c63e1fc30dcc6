"""What a Jass player sees, and how a network is told (contract sections 5.2 and 5.3)."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import cards
from jaxcards.bits import BitWriter
from jaxcards.cards import NO_SUIT, CardSet
from jaxcards.games.jass import weis
from jaxcards.games.jass.deck import (
    DECK,
    NO_TRUMP,
    NUM_TRICKS,
    SLALOM_TOP,
    UNDECIDED,
    UNDENUFE,
)  # fmt: skip
from jaxcards.games.jass.rules import JassRules
from jaxcards.games.jass.state import (
    CARD_BITS,
    CARDS_PER_WORD,
    NUM_SEATS,
    POINTS_BITS,
    State,
    field,
)  # fmt: skip
from jaxcards.lookup import lookup
from jaxcards.tricks import Trick, unpack

ANNOUNCED_BITS = 7
NOT_ANNOUNCED = 127


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Observation:
    """All that a player may know at a moment of a deal; every leaf is a scalar.

    Seats are absolute. The order of all cards played is in it: nothing is forgotten.

    Attributes:
      player: int32, whose view this is.
      hand: the cards that the player holds.
      played_by: for each seat, the cards that it has played.
      history: uint32 words, the cards in the order of play; see `State.history`.
      current_player: int32, the seat to act.
      num_played: uint32, cards played so far.
      num_calls: uint8, pushes and choices (or predictions) so far.
      dealer: uint8.
      mode: uint32, 0 to 7, or 8 while undecided.
      table: uint32, the trick on the table; see `tricks.pack`.
      points: uint32, eight bits a seat: card points of tricks won.
      winners: uint32, two bits a trick: the seat that won it.
      voids: uint32, bit 4 * seat + suit: known to have no card of the suit; see `State.voids`.
      announced: uint32, seven bits a seat: points in tens of its best Weis, 127 while not public.
        None without Weis.
      shown: for each seat, the cards of its Weis if they have been laid open. None without Weis.
      totals: uint16 for each team, the match totals before the deal. None without a target.
      prediction: uint32, the player's own. None except in Differenzler.
    """

    player: jax.Array
    hand: CardSet
    played_by: tuple[CardSet, ...]
    history: tuple[jax.Array, ...]
    current_player: jax.Array
    num_played: jax.Array
    num_calls: jax.Array
    dealer: jax.Array
    mode: jax.Array
    table: jax.Array
    points: jax.Array
    winners: jax.Array
    voids: jax.Array
    announced: jax.Array | None
    shown: tuple[CardSet, ...] | None
    totals: tuple[jax.Array, jax.Array] | None
    prediction: jax.Array | None

    @property
    def trick(self) -> Trick:
        """The trick on the table."""
        return unpack(self.table)


def observe(rules: JassRules, state: State, player: jax.Array) -> Observation:
    """Returns what a player may know."""
    player = jnp.asarray(player, jnp.int32)
    announced, shown = public_weis(rules, state) if rules.weis else (None, None)
    prediction = None
    if state.predictions is not None:
        prediction = field(state.predictions, player, POINTS_BITS)
    return Observation(
        player=player,
        hand=cards.by_seat(state.hands, player) - state.played,
        played_by=tuple(hand & state.played for hand in state.hands),
        history=state.history,
        current_player=state.current_player,
        num_played=state.num_played,
        num_calls=state.num_calls,
        dealer=state.dealer,
        mode=state.mode,
        table=state.table,
        points=state.points,
        winners=state.winners,
        voids=state.voids,
        announced=announced,
        shown=shown,
        totals=state.totals,
        prediction=prediction,
    )


def public_weis(rules: JassRules, state: State) -> tuple[jax.Array, tuple[CardSet, ...]]:
    """Returns what has been announced and shown of Weis, as in `Observation`.

    A seat names the points of its best Weis with its first card; the scoring team lays its Weis
    open after the first trick.
    """
    assert state.weis is not None
    scores = weis.weis_points(state.weis)
    first_trick_over = state.num_played >= NUM_SEATS
    announced = jnp.uint32(0)
    shown = []
    for seat, hand in enumerate(state.hands):
        melds = weis.chosen(weis.find_melds(rules, hand), state.mode)
        has_played = (hand & state.played).any()
        points = jnp.where(has_played, melds.best, NOT_ANNOUNCED)
        announced = announced | points << (ANNOUNCED_BITS * seat)
        lays_open = first_trick_over & (scores[seat % 2] > 0)
        shown.append(cards.select(lays_open, weis.meld_cards(melds), CardSet.empty(DECK)))
    return announced, tuple(shown)


# ---- Features for networks ----------------------------------------------------------------------


def swap_trump(mode: jax.Array, cards_: CardSet) -> CardSet:
    """Exchanges the trump suit and suit 0, so that trumps always are suit 0. Its own inverse."""
    trump = jnp.where(mode < NO_TRUMP, mode, 0)
    both = (cards_ & CardSet.suit_of(DECK, trump)).words
    lanes = [
        (word >> (DECK.ranks_per_suit * lane)) & ((1 << DECK.ranks_per_suit) - 1)
        for word in both
        for lane in range(DECK.suits_per_word)
    ]
    of_trump = lanes[0] | lanes[1] | lanes[2] | lanes[3]
    change = of_trump ^ cards_.suit(0)
    first = CardSet.in_suit(DECK, jnp.uint32(0), change)
    other = CardSet.in_suit(DECK, trump, change)
    return CardSet(
        DECK,
        [a ^ b ^ c for a, b, c in zip(cards_.words, first.words, other.words, strict=True)],
    )


def swap_suit(mode: jax.Array, suit: jax.Array) -> jax.Array:
    """Exchanges the numbers of the trump suit and suit 0: uint32. `NO_SUIT` stays."""
    trump = jnp.where(mode < NO_TRUMP, mode, 0)
    return jnp.where(suit == trump, 0, jnp.where(suit == 0, trump, suit)).astype(jnp.uint32)


def write_features(rules: JassRules, observation: Observation) -> BitWriter:
    """Writes an observation as bits. Seats are relative: next, partner, previous."""
    out = BitWriter()
    me = observation.player.astype(jnp.uint32)
    mode = observation.mode
    others = [(me + k) & 3 for k in (1, 2, 3)]
    names = ("next", "partner", "previous")

    def of_seat(values: Any, seat: jax.Array) -> CardSet:
        return swap_trump(mode, cards.by_seat(values, seat))

    table = table_cards(observation)
    out.cards("hand", swap_trump(mode, observation.hand))
    out.cards("played by me", of_seat(observation.played_by, me))
    for name, seat in zip(names, others, strict=True):
        out.cards(f"played by {name}", of_seat(observation.played_by, seat))
    for name, seat in zip(names, others, strict=True):
        on_table = cards.by_seat(observation.played_by, seat) & table
        out.cards(f"on the table from {name}", swap_trump(mode, on_table))
    _write_mode(rules, out, observation)
    _write_trick(out, observation, me)
    for name, seat in zip(names, others, strict=True):
        voids = field(observation.voids, seat, 4)
        out.bits(f"voids of {name}", _swap_bits(mode, voids), 4)
    if observation.announced is not None and observation.shown is not None:
        for name, seat in zip(names, others, strict=True):
            known = cards.by_seat(observation.shown, seat) - cards.by_seat(observation.played_by, seat)
            out.cards(f"shown and held by {name}", swap_trump(mode, known))
            points = field(observation.announced, seat, ANNOUNCED_BITS)
            public = points != NOT_ANNOUNCED
            out.flag(f"Weis of {name} public", public)
            points = jnp.where(public, points, 0)
            out.levels(f"Weis of {name}", points, (2, 5, 10, 15, 20))
    _write_score(rules, out, observation, me)
    return out


def write_full(rules: JassRules, state: State) -> BitWriter:
    """Writes a whole deal as bits: what the player to act sees, then the hands of the others."""
    out = write_features(rules, observe(rules, state, state.current_player))
    me = state.current_player.astype(jnp.uint32)
    for name, k in (("next", 1), ("partner", 2), ("previous", 3)):
        hand = cards.by_seat(state.hands, (me + k) & 3) - state.played
        out.cards(f"hand of {name}", swap_trump(state.mode, hand))
    if state.predictions is not None:
        for name, k in (("next", 1), ("partner", 2), ("previous", 3)):
            said = field(state.predictions, (me + k) & 3, POINTS_BITS)
            out.levels(f"prediction of {name}", said, range(8, 158, 8))
    return out


def table_cards(observation: Observation) -> CardSet:
    """Returns the cards on the table."""
    table = CardSet.empty(DECK)
    on_table = observation.num_played & 3
    for back in (1, 2, 3):
        index = observation.num_played - back
        word = cards.by_seat(observation.history, index // CARDS_PER_WORD)
        card = field(word, index % CARDS_PER_WORD, CARD_BITS)
        table = table | cards.select(on_table >= back, CardSet.single(DECK, card), CardSet.empty(DECK))
    return table


def _write_mode(rules: JassRules, out: BitWriter, observation: Observation) -> None:
    mode = observation.mode
    out.flag("undecided", mode == UNDECIDED)
    out.flag("trumps", mode < NO_TRUMP)
    downward = mode == UNDENUFE
    slalom = (mode >= SLALOM_TOP) & (mode < UNDECIDED)
    if rules.slalom:
        odd = (observation.num_played >> 2) & 1
        downward = downward | (slalom & ((mode & 1) != odd))
        out.flag("slalom", slalom)
    out.flag("bottom-up trick", downward)
    out.flag("top-down trick", (mode >= NO_TRUMP) & (mode < UNDECIDED) & ~downward)
    if len(set(rules.multipliers)) > 1:
        factor = jnp.where(mode < UNDECIDED, lookup(rules.multipliers, mode & 7), 0)
        out.levels("multiplier", factor, sorted(set(rules.multipliers)))
    me = observation.player.astype(jnp.uint32)
    forehand = (observation.dealer.astype(jnp.uint32) + 1) & 3
    out.one_hot("forehand", (forehand - me) & 3, NUM_SEATS)
    out.levels("calls", observation.num_calls, (1, 2, 3) if rules.game == "differenzler" else (1, 2))


def _write_trick(out: BitWriter, observation: Observation, me: jax.Array) -> None:
    trick = observation.trick
    led = jnp.where(trick.led == NO_SUIT, NO_SUIT, swap_suit(observation.mode, trick.led))
    out.one_hot("led suit", led, 4)
    empty = trick.best == 0
    out.one_hot("winner so far", jnp.where(empty, NO_SUIT, (trick.winner - me) & 3), NUM_SEATS)
    out.levels("points on the table", trick.points, (1, 4, 8, 11, 16, 21, 30))
    out.one_hot("trick number", observation.num_played >> 2, NUM_TRICKS)
    out.one_hot("place in the trick", observation.num_played & 3, NUM_SEATS)


def _write_score(rules: JassRules, out: BitWriter, observation: Observation, me: jax.Array) -> None:
    levels = range(10, 160, 10)
    own = field(observation.points, me, POINTS_BITS)
    if rules.game == "differenzler":
        assert observation.prediction is not None
        predicted = observation.num_calls > (
            (me - observation.dealer.astype(jnp.uint32) - 1) & 3
        ).astype(jnp.uint8)
        missing = observation.prediction.astype(jnp.int32) - own.astype(jnp.int32)
        out.flag("predicted", predicted)
        out.levels("points missing", jnp.where(predicted, missing, -200), range(-30, 158, 6))
        return
    partner = field(observation.points, (me + 2) & 3, POINTS_BITS)
    total = sum(field(observation.points, seat, POINTS_BITS) for seat in range(NUM_SEATS))
    out.levels("own points", own + partner, levels)
    out.levels("other side's points", total - own - partner, levels)


def _swap_bits(mode: jax.Array, suits: jax.Array) -> jax.Array:
    trump = jnp.where(mode < NO_TRUMP, mode, 0)
    change = (suits ^ (suits >> trump)) & 1
    return suits ^ change ^ (change << trump)
