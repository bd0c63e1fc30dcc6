"""The pack, the state of a deal, and the play of the cards (docs/belote.md, 2, 4.1 and 4.2)."""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards import sets, tricks
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.cards.tricks import RankOrder
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.kit import TrickGame, TrickObservation, TrickPublic, TrickState
from jaxcards.kit.play import add_winner, play_card
from jaxcards.stages import Stage
from jaxcards.xla.bitfields import Layout
from jaxcards.xla.lookup import lookup_in
from jaxcards.xla.pytrees import pytree

DECK = Deck(
    suits="dhsc",
    ranks="789TJQKA",
    symbols="♦♥♠♣",
    suit_words=(
        ("karo", "d"), ("herc", "h"), ("pik", "s"), ("tref", "c"),
        ("carreau", "d"), ("coeur", "h"), ("cœur", "h"), ("pique", "s"), ("trèfle", "c"),
        ("diamonds", "d"), ("hearts", "h"), ("spades", "s"), ("clubs", "c"),
    ),
    rank_words=(
        ("10", "T"), ("dečko", "J"), ("dama", "Q"), ("kralj", "K"), ("as", "A"),
        ("valet", "J"), ("dame", "Q"), ("roi", "K"),
        ("jack", "J"), ("queen", "Q"), ("king", "K"), ("ace", "A"),
    ),
)  # fmt: skip

NO_TRUMP, ALL_TRUMP = 4, 5
UNDECIDED = 6  # the mode before it is settled
VOID = 7  # the mode of a deal in which everybody passed

HAND_SIZE = 8
NUM_TRICKS = 8
LAST_TRICK_POINTS = 10
CARD_POINTS = 162  # of every deal: 152 of the cards and 10 of the last trick
BELOTE_POINTS = 20

SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)

PLAIN_ORDER = RankOrder(DECK.ranks, "789JQKTA")
TRUMP_ORDER = RankOrder(DECK.ranks, "78QKTA9J")

PLAIN_POINTS = DECK.by_rank({"T": 10, "J": 2, "Q": 3, "K": 4, "A": 11})
TRUMP_POINTS = DECK.by_rank({"9": 14, "T": 10, "J": 20, "Q": 3, "K": 4, "A": 11})
NO_TRUMP_POINTS = DECK.by_rank({"T": 10, "J": 2, "Q": 3, "K": 4, "A": 19})
ALL_TRUMP_POINTS = DECK.by_rank({"9": 9, "T": 5, "J": 13, "Q": 2, "K": 3, "A": 6})

# Declarations, in tens.
RUN_POINTS = (0, 0, 0, 2, 5, 10, 10, 10, 10)  # by length
FOUR_POINTS = DECK.by_rank({"9": 15, "T": 10, "J": 20, "Q": 10, "K": 10, "A": 10})
NO_TRUMP_FOUR_POINTS = DECK.by_rank({"9": 10, "T": 15, "J": 10, "Q": 10, "K": 10, "A": 20})

NUM_SEATS = 4
NUM_CARDS_PLAYED = NUM_SEATS * HAND_SIZE
POINTS_BITS = 8  # a team's card points, at most 162
TURN_UP_BITS = 5  # a card in `State.turn_up`
TURNED = 3  # the place in `State.turn_up` of the card turned up
DECLARED_BITS = 7  # a team's points of declarations, in tens
DECLARED_PUBLIC = 1 << (2 * DECLARED_BITS)
ANNOUNCED_BITS = 5
NOT_ANNOUNCED = 31
NO_SEAT = 4


class Contract(NamedTuple):
    """A contract auction so far."""

    level: jax.Array  # uint32, 1 + level of the last bid; 0 before the first
    mode: jax.Array  # uint32, mode of the last bid
    bidder: jax.Array  # uint32, the seat of the last bid
    doubled: jax.Array  # uint32, 0, 1 after a coinche, 2 after a surcoinche
    passes: jax.Array  # uint32, passes since the last other call


CONTRACT_WORD = Layout(Contract, level=6, mode=3, bidder=2, doubled=2, passes=2)


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """The public part of a deal (docs/belote.md, 7.2). Leaves without a use are None."""

    num_calls: jax.Array  # uint8, calls so far, passes included
    # uint32 words, the calls in order, each its action less 32; see `calls.CALL_BITS`. None unless
    # there are contracts: elsewhere every call but the last was a pass.
    calls: tuple[jax.Array, ...] | None
    dealer: jax.Array  # uint8, the seat that dealt
    mode: jax.Array  # uint32, 0 to 5, 6 during the auction, 7 if everybody passed
    contract: jax.Array | None  # uint32, the auction so far; see `Contract`. None without contracts
    points: jax.Array  # uint32, eight bits a team: card points of the tricks it won
    winners: jax.Array  # uint32, two bits a trick: the seat that won it, first trick lowest
    lacks: tuple[CardSet, ...]  # for each seat, cards that the play has shown it not to hold
    totals: tuple[jax.Array, ...]  # uint16 for each team, the match totals before the deal
    carry: jax.Array | None  # uint32, points that wait for the winner of this deal. None without litige

    @property
    def playing(self) -> jax.Array:
        """bool: the auction is over, and a mode is settled."""
        return self.mode < UNDECIDED

    @property
    def forehand(self) -> jax.Array:
        """uint32: the seat after the dealer."""
        return (self.dealer.astype(jnp.uint32) + 1) & 3


@pytree
@dataclasses.dataclass(frozen=True)
class State(TrickState):
    """A deal of Belote. Leaves without a use are None.

    `hands` have the cards of their talons. With a card turned up, a hand has seven cards that are
    certain, and all eight once a trump suit is named.
    """

    public: Public
    # The cards that lie face down until a trump suit is named. None in contract auctions.
    talon: CardSet | None
    # uint32, four cards of five bits: three that are dealt last, by position, then the one turned up.
    # None unless a card is turned up.
    turn_up: jax.Array | None
    # uint32, 0, or what is public of the points of declarations and must not change when `determinize`
    # deals other hands: those of both teams in tens, seven bits each, and `DECLARED_PUBLIC`. None
    # without declarations.
    declared: jax.Array | None
    # uint32, four bits a suit: 8 + the seat that holds all its eight cards. None unless that wins the
    # match.
    straights: jax.Array | None
    # Whether everybody may pass (static).
    can_be_void: bool = dataclasses.field(metadata={"static": True}, default=False)

    @property
    def ends_early(self) -> bool:  # type: ignore[override]
        """bool: a deal can end before all cards are played: void, or by a straight of a suit."""
        return self.can_be_void or self.straights is not None

    @property
    def terminated(self) -> jax.Array:
        over = self.public.num_played == NUM_CARDS_PLAYED
        if self.can_be_void:
            over = over | (self.public.mode == VOID)
        if self.straights is not None:
            over = over | ((self.straights != 0) & self.playing)
        return over

    @property
    def playing(self) -> jax.Array:
        return self.public.playing


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """The observation of a player: `hand` is without its talon. Unused leaves are None."""

    public: Public
    bidder: jax.Array  # uint8, the seat that plays for its bid; 4 before there is one
    turn_up: jax.Array | None  # uint8, the card turned up. None without one
    # uint32, five bits a seat: points in tens of its best declaration, 31 while not public. None
    # without declarations.
    announced: jax.Array | None
    # uint32, once it is public: points in tens that the teams score for declarations before any capot,
    # and `DECLARED_PUBLIC`; else 0. None without declarations.
    declared: jax.Array | None
    # For each seat, the cards of its declarations that have been laid open. None without declarations.
    shown: tuple[CardSet, ...] | None
    # For each seat, the kings and queens of trumps that it has announced. None if they do not count.
    belote: tuple[CardSet, ...] | None


BeloteGame = TrickGame[BeloteRules, State, Observation]


def visible_hands(state: State) -> tuple[CardSet, ...]:
    """Return for each seat the cards that it holds, without its talon as long as that lies there."""
    gone = state.played
    if state.talon is not None:
        gone = gone | sets.select(state.playing, CardSet.empty(DECK), state.talon)
    return tuple(hand - gone for hand in state.hands)


def declarations_public(rules: BeloteRules, public: Public) -> jax.Array:
    """Return whether everybody knows which declarations score: bool."""
    if rules.decl_reveal == "before_play":
        return public.playing
    return public.num_played >= NUM_SEATS


def bidder(public: Public) -> jax.Array:
    """Return the seat that plays for its bid: uint32; `NO_SEAT` before the end of the auction."""
    # Forehand calls first and the bidder last, so the number of calls leads from the dealer to it.
    seat = (public.dealer.astype(jnp.uint32) + public.num_calls.astype(jnp.uint32)) & 3
    if public.contract is not None:
        seat = CONTRACT_WORD.unpack(public.contract).bidder
    return jnp.where(public.playing, seat, NO_SEAT).astype(jnp.uint32)


def turned_up(state: State) -> jax.Array:
    assert state.turn_up is not None
    return field(state.turn_up, TURNED, TURN_UP_BITS)


def team_points(public: Public) -> tuple[jax.Array, jax.Array]:
    return field(public.points, 0, POINTS_BITS), field(public.points, 1, POINTS_BITS)


def card_value(rules: BeloteRules, mode: jax.Array, rank: jax.Array, trump: jax.Array) -> jax.Array:
    """Return the points of a card: uint32."""
    if not rules.modes_nt_at:
        return lookup_in([TRUMP_POINTS, PLAIN_POINTS], [trump], rank)
    tables = [TRUMP_POINTS, PLAIN_POINTS, NO_TRUMP_POINTS, ALL_TRUMP_POINTS]
    return lookup_in(tables, [trump, mode < NO_TRUMP, mode == NO_TRUMP], rank)


_EVERY_RANK = (1 << DECK.ranks_per_suit) - 1


def legal_cards(game: BeloteGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the current player may play (docs/belote.md, 4.1)."""
    rules, hand = game.rules, state.hand_of(state.current_player)
    if stage.last:
        return hand
    trick, trump = state.trick(stage), state.public.mode
    following = hand & CardSet.suit_of(DECK, trick.led)
    follows = following.any()
    # The suit in which something may be asked of the player: the one led, else trumps.
    asked = jnp.where(follows, trick.led, trump)
    in_asked = hand & CardSet.suit_of(DECK, asked)
    beating = hand & CardSet.in_suit(DECK, asked, _duty(rules, state.public, trick, asked))
    # Without a card that meets the duty a player follows suit, or plays trumps if it must undertrump.
    if rules.undertrump == "forced":
        otherwise = sets.select(in_asked.any(), in_asked, hand)
    else:
        otherwise = sets.select(follows, following, hand)
    free = trick.led == NO_SUIT
    if rules.partner_exempt:
        # A void player need not trump a trick that the partner is winning.
        free = free | (~follows & _partner_wins(state, trick))
    return sets.select(free, hand, sets.select(beating.any(), beating, otherwise))


def _duty(rules: BeloteRules, public: Public, trick: tricks.Trick, suit: jax.Array) -> jax.Array:
    """Return the ranks of a suit that must be played if they are held: uint32, bit r for rank r.

    They beat the table, or are all ranks where nothing has to be beaten. Those of the led suit bind a
    player who can follow, those of the trump suit one who has to ruff.
    """
    best, trump = trick.best, public.mode
    is_trump, ruffed = suit == trump, best > tricks.TRUMP
    if rules.overtake_plain:
        # A ruffed plain suit, and trumps while there are none, need not beat anything.
        counts, high = is_trump == ruffed, is_trump
    else:
        counts, high = is_trump & ruffed, jnp.ones((), bool)
    if rules.modes_nt_at:
        all_trump = trump == ALL_TRUMP
        counts = jnp.where(trump >= NO_TRUMP, all_trump, counts)
        high = high | all_trump
    # The strength without the trump flag; 0 where nothing has to be beaten.
    beaten = jnp.where(counts, best & (tricks.TRUMP - 1), 0)
    return lookup_in([TRUMP_ORDER.above, PLAIN_ORDER.above], [high], beaten)


def _partner_wins(state: State, trick: tricks.Trick) -> jax.Array:
    """Return whether the partner has played to the trick and is winning it, in a trump suit: bool."""
    partner = (state.current_player.astype(jnp.uint32) + 2) & 3
    return (trick.led != NO_SUIT) & (trick.winner == partner)


def play(game: BeloteGame, state: State, card: jax.Array, stage: Stage) -> State:
    """Play a card; any other action changes nothing (docs/belote.md, 4.2)."""
    rules, public = game.rules, state.public
    plays = state.plays(card < DECK.num_cards, stage)
    seat = state.current_player.astype(jnp.uint32)
    # Other actions stand for card 0, whose effects are masked below.
    card = jnp.where(plays, card, 0)
    suit, rank = DECK.suit_and_rank(card)
    before, trump = state.trick(stage), suit == public.mode
    strength = _strength(rules, public, rank, trump, suit == tricks.lead_suit(before, suit))
    value = card_value(rules, public.mode, rank, trump)
    after, trick, complete = play_card(
        state, stage, before, card, plays=plays, suit=suit, strength=strength, points=value
    )
    last = public.num_played == NUM_CARDS_PLAYED - 1
    won = trick.points + jnp.where(last, jnp.uint32(LAST_TRICK_POINTS), 0)
    shown = _shown_lacks(rules, state, before, suit, rank)
    # The field of the winner's team.
    taken = won << ((trick.winner & 1) * POINTS_BITS)
    return after.with_public(
        points=public.points + jnp.where(complete, taken, 0),
        winners=add_winner(public.winners, public.num_played >> 2, trick.winner, complete),
        lacks=tuple(
            cards | shown.where(plays & (seat == owner)) for owner, cards in enumerate(public.lacks)
        ),
    )


def _strength(
    rules: BeloteRules, public: Public, rank: jax.Array, trump: jax.Array, follows: jax.Array
) -> jax.Array:
    """Return the strength of a card in the current trick, 0 if it can win nothing."""
    high = trump | (public.mode == ALL_TRUMP) if rules.modes_nt_at else trump
    strength = lookup_in([TRUMP_ORDER.strengths, PLAIN_ORDER.strengths], [high], rank)
    return jnp.where(trump, tricks.TRUMP + strength, jnp.where(follows, strength, 0))


# ---- What a card shows --------------------------------------------------------------------------


def _shown_lacks(
    rules: BeloteRules, state: State, trick: tricks.Trick, suit: jax.Array, rank: jax.Array
) -> CardSet:
    """Return the cards that the player of this card cannot hold (docs/belote.md, 7.2)."""
    # A card is legal exactly if its player holds none of the cards that had to be played instead.
    trump = state.public.mode
    bit = jnp.uint32(1) << rank
    follows = suit == trick.led
    duty = _duty(rules, state.public, trick, trick.led)
    # A card that met the duty shows nothing; any other shows that its player could not meet it.
    missing = jnp.where((bit & duty) != 0, 0, duty)
    # A player who does not follow has no card of the suit led.
    missing = jnp.where(follows, missing, jnp.uint32(_EVERY_RANK))
    shown = CardSet.in_suit(DECK, trick.led, missing)

    duty = _duty(rules, state.public, trick, trump)
    ruffs = suit == trump
    missing = jnp.where((bit & duty) != 0, 0, duty)
    # A discard shows that its player has no trump or, with free undertrumping, none that was due.
    discarded = duty if rules.undertrump == "free" else jnp.uint32(_EVERY_RANK)
    missing = jnp.where(ruffs, missing, discarded)
    # A player who leads, follows or is exempt shows nothing about trumps.
    free = follows | (trick.led == NO_SUIT)
    if rules.partner_exempt:
        free = free | _partner_wins(state, trick)
    shown = shown | CardSet.in_suit(DECK, trump, jnp.where(free, 0, missing))
    return shown | _unannounced(rules, state, suit, rank) if rules.belote else shown


def _unannounced(rules: BeloteRules, state: State, suit: jax.Array, rank: jax.Array) -> CardSet:
    """Return the queen for a king of trumps, or the king for a queen, if the hand lacks it.

    Such a card, played without an announcement, shows this.
    """
    public = state.public
    announces = suit == public.mode
    if rules.modes_nt_at:
        announces = announces | (public.mode == ALL_TRUMP)
    other = jnp.where(rank == KING, jnp.uint32(1 << QUEEN), 0)
    other = jnp.where(rank == QUEEN, jnp.uint32(1 << KING), other)
    hand = by_seat(state.hands, state.current_player)
    return CardSet.in_suit(DECK, suit, jnp.where(announces, other, 0)) - hand
