"""The pack, the state of a deal, and the play of the cards (docs/hearts.md, 2 and 4)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards import sets
from jaxcards.cards.packs import FRENCH as DECK
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.hearts.rules import HeartsRules
from jaxcards.stages import Stage
from jaxcards.xla.pytrees import pytree

HEART_SUIT = 2
QUEEN, JACK = DECK.cards("Qs Jd")
QUEEN_POINTS = 13
NUM_PASSED = 3  # cards that each player passes
POINTS_BITS = 5  # a seat's points, at most 26
PENALTIES_ONLY = 24  # place in `Public.voids`, behind four suits of six seats
_JACK_TAKEN = 1 << POINTS_BITS  # added to the points of a trick with the jack of diamonds

# The cards that are left out for each number of players.
_LEFT_OUT = {3: "2d", 4: "", 5: "2c 2d", 6: "2c 3c 2d 3d"}


def hearts() -> CardSet:
    """Return all hearts."""
    return CardSet.suit_of(DECK, jnp.uint32(HEART_SUIT))


def penalties() -> CardSet:
    """Return the hearts and the queen of spades."""
    return hearts() | CardSet.of(DECK, [QUEEN])


def left_out(rules: HeartsRules) -> tuple[int, ...]:
    """Return the cards that are not in the pack (docs/hearts.md, 2)."""
    return tuple(DECK.cards(_LEFT_OUT[rules.num_players]))


def tells_penalties(rules: HeartsRules) -> bool:
    """Return whether the play can show that a seat holds only hearts and ♠Q."""
    return rules.spare_queen or not rules.points_in_first


def lowest_club(rules: HeartsRules) -> int:
    """Return the card whose holder leads first."""
    return next(card for card in range(DECK.num_cards) if card not in left_out(rules))


@pytree
@dataclasses.dataclass(frozen=True)
class Public(kit.TrickPublic):
    """The public part of a deal; every leaf is a scalar (docs/hearts.md, 7)."""

    dealer: jax.Array  # uint8, the seat that dealt
    round: jax.Array  # uint8, the number of the deal in its match
    direction: jax.Array  # uint8, how many places to the left cards are passed
    num_passed: jax.Array  # uint8, cards passed so far by all players
    taken: jax.Array  # uint32, `POINTS_BITS` a seat: points of hearts and ♠Q in its tricks
    # uint32, bit 4 * seat + suit: the play has shown that the seat lacks the suit; bit
    # `PENALTIES_ONLY` + seat: that it holds only hearts and ♠Q.
    voids: jax.Array
    # uint32, bit s for seat s; None where the rules need none:
    with_jack: jax.Array | None  # the seat has won ♦J
    with_trick: jax.Array | None  # the seat has won a trick
    totals: tuple[jax.Array, ...]  # int32 for each seat, the match totals before the deal


@pytree
@dataclasses.dataclass(frozen=True)
class State(kit.TrickState):
    """A deal of Hearts. Passed cards leave `hands`; they return once all players have passed."""

    public: Public
    passed: tuple[CardSet, ...]  # for each seat, the cards that it has passed so far

    @property
    def playing(self) -> jax.Array:
        """bool: all players have passed their cards, or none are passed."""
        return all_passed(self.public, len(self.hands))


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(kit.TrickObservation):
    """All that a player may know; `hand` is without the cards being passed.

    Attributes:
      passed: the cards that the player has passed.
      received: the cards that it has received.
    """

    passed: CardSet
    received: CardSet


HeartsGame = kit.TrickGame[HeartsRules, State, Observation]


def all_passed(public: Public, num_players: int) -> jax.Array:
    """Return whether all players have passed their cards, or none are passed: bool."""
    return (public.direction == 0) | (public.num_passed == NUM_PASSED * num_players)


def legal_cards(game: HeartsGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the current player may play (docs/hearts.md, 4)."""
    rules, public, hand = game.rules, state.public, state.hand_of(state.current_player)
    if stage.last:
        return hand
    led, others = state.trick(stage).led, hand
    if stage.leads is not True and not rules.points_in_first:
        first = public.num_played < game.num_players
        # A void hand may not discard a penalty card in the first trick, unless it has only such cards.
        others = sets.select(first, kit.lead_other(hand, penalties()), hand)
    if stage.leads is not False:
        others = sets.select(led == NO_SUIT, _leads(rules, state, hand), others)
    return kit.follow_suit(hand, led, others)


def _leads(rules: HeartsRules, state: State, hand: CardSet) -> CardSet:
    """Return the cards that may be led."""
    leads = kit.lead_other(hand, closed(rules, state.played))
    if rules.spare_queen:
        leads = sets.select((leads - CardSet.of(DECK, [QUEEN])).any(), leads, hand)
    first = CardSet.of(DECK, [lowest_club(rules)])
    if rules.any_club:
        first = hand & CardSet.suit_of(DECK, jnp.uint32(0))
    return sets.select(state.public.num_played == 0, first, leads)


def closed(rules: HeartsRules, played: CardSet) -> CardSet:
    """Return the cards that may not be led yet: the hearts, or none."""
    if not rules.break_hearts:
        return CardSet.empty(DECK)
    breaking = penalties() if rules.queen_breaks else hearts()
    return sets.select((played & breaking).any(), CardSet.empty(DECK), hearts())


def play(game: HeartsGame, state: State, card: jax.Array, stage: Stage) -> State:
    """Play a card; any other action changes nothing (docs/hearts.md, 4)."""
    rules, public, barred = game.rules, state.public, closed(game.rules, state.played)
    suit, _ = DECK.suit_and_rank(card)
    points = jnp.where(card == QUEEN, QUEEN_POINTS, (suit == HEART_SUIT).astype(jnp.uint32))
    if rules.jack:
        points = jnp.where(card == JACK, _JACK_TAKEN, points)
    after, trick, complete = kit.play_by_rank(
        state, stage, card, points=points.astype(jnp.uint32),
        closed=None if rules.spare_queen else barred,
    )  # fmt: skip
    # The flag of the jack lies above the points.
    taken = (trick.points & (_JACK_TAKEN - 1)) << (trick.winner * POINTS_BITS)
    changes = {"taken": public.taken + jnp.where(complete, taken, 0)}
    if tells_penalties(rules):
        # A player who discards a penalty card in the first trick has only such cards. With
        # `spare_queen`, so has a player who leads a heart before hearts are broken.
        led, seat = state.trick(stage).led, public.current_player.astype(jnp.uint32)
        alone = penalties().contains(card) & (led != NO_SUIT) & (suit != led)
        alone = alone & (public.num_played < game.num_players) & (not rules.points_in_first)
        if rules.spare_queen:
            alone = alone | (barred.contains(card) & (led == NO_SUIT))
        alone = alone & state.plays(card < DECK.num_cards, stage)
        shown = alone.astype(jnp.uint32) << (seat + PENALTIES_ONLY)
        changes["voids"] = after.public.voids | shown
    if public.with_jack is not None:
        takes = complete & (trick.points >= _JACK_TAKEN)
        changes["with_jack"] = public.with_jack | takes.astype(jnp.uint32) << trick.winner
    if public.with_trick is not None:
        changes["with_trick"] = public.with_trick | complete.astype(jnp.uint32) << trick.winner
    return after.with_public(**changes)
