"""The pack, the state of a deal, and the play of the cards (docs/rikiki.md, 4 and 5)."""

import dataclasses
from functools import reduce

import jax
import jax.numpy as jnp

from jaxcards.cards.packs import FRENCH
from jaxcards.cards.seats import field, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.kit import TrickGame, TrickObservation, TrickPublic, TrickState, follow_suit, play_by_rank
from jaxcards.stages import Stage
from jaxcards.xla.pytrees import pytree

_SUIT_WORDS = (("treff", "c"), ("káró", "d"), ("kőr", "h"), ("pikk", "s"))
_RANK_WORDS = (("bubi", "J"), ("dáma", "Q"), ("király", "K"), ("ász", "A"))
DECK = dataclasses.replace(
    FRENCH,
    suit_words=FRENCH.suit_words + _SUIT_WORDS,
    rank_words=FRENCH.rank_words + _RANK_WORDS,
)

NO_CARD = DECK.num_cards  # the turn-up where no card is turned up

VOID_BITS = 4  # a seat, one for each suit


def count_bits(num_players: int) -> int:
    """Return the number of bits that hold a seat's number of tricks, at most 52 / players."""
    return 32 // num_players


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """The public part of a deal (docs/rikiki.md, 8.3), and what `TrickPublic` has."""

    num_bids: jax.Array  # uint32, bids made so far; `has_bid` says by whom
    bids: jax.Array  # uint32, `count_bits` a seat: what each seat has bid; 0 before that, too
    tricks_won: jax.Array  # uint32, `count_bits` a seat
    # uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit.
    voids: jax.Array
    hand_size: jax.Array  # uint32, cards dealt to each seat; constant
    trump: jax.Array  # uint32, 0 to 3, or 4 for no trump; constant
    turnup: jax.Array  # uint8, the card turned up, or 52 for none; constant
    dealer: jax.Array  # uint8, the seat that dealt
    round: jax.Array  # uint8, the number of the deal in the schedule
    # int32 for each seat, the match totals before the deal; None with a single round.
    totals: tuple[jax.Array, ...] | None


@pytree
@dataclasses.dataclass(frozen=True)
class State(TrickState):
    """A deal of Rikiki: what `TrickState` has, and what follows from it."""

    public: Public
    bid_total: jax.Array  # uint32, the sum of the bids
    # Whether other rounds have larger hands (static).
    ends_early: bool = dataclasses.field(metadata={"static": True}, default=True)

    @property
    def terminated(self) -> jax.Array:
        return self.public.num_played == self.public.hand_size * len(self.hands)

    @property
    def playing(self) -> jax.Array:
        """bool: all bids are made."""
        return self.public.num_bids == len(self.hands)


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """All that a player may know: what `TrickObservation` has, and cards that others hold openly."""

    # For each seat, the card on its forehead that the player sees; None without such rounds.
    shown: tuple[CardSet, ...] | None


RikikiGame = TrickGame[RikikiRules, State, Observation]


def may_not_look(public: Public, player: int | jax.Array, num_players: int) -> jax.Array:
    """Return whether a card on the forehead is hidden from its holder: bool (docs/rikiki.md, 4.4)."""
    # The holder sees the card only when it has to play it.
    plays = (public.num_bids == num_players) & (public.current_player == player)
    return (public.hand_size == 1) & ~plays


def dealers_card(rules: RikikiRules, public: Public) -> CardSet:
    """Return the card turned up if it is the dealer's last one, else no card (docs/rikiki.md, 3)."""
    if not rules.shows_dealers_card:
        return CardSet.empty(DECK)
    # If all cards are dealt, the card turned up is one of the dealer's.
    all_dealt = public.hand_size * rules.num_players == DECK.num_cards
    return CardSet.single(DECK, public.turnup).where(all_dealt)


def unseen_cards(rules: RikikiRules, observation: Observation) -> CardSet:
    """Return the cards in hands that the player does not see, and those not dealt or turned up."""
    public = observation.public
    turnup = CardSet.single(DECK, public.turnup)
    # The dealer's card is in a hand: as long as it is there, it stays among the unseen ones.
    if rules.shows_dealers_card:
        turnup = turnup - dealers_card(rules, public)
    return reduce(CardSet.__sub__, observation.shown or (), observation.unseen - turnup)


def num_turned_up(rules: RikikiRules, public: Public) -> jax.Array:
    """Return the number of cards that lie turned up: int32, 0 or 1."""
    number = (public.turnup != NO_CARD).astype(jnp.int32)
    # The dealer's card is in a hand, and does not lie on the table.
    if rules.shows_dealers_card:
        number = number - dealers_card(rules, public).count().astype(jnp.int32)
    return number


def bid_of(bids: jax.Array, seat: int | jax.Array, num_players: int) -> jax.Array:
    """Return the bid of a seat, of the word `Public.bids`: uint32."""
    return field(bids, seat, count_bits(num_players))


def tricks_of(tricks_won: jax.Array, seat: int | jax.Array, num_players: int) -> jax.Array:
    """Return the tricks that a seat has won, of the word `Public.tricks_won`: uint32."""
    return field(tricks_won, seat, count_bits(num_players))


def has_bid(
    seat: int | jax.Array, dealer: jax.Array, num_bids: jax.Array, num_players: int
) -> jax.Array:
    """Return whether a seat has made its bid: bool. The seat after the dealer bids first."""
    first = seat_after(dealer.astype(jnp.uint32), 1, num_players)
    return places_after(first, seat, num_players) < num_bids


def legal_cards(game: RikikiGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the current player may play (docs/rikiki.md, 4.3)."""
    del game  # the same in all rules
    hand = state.hand_of(state.current_player)
    return hand if stage.last else follow_suit(hand, state.trick(stage).led)


def play(game: RikikiGame, state: State, card: jax.Array, stage: Stage) -> State:
    """Play a card; any other action changes nothing (docs/rikiki.md, 4.2, 4.3 and 5)."""
    public = state.public
    # A card counts one point, so that the trick knows its number of cards.
    after, trick, complete = play_by_rank(state, stage, card, trump=public.trump, points=jnp.uint32(1))
    won = jnp.uint32(1) << (trick.winner * count_bits(game.num_players))
    return after.with_public(tricks_won=public.tricks_won + jnp.where(complete, won, 0))
