"""Hearts as a game from outside of jaxcards: one file, as a template for games of your own.

    python examples/hearts.py games
    python examples/hearts.py simulate hearts --deals 10000
    python examples/hearts.py train hearts --minutes 3
    python examples/hearts.py evaluate runs/hearts random --game hearts

Four players, 52 cards, 13 tricks, everyone alone; no cards are passed on. Every heart that you win
costs a point and the queen of spades 13; who wins all 26 gives 26 to each of the others instead.
Whoever has the two of clubs leads it; suit must be followed; hearts may be led only after one has
been played.

The file reads in the order in which the game is played: rules, deck, state, the deal, what is legal,
the play of a card, the score, the match, what a player sees, features, hidden cards, words. The section
"How to add a game" of docs/adding_a_game.md goes through it.
"""

import dataclasses
import sys
from typing import Any

import jax
import jax.numpy as jnp

import jaxcards
from jaxcards.cards import actions, dealing, history, sets, tricks
from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import by_seat, dealt_after, field, vector
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.cards.text import action_name, action_number
from jaxcards.determinize import Situation, sample_hidden
from jaxcards.game import CardPlaces, Game
from jaxcards.settings import check_fields
from jaxcards.xla import prng
from jaxcards.xla.fence import fence

# ---- Rules ----------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Rules:
    """Rules of Hearts.

    Attributes:
      break_hearts: hearts may be led only after one has been played.
      moon: who wins every point card gives 26 points to each of the others instead.
      target: the match ends when somebody has this many points; the fewest win.
    """

    break_hearts: bool = True
    moon: bool = True
    target: int = 100

    def __post_init__(self) -> None:
        check_fields(self, {"target": (1, 1000)})


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
QUEEN_POINTS = 13
ALL_POINTS = 26
POINTS_BITS = 5  # a seat's points, at most 26
IDLE = 255  # stands for any action after the end
LAYOUT = ActionLayout.after_cards(DECK, DECK.num_cards, most=HAND_SIZE)

# ---- State ----------------------------------------------------------------------------------------


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State:
    """A deal of Hearts; every leaf is a scalar.

    Attributes:
      hands: the cards dealt to each seat; constant.
      played: all cards played.
      history: uint32 words, the cards in the order of play; see `jaxcards.cards.history`.
      current_player: int32, the seat to act.
      num_played: uint32, cards played so far, 0 to 52.
      dealer: uint8, the seat that dealt.
      table: uint32, the trick on the table; see `jaxcards.cards.tricks.pack`.
      taken: uint32, five bits a seat: points of the tricks it won.
      voids: uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit.
    """

    hands: tuple[CardSet, ...]
    played: CardSet
    history: tuple[jax.Array, ...]
    current_player: jax.Array
    num_played: jax.Array
    dealer: jax.Array
    table: jax.Array
    taken: jax.Array
    voids: jax.Array

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        return self.num_played == DECK.num_cards


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Observation:
    """What a player knows: `State` without the other hands, plus who has played what.

    Attributes:
      player: int32, whose view this is.
      hand: the cards that the player holds.
      played_by: for each seat, the cards that it has played.
      Others as in `State`.
    """

    player: jax.Array
    hand: CardSet
    played_by: tuple[CardSet, ...]
    history: tuple[jax.Array, ...]
    current_player: jax.Array
    num_played: jax.Array
    dealer: jax.Array
    table: jax.Array
    taken: jax.Array
    voids: jax.Array


@dataclasses.dataclass(frozen=True)
class Hearts(Game[Rules, State, Observation]):
    """Hearts for four players. Actions 0 to 51 play a card, 13 * suit + rank."""

    rules: Rules = Rules()

    name = "hearts"
    deck = DECK
    num_players = NUM_SEATS
    action_layout = LAYOUT
    max_steps = DECK.num_cards
    teams = None

    @property
    def max_match_deals(self) -> int:
        return NUM_SEATS * self.rules.target // ALL_POINTS + 1  # every deal gives 26 points or more

    # ---- The deal ---------------------------------------------------------------------------------

    def init(self, key: jax.Array) -> State:
        words = prng.key_words(key)
        hands = dealing.deal(words, DECK, (HAND_SIZE,) * NUM_SEATS)
        return _start(hands, prng.random_word(words, DECK.num_cards) >> 30)

    def init_from_deck(self, deck: Any, dealer: Any) -> State:  # type: ignore[override]
        """Returns a given deal: seat dealer + 1 gets deck[0:13], the next deck[13:26], and so on."""
        DECK.check_permutation(deck)
        dealing.check_range("dealer", dealer, NUM_SEATS)
        dealer = jnp.asarray(dealer, jnp.uint32)
        blocks = dealing.from_deck(DECK, deck, (HAND_SIZE,) * NUM_SEATS)
        return _start(dealt_after(dealer, blocks), dealer)

    # ---- What is legal ----------------------------------------------------------------------------

    def legal_actions(self, state: State) -> ActionSet:
        hand = by_seat(state.hands, state.current_player) - state.played
        led = tricks.unpack(state.table).led
        follow = hand & CardSet.suit_of(DECK, led)  # empty on an empty table
        hearts = CardSet.suit_of(DECK, jnp.uint32(HEARTS))
        lead = hand
        if self.rules.break_hearts:
            closed = ~(state.played & hearts).any() & (hand - hearts).any()
            lead = sets.select(closed, hand - hearts, hand)
        lead = sets.select(state.num_played == 0, CardSet.of(DECK, [TWO_OF_CLUBS]), lead)
        free = sets.select(led == NO_SUIT, lead, hand)
        legal = ActionSet.of_cards(LAYOUT, sets.select(follow.any(), follow, free))
        return legal.or_all(state.terminated)

    # ---- The play of a card -----------------------------------------------------------------------

    def step(self, state: State, action: jax.Array) -> State:
        card = actions.fenced(action, state.terminated, IDLE)
        plays = card < DECK.num_cards
        seat = state.current_player.astype(jnp.uint32)
        suit, rank = DECK.suit_and_rank(card)
        before = tricks.unpack(state.table)
        strength = jnp.where(suit == tricks.lead_suit(before, suit), rank + 1, 0)
        value = jnp.where(card == QUEEN_OF_SPADES, QUEEN_POINTS, (suit == HEARTS).astype(jnp.uint32))
        trick = tricks.add_card(before, seat, suit, strength, value.astype(jnp.uint32))
        table = fence(tricks.pack(trick))
        trick = tricks.unpack(table)
        complete = plays & ((state.num_played & 3) == 3)
        following = jnp.where(complete, trick.winner, (seat + 1) & 3).astype(jnp.int32)
        cleared = jnp.where(complete, jnp.uint32(tricks.EMPTY_TABLE), table)
        shown = jnp.where(plays, self._shown(state, before.led, suit) << (4 * seat), 0)
        return dataclasses.replace(
            state,
            played=state.played | CardSet.single(DECK, card),
            history=history.append(state.history, state.num_played, card, plays),
            current_player=jnp.where(plays, following, state.current_player),
            num_played=state.num_played + plays.astype(jnp.uint32),
            table=jnp.where(plays, cleared, state.table),
            taken=state.taken + jnp.where(complete, trick.points << (trick.winner * POINTS_BITS), 0),
            voids=state.voids | shown,
        )

    def _shown(self, state: State, led: jax.Array, suit: jax.Array) -> jax.Array:
        """Returns the suits that a card shows to be missing: bit s for suit s."""
        discards = (led != NO_SUIT) & (suit != led)
        shown = jnp.where(discards, jnp.uint32(1) << led, 0)
        if self.rules.break_hearts:
            unbroken = ~(state.played & CardSet.suit_of(DECK, jnp.uint32(HEARTS))).any()
            only_hearts = (led == NO_SUIT) & (suit == HEARTS) & unbroken
            shown = jnp.where(only_hearts, jnp.uint32(0b1111 ^ 1 << HEARTS), shown)
        return shown

    # ---- The score --------------------------------------------------------------------------------

    def points(self, state: State) -> jax.Array:
        """Returns int32[4], penalty points: the fewer, the better."""
        taken = vector([field(state.taken, seat, POINTS_BITS) for seat in range(NUM_SEATS)])
        if not self.rules.moon:
            return taken
        return jnp.where((taken == ALL_POINTS).any(), ALL_POINTS - taken, taken)

    def returns(self, state: State) -> jax.Array:
        """Returns float32[4], minus the penalty points."""
        return -self.points(state).astype(jnp.float32)

    def progress(self, state: State) -> jax.Array:
        return vector([field(state.taken, seat, POINTS_BITS) for seat in range(NUM_SEATS)])

    # ---- The match --------------------------------------------------------------------------------

    def next_deal(self, key: jax.Array, state: State, totals: jax.Array) -> State:
        del totals  # a deal does not depend on the score
        hands = dealing.deal(prng.key_words(key), DECK, (HAND_SIZE,) * NUM_SEATS)
        return _start(hands, (state.dealer.astype(jnp.uint32) + 1) & 3)

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        return totals.max() >= self.rules.target, totals == totals.min()

    # ---- What a player sees -----------------------------------------------------------------------

    def observe(self, state: State, player: jax.Array) -> Observation:
        player = jnp.asarray(player, jnp.int32)
        return Observation(
            player=player,
            hand=by_seat(state.hands, player) - state.played,
            played_by=tuple(hand & state.played for hand in state.hands),
            history=state.history,
            current_player=state.current_player,
            num_played=state.num_played,
            dealer=state.dealer,
            table=state.table,
            taken=state.taken,
            voids=state.voids,
        )

    # ---- Features ---------------------------------------------------------------------------------

    def write_features(self, observation: Observation) -> BitWriter:
        out = BitWriter()
        me = observation.player.astype(jnp.uint32)
        out.cards("hand", observation.hand)
        for name, k in (("me", 0), ("next", 1), ("opposite", 2), ("previous", 3)):
            seat = (me + k) & 3
            out.cards(f"played by {name}", by_seat(observation.played_by, seat))
            out.levels(f"points of {name}", field(observation.taken, seat, POINTS_BITS), (1, 4, 13, 20))
            if k:
                out.bits(f"voids of {name}", field(observation.voids, seat, 4), 4)
        _write_trick(out, tricks.unpack(observation.table), me, observation.num_played)
        return out

    def write_full_state(self, state: State) -> BitWriter:
        out = BitWriter()
        me = state.current_player.astype(jnp.uint32)
        for name, k in (("me", 0), ("next", 1), ("opposite", 2), ("previous", 3)):
            seat = (me + k) & 3
            out.cards(f"hand of {name}", by_seat(state.hands, seat) - state.played)
            out.levels(f"points of {name}", field(state.taken, seat, POINTS_BITS), (1, 4, 13, 20))
        _write_trick(out, tricks.unpack(state.table), me, state.num_played)
        return out

    # ---- Hidden cards -----------------------------------------------------------------------------

    def determinize(self, key: jax.Array, state: State, player: jax.Array) -> State:
        """Deals the other hands anew, uniformly among those that the play leaves possible."""
        seen = self.observe(state, player)
        unseen = CardSet.full(DECK) - seen.hand
        for played in seen.played_by:
            unseen = unseen - played
        two = CardSet.of(DECK, [TWO_OF_CLUBS])
        allowed, sizes = [], []
        for seat in range(NUM_SEATS):
            possible = unseen
            for suit in range(4):
                lacks = (field(seen.voids, seat, 4) >> suit) & 1 == 1
                rest = possible - CardSet.suit_of(DECK, jnp.uint32(suit))
                possible = sets.select(lacks, rest, possible)
            # Before the first card everybody knows who has the two of clubs: the seat to act.
            elsewhere = (seen.num_played == 0) & (seen.current_player != seat)
            allowed.append(sets.select(elsewhere, possible - two, possible))
            sizes.append(HAND_SIZE - seen.played_by[seat].count())
        others = [(seen.player + k) & 3 for k in (1, 2, 3)]
        situation = Situation.of(
            [by_seat(allowed, seat).words for seat in others],
            [by_seat(sizes, seat) for seat in others],
            DECK.num_cards,
            max_size=HAND_SIZE,
        )
        drawn = sample_hidden(key, situation)
        around = [seen.hand, *(CardSet(DECK, words) for words in drawn)]
        hands = [
            by_seat(around, (jnp.int32(seat) - seen.player) & 3) | seen.played_by[seat]
            for seat in range(NUM_SEATS)
        ]
        return dataclasses.replace(state, hands=tuple(hands))

    def card_places(self, state: State) -> CardPlaces:
        return CardPlaces(
            hands=tuple(hand - state.played for hand in state.hands),
            played=tuple(hand & state.played for hand in state.hands),
            aside=CardSet.empty(DECK),
        )

    # ---- In words ---------------------------------------------------------------------------------

    def action_to_string(self, action: int) -> str:
        return action_name([DECK.name(card) for card in range(DECK.num_cards)], action)

    def string_to_action(self, text: str) -> int:
        return action_number(DECK, [DECK.name(card) for card in range(DECK.num_cards)], text)

    def to_string(self, state: State) -> str:
        places = self.card_places(state)
        lines = [
            f"seat {seat}: {DECK.pretty_names(hand.to_list())}, {int(points)} points"
            for seat, (hand, points) in enumerate(zip(places.hands, self.progress(state), strict=True))
        ]
        played = history.to_list(state.history, state.num_played)
        if played:
            lines.append("played: " + " ".join(DECK.pretty(card) for card in played))
        over = bool(state.terminated)
        lines.append("over" if over else f"seat {int(state.current_player)} is to act")
        return "\n".join(lines)


def _start(hands: tuple[CardSet, ...], dealer: jax.Array) -> State:
    leader = jnp.int32(0)
    for seat, hand in enumerate(hands):
        leader = jnp.where(hand.contains(jnp.uint32(TWO_OF_CLUBS)), jnp.int32(seat), leader)
    zero = jnp.uint32(0)
    return State(
        hands=hands,
        played=CardSet.empty(DECK),
        history=history.empty(DECK.num_cards),
        current_player=leader,
        num_played=zero,
        dealer=dealer.astype(jnp.uint8),
        table=jnp.uint32(tricks.EMPTY_TABLE),
        taken=zero,
        voids=zero,
    )


def _write_trick(out: BitWriter, trick: tricks.Trick, me: jax.Array, num_played: jax.Array) -> None:
    out.one_hot("led suit", trick.led, 4)
    out.one_hot("rank to beat", jnp.where(trick.best > 0, trick.best - 1, 63), 13)
    empty = trick.best == 0
    out.one_hot("winner so far", jnp.where(empty, NO_SUIT, (trick.winner - me) & 3), NUM_SEATS)
    out.levels("points on the table", trick.points, (1, 2, 3, 13))
    out.one_hot("place in the trick", num_played & 3, NUM_SEATS)


jaxcards.register("hearts", sys.modules[__name__], Hearts, "Hearts: avoid hearts and the ♠Q")

if __name__ == "__main__":
    from jaxcards.cli import main

    sys.exit(main.main())
