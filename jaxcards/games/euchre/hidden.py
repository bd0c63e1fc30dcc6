"""The observation of a Euchre player, fitting hidden cards, and the places of all cards."""

import dataclasses
from functools import reduce
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import CardSet, select
from jaxcards.determinize import Situation, sample_hidden
from jaxcards.games.euchre import play
from jaxcards.games.euchre.play import EuchreGame, Observation, State
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of
from jaxcards.xla import prng


def observe(game: EuchreGame, state: State, player: jax.Array) -> Observation:
    public, call, deck = state.public, state.calls, state.aside.deck
    seating = state.seating
    player = jnp.asarray(player, jnp.int32)
    seat = seating.seat_of(player)
    hands, dummy, exchanged = state.hands, state.dummy, None
    if dummy is not None:
        taken = play.took_dummy(state.mode, call)
        # The maker who took the dummy has its cards as well.
        hands = tuple(
            cards | dummy.where(taken & (call.maker == owner)) for owner, cards in enumerate(hands)
        )
        exchanged = jnp.where(taken, play.num_discarded(state), 0)
    elif seating.dummy_seat is not None:
        dummy = hands[seating.dummy_seat]
    own = by_seat(hands, seat)
    hand = own - state.aside - state.played
    if game.rules.joker:
        blind = (call.phase == play.NAME_BLIND) & (seat == public.dealer)
        hand = select(blind, CardSet.empty(deck), hand)
    # The up-card counts as dealt to the dealer, and lies aside as long as it is not picked up.
    open_card = jnp.where(play.picked_up(public.up_card, call), 0, jnp.uint32(1) << public.up_card)
    return Observation(
        public=public, player=player, hand=hand,
        discards=own & (state.aside - CardSet(deck, [open_card])), dummy=dummy,
        num_discarded=exchanged, played_by=tuple(cards & state.played for cards in hands),
    )  # fmt: skip


def sample_state(game: EuchreGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with random hidden cards, all deals equally likely (docs/observations.md).

    The hidden cards are the other hands (a seat that sits out keeps its own), the kitty, what others
    have laid aside, and the player's own hand while it must not be looked at. All that is certain is
    used: cards played or open, suits that a seat has shown to lack, and where the up-card went.
    """
    rules, seen = game.rules, observation
    words = prng.key_words(key)
    known = _Known(rules, seen)
    drawn = known.sample(jnp.stack(prng.fold(words, 0)), jnp.stack(prng.fold(words, 1)))
    held = known.held(drawn)
    hands = []
    for seat, hand in enumerate(held):
        # The cards dealt to a seat are those that it holds, has played or has laid aside.
        cards = hand | seen.played_by[seat]
        cards = cards | seen.discards.where(known.me == seat)
        cards = cards | (drawn.discard | known.up_card).where(seen.public.dealer == seat)
        cards = cards | drawn.exchanged.where(seen.public.calls.maker == seat)
        if seating_of(rules).pool and seen.dummy is not None:
            # The dummy was dealt beside the hands.
            cards = cards - seen.dummy
        hands.append(cards)
    return State(
        public=seen.public, hands=tuple(hands),
        dummy=seen.dummy if seating_of(rules).pool else None,
        # Cards that are neither held nor played lie aside.
        aside=CardSet.full(known.deck) - known.gone - reduce(CardSet.__or__, held),
        played=known.gone, mode=rules.mode,
    )  # fmt: skip


@dataclasses.dataclass(frozen=True)
class _Drawn:
    """Hidden cards as they were drawn."""

    others: list[CardSet]  # the hands of `_Known.others`
    blind: CardSet  # the player's own hand if it may not look at it, else empty
    discard: CardSet  # the dealer's discard, if it is hidden, else empty
    exchanged: CardSet  # what the maker laid down for the dummy's cards, if it is hidden, else empty


class _Known:
    """The knowledge of a player about the hidden cards.

    Attributes:
      me: uint32, the player's seat.
      others: the seats whose hands are hidden; if one of them has taken the dummy, it is the first.
      gone: all cards played.
      up_card: the card turned up, as a set.
      unseen: the cards whose place the player does not know.
    """

    def __init__(self, rules: EuchreRules, seen: Observation) -> None:
        public = seen.public
        self.rules, self.seen, self.public = rules, seen, public
        self.seating, self.deck = seating_of(rules), play.deck_of(rules)
        call, seating = public.calls, self.seating
        self.me = seating.seat_of(seen.player)
        self.gone = reduce(CardSet.__or__, seen.played_by)
        self.up_card = CardSet(self.deck, [jnp.uint32(1) << public.up_card])
        self.picked = public.picked_up
        self.discarding = call.phase == play.DISCARD
        self.taken = play.took_dummy(rules.mode, call)
        self.dummy = CardSet.empty(self.deck) if seen.dummy is None else seen.dummy
        self.blind = (call.phase == play.NAME_BLIND) & (self.me == public.dealer)
        # The up-card is certainly where everybody has seen it go, until the dealer may discard it.
        unseen = CardSet.full(self.deck) - seen.hand - seen.discards - self.gone
        unseen = unseen - self.up_card.where(~self.picked | self.discarding)
        self.unseen = unseen - self.dummy.where(~self.taken)
        self.others = self._others()

    def _others(self) -> list[jax.Array]:
        others: list[jax.Array] = []
        for _ in self.seating.bidders[1:]:
            others.append(self.seating.next_bidder(others[-1] if others else self.me))
        if self.seating.pool:
            # The maker with the dummy comes first: only the first holder has room for ten cards.
            swap = self.taken & (self.public.calls.maker == others[1])
            others = [jnp.where(swap, others[k], others[1 - k]) for k in (1, 0)]
        return others

    def held(self, drawn: _Drawn) -> list[CardSet]:
        """Return the cards that each seat now holds."""
        hands = []
        for seat in range(self.seating.num_seats):
            if seat == self.seating.dummy_seat:
                hands.append(self.dummy - self.gone)
                continue
            hand = (self.seen.hand | drawn.blind).where(self.me == seat)
            for other, cards in zip(self.others, drawn.others, strict=True):
                hand = hand | cards.where(other == seat)
            # Until the discard, the dealer certainly holds the card turned up.
            takes_up = self.discarding & (self.public.dealer == seat)
            hands.append(hand | self.up_card.where(takes_up))
        return hands

    def _of_seat(self, seat: jax.Array) -> tuple[CardSet, jax.Array]:
        """Return the hidden cards that a seat may hold, and their number without a certain one."""
        call = self.public.calls
        takes = self.taken & (call.maker == seat)
        # Only a maker that has taken the dummy can hold its cards.
        possible = self.unseen - self.dummy.where(~takes)
        # Only the dealer can hold the card turned up.
        possible = possible - self.up_card.where(self.public.dealer != seat)
        if self.rules.farmers_hand:
            # A seat that asked for a new deal holds nothing but nines and tens.
            shown = play.dealt_again(call) & (call.seat == seat)
            low = CardSet(self.deck, [jnp.uint32(play.NINES_AND_TENS)])
            possible = select(shown, possible & low, possible)
        voids = field(self.public.voids, seat, play.NUM_SUITS)
        for suit in range(play.NUM_SUITS):
            lacks = (voids >> suit) & 1 == 1
            cards = play.suit_cards(self.deck, jnp.uint32(suit), call.trump)
            possible = possible - cards.where(lacks)
        size = play.HAND_SIZE - by_seat(self.seen.played_by, seat).count()
        if self.seen.num_discarded is not None:
            laid_down = self.seen.num_discarded.astype(jnp.int32)
            # With the dummy, the maker holds five cards more, less those it has laid down.
            size = size + jnp.where(takes, play.HAND_SIZE - laid_down, 0)
        return possible, size

    def sample(self, key: jax.Array, other_key: jax.Array) -> _Drawn:
        """Return random hidden cards.

        Holders with equal constraints are filled as one and parted afterwards, each way equally likely:
        the kitty, the player's own hand before it is looked at and, if the up-card cannot be discarded,
        the dealer's discard.
        """
        rules, call, empty = self.rules, self.public.calls, CardSet.empty(self.deck)
        kitty = self.deck.num_cards - self.seating.num_dealt - 1
        holders = [(*self._of_seat(seat), play.HAND_SIZE) for seat in self.others]
        neither = self.unseen - self.dummy
        # The dealer's discard is hidden from all others.
        discards = self.picked & ~self.discarding & (self.public.dealer != self.me)
        # parted: the number of cards, at most `most`, that are drawn with the kitty and parted from it.
        parted, most = jnp.int32(0), 0
        if rules.discard_upcard:
            holders.append((neither, discards.astype(jnp.int32), 1))
        else:
            parted, most = discards.astype(jnp.int32), 1
        if rules.joker:
            parted, most = parted + jnp.where(self.blind, play.HAND_SIZE, 0), play.HAND_SIZE
        if self.seen.num_discarded is not None:
            hides = self.taken & (call.maker != self.me)
            size = jnp.where(hides, self.seen.num_discarded.astype(jnp.int32), 0)
            # A maker that did not deal never had the card turned up.
            gone_up = self.up_card.where(call.maker != self.public.dealer)
            holders.append((self.unseen - gone_up, size, play.HAND_SIZE))
            # The first of the others may have taken the dummy.
            holders[0] = (*holders[0][:2], 2 * play.HAND_SIZE)
        holders.append((neither - self.up_card, parted + kitty, most + kitty))
        drawn = self._sets(key, holders, **self._classes())
        # Part the last set: the kitty, and what was drawn together with it.
        split = [(drawn[-1], parted, most), (drawn[-1], jnp.int32(kitty), kitty)]
        apart = self._sets(other_key, split)[0] if most else empty
        blind = apart.where(self.blind)
        discard = drawn[len(self.others)] if rules.discard_upcard else apart - blind
        exchanged = empty if self.seen.num_discarded is None else drawn[-2]
        return _Drawn(drawn[: len(self.others)], blind, discard, exchanged)

    def _classes(self) -> dict[str, Any]:
        """Return the arguments `classes` of `Situation.of`: sets of cards of which the same is known.

        They are the suits, and the up-card apart from them. There are none with five open cards beside
        the hands, which would double the number of classes, as the maker may have taken them, and none
        with a farmer's hand, which tells of ranks.
        """
        if self.seating.pool or self.rules.farmers_hand:
            return {}
        trump = jnp.where(self.public.calls.trump < play.NUM_SUITS, self.public.calls.trump, 0)
        # Trumps, the suit of their colour, and the two others.
        suits = [play.suit_cards(self.deck, trump ^ change, trump) for change in (0, play.COLOUR, 1, 2)]
        ranks = self.deck.ranks_per_suit
        # Trumps have the left bower and the joker as well; the suit of their colour lacks its jack.
        sizes = [ranks + 1 + self.rules.joker, ranks - 1, ranks, ranks]
        classes = [(self.unseen & suit) - self.up_card for suit in suits]
        classes.append(self.unseen & self.up_card)
        return {"classes": [cards.words for cards in classes], "class_sizes": [*sizes, 1]}

    def _sets(
        self, key: jax.Array, holders: list[tuple[CardSet, jax.Array, int]], **classes: Any
    ) -> list[CardSet]:
        allowed, sizes, most = zip(*holders, strict=True)
        words = [cards.words for cards in allowed]
        situation = Situation.of(words, sizes, self.deck.num_cards, max_size=most, **classes)
        drawn = sample_hidden(key, situation)
        return [CardSet(self.deck, words) for words in drawn]


def card_places(game: EuchreGame, state: State) -> CardPlaces:
    """See `Game.card_places`; a player's cards are those of all seats that it plays.

    A hand that its player may not look at yet, and cards that lie on the table face up, lie aside.
    """
    rules, public = game.rules, state.public
    seating, call, deck = seating_of(rules), state.calls, state.aside.deck
    empty = CardSet.empty(deck)
    hands = [empty] * seating.num_agents
    played, aside = list(hands), state.aside
    for seat, agent in enumerate(seating.agents):
        hand = play.hand_of(state, jnp.uint32(seat))
        if rules.joker:
            blind = (call.phase == play.NAME_BLIND) & (public.dealer == seat)
            aside = aside | hand.where(blind)
            hand = select(blind, empty, hand)
        # An agent may play two seats.
        hands[agent] = hands[agent] | hand
        cards = state.hands[seat]
        if state.dummy is not None:
            cards = cards | state.dummy.where(call.maker == seat)
        played[agent] = played[agent] | (cards & state.played)
    # All have seen the card turned up and the dummy.
    shown = [CardSet(deck, [jnp.uint32(1) << public.up_card])]
    if state.dummy is not None:
        shown.append(state.dummy)
    if seating.dummy_seat is not None:
        shown.append(state.hands[seating.dummy_seat])
    return CardPlaces(tuple(hands), tuple(played), aside, tuple(shown))
