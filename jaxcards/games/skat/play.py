"""The pack, the state of a deal, and the play of a card (docs/skat.md, 2 and 5)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.cards.tricks import RankOrder, lead_suit
from jaxcards.games.skat.rules import SkatRules
from jaxcards.kit import TrickGame, TrickObservation, TrickPublic, TrickState, play_card, shown_void
from jaxcards.stages import Stage
from jaxcards.xla.bitfields import bits_of
from jaxcards.xla.lookup import lookup
from jaxcards.xla.pytrees import pytree

DECK = Deck(
    suits="dhsc",
    ranks="789QKTAJ",  # as they rank in suit games and Grand
    symbols="♦♥♠♣",
    suit_words=(
        ("diamonds", "d"), ("hearts", "h"), ("spades", "s"), ("clubs", "c"),
        ("karo", "d"), ("herz", "h"), ("pik", "s"), ("kreuz", "c"),
    ),
    rank_words=(
        ("10", "T"), ("ten", "T"), ("jack", "J"), ("queen", "Q"), ("king", "K"), ("ace", "A"),
        ("bube", "J"), ("dame", "Q"), ("könig", "K"), ("ass", "A"),
    ),
)  # fmt: skip
SEATS, HAND, SKAT = 3, 10, 2
POINTS = DECK.by_rank({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2})
NULL_ORDER = RankOrder(DECK.ranks, "789TJQKA")
JACK = DECK.ranks.index("J")
JACKS = sum(1 << (8 * suit + JACK) for suit in range(4))

GRAND, NULL, RAMSCH, NO_GAME = 4, 5, 6, 7  # after the four suits
TRUMPS = 4  # the class of trumps; other cards are of the class of their suit
CLASSES = 5
PLAIN, SCHNEIDER, SCHWARZ, OUVERT = range(4)  # what is announced
BID, DECLARE, FIRST_DISCARD, SECOND_DISCARD, ANNOUNCE, LEVEL, KONTRA, RE, PLAY, DONE = range(10)
NO_SEAT = 3

POINT_BITS = 7  # card points of a seat
_HAS_TRICK = SEATS * POINT_BITS  # the bit of `Public.tally` for a trick of seat 0


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """The public part of a deal; every leaf is a scalar (docs/skat.md, 8)."""

    phase: jax.Array  # uint32, `BID` to `DONE`
    dealer: jax.Array  # uint32, the seat that dealt; the next one is forehand
    auction: jax.Array  # uint32, see `calls.Auction`
    contract: jax.Array  # uint32 of bits, see the properties from `declarer` on
    # uint32, seven bits a seat: card points of its tricks; then a bit for each seat with a trick.
    tally: jax.Array
    lacks: jax.Array  # uint32, bit 5 * seat + class (4: trumps): the seat has been shown to lack it
    totals: tuple[jax.Array, ...]  # int32 for each seat, before the deal

    declarer = bits_of("contract", 0, 2)  # the seat, or `NO_SEAT`
    game = bits_of("contract", 2, 3)  # a suit, or `GRAND` to `NO_GAME`
    # Bit 5 marks a Hand game; see `hand`.
    level = bits_of("contract", 6, 2)  # what is announced, `PLAIN` to `OUVERT`
    doubled = bits_of("contract", 8, 2)  # 1 after Kontra, 2 after Re
    second_doubled = bits_of("contract", 10, 1)  # 1 if the second opponent in turn said Kontra

    @property
    def hand(self) -> jax.Array:
        """bool: a Hand game."""
        return (self.contract >> 5) & 1 == 1

    @property
    def taken(self) -> jax.Array:
        """bool: the declarer has taken the skat."""
        return (self.phase > DECLARE) & (self.declarer != NO_SEAT) & ~self.hand

    @property
    def num_discarded(self) -> jax.Array:
        """uint32: cards that the declarer has discarded."""
        # The phase tells the number: one card after the first discard, two after the second.
        first, second = self.phase > FIRST_DISCARD, self.phase > SECOND_DISCARD
        return jnp.where(self.taken, first.astype(jnp.uint32) + second.astype(jnp.uint32), 0)

    @property
    def is_open(self) -> jax.Array:
        """bool: the declarer's cards are open to all."""
        return (self.phase >= KONTRA) & (self.level == OUVERT)

    def points_of(self, seat: int | jax.Array) -> jax.Array:
        """Return the card points that a seat has in tricks: int32."""
        return field(self.tally, seat, POINT_BITS).astype(jnp.int32)

    @property
    def with_trick(self) -> jax.Array:
        """uint32: a bit for each seat that has a trick."""
        return self.tally >> _HAS_TRICK

    def has_trick(self, seat: int | jax.Array) -> jax.Array:
        return (self.with_trick >> jnp.asarray(seat).astype(jnp.uint32)) & 1 == 1


@pytree
@dataclasses.dataclass(frozen=True)
class State(TrickState):
    """A deal of Skat.

    Attributes:
      skat: the two cards dealt to the skat; constant.
      buried: the cards that the declarer has discarded.
    """

    skat: CardSet
    buried: CardSet

    ends_early = True

    @property
    def playing(self) -> jax.Array:
        return self.public.phase >= PLAY

    @property
    def terminated(self) -> jax.Array:
        return self.public.phase == DONE

    @property
    def owned(self) -> tuple[CardSet, ...]:
        """For each seat all cards that it has had, those of the skat included if it took them."""
        public = self.public
        taker = jnp.where(public.taken, public.declarer, NO_SEAT)
        return tuple(hand | self.skat.where(taker == seat) for seat, hand in enumerate(self.hands))

    @property
    def aside(self) -> CardSet:
        """The skat, or what the declarer has discarded."""
        return sets.select(self.public.taken, self.buried, self.skat)

    def hand_of(self, seat: jax.Array) -> CardSet:
        return by_seat(self.owned, seat) - self.played - self.buried

    @property
    def played_by(self) -> tuple[CardSet, ...]:
        return tuple(cards & self.played for cards in self.owned)


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """All that a player may know.

    Attributes:
      skat: the two cards that the player took out of the skat; else empty.
      buried: the cards that the player discarded, and after the deal the skat; else empty.
      open: the declarer's open cards that are not played; else empty.
    """

    skat: CardSet
    buried: CardSet
    open: CardSet

    @property
    def unseen(self) -> CardSet:
        return super().unseen - self.buried - self.open


SkatGame = TrickGame[SkatRules, State, Observation]


def trumps_of(game: jax.Array) -> jax.Array:
    """Return the trumps of a game as a word: uint32 (docs/skat.md, 2)."""
    # A suit game adds the eight cards of its suit to the jacks; Grand and Ramsch have the jacks alone.
    lane = jnp.where(game < GRAND, jnp.uint32(0xFF) << (8 * (game & 3)), 0)
    # In Null the jacks belong to their suits.
    return jnp.where(game == NULL, 0, lane | jnp.uint32(JACKS))


def class_cards(game: jax.Array, number: jax.Array) -> CardSet:
    """Return the cards of a class; empty for `NO_SUIT`."""
    trumps = trumps_of(game)
    # The eight cards of a suit, less those that are trumps in this game.
    lane = jnp.where(number < TRUMPS, jnp.uint32(0xFF) << (8 * (number & 3)), 0)
    return CardSet(DECK, [jnp.where(number == TRUMPS, trumps, lane & ~trumps)])


def strength_of(game: jax.Array, card: jax.Array) -> jax.Array:
    """Return the strength of a card among trumps or cards of its suit: uint32 (docs/skat.md, 2)."""
    suit, rank = DECK.suit_and_rank(card)
    # Jacks have the highest rank; among themselves they rank by suit, from J♦ to J♣.
    jack = jnp.where(rank == JACK, rank + suit, rank)
    plain = jnp.where(game == NULL, NULL_ORDER.strength(rank), 1 + jack)
    # The mask keeps the shift in range for actions that are not cards.
    is_trump = (trumps_of(game) >> (card & 31)) & 1
    return plain + 16 * is_trump


def legal_cards(game: SkatGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the player to act may play or discard (docs/skat.md, 4 and 5)."""
    hand = state.hand_of(state.current_player)
    if stage.last or stage.plays is False:
        return hand
    # Before a discard nothing is led, so that no card follows and the whole hand is free.
    follow = hand & class_cards(state.public.game, state.trick(stage).led)
    return sets.select(follow.any(), follow, hand)


def play(game: SkatGame, state: State, card: jax.Array, stage: Stage) -> State:
    """Play a card; any other action changes nothing (docs/skat.md, 5)."""
    public, kind = state.public, state.public.game
    plays = state.plays((public.phase == PLAY) & (card < DECK.num_cards), stage)
    suit, rank = DECK.suit_and_rank(card)
    trump = (trumps_of(kind) >> (card & 31)) & 1 == 1
    # For following, trumps are a suit of their own.
    suit = jnp.where(trump, TRUMPS, suit)
    before = state.trick(stage)
    follows = trump | (suit == lead_suit(before, suit))
    after, trick, complete = play_card(
        state, stage, before, card, plays=plays, suit=suit,
        strength=jnp.where(follows, strength_of(kind, card), 0), points=lookup(POINTS, rank),
    )  # fmt: skip
    # The points go to the winner's field of `tally`; a bit above all fields marks a seat with a trick.
    won = trick.points << (POINT_BITS * trick.winner)
    flag = jnp.uint32(1) << (_HAS_TRICK + trick.winner)
    shown = shown_void(before.led, suit) << (CLASSES * public.current_player.astype(jnp.uint32))
    # A Null game is lost with the first trick of the declarer.
    failed = complete & (kind == NULL) & (trick.winner == public.declarer)
    over = plays & (failed | (after.public.num_played == SEATS * HAND))
    return after.with_public(
        phase=jnp.where(over, DONE, public.phase).astype(jnp.uint32),
        tally=jnp.where(complete, (public.tally + won) | flag, public.tally),
        lacks=public.lacks | jnp.where(plays, shown, 0),
    )
