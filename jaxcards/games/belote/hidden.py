"""Determinization: other hands and talons that fit what a Belote player knows."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import dealing, melds, sets
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import Situation, sample_hidden
from jaxcards.games.belote.deck import DECK, HAND_SIZE
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.games.belote.state import (
    DECLARED_BITS,
    DECLARED_PUBLIC,
    NUM_SEATS,
    TURN_UP_BITS,
    Observation,
    State,
    declarations_public,
    declared_points,
    find_straights,
    observe,
    turned_up,
)
from jaxcards.xla import prng

TALON_SIZE = 2  # cards of each seat that lie face down during the auction, whatever comes of it
NUM_LAST = 3  # cards whose owners depend on who takes the card turned up


def determinize(rules: BeloteRules, key: jax.Array, state: State, player: jax.Array) -> State:
    """Returns a state with other hands of the other seats, all possible deals equally likely.

    It uses what is certain under the rules of play: every card played, every declaration laid open, the
    card turned up, the other card of an announced belote, and every card that a seat has shown not to
    hold, as it would have had to play it or to announce a belote. During the auction the player's own
    talon is hidden as well. It does not use the points that a seat named for its best declaration, nor
    what follows from declarations that it did not have, nor how well anybody called or played
    (docs/belote.md, 8).
    """
    seen = observe(rules, state, player)
    me = seen.player
    unseen = _unseen(seen)
    words = prng.key_words(key)
    aside: list[CardSet] = []
    if state.talon is not None:
        number = TALON_SIZE + (NUM_LAST if state.turn_up is not None else 0)
        aside = [
            sets.select(state.playing, CardSet.empty(DECK), card)
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
    changed = dataclasses.replace(state, hands=tuple(hands))
    if state.talon is not None:
        changed = _with_talon(state, changed, words, me, aside)
    return _with_outcome(rules, state, changed)


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


def _with_talon(
    state: State, changed: State, words: prng.KeyWords, me: jax.Array, aside: list[CardSet]
) -> State:
    """Lays two cards of each seat face down and, with a card turned up, `NUM_LAST` of no seat yet."""
    assert state.talon is not None
    talon = CardSet.empty(DECK)
    for card in aside:
        talon = talon | card
    counter = len(aside)
    for seat, hand in enumerate(changed.hands):
        drawn = dealing.draw(words, counter, hand, TALON_SIZE, most=HAND_SIZE)
        counter += TALON_SIZE
        for card in drawn:
            talon = talon | sets.select(me == seat, CardSet.empty(DECK), card)
    # Nothing depends on a talon that has been taken up.
    talon = sets.select(state.playing, CardSet.empty(DECK), talon)
    changed = dataclasses.replace(changed, talon=talon)
    if state.turn_up is None:
        return changed
    last = [melds.highest(card.words[0]) for card in aside[TALON_SIZE:]]
    last = [jnp.where(state.playing, 0, card) for card in last]
    turn_up = pack_turn_up(last, turned_up(state))
    return dataclasses.replace(changed, turn_up=turn_up)


def pack_turn_up(last: list[jax.Array], turned: jax.Array) -> jax.Array:
    """Returns `State.turn_up` of the three cards that are dealt last and the one turned up."""
    word = jnp.uint32(0)
    for place, card in enumerate([*last, turned]):
        word = word | card.astype(jnp.uint32) << (TURN_UP_BITS * place)
    return word


def _with_outcome(rules: BeloteRules, state: State, changed: State) -> State:
    """Returns `changed`, in which what is public of the outcome stays as it is in `state`."""
    if state.declared is not None:
        first, second = declared_points(rules, state)
        public = first | second << DECLARED_BITS | DECLARED_PUBLIC
        known = declarations_public(rules, state)
        changed = dataclasses.replace(changed, declared=jnp.where(known, public, state.declared))
    if state.straights is not None:
        # That play goes on shows that nobody has eight cards of a suit.
        fresh = find_straights(changed.hands)
        fresh = jnp.where(state.playing, state.straights, fresh)
        changed = dataclasses.replace(changed, straights=fresh)
    return changed
