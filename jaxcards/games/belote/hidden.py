"""Determinization: other hands and talons that fit what a Belote player knows."""

from functools import reduce

import jax
import jax.numpy as jnp

from jaxcards.cards import dealing, melds, sets
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import Situation, sample_hidden
from jaxcards.games.belote.deck import DECK, HAND_SIZE
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.games.belote.state import (
    NUM_SEATS,
    TURN_UP_BITS,
    Observation,
    State,
    find_straights,
)
from jaxcards.xla import prng

TALON_SIZE = 2  # cards of each seat that lie face down during the auction, whatever comes of it
NUM_LAST = 3  # cards whose owners depend on who takes the card turned up


def sample_state(rules: BeloteRules, key: jax.Array, seen: Observation) -> State:
    """Returns a state with hands of the other seats, all possible deals equally likely.

    It uses what is certain under the rules of play: every card played, every declaration laid open, the
    card turned up, the other card of an announced belote, and every card that a seat has shown not to
    hold, as it would have had to play it or to announce a belote. During the auction the player's own
    talon is hidden as well. It does not use the points that a seat named for its best declaration, nor
    what follows from declarations that it did not have, nor how well anybody called or played
    (docs/belote.md, 8).
    """
    me, playing = seen.player, seen.public.playing
    unseen = _unseen(seen)
    words = prng.key_words(key)
    aside: list[CardSet] = []
    has_talon = rules.auction != "contract"
    if has_talon:
        number = TALON_SIZE + (NUM_LAST if seen.turn_up is not None else 0)
        aside = [
            sets.select(playing, CardSet.empty(DECK), card)
            for card in dealing.draw(words, 0, unseen, number)
        ]
        for card in aside:
            unseen = unseen - card
    allowed, sizes = possible_cards(rules, seen, unseen)
    others = [(me + k) & 3 for k in (1, 2, 3)]
    situation = Situation.of(
        [by_seat(allowed, seat).words for seat in others],
        [by_seat(sizes, seat) for seat in others],
        DECK.num_cards,
        max_size=HAND_SIZE,
    )
    drawn = sample_hidden(key, situation)
    own = seen.hand
    for card in aside[:TALON_SIZE]:
        own = own | card
    by_place = [own, *(CardSet(DECK, hand) for hand in drawn)]
    hands = []
    for seat in range(NUM_SEATS):
        held = by_seat(by_place, (jnp.int32(seat) - me) & 3)
        hands.append(held | seen.played_by[seat])
    straights = None
    if rules.declarations and rules.straight8 == "match":
        # That play goes on shows that nobody has eight cards of a suit.
        straights = jnp.where(playing, 0, find_straights(tuple(hands)))
    return State(
        public=seen.public,
        hands=tuple(hands),
        talon=_talon(seen, hands, words, aside) if has_talon else None,
        played=reduce(CardSet.__or__, seen.played_by),
        turn_up=_turn_up(seen, aside[TALON_SIZE:]),
        declared=seen.declared,
        straights=straights,
        can_be_void=rules.all_pass == "void",
    )


def _unseen(seen: Observation) -> CardSet:
    """Returns the cards whose place the player does not see."""
    unseen = CardSet.full(DECK) - seen.hand
    for played in seen.played_by:
        unseen = unseen - played
    if seen.turn_up is not None:
        auction_open = ~seen.public.playing
        card = CardSet.single(DECK, seen.turn_up.astype(jnp.uint32))
        unseen = sets.select(auction_open, unseen - card, unseen)
    return unseen


def possible_cards(
    rules: BeloteRules, seen: Observation, unseen: CardSet
) -> tuple[list[CardSet], list[jax.Array]]:
    """Returns which unseen cards each seat may hold, and how many it holds: int32.

    The player's own seat may hold none of them. With a card turned up, hands have seven cards until
    somebody takes it: the last cards are dealt only then.
    """
    public = seen.public
    known = _known(seen)
    size = jnp.int32(HAND_SIZE)
    if seen.turn_up is not None:
        size = jnp.where(public.playing, HAND_SIZE, HAND_SIZE - 1)
    allowed, sizes = [], []
    for seat in range(NUM_SEATS):
        possible = unseen - public.lacks[seat]
        for other in range(NUM_SEATS):
            if other != seat:
                possible = possible - known[other]
        allowed.append(possible)
        sizes.append(size - seen.played_by[seat].count())
    return allowed, sizes


def _known(seen: Observation) -> list[CardSet]:
    """Returns for each seat cards that everybody knows it to have or to have played."""
    known = []
    for seat in range(NUM_SEATS):
        found = CardSet.empty(DECK)
        if seen.shown is not None:
            found = found | seen.shown[seat]
        if seen.belote is not None:
            found = found | seen.belote[seat]
        if seen.turn_up is not None:
            card = CardSet.single(DECK, seen.turn_up.astype(jnp.uint32))
            found = found | sets.select(seen.bidder == seat, card, CardSet.empty(DECK))
        known.append(found)
    return known


def _talon(
    seen: Observation, hands: list[CardSet], words: prng.KeyWords, aside: list[CardSet]
) -> CardSet:
    """Returns two cards of each seat and, with a card turned up, `NUM_LAST` that no seat has yet."""
    talon = CardSet.empty(DECK)
    for card in aside:
        talon = talon | card
    counter = len(aside)
    for seat, hand in enumerate(hands):
        drawn = dealing.draw(words, counter, hand, TALON_SIZE, most=HAND_SIZE)
        counter += TALON_SIZE
        for card in drawn:
            talon = talon | sets.select(seen.player == seat, CardSet.empty(DECK), card)
    # Nothing depends on a talon that has been taken up.
    return sets.select(seen.public.playing, CardSet.empty(DECK), talon)


def _turn_up(seen: Observation, last: list[CardSet]) -> jax.Array | None:
    """Returns `State.turn_up` of the three cards that are dealt last."""
    if seen.turn_up is None:
        return None
    numbers = [melds.highest(card.words[0]) for card in last]
    numbers = [jnp.where(seen.public.playing, 0, number) for number in numbers]
    return pack_turn_up(numbers, seen.turn_up)


def pack_turn_up(last: list[jax.Array], turned: jax.Array) -> jax.Array:
    """Returns `State.turn_up` of the three cards that are dealt last and the one turned up."""
    word = jnp.uint32(0)
    for place, card in enumerate([*last, turned]):
        word = word | card.astype(jnp.uint32) << (TURN_UP_BITS * place)
    return word


def unpack_turn_up(word: jax.Array) -> list[CardSet]:
    """Returns the cards of `State.turn_up`: the three that are dealt last, and the one turned up."""
    cards = (word >> (TURN_UP_BITS * place) for place in range(NUM_LAST + 1))
    return [CardSet.single(DECK, card & ((1 << TURN_UP_BITS) - 1)) for card in cards]
