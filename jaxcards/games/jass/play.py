"""The pack, the state of a deal, and the play of the cards (docs/jass.md, 2, 4.1 and 4.2)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import sets, tricks
from jaxcards.cards.seats import field
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.cards.tricks import RankOrder
from jaxcards.games.jass.rules import JassRules
from jaxcards.kit import TrickGame, TrickObservation, TrickPublic, TrickState
from jaxcards.kit.play import add_winner, play_card
from jaxcards.stages import Stage
from jaxcards.xla.lookup import lookup_in
from jaxcards.xla.pytrees import pytree

DECK = Deck(
    suits="dchs",
    ranks="6789TJQKA",
    symbols="♦♣♥♠",
    # Swiss-German suits are paired with French ones as on the Swisslos platform: Schellen and Schilten
    # count double where ♣ and ♠ do.
    suit_words=(
        ("eicheln", "d"), ("schellen", "c"), ("rosen", "h"), ("schilten", "s"),
        ("ecken", "d"), ("kreuz", "c"), ("herz", "h"), ("schaufel", "s"),
        ("diamonds", "d"), ("clubs", "c"), ("hearts", "h"), ("spades", "s"),
    ),
    rank_words=(
        ("10", "T"), ("banner", "T"), ("under", "J"), ("puur", "J"), ("bube", "J"), ("jack", "J"),
        ("ober", "Q"), ("dame", "Q"), ("queen", "Q"), ("könig", "K"), ("king", "K"),
        ("ass", "A"), ("ace", "A"), ("nell", "9"),
    ),
)  # fmt: skip

UNDENUFE, OBENABE, SLALOM_TOP, SLALOM_BOTTOM = 4, 5, 6, 7
NUM_MODES = 8
UNDECIDED = 8  # the mode before it is chosen
NO_TRUMP = 4  # modes from this on have no trump suit
MODES_BOTTOM_UP = (UNDENUFE, SLALOM_BOTTOM)  # in which low cards are high, for points and Weis

HAND_SIZE = 9
NUM_TRICKS = 9
GUSCHTI_TRICKS = 5  # before the direction changes
LAST_TRICK_POINTS = 5
CARD_POINTS = 157  # of every deal: 152 of the cards and 5 of the last trick

NINE, JACK, QUEEN, KING, ACE = 3, 5, 6, 7, 8

PLAIN_ORDER = RankOrder(DECK.ranks, "6789TJQKA")
BOTTOM_UP_ORDER = RankOrder(DECK.ranks, "AKQJT9876")
TRUMP_ORDER = RankOrder(DECK.ranks, "678TQKA9J")

PLAIN_POINTS = DECK.by_rank({"T": 10, "J": 2, "Q": 3, "K": 4, "A": 11})
TRUMP_POINTS = DECK.by_rank({"9": 14, "T": 10, "J": 20, "Q": 3, "K": 4, "A": 11})
OBENABE_POINTS = DECK.by_rank({"8": 8, "T": 10, "J": 2, "Q": 3, "K": 4, "A": 11})
UNDENUFE_POINTS = DECK.by_rank({"6": 11, "8": 8, "T": 10, "J": 2, "Q": 3, "K": 4})

NUM_SEATS = 4
NUM_CARDS_PLAYED = NUM_SEATS * HAND_SIZE
POINTS_BITS = 8  # a seat's card points, at most 157
ANNOUNCED_BITS = 7
NOT_ANNOUNCED = 127
NO_WINNER = 2


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """The public part of a deal (docs/jass.md, 7.3), with the fields of `TrickPublic`."""

    num_calls: jax.Array  # uint8, pushes and choices (Differenzler: predictions) so far
    dealer: jax.Array  # uint8, the seat that dealt
    mode: jax.Array  # uint32, 0 to 7, or 8 while undecided
    points: jax.Array  # uint32, eight bits a seat: card points of the tricks it won
    winners: jax.Array  # uint32, two bits a trick: the seat that won it, first trick lowest
    # uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit (apart,
    # perhaps, from the jack of trumps).
    voids: jax.Array
    # uint16 for each team, the match totals before the deal; None without a target.
    totals: tuple[jax.Array, ...] | None

    @property
    def forehand(self) -> jax.Array:
        """Return the seat after the dealer: uint32."""
        return (self.dealer.astype(jnp.uint32) + 1) & 3


@pytree
@dataclasses.dataclass(frozen=True)
class State(TrickState):
    """A deal of Jass: the fields of `TrickState` and the leaves below. Unused leaves are None."""

    public: Public
    # uint32, see `weis.contest` and, after the choice of a mode, `weis.settle`; None without Weis.
    weis: jax.Array | None
    # uint8, team that was first to reach the target, or 2; None without a target.
    match_winner: jax.Array | None
    predictions: jax.Array | None  # uint32, eight bits a seat; None except in Differenzler
    # Whether a winner of the match ends the deal (static).
    ends_early: bool = dataclasses.field(metadata={"static": True}, default=False)

    @property
    def terminated(self) -> jax.Array:
        over = self.public.num_played == NUM_CARDS_PLAYED
        if self.ends_early and self.match_winner is not None:
            over = over | (self.match_winner != NO_WINNER)
        return over

    @property
    def playing(self) -> jax.Array:
        """Return whether the cards are being played; else a call is due: bool."""
        if self.predictions is not None:
            return self.public.num_calls == NUM_SEATS
        return self.public.mode != UNDECIDED


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """The fields of `TrickObservation`, and the leaves below. Unused leaves are None."""

    public: Public
    # uint32, seven bits a seat: points in tens of its best Weis, 127 while not public. None without
    # Weis.
    announced: jax.Array | None
    # For each seat, the cards of its Weis if they have been laid open. None without Weis.
    shown: tuple[CardSet, ...] | None
    # uint32, eight bits a seat: the player's own prediction, and all at the end. None except in
    # Differenzler.
    predictions: jax.Array | None
    # bool, a team has won the match, and so ended the deal. None unless a winner ends it.
    won: jax.Array | None

    @property
    def prediction(self) -> jax.Array | None:
        """Return the player's own prediction: uint32; None except in Differenzler."""
        if self.predictions is None:
            return None
        return field(self.predictions, jnp.asarray(self.player, jnp.int32), POINTS_BITS)


JassGame = TrickGame[JassRules, State, Observation]


def card_points(public: Public, seat: int) -> jax.Array:
    return field(public.points, seat, POINTS_BITS)


def team_points(public: Public) -> tuple[jax.Array, jax.Array]:
    seats = [card_points(public, seat) for seat in range(NUM_SEATS)]
    return seats[0] + seats[2], seats[1] + seats[3]


def downward(rules: JassRules, public: Public) -> jax.Array:
    """Return whether low cards beat high ones in the current trick: bool."""
    mode, number = public.mode, public.num_played >> 2
    low = mode == UNDENUFE
    if rules.slalom:
        # Before the choice of a mode, no trick is over and the number of the mode is even.
        # The parity of the mode is the first direction; a slalom turns after each trick, Guschti once.
        turned = (number >= GUSCHTI_TRICKS).astype(jnp.uint32) if rules.guschti else number & 1
        low = low | ((mode >= SLALOM_TOP) & ((mode & 1) != turned))
    return low


def partner_leads(rules: JassRules, pushed: jax.Array, mode: jax.Array) -> jax.Array | None:
    """Return whether forehand's partner leads the first trick: bool; None if the rules rule it out.

    Args:
      rules: the rules.
      pushed: bool, forehand has pushed.
      mode: the mode that was chosen.
    """
    if not rules.push or rules.pushed_leader == "forehand":
        return None
    return pushed & (mode >= SLALOM_TOP) if rules.pushed_leader == "by_mode" else pushed


def card_value(mode: jax.Array, rank: jax.Array, trump: jax.Array) -> jax.Array:
    """Return the points of a card: uint32. Slaloms count by their first direction."""
    downward = (mode == UNDENUFE) | (mode == SLALOM_BOTTOM)
    return lookup_in(
        [TRUMP_POINTS, PLAIN_POINTS, UNDENUFE_POINTS, OBENABE_POINTS],
        [trump, mode < NO_TRUMP, downward],
        rank,
    )


def legal_cards(game: JassGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the current player may play (docs/jass.md, 4.1)."""
    hand = state.hand_of(state.current_player)
    if stage.last:
        return hand
    trick, trump = state.trick(stage), state.public.mode
    follow = hand & CardSet.suit_of(DECK, trick.led)
    trumps = hand & CardSet.suit_of(DECK, trump)
    stronger = tricks.stronger_trumps(DECK, TRUMP_ORDER, trump, trick.best)
    higher = trumps & stronger
    # The jack of trumps, if it is the only trump, need not be played when trumps are led.
    jacks = CardSet.of(DECK, range(JACK, DECK.num_cards, DECK.ranks_per_suit))
    excused = (trick.led == trump) & ~(trumps - jacks).any()
    free = hand
    if game.rules.undertrump == "banned":
        # With nothing but trumps in hand any of them will do, a lower one than on the table as well.
        free = sets.select((hand - trumps).any(), hand - (trumps - higher), hand)
    # On an empty table nothing is led, so nothing can follow and every card is free.
    return sets.select(follow.any() & ~excused, follow | higher, free)


def add_card(rules: JassRules, state: State, card: jax.Array, stage: Stage) -> tuple[jax.Array, State]:
    """Return whether a card completes a trick, and the state after it (docs/jass.md, 4.2)."""
    public = state.public
    plays = state.plays(card < DECK.num_cards, stage)
    seat = state.current_player.astype(jnp.uint32)
    suit, rank = DECK.suit_and_rank(card)
    # The mode of a trump game is the number of its suit; other modes differ from every suit.
    before, trump = state.trick(stage), suit == public.mode
    strength = _strength(rules, public, rank, trump, suit == tricks.lead_suit(before, suit))
    value = card_value(public.mode, rank, trump)
    after, trick, complete = play_card(
        state, stage, before, card, plays=plays, suit=suit, strength=strength, points=value
    )
    last = public.num_played == NUM_CARDS_PLAYED - 1
    won = trick.points + jnp.where(last, jnp.uint32(LAST_TRICK_POINTS), 0)
    shown = _shown_void(rules, public, before, seat, suit, rank)
    return complete, after.with_public(
        points=public.points + jnp.where(complete, won << (trick.winner * POINTS_BITS), 0),
        winners=add_winner(public.winners, public.num_played >> 2, trick.winner, complete),
        voids=public.voids | jnp.where(plays, shown, 0),
    )


def _strength(
    rules: JassRules, public: Public, rank: jax.Array, trump: jax.Array, follows: jax.Array
) -> jax.Array:
    """Return the strength of a card in the current trick, 0 if it can win nothing."""
    # Strengths 1 to 9 in either direction.
    plain = jnp.where(downward(rules, public), DECK.ranks_per_suit - rank, rank + 1)
    plain = jnp.where(follows, plain, 0)
    return jnp.where(trump, tricks.TRUMP + TRUMP_ORDER.strength(rank), plain)


def _shown_void(
    rules: JassRules, public: Public, trick: tricks.Trick, seat: jax.Array, suit: jax.Array,
    rank: jax.Array,
) -> jax.Array:  # fmt: skip
    """Return the suits that a card shows to be missing, in the layout of `Public.voids`."""
    trump = public.mode
    strength = tricks.TRUMP + TRUMP_ORDER.strength(rank)
    is_trump = suit == trump
    # Neither a lead nor a card of the suit led.
    discards = (trick.led != NO_SUIT) & (suit != trick.led)
    under = discards & is_trump & (strength < trick.best)
    # A plain discard shows that its player cannot follow.
    shown = jnp.where(discards & ~is_trump, jnp.uint32(1) << trick.led, 0)
    if rules.undertrump == "banned":
        # A lower trump is legal only with nothing but trumps: all plain suits are missing.
        plain_suits = jnp.uint32(15) & ~(jnp.uint32(1) << trump)
    else:
        plain_suits = jnp.uint32(1) << trick.led
    shown = jnp.where(under, plain_suits, shown)
    return shown << (seat * 4)
