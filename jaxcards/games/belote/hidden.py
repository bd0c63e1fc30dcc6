"""Dealing anew what a Belote player cannot see (determinization)."""

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

TALON_SIZE = 2  # cards of each seat that lie face down whoever names a suit
NUM_LAST = 3  # cards whose owner depends on who takes the card turned up


def determinize(rules: BeloteRules, key: jax.Array, state: State, player: jax.Array) -> State:
    """Returns a state in which the other hands are dealt anew, all possible deals equally likely.

    Used is what is certain under the rules of play: every card played, every declaration laid open, the
    card turned up, the partner of an announced belote, and every card that a seat has shown not to
    hold, for else it should have played it or announced a belote. During the auction the player's own
    talon is hidden as well. Not used is what a seat named as the points of its best declaration and
    what follows from declarations that it did not have, nor how well anybody called or played.
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
    """Returns the cards of which the player does not know by seeing them where they are."""
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

    The player's own seat may hold none of them. With a card turned up, the cards that depend on who
    takes it are no part of the hands before that.
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
    """Lays two cards of each seat face down, and the last ones with a card turned up."""
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
    # Once it is taken up nobody asks what it was.
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
    """Keeps what is public of the outcome, whatever the hands that were dealt anew would make it."""
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
