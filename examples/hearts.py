"""Plain Hearts as a game outside of jaxcards: one file, as a template for your own games.

    python examples/hearts.py games
    python examples/hearts.py simulate plain_hearts --deals 10000
    python examples/hearts.py train plain_hearts --minutes 3
    python examples/hearts.py evaluate runs/plain_hearts random --game plain_hearts

Four players, 52 cards, 13 tricks, everyone alone, without passing cards. Every heart that you win costs
a point and the queen of spades 13. A player who wins all 26 gives 26 to each of the others instead. The
holder of the two of clubs leads it. Suit must be followed. Hearts may be led once one is played.

The file reads in the order in which the game is played; docs/adding_a_game.md goes through it.
"""

import dataclasses
import sys

import jax
import jax.numpy as jnp

import jaxcards
from jaxcards.cards import sets
from jaxcards.cards.features import BitWriter
from jaxcards.cards.packs import FRENCH as DECK
from jaxcards.cards.seats import field, vector
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.kit import (
    TrickGame,
    TrickObservation,
    TrickPublic,
    TrickState,
    first_public,
    follow_suit,
    lead_other,
    play_card,
    shown_void,
)
from jaxcards.settings import setting, validate
from jaxcards.stages import Stage
from jaxcards.xla.pytrees import pytree

# ---- Rules ----------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Rules:
    """Rules of Hearts; instances are valid, or `UserError` is raised."""

    break_hearts: bool = setting(True, "hearts may be led only after one has been played")
    moon: bool = setting(True, "a player with every point card gives 26 points to each other instead")
    target: int = setting(
        100, "points that end a match; the lowest total wins", minimum=1, maximum=1000
    )

    def __post_init__(self) -> None:
        validate(self)


PRESETS = {"standard": Rules(), "plain": Rules(break_hearts=False, moon=False)}
DEFAULT_PRESET = "standard"
PRESET_DESCRIPTIONS = {
    "standard": "hearts must be broken, and all 26 points are given to the others",
    "plain": "any card may be led, points stay where they fall",
}

# ---- Deck -----------------------------------------------------------------------------------------

NUM_SEATS, HAND_SIZE = 4, 13
HEARTS = 2
TWO_OF_CLUBS, QUEEN_OF_SPADES = DECK.cards("2c Qs")
QUEEN_POINTS, ALL_POINTS = 13, 26
POINTS_BITS = 5  # a seat's points, at most 26
ALL_HEARTS = CardSet.of(DECK, DECK.cards(" ".join(f"{rank}h" for rank in DECK.ranks)))

# ---- State ----------------------------------------------------------------------------------------


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """The public part of a deal; every leaf is a scalar.

    Attributes:
      taken: uint32, five bits a seat: points of the tricks it won.
      voids: uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit.
    """

    taken: jax.Array
    voids: jax.Array


@dataclasses.dataclass(frozen=True)
class Hearts(TrickGame[Rules, TrickState, TrickObservation]):
    """Hearts for four players. Actions 0 to 51 play a card, 13 * suit + rank."""

    rules: Rules = Rules()

    name = "plain_hearts"
    deck = DECK
    num_players = NUM_SEATS
    hand_size = HAND_SIZE
    state_class = TrickState

    def first_public(self, hands: tuple[CardSet, ...], dealer: jax.Array) -> Public:  # type: ignore
        del dealer  # the holder of the two of clubs leads
        leader, zero = jnp.int32(0), jnp.uint32(0)
        for seat, hand in enumerate(hands):
            leader = jnp.where(hand.contains(jnp.uint32(TWO_OF_CLUBS)), seat, leader)
        return Public(**first_public(DECK.num_cards, leader), taken=zero, voids=zero)

    # ---- The play of a card -----------------------------------------------------------------------

    def legal_cards(self, state: TrickState, stage: Stage) -> CardSet:
        public = state.public
        hand = state.hand_of(public.current_player)
        lead = lead_other(hand, self._closed(state.played))
        lead = sets.select(public.num_played == 0, CardSet.of(DECK, [TWO_OF_CLUBS]), lead)
        led = state.trick(stage).led
        return follow_suit(hand, led, sets.select(led == NO_SUIT, lead, hand))

    def _closed(self, played: CardSet) -> CardSet:
        """Return the cards that may not be led yet."""
        closed = self.rules.break_hearts & ~(played & ALL_HEARTS).any()
        return sets.select(closed, ALL_HEARTS, CardSet.empty(DECK))

    def play(self, state: TrickState, card: jax.Array, stage: Stage) -> TrickState:
        public, plays = state.public, state.plays(card < DECK.num_cards, stage)
        suit, rank = DECK.suit_and_rank(card)
        before = state.trick(stage)
        led = before.led
        strength = jnp.where((suit == led) | (led == NO_SUIT), rank + 1, 0)
        points = jnp.where(card == QUEEN_OF_SPADES, QUEEN_POINTS, suit == HEARTS).astype(jnp.uint32)
        after, trick, complete = play_card(
            state, stage, before, card, plays=plays, suit=suit, strength=strength, points=points
        )
        # A player who leads a heart before hearts are broken has no other suit.
        shown = shown_void(led, suit, alone=self._closed(state.played).contains(card))
        shown = shown << (4 * public.current_player.astype(jnp.uint32))
        taken = trick.points << (trick.winner * POINTS_BITS)
        return after.with_public(
            taken=public.taken + jnp.where(complete, taken, 0),
            voids=public.voids | jnp.where(plays, shown, 0),
        )

    # ---- The score, the match ---------------------------------------------------------------------

    def progress(self, state: TrickState) -> jax.Array:
        return vector([field(state.public.taken, seat, POINTS_BITS) for seat in range(NUM_SEATS)])

    def points(self, state: TrickState) -> jax.Array:
        """Return int32[4], penalty points: the fewer, the better."""
        taken = self.progress(state)
        moon = self.rules.moon & (taken == ALL_POINTS).any()
        return jnp.where(moon, ALL_POINTS - taken, taken)

    def returns(self, state: TrickState) -> jax.Array:
        """Return float32[4], minus the penalty points."""
        return -super().returns(state)

    @property
    def max_match_deals(self) -> int:
        return NUM_SEATS * self.rules.target // ALL_POINTS + 1  # every deal gives 26 points or more

    def match_over(
        self, state: TrickState, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        return totals.max() >= self.rules.target, totals == totals.min()

    # ---- The observation, and the hidden cards ----------------------------------------------------

    def write_features(self, observation: TrickObservation) -> BitWriter:
        out, public = BitWriter(), observation.public
        self.write_tricks(out, observation, strengths=len(DECK.ranks))
        for seat in range(NUM_SEATS):
            points = field(public.taken, (observation.player + seat) & 3, POINTS_BITS)
            out.levels(f"points {seat} to the left", points, (1, 4, 13, 20))
        out.levels("points on the table", public.trick.points, (1, 2, 3, 13))
        return out

    def possible_cards(self, observation: TrickObservation) -> tuple[list[CardSet], list[jax.Array]]:
        allowed, sizes = super().possible_cards(observation)
        public, two = observation.public, CardSet.of(DECK, [TWO_OF_CLUBS])
        # Before the first card everybody knows who has the two of clubs: the seat to act.
        found = [
            sets.select((public.num_played == 0) & (public.current_player != seat), cards - two, cards)
            for seat, cards in enumerate(allowed)
        ]
        return found, sizes


jaxcards.register("plain_hearts", sys.modules[__name__], Hearts, "Hearts without passing")

if __name__ == "__main__":
    from jaxcards.cli.main import main

    sys.exit(main())
