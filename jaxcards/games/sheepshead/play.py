"""Cards, the state of a deal, and the play of the cards (docs/sheepshead.md, 1 and 4)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import tricks
from jaxcards.cards.packs import FRENCH
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import CardSet
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.kit import TrickGame, TrickObservation, TrickPublic, TrickState
from jaxcards.kit.play import add_winner, play_card, shown_void
from jaxcards.stages import Stage
from jaxcards.xla.lookup import lookup
from jaxcards.xla.pytrees import pytree

_WORDS = (("seven", "7"), ("eight", "8"), ("nine", "9"), ("ten", "T"))
DECK = dataclasses.replace(FRENCH, ranks="789TJQKA", rank_words=FRENCH.rank_words + _WORDS)

SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)
TRUMP_CLASS = 4  # of every queen, jack and card of the trump suit; other cards have their suit
NUM_CLASSES = 5
NO_CARD = DECK.num_cards  # no called card, no unknown; in the history, a card played face down
JACKS = tuple(map(DECK.card, ("JD", "JH", "JS", "JC")))  # the lowest first
JACK_OF_DIAMONDS = JACKS[0]
QUEEN_OF_CLUBS, QUEEN_OF_SPADES = DECK.card("QC"), DECK.card("QS")
BLACK_QUEENS = 1 << QUEEN_OF_CLUBS | 1 << QUEEN_OF_SPADES
CARD_POINTS = 120  # of all cards together

POINTS = DECK.by_rank({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2})

# Strengths; 0 wins nothing. A trick led with the unknown is its own unless others follow or trump.
UNKNOWN_STRENGTH = 1
PLAIN_STRENGTHS = DECK.by_rank({"7": 2, "8": 3, "9": 4, "K": 5, "T": 6, "A": 7})  # of the suit led
CALLED_STRENGTH = 8  # of a called ten or lower card, where it is top of its suit
_HIGHEST = 22  # of a trump; the others follow one by one


def rank_set(ranks: str) -> int:
    """Return all cards of some ranks, as bits of a word."""
    return sum(1 << card for card in range(DECK.num_cards) if DECK.ranks[card % 8] in ranks)


def suit_set(suit: int) -> int:
    """Return all cards of a suit, as bits of a word."""
    return 0xFF << (8 * suit)


def trump_set(trump_suit: int) -> int:
    """Return the 14 trumps, as bits of a word."""
    return rank_set("QJ") | suit_set(trump_suit)


def fail_set(trump_suit: int) -> int:
    """Return the 18 fail cards, as bits of a word."""
    return ~trump_set(trump_suit) & 0xFFFFFFFF


def class_set(trump_suit: int, number: jax.Array) -> jax.Array:
    """Return the cards of a class: uint32; empty for `NO_SUIT`."""
    trumps = jnp.uint32(trump_set(trump_suit))
    return jnp.where(number == TRUMP_CLASS, trumps, fails_of(trump_suit, number))


def fails_of(trump_suit: int, suit: jax.Array) -> jax.Array:
    """Return the fail cards of a suit, none from 4 on: uint32."""
    lane = jnp.uint32(0xFF) << ((suit & 3) * 8)
    return jnp.where(suit < TRUMP_CLASS, lane & jnp.uint32(fail_set(trump_suit)), 0)


def card_class(trump_suit: int, card: jax.Array) -> jax.Array:
    suit, rank = card >> 3, card & 7
    # Jack and queen, 4 and 5, are equal after halving.
    trump = (suit == trump_suit) | (rank >> 1 == JACK >> 1)
    return jnp.where(trump, jnp.uint32(TRUMP_CLASS), suit)


def card_points(card: jax.Array) -> jax.Array:
    return lookup(POINTS, card & 7)


def trump_strengths(trump_suit: int, spitz: str) -> dict[int, int]:
    """Return the strength of every trump, by card (docs/sheepshead.md, 1)."""
    order = [DECK.card(name) for name in "QC QS QH QD JC JS JH JD".split()]
    order += [8 * trump_suit + DECK.ranks.index(rank) for rank in "ATK98"]
    seven = 8 * trump_suit + SEVEN
    order.insert({"none": len(order), "second": 1, "top": 0}[spitz], seven)
    return {card: _HIGHEST - place for place, card in enumerate(order)}


def strength_table(trump_suit: int, spitz: str) -> tuple[int, ...]:
    """Return the strength of every card when its class is led, by card."""
    trumps = trump_strengths(trump_suit, spitz)
    return tuple(trumps.get(card, PLAIN_STRENGTHS[card % 8]) for card in range(DECK.num_cards))


# Phases of a deal, in their order (docs/sheepshead.md, 3).
PICK, LONER, CALL, UNKNOWN, BURY, CRACK, RECRACK, PLAY, DONE = range(9)
PHASE_NAMES = ("pick", "loner", "call", "unknown", "bury", "crack", "recrack", "play", "done")

NO_SEAT = 7
POINTS_BITS = 8  # a seat's card points, at most 120
SEATS_PER_WORD = 32 // POINTS_BITS
WINNER_BITS = 3  # a trick's winner
CLASS_BITS = 5  # a seat's missing classes


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """Hold the public part of a deal (docs/sheepshead.md, 10.3): `TrickPublic` and the fields below.

    Seats and fields tell who passed and who was asked. The unknown is in the history as `NO_CARD`, face
    down, and counts no points on the table. A leaf is None where the rules have no use for it.
    """

    phase: jax.Array  # uint32, `PICK` to `DONE`
    dealer: jax.Array  # uint32, the seat that dealt
    stakes: jax.Array  # uint32, the multiplier that the deal began with, 1 without doublers
    # uint32, doubled deals still to come, this one included; None unless doublers queue.
    queue: jax.Array | None
    totals: tuple[jax.Array, ...]  # int32 for each seat, the match totals before the deal
    picker: jax.Array  # uint32, the seat that picked, or `NO_SEAT`
    # uint32, the card whose holder is the partner, or `NO_CARD`: a called card, or the jack of diamonds
    # unless the picker is known to be alone. None without such a card.
    called: jax.Array | None
    # uint32, the seat that took the trick with the unknown, or `NO_SEAT`; or None.
    unknown_taker: jax.Array | None
    # bool, the picker is bound to hold a card of the called suit (the unknown counts); None unless
    # cards are called.
    keeps: jax.Array | None
    cracker: jax.Array | None  # uint32, the seat that cracked, or `NO_SEAT`; None without cracking
    recracked: jax.Array | None  # bool, the crack was answered; None without cracking back
    # uint32, the seat that answered, or `NO_SEAT`; None unless the partner may.
    recracker: jax.Array | None
    blitzer: jax.Array | None  # uint32, the seat that showed the black queens, or `NO_SEAT`; or None
    # uint32 words, eight bits a seat, four seats in each: card points of the tricks it won, 0 for the
    # unknown. `score.public_points` adds the unknown and the blind of a leaster at the end.
    points: tuple[jax.Array, ...]
    winners: jax.Array  # uint32, three bits a trick: the seat that won it, first trick lowest
    # uint32, bit 5 * seat + class: the play has shown that the seat has no card of the class.
    voids: jax.Array


@pytree
@dataclasses.dataclass(frozen=True)
class State(TrickState):
    """Hold a deal of Sheepshead: `TrickState` and the fields below."""

    public: Public
    blind: CardSet  # the cards behind the hands; constant. The picker adds them to its hand
    buried: CardSet  # the cards that the picker has laid aside
    # uint32, the picker's unknown card, or `NO_CARD`; None if the rules have no unknown.
    unknown: jax.Array | None
    # Static: a deal is thrown in if all pass.
    ends_early: bool = dataclasses.field(metadata={"static": True}, default=False)

    @property
    def terminated(self) -> jax.Array:
        return self.public.phase == DONE

    @property
    def playing(self) -> jax.Array:
        return self.public.phase >= PLAY

    def hand_of(self, seat: jax.Array) -> CardSet:
        """Return the cards that a seat holds; the picker's with what it picked up."""
        seat = seat.astype(jnp.uint32)
        dealt = by_seat(self.hands, seat) | self.blind.where(seat == self.public.picker)
        return dealt - (self.played | self.buried)

    def deciding(self, stage: Stage) -> jax.Array:
        """See `Staged.deciding`. Where no deal ends early, all play their cards side by side."""
        if stage.plays and not self.ends_early:
            return jnp.uint32(PLAY)
        return super().deciding(stage)


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """Hold the fields of `TrickObservation` and those below; a leaf without use is None.

    The unknown lies face down: until the end, it is in `played_by` for the picker only.
    """

    public: Public
    num_buried: jax.Array  # uint32, cards that the picker has laid aside
    # uint32, the picker's partner if this player knows it, else `NO_SEAT`. None without partners.
    partner: jax.Array | None
    has_unknown: jax.Array | None  # bool, there is an unknown card; None if the rules have no unknown
    # uint32, that card, for the picker, and for all at the end; else `NO_CARD`. Or None.
    unknown: jax.Array | None
    blind: CardSet  # for the picker the cards it picked up; at the end the blind for all; else empty
    buried: CardSet  # for the picker, and for all at the end, the cards laid aside; else empty


SheepsheadGame = TrickGame[SheepsheadRules, State, Observation]


def sees_aside(public: Public, player: jax.Array) -> jax.Array:
    """Return whether a player sees blind, bury and unknown: the picker, and everybody at the end."""
    return (player.astype(jnp.uint32) == public.picker) | (public.phase == DONE)


def owned(state: State) -> list[CardSet]:
    """Return for each seat its cards, those that it picked up included, played and buried or not."""
    picker = state.public.picker
    return [hand | state.blind.where(picker == seat) for seat, hand in enumerate(state.hands)]


def blind_is_hidden(public: Public) -> jax.Array:
    """Return whether the blind still lies where it was dealt: bool; else the picker has had it."""
    return (public.phase == PICK) | (public.picker == NO_SEAT)


def single(card: jax.Array) -> jax.Array:
    """Return the set of one card, as a word: uint32; empty for `NO_CARD`."""
    return CardSet.single(DECK, card).words[0]


def seat_points(points: tuple[jax.Array, ...], seat: int) -> jax.Array:
    """Return the card points of a known seat of `Public.points`: uint32."""
    return field(points[seat // SEATS_PER_WORD], seat % SEATS_PER_WORD, POINTS_BITS)


def trick_winner(winners: jax.Array, trick: int) -> jax.Array:
    """Return the winner of a trick of `Public.winners`, counted from 0: uint32."""
    return field(winners, trick, WINNER_BITS)


def partner_jack(hand: jax.Array) -> jax.Array:
    """Return the lowest jack that is not in a hand, or `NO_CARD`: uint32 (docs/sheepshead.md, 8.2)."""
    found = jnp.uint32(NO_CARD)
    for jack in reversed(JACKS):
        found = jnp.where(hand & (1 << jack) == 0, jnp.uint32(jack), found)
    return found


def jacks_below(card: jax.Array) -> jax.Array:
    """Return the jacks that are lower than a jack, as a word: uint32; else 0."""
    found = jnp.uint32(0)
    for place, jack in enumerate(JACKS):
        found = jnp.where(card == jack, jnp.uint32(sum(1 << below for below in JACKS[:place])), found)
    return found


def open_call(state: State) -> jax.Array:
    """Return the called card, as a word, while it has not been played, else 0: uint32."""
    public = state.public
    assert public.called is not None
    return single(public.called) & ~state.played.words[0]


def play_tricks(
    rules: SheepsheadRules, state: State, card: jax.Array, plays: jax.Array, stage: Stage
) -> State:
    """Play a card if `plays`, else change nothing (docs/sheepshead.md, 1 and 4)."""
    public, n = state.public, rules.num_players
    seat, before = state.current_player.astype(jnp.uint32), state.trick(stage)
    number, strength, value = _as_played(rules, state, before, card)
    # The unknown is played face down.
    shown = card if state.unknown is None else jnp.where(card == state.unknown, NO_CARD, card)
    after, trick, complete = play_card(
        state, stage, before, card,
        plays=plays, suit=number, strength=strength, points=value, shown=shown,
    )  # fmt: skip
    last = public.num_played == rules.num_plays - 1
    # The lower two bits of a seat are its place in a word of four seats.
    gain = jnp.where(complete, trick.points << ((trick.winner & 3) * POINTS_BITS), 0)
    num_tricks, void = public.num_played // n, shown_void(before.led, number)
    after = after.with_public(
        phase=jnp.where(plays & last, DONE, state.deciding(stage)),
        # More than four seats need a second word.
        points=tuple(
            word + (jnp.where(trick.winner // SEATS_PER_WORD == w, gain, 0) if n > 4 else gain)
            for w, word in enumerate(public.points)
        ),
        winners=add_winner(public.winners, num_tricks, trick.winner, complete, WINNER_BITS),
        voids=public.voids | jnp.where(plays, void << (seat * CLASS_BITS), 0),
    )
    if rules.calls:
        after = _follow_the_call(
            rules, state, after, card, number, plays, complete, trick.winner, stage
        )
    return after


def _as_played(
    rules: SheepsheadRules, state: State, trick: tricks.Trick, card: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Return class, strength and public points of a card in the current trick: uint32 each."""
    public = state.public
    number = card_class(rules.trump_suit, card)
    if state.unknown is not None and public.called is not None:
        unknown = card == state.unknown
        # The unknown counts as a card of the called suit.
        number = jnp.where(unknown, public.called >> 3, number)
    led = tricks.lead_suit(trick, number)
    strength = lookup(strength_table(rules.trump_suit, rules.spitz), card & 31)
    if rules.calls and rules.called_ten_wins:
        top = (card == public.called) & (card & 7 != ACE)
        strength = jnp.where(top, CALLED_STRENGTH, strength)
    strength = jnp.where((number == led) | (number == TRUMP_CLASS), strength, 0)
    value = card_points(card)
    if state.unknown is not None:
        strength = jnp.where(unknown, jnp.where(number == led, UNKNOWN_STRENGTH, 0), strength)
        # The points of the unknown are public only at the end.
        value = jnp.where(unknown, 0, value)
    return number, strength.astype(jnp.uint32), value


def _follow_the_call(
    rules: SheepsheadRules, before: State, after: State, card: jax.Array, number: jax.Array,
    plays: jax.Array, complete: jax.Array, winner: jax.Array, stage: Stage,
) -> State:  # fmt: skip
    """Note who takes the unknown, and when the picker need no longer hold the called suit.

    It gives its last card of that suit only where the suit is led, once the called card is gone, or as
    its last card; whatever it plays of the suit then may be the last.
    """
    public = before.public
    assert public.called is not None and after.public.keeps is not None
    by_picker = before.current_player.astype(jnp.uint32) == public.picker
    of_suit = (number == public.called >> 3) & by_picker & (card < NO_CARD)
    free = (tricks.lead_suit(before.trick(stage), number) == number) | (open_call(before) == 0)
    # In the last trick, every card is the last one of its hand.
    free = free | (public.num_played >= rules.num_plays - rules.num_players)
    # A bury frees no player, not even its last card, after which the phase is that of the play.
    after = after.with_public(keeps=after.public.keeps & ~(of_suit & free & plays))
    if after.unknown is not None and after.public.unknown_taker is not None:
        # The first trick that is complete after the unknown was played is its trick.
        taken = complete & (after.public.unknown_taker == NO_SEAT)
        taken = taken & (single(after.unknown) & after.played.words[0] != 0)
        taker = jnp.where(taken, winner, after.public.unknown_taker)
        after = after.with_public(unknown_taker=taker)
    return after
