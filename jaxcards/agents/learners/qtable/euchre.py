"""The description of Euchre for a table: trumps, discard, playing or defending alone, card play.

The hand of a player who may take the dummy's cards counts as the best five of both.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.euchre.bidding import PLACE_PARTS, parts
from jaxcards.agents.heuristics.euchre.hands import HAND_PARTS, hand_parts
from jaxcards.agents.heuristics.euchre.view import View, renamed, view_of
from jaxcards.agents.learners.qtable import cards
from jaxcards.agents.learners.qtable.decision import Found, Options, options
from jaxcards.agents.learners.qtable.layout import Feature, Situation
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.games.euchre.calls import CALL, PASS, SAY_ALONE, SAY_TEAM
from jaxcards.games.euchre.features import first_suit
from jaxcards.games.euchre.play import (
    ALONE,
    BID1,
    BID2,
    DEFEND,
    DISCARD,
    EXCHANGE,
    NAME_BLIND,
    NUM_SUITS,
    NUM_TRICKS,
    PLAY,
    Observation,
    State,
    deck_of,
)
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.score import by_agent, makers, tricks_of
from jaxcards.games.euchre.seating import seating_of

_LEFT = (3, 4, 5)  # classes of cards in hand

_HAND = (
    Feature("trumps", ("none", "one", "two", "three", "four", "five or more")),
    Feature("best trumps", ("neither", "the best", "the second", "both")),
    Feature("side aces", ("none", "one", "two or more")),
    Feature("void suits", ("none", "one", "two or more")),
)
_PLACE = Feature("dealer", ("own seat", "partner", "opponent"))
_UP_CARD = Feature("up-card", ("lower", "king or ace", "bower"))
_NEXT = Feature("the best suit has the up-card's colour", cards.YES)
_LEADS = Feature("leads first", cards.YES)
_BOTH = Feature("trumps with the dummy", _HAND[0].values)
_PLAIN = (Feature("lone plain card", cards.YES), Feature("plain cards", cards.COUNT))
_ROLE = Feature("role", ("defender", "maker's partner", "maker"))
_STAND = Feature("makers", ("not yet there", "have three tricks", "have all so far", "are euchred"))


class Hand(NamedTuple):
    """A hand under a trump suit; int32 scalars, as the features of `_HAND`.

    Attributes:
      trumps: their number.
      tops: 1 for the best trump, and 2 for the second.
      aces: side aces.
      voids: plain suits without a card.
    """

    trumps: jax.Array
    tops: jax.Array
    aces: jax.Array
    voids: jax.Array

    @classmethod
    def of(cls, counted: list[jax.Array]) -> "Hand":
        """Return the features from the results of `hand_parts`."""
        named = dict(zip(HAND_PARTS, (part.astype(jnp.int32) for part in counted), strict=True))
        # Each of the best five trumps has its own part, and the lower ones share one.
        trumps = [
            "best trump", "second trump", "third trump", "fourth trump", "fifth trump", "lower trumps",
        ]  # fmt: skip
        # Void suits have three parts, one for each number of trumps: at most one of them is above 0.
        voids = [name for name in HAND_PARTS if name.startswith("void suits")]
        return cls(
            trumps=sum((named[name] for name in trumps), jnp.int32(0)),
            tops=named["best trump"] + 2 * named["second trump"],
            aces=named["side aces"],
            voids=sum((named[name] for name in voids), jnp.int32(0)),
        )

    @property
    def strength(self) -> jax.Array:
        """int32: the key by which suits are compared."""
        return 4 * self.trumps + 2 * self.tops + 3 * self.aces + self.voids


def situations(rules: EuchreRules) -> tuple[Situation, ...]:
    """Return the kinds of decisions."""
    dummy = _dummy(rules)
    found = [
        Situation(
            "first round, if the up-card makes trumps",
            (*_HAND, _PLACE, _UP_CARD, *dummy),
            ("pass", "name the up-card's suit"),
        ),
        Situation(
            "second round, with the best suit as trumps",
            (*_HAND, _PLACE, _NEXT, *dummy),
            ("pass", "name the best suit", "name the second best suit"),
        ),
        Situation(
            "laying a card down",
            (_HAND[0], *_PLAIN),
            (
                "lay down the lowest plain card",
                "lay down a lone plain card",
                "lay down the lowest trump",
            ),
        ),
    ]
    if rules.allow_alone:
        actions = ("play together", "play alone")
        both = (_BOTH,) if seating_of(rules).pool else ()
        found.append(Situation("named trumps", (*_HAND, _LEADS, *dummy, *both), actions))
    if rules.defend_alone != "never":
        actions = ("defend together", "defend alone")
        lone = Feature("the maker plays alone", cards.YES)
        found.append(Situation("defending", (*_HAND, lone), actions))
    return (*found, *cards.situations((_ROLE, Feature("lone maker", cards.YES), _STAND), _LEFT))


def _dummy(rules: EuchreRules) -> tuple[Feature, ...]:
    """Return the features that a dummy adds."""
    seating = seating_of(rules)
    mine = Feature("the dummy helps", cards.YES)
    if seating.dummy_seat is not None:
        return mine, Feature("trumps in the dummy", cards.COUNT)
    return (mine,) if seating.pool else ()


def look(rules: EuchreRules, seen: Observation, legal: ActionSet) -> list[Found]:
    """Return every situation, as seen by the player to act."""
    call, (word,) = seen.public.calls, legal.words
    deck = deck_of(rules)
    # The only word has cards in its low bits and the calls above them.
    view = view_of(rules, seen, CardSet(deck, [word & ((1 << deck.word_bits) - 1)]))
    # Suits count from the first one: 0 is the suit of the up-card, or trumps once they are named.
    offers = [_offer(rules, seen, colour) for colour in range(NUM_SUITS)]
    laying = (call.phase == DISCARD) | (call.phase == EXCHANGE)
    found = [
        _first_round(rules, seen, word, offers[0]),
        _second_round(seen, word, offers),
        _lay_down(laying, view, deck.ranks_per_suit),
    ]
    if rules.allow_alone:
        together, alone, place, dummy = offers[0]
        both = [together.trumps] if seating_of(rules).pool else []
        values = [*alone, place["leads"], *dummy, *both]
        found.append(Found(call.phase == ALONE, values, _said(word, SAY_TEAM, SAY_ALONE)))
    if rules.defend_alone != "never":
        hand = Hand.of(hand_parts(renamed(first_suit(seen), seen.hand)))
        answers = _said(word, SAY_TEAM, SAY_ALONE)
        found.append(Found(call.phase == DEFEND, [*hand, call.alone], answers))
    role = jnp.where(view.maker, 2, view.attacks)
    own = [role, call.alone, _standing(view)]
    named = _named(view, deck.ranks_per_suit)
    return [*found, *cards.found(call.phase == PLAY, view.outlook, own, _LEFT, named=named)]


def _said(word: jax.Array, *actions: Any) -> Options:
    """Return options that are actions themselves; `word` has the legal ones."""
    return options(*(((word >> action) & 1, action) for action in actions))


class Offer(NamedTuple):
    """The effect of naming a suit.

    Attributes:
      together, alone: the hand to play with.
      place: the features other than cards, by the names of `PLACE_PARTS`.
      dummy: values of the features that a dummy adds.
    """

    together: Hand
    alone: Hand
    place: dict[str, jax.Array]
    dummy: list[Any]


def _offer(rules: EuchreRules, seen: Observation, colour: int) -> Offer:
    """Return the facts about a suit; `colour` as in `parts`."""
    together, alone, opened = parts(rules, seen, colour)
    # The parts of the place come first, those of the hand behind them.
    beside = len(PLACE_PARTS)
    seating, seat = seating_of(rules), seen.public.calls.seat
    dummy: list[Any] = []
    if seating.pool or seating.dummy_seat is not None:
        # Seat 0 plays with the dummy; in cutthroat any maker may take its cards.
        dummy = [(seat == 0) | (rules.mode == "dummy_cutthroat")]
    if opened:
        dummy.append(Hand.of(opened).trumps)
    place = {name: part > 0 for name, part in zip(PLACE_PARTS, together[:beside], strict=True)}
    return Offer(Hand.of(together[beside:]), Hand.of(alone[beside:]), place, dummy)


def _dealer(place: dict[str, jax.Array]) -> jax.Array:
    return jnp.where(place["dealer"], 0, jnp.where(place["partner dealt"], 1, 2))


def _first_round(rules: EuchreRules, seen: Observation, word: jax.Array, offer: Offer) -> Found:
    suit = first_suit(seen)
    rank = seen.public.up_card - suit * deck_of(rules).ranks_per_suit
    # Ranks run from 9 to ace: 2 is the jack, a bower, and from 4 on it is king or ace.
    up_card = jnp.where(rank == 2, 2, rank >= 4)
    return Found(
        seen.public.calls.phase == BID1,
        [*offer.together, _dealer(offer.place), up_card, *offer.dummy],
        _said(word, PASS, CALL + suit),
    )


def _second_round(seen: Observation, word: jax.Array, offers: list[Offer]) -> Found:
    """Return the comparison of the suits that may be named."""
    first, phase = first_suit(seen), seen.public.calls.phase
    # Suits that may not be named sort last; the smaller colour wins ties.
    strengths = jnp.stack(
        [
            jnp.where((word >> (CALL + (first ^ colour))) & 1 == 1, 4 * offer.together.strength, -1000)
            - colour
            for colour, offer in enumerate(offers)
        ]
    )
    best = strengths.argmax().astype(jnp.uint32)
    # Below any suit that may not be named, so that the best suit is never the second best as well.
    others = jnp.where(jnp.arange(NUM_SUITS, dtype=jnp.uint32) == best, -2000, strengths)
    second = others.argmax().astype(jnp.uint32)
    hand, dummy = by_seat([(offer.together, offer.dummy) for offer in offers], best)
    return Found(
        (phase == BID2) | (phase == NAME_BLIND),
        # The other suit of a colour is number 3, because the numbers of a pair add up to 3.
        [*hand, _dealer(offers[0].place), best == 3, *dummy],
        _said(word, PASS, *(CALL + (first ^ suit) for suit in (best, second))),
    )


def _lay_down(here: jax.Array, view: View, ranks_per_suit: int) -> Found:
    look = view.outlook
    hand, legal, trump = look.hand.mask(), look.legal.mask(), look.suit == look.trump
    # To lay down the only card of a suit makes the player void in it.
    lone = ~trump & (cards.own_number(look) == 1) & (look.rivals > 0)
    values = [(hand & trump).sum(), (legal & lone).any(), (hand & ~trump).sum()]
    # In the order of the actions of "laying a card down".
    choices = [(legal & ~trump, -1), (legal & lone, -1), (legal & trump, -1)]
    return Found(here, values, cards.pick(cards.keys(look), choices, _named(view, ranks_per_suit)))


def _named(view: View, ranks_per_suit: int) -> Any:
    """Return the function from a card whose suit was renamed to its own number."""

    def named(card: jax.Array) -> jax.Array:
        suit, rank = card // ranks_per_suit, card % ranks_per_suit
        # Renaming is an exclusive or with the first suit, and so its own inverse.
        printed = (suit ^ view.first.astype(jnp.int32)) * ranks_per_suit + rank
        # The joker stands behind the four suits and keeps its number.
        return jnp.where(suit < NUM_SUITS, printed, card)

    return named


def _standing(view: View) -> jax.Array:
    """Return the standing of the makers: a value of `_STAND`."""
    there = jnp.where(view.lost == 0, 2, 1)
    # The makers need three of the five tricks.
    return jnp.where(view.made >= 3, there, jnp.where(view.lost >= 3, 3, 0))


class Feats(NamedTuple):
    """Events with optional rewards: for each player 1 if its side did it, -1 if the other did.

    Attributes:
      march: won all tricks as makers.
      euchre: kept the makers from three tricks.
      lone: won as a lone maker.
    """

    march: jax.Array
    euchre: jax.Array
    lone: jax.Array


def feats(rules: EuchreRules, state: State) -> Feats:
    """Return the events of a deal: int32[num_players] each, 0 before the end."""
    public = state.public
    won, over = tricks_of(public, makers(state)), public.tricks.tricks == NUM_TRICKS

    def by_side(happened: jax.Array, sign: int = 1) -> jax.Array:
        value = jnp.where(over & happened, sign, 0)
        return by_agent(rules, state, value, -value)

    alone = public.calls.alone == 1
    # A euchre is a feat of the defenders, so the makers get -1.
    return Feats(by_side(won == NUM_TRICKS), by_side(won < 3, -1), by_side(alone & (won >= 3)))
