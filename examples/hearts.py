"""Hearts as a game from outside of jaxcards: one file, as a template for games of your own.

    python examples/hearts.py games
    python examples/hearts.py simulate hearts --deals 10000
    python examples/hearts.py train hearts --minutes 3
    python examples/hearts.py evaluate runs/hearts random --game hearts

Four players, 52 cards, 13 tricks, everyone alone; no cards are passed on. Every heart that you win
costs a point and the queen of spades 13; who wins all 26 gives 26 to each of the others instead.
Whoever has the two of clubs leads it; suit must be followed; hearts may be led once one is played.

The file reads in the order in which the game is played; docs/adding_a_game.md goes through it.
"""

import dataclasses
import sys
from typing import Any

import jax
import jax.numpy as jnp

import jaxcards
from jaxcards.cards import dealing, history, sets, tricks
from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.features import BitWriter
from jaxcards.cards.opening import Opening, opening
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import by_seat, dealt_after, field, vector
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.determinize import sample_hands
from jaxcards.settings import setting, validate
from jaxcards.stages import Stage
from jaxcards.xla import prng
from jaxcards.xla.fence import fence

# ---- Rules ----------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Rules:
    """Rules of Hearts; instances are valid, or `UserError` is raised."""

    break_hearts: bool = setting(True, "hearts may be led only after one has been played")
    moon: bool = setting(True, "a player with every point card gives 26 points to each other instead")
    target: int = setting(
        100, "a match ends when somebody has so many points; the fewest win", minimum=1, maximum=1000
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

DECK = Deck(suits="cdhs", ranks="23456789TJQKA", symbols="♣♦♥♠")
NUM_SEATS, HAND_SIZE = 4, 13
HEARTS = 2
TWO_OF_CLUBS, QUEEN_OF_SPADES = DECK.cards("2c Qs")
QUEEN_POINTS, ALL_POINTS = 13, 26
POINTS_BITS = 5  # a seat's points, at most 26

# ---- State ----------------------------------------------------------------------------------------


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Public:
    """What everybody sees; every leaf is a scalar.

    Attributes:
      played: all cards played.
      history: uint32 words, the cards in the order of play; see `jaxcards.cards.history`.
      current_player: int32, the seat to act.
      num_played: uint32, cards played so far, 0 to 52.
      table: uint32, the trick on the table; see `jaxcards.cards.tricks.pack`.
      taken: uint32, five bits a seat: points of the tricks it won.
      voids: uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit.
    """

    played: CardSet
    history: tuple[jax.Array, ...]
    current_player: jax.Array
    num_played: jax.Array
    table: jax.Array
    taken: jax.Array
    voids: jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State:
    """A deal: the cards dealt to each seat, which stay the same, and what everybody sees."""

    hands: tuple[CardSet, ...]
    public: Public

    @property
    def current_player(self) -> jax.Array:
        """int32: the seat to act."""
        return self.public.current_player

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        return self.public.num_played == DECK.num_cards


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Observation:
    """What a player (int32) knows: the own hand, what each seat has played, what everybody sees."""

    player: jax.Array
    hand: CardSet
    played_by: tuple[CardSet, ...]
    public: Public


@dataclasses.dataclass(frozen=True)
class Hearts(jaxcards.Game[Rules, State, Observation]):
    """Hearts for four players. Actions 0 to 51 play a card, 13 * suit + rank."""

    rules: Rules = Rules()

    name = "hearts"
    deck = DECK
    num_players = NUM_SEATS
    action_layout = ActionLayout.after_cards(DECK, DECK.num_cards, most=HAND_SIZE)
    max_steps = DECK.num_cards

    # ---- The deal ---------------------------------------------------------------------------------

    def init(self, key: jax.Array, round: Any = None) -> State:
        del round  # there is but one
        return _start(dealing.deal(prng.key_words(key), DECK, (HAND_SIZE,) * NUM_SEATS))

    def init_from_deck(self, deck: Any, dealer: Any) -> State:  # type: ignore[override]
        """Returns a given deal: seat dealer + 1 gets deck[0:13], the next deck[13:26], and so on."""
        DECK.check_permutation(deck)
        dealing.check_range("dealer", dealer, NUM_SEATS)
        blocks = dealing.from_deck(DECK, deck, (HAND_SIZE,) * NUM_SEATS)
        return _start(dealt_after(jnp.asarray(dealer, jnp.uint32), blocks))

    def opening(self, state: State) -> Opening:
        return opening(DECK, state.hands, NUM_SEATS - 1, sizes=(HAND_SIZE,) * NUM_SEATS)

    def action_taken(self, state: State, later: State) -> jax.Array:
        return history.card_at(later.public.history, state.public.num_played)

    # ---- What is legal ----------------------------------------------------------------------------

    def _legal(self, state: State, stage: Stage) -> ActionSet:
        del stage  # one for all decisions
        public = state.public
        hand = by_seat(state.hands, public.current_player) - public.played
        led = tricks.unpack(public.table).led
        follow = hand & CardSet.suit_of(DECK, led)  # empty on an empty table
        hearts = CardSet.suit_of(DECK, jnp.uint32(HEARTS))
        closed = self.rules.break_hearts & ~(public.played & hearts).any() & (hand - hearts).any()
        lead = sets.select(closed, hand - hearts, hand)
        lead = sets.select(public.num_played == 0, CardSet.of(DECK, [TWO_OF_CLUBS]), lead)
        free = sets.select(led == NO_SUIT, lead, hand)
        return ActionSet.of_cards(self.action_layout, sets.select(follow.any(), follow, free))

    # ---- The play of a card -----------------------------------------------------------------------

    def _step(self, state: State, card: jax.Array, stage: Stage) -> State:
        del stage
        public, plays = state.public, card < DECK.num_cards
        seat = public.current_player.astype(jnp.uint32)
        suit, rank = DECK.suit_and_rank(card)
        trick = tricks.unpack(public.table)
        shown = self._shown(public, trick.led, suit) << (4 * seat)
        strength = jnp.where(suit == tricks.lead_suit(trick, suit), rank + 1, 0)
        points = jnp.where(card == QUEEN_OF_SPADES, QUEEN_POINTS, suit == HEARTS).astype(jnp.uint32)
        table = fence(tricks.pack(tricks.add_card(trick, seat, suit, strength, points)))
        trick = tricks.unpack(table)
        complete = plays & ((public.num_played & 3) == 3)
        following = jnp.where(complete, trick.winner, (seat + 1) & 3).astype(jnp.int32)
        cleared = jnp.where(complete, jnp.uint32(tricks.EMPTY_TABLE), table)
        after = Public(
            played=public.played | CardSet.single(DECK, card),
            history=history.append(public.history, public.num_played, card, plays),
            current_player=jnp.where(plays, following, public.current_player),
            num_played=public.num_played + plays.astype(jnp.uint32),
            table=jnp.where(plays, cleared, public.table),
            taken=public.taken + jnp.where(complete, trick.points << (trick.winner * POINTS_BITS), 0),
            voids=public.voids | jnp.where(plays, shown, 0),
        )
        return State(state.hands, after)

    def _shown(self, public: Public, led: jax.Array, suit: jax.Array) -> jax.Array:
        """Returns the suits that a card shows to be missing: bit s for suit s."""
        shown = jnp.where((led != NO_SUIT) & (suit != led), jnp.uint32(1) << led, 0)
        unbroken = ~(public.played & CardSet.suit_of(DECK, jnp.uint32(HEARTS))).any()
        only_hearts = self.rules.break_hearts & (led == NO_SUIT) & (suit == HEARTS) & unbroken
        return jnp.where(only_hearts, jnp.uint32(0b1111 ^ 1 << HEARTS), shown)

    # ---- The score, the match ---------------------------------------------------------------------

    def progress(self, state: State) -> jax.Array:
        return vector([field(state.public.taken, seat, POINTS_BITS) for seat in range(NUM_SEATS)])

    def points(self, state: State) -> jax.Array:
        """Returns int32[4], penalty points: the fewer, the better."""
        taken = self.progress(state)
        moon = self.rules.moon & (taken == ALL_POINTS).any()
        return jnp.where(moon, ALL_POINTS - taken, taken)

    def returns(self, state: State) -> jax.Array:
        """Returns float32[4], minus the penalty points."""
        return -super().returns(state)

    @property
    def max_match_deals(self) -> int:
        return NUM_SEATS * self.rules.target // ALL_POINTS + 1  # every deal gives 26 points or more

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        return totals.max() >= self.rules.target, totals == totals.min()

    # ---- What a player sees -----------------------------------------------------------------------

    def observe(self, state: State, player: jax.Array) -> Observation:
        played = state.public.played
        hand = by_seat(state.hands, player) - played
        played_by = tuple(hand & played for hand in state.hands)
        return Observation(jnp.asarray(player, jnp.int32), hand, played_by, state.public)

    def write_features(self, observation: Observation) -> BitWriter:
        out, public = BitWriter(), observation.public
        me = observation.player.astype(jnp.uint32)
        out.cards("hand", observation.hand)
        for places, name in enumerate(("me", "next", "opposite", "previous")):
            seat = (me + places) & 3
            out.cards(f"played by {name}", by_seat(observation.played_by, seat))
            out.levels(f"points of {name}", field(public.taken, seat, POINTS_BITS), (1, 4, 13, 20))
            if places:
                out.bits(f"voids of {name}", field(public.voids, seat, 4), 4)
        trick = tricks.unpack(public.table)
        winner = jnp.where(trick.led == NO_SUIT, NO_SUIT, (trick.winner - me) & 3)
        out.one_hot("led suit", trick.led, 4)
        out.one_hot("rank to beat", trick.best - 1, 13)  # none on an empty table
        out.one_hot("winner so far", winner, NUM_SEATS)
        out.levels("points on the table", trick.points, (1, 2, 3, 13))
        out.one_hot("place in the trick", public.num_played & 3, NUM_SEATS)
        return out

    def history(self, observation: Observation) -> history.History:
        public, size = observation.public, self.max_steps
        plays = history.plays(public.history, size, public.num_played, observation.played_by)
        return history.joined(size, [plays])

    # ---- Hidden cards -----------------------------------------------------------------------------

    def sample_state(self, key: jax.Array, seen: Observation) -> State:
        public = seen.public
        allowed, sizes = [], []
        for seat in range(NUM_SEATS):
            possible = CardSet.full(DECK) - seen.hand - public.played
            for suit in range(4):
                void = field(public.voids, 4 * seat + suit, 1) == 1
                possible -= CardSet.suit_of(DECK, jnp.where(void, jnp.uint32(suit), NO_SUIT))
            # Before the first card everybody knows who has the two of clubs: the seat to act.
            elsewhere = (public.num_played == 0) & (public.current_player != seat)
            two = sets.select(elsewhere, CardSet.of(DECK, [TWO_OF_CLUBS]), CardSet.empty(DECK))
            allowed.append(possible - two)
            sizes.append(HAND_SIZE - seen.played_by[seat].count())
        held = sample_hands(key, seen.player, seen.hand, allowed, sizes, max_size=HAND_SIZE)
        return State(tuple(a | b for a, b in zip(held, seen.played_by, strict=True)), public)

    def card_places(self, state: State) -> CardPlaces:
        return CardPlaces.of_dealt(state.hands, state.public.played)

    # ---- In words ---------------------------------------------------------------------------------

    def action_names(self) -> list[str]:
        return [DECK.name(card) for card in range(DECK.num_cards)]


def _start(hands: tuple[CardSet, ...]) -> State:
    leader, zero = jnp.int32(0), jnp.uint32(0)
    for seat, hand in enumerate(hands):
        leader = jnp.where(hand.contains(jnp.uint32(TWO_OF_CLUBS)), jnp.int32(seat), leader)
    public = Public(
        played=CardSet.empty(DECK),
        history=history.empty(DECK.num_cards),
        current_player=leader,
        num_played=zero,
        table=jnp.uint32(tricks.EMPTY_TABLE),
        taken=zero,
        voids=zero,
    )
    return State(hands, public)


jaxcards.register("hearts", sys.modules[__name__], Hearts, "Hearts: avoid hearts and the ♠Q")

if __name__ == "__main__":
    from jaxcards.cli.main import main

    sys.exit(main())
