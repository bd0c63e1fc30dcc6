"""The observation of a Belote player, and samples of hands and talons that fit it."""

from collections.abc import Sequence
from functools import partial, reduce

import jax
import jax.numpy as jnp

from jaxcards.cards import dealing, melds, sets
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import Claim, claim_of_announced, sample_hands
from jaxcards.games.belote import declarations, play
from jaxcards.games.belote.declarations import (
    announced_belote,
    declarations_in_public,
    find_straights,
    public_declarations,
)
from jaxcards.games.belote.play import DECK, BeloteGame, Observation, State
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.kit import dealt_hands
from jaxcards.kit.state import observed
from jaxcards.xla import prng


def observe(game: BeloteGame, state: State, player: jax.Array) -> Observation:
    rules, announced, declared, shown = game.rules, None, None, None
    if state.declared is not None:
        announced, declared, shown = public_declarations(rules, state)
    seen = observed(state, player)
    return Observation(
        **seen | {"hand": by_seat(play.visible_hands(state), seen["player"])},
        bidder=play.bidder(state.public).astype(jnp.uint8),
        turn_up=None if state.turn_up is None else play.turned_up(state).astype(jnp.uint8),
        announced=announced, declared=declared, shown=shown,
        belote=announced_belote(rules, state) if rules.belote else None,
    )  # fmt: skip


TALON_SIZE = 2  # cards of each seat that lie face down during the auction, whatever comes of it
NUM_LAST = 3  # cards whose owners depend on who takes the card turned up


def sample_state(game: BeloteGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with other hands, all possible deals equally likely (docs/belote.md, 7.4).

    It uses all that is certain under the rules of play: cards played or turned up, cards that a seat
    has shown to hold or to lack, the declarations named, and that there were no better ones. During the
    auction the player's own talon is hidden as well.
    """
    rules, seen = game.rules, observation
    playing, unseen = seen.public.playing, _unseen(seen)
    words = prng.key_words(key)
    own, aside = seen.hand, []
    has_talon = rules.auction != "contract"
    # During the auction, draw the player's own talon and the cards that no seat has yet.
    if has_talon:
        number = TALON_SIZE + (NUM_LAST if seen.turn_up is not None else 0)
        aside = [
            sets.select(playing, CardSet.empty(DECK), card)
            for card in dealing.draw(words, 0, unseen, number)
        ]
        for card in aside:
            unseen = unseen - card
        for card in aside[:TALON_SIZE]:
            own = own | card
    allowed, sizes = possible_cards(rules, seen, unseen)
    # Without declarations, every deal of allowed cards fits.
    held = sample_hands(
        key, seen.player, own, allowed, sizes, max_size=play.HAND_SIZE, facts=seen,
        fits=partial(_fits, rules) if rules.declarations else None,
        claim=_claim(rules, seen) if rules.declarations else None,
    )  # fmt: skip
    hands = dealt_hands(held, seen)
    talon, turn_up = _face_down(seen, hands, words, aside) if has_talon else (None, None)
    straights = None
    if rules.declarations and rules.straight8 == "match":
        # Play goes on, so each player has at most seven cards of a suit.
        straights = jnp.where(playing, 0, find_straights(hands))
    return State(
        public=seen.public, hands=hands, talon=talon, played=seen.played, turn_up=turn_up,
        declared=seen.declared, straights=straights, can_be_void=rules.all_pass == "void",
    )  # fmt: skip


def _claim(rules: BeloteRules, seen: Observation) -> Claim:
    """Return the event that another seat has a declaration of the points that it named."""
    table, no_trump = declarations.table(), declarations.table(no_trump=True)
    other = rules.modes_nt_at & (seen.public.mode == play.NO_TRUMP)
    words = tuple(jnp.where(other, a, b) for a, b in zip(no_trump.sets, table.sets, strict=True))
    number = jnp.where(other, no_trump.number, table.number)
    return claim_of_announced(seen, play.ANNOUNCED_BITS, words, number)


def _fits(rules: BeloteRules, seen: Observation, held: Sequence[CardSet]) -> jax.Array:
    """Return whether a deal agrees with all that is public of declarations: bool."""
    assert seen.announced is not None and seen.declared is not None and seen.shown is not None
    public = seen.public
    hands = dealt_hands(held, seen)
    found = [declarations.find(rules, hand, public.mode) for hand in hands]
    scored = declarations.contest(rules, found, public.forehand)
    announced, declared, shown = declarations_in_public(rules, public, seen.played_by, found, scored)
    fits = (announced == seen.announced) & (declared == seen.declared)
    for one, other in zip(shown, seen.shown, strict=True):
        fits = fits & one.equals(other)
    if rules.straight8 == "match":
        # A straight of all eight cards would have ended the match.
        fits = fits & (~public.playing | (find_straights(hands) == 0))
    return fits


def _unseen(seen: Observation) -> CardSet:
    unseen = seen.unseen
    if seen.turn_up is not None:
        # Until a suit is named, the card turned up lies on the table; then the bidder has it.
        auction_open = ~seen.public.playing
        card = CardSet.single(DECK, seen.turn_up)
        unseen = sets.select(auction_open, unseen - card, unseen)
    return unseen


def possible_cards(
    rules: BeloteRules, seen: Observation, unseen: CardSet
) -> tuple[list[CardSet], list[jax.Array]]:
    """Return the unseen cards that each seat may hold, and the number it holds: int32.

    With a card turned up, hands have seven cards until somebody takes it.
    """
    public = seen.public
    known = _known(seen)
    size = jnp.int32(play.HAND_SIZE)
    if seen.turn_up is not None:
        size = jnp.where(public.playing, play.HAND_SIZE, play.HAND_SIZE - 1)
    allowed, sizes = [], []
    for seat in range(play.NUM_SEATS):
        possible = unseen - public.lacks[seat]
        # A card whose owner is known cannot be in another hand.
        for other in range(play.NUM_SEATS):
            if other != seat:
                possible = possible - known[other]
        allowed.append(possible)
        sizes.append(size - seen.played_by[seat].count())
    return allowed, sizes


def _known(seen: Observation) -> list[CardSet]:
    """Return for each seat cards that everybody knows it to have or to have played."""
    known = []
    for seat in range(play.NUM_SEATS):
        found = CardSet.empty(DECK)
        if seen.shown is not None:
            found = found | seen.shown[seat]
        if seen.belote is not None:
            found = found | seen.belote[seat]
        if seen.turn_up is not None:
            found = found | CardSet.single(DECK, seen.turn_up).where(seen.bidder == seat)
        known.append(found)
    return known


def _face_down(
    seen: Observation, hands: Sequence[CardSet], words: prng.KeyWords, aside: list[CardSet]
) -> tuple[CardSet, jax.Array | None]:
    """Return `State.talon` and `State.turn_up`.

    Nothing to come depends on a talon that has been taken up, but what was called before does: all ways
    in which the hands can have come to their cards are equally likely. `aside` are, during the auction,
    the player's own talon and then the `NUM_LAST` cards that no seat has.
    """
    playing, counter = seen.public.playing, len(aside)
    talon, dealt = reduce(CardSet.__or__, aside), list(hands)
    if seen.turn_up is not None:
        turned = CardSet.single(DECK, seen.turn_up)
        # The card turned up was never part of a talon.
        dealt = [hand - turned for hand in dealt]
    for seat, hand in enumerate(dealt):
        drawn = dealing.draw(words, counter, hand, TALON_SIZE, most=play.HAND_SIZE)
        counter += TALON_SIZE
        for card in drawn:
            dealt[seat] = dealt[seat] - card
            # During the auction the player's own talon was drawn above.
            in_aside = (seen.player == seat) & ~playing
            talon = talon | sets.select(in_aside, CardSet.empty(DECK), card)
    if seen.turn_up is None:
        return talon, None
    # All seats but the one that took the card turned up got one more card from the talon.
    one_more = [
        dealing.draw(words, counter + seat, dealt[seat], 1)[0] for seat in range(play.NUM_SEATS)
    ]
    taker = (seen.bidder.astype(jnp.uint32) - seen.public.forehand) & 3
    last = []
    for number, card in enumerate(aside[TALON_SIZE:]):
        # Seats from the taker on are one further, because the taker gets no such card.
        place = number + (number >= taker).astype(jnp.uint32)
        later = by_seat(one_more, (seen.public.forehand + place) & 3)
        last.append(sets.select(playing, later, card))
    return reduce(CardSet.__or__, last, talon), pack_turn_up([*last, turned])


def pack_turn_up(cards: Sequence[CardSet]) -> jax.Array:
    """Return `State.turn_up` of the three cards that are dealt last and the one turned up."""
    word = jnp.uint32(0)
    for place, card in enumerate(cards):
        # The place of the only bit is the number of the card.
        word = word | melds.highest(card.words[0]) << (play.TURN_UP_BITS * place)
    return word


def unpack_turn_up(word: jax.Array) -> list[CardSet]:
    """Return the cards of `State.turn_up`: the three that are dealt last, and the one turned up."""
    cards = (word >> (play.TURN_UP_BITS * place) for place in range(NUM_LAST + 1))
    return [CardSet.single(DECK, card & ((1 << play.TURN_UP_BITS) - 1)) for card in cards]
