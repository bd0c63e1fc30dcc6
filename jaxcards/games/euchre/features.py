"""The inputs of networks from a Euchre observation: features, all of them bits.

The trump suit takes the place of suit 0, and its bower's suit that of suit 3, so that colours stay
pairs; before trumps are named the suit of the up-card does. `Euchre.relabel_action` and
`relabel_legal` translate actions. Seats are relative.
"""

from functools import reduce

import jax
import jax.numpy as jnp

from jaxcards.cards.features import BitWriter
from jaxcards.cards.history import card_at
from jaxcards.cards.seats import by_seat, field, named_seats, places_after
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.euchre import play
from jaxcards.games.euchre.calls import CALL
from jaxcards.games.euchre.play import EuchreGame, Observation, Public, State, Table
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import Seating, seating_of
from jaxcards.xla.lookup import lookup

_NAMES = {3: ("me", "next", "previous"), 4: ("me", "next", "partner", "previous")}
_RANKS = 6
_LANE = (1 << _RANKS) - 1
_LOW_LANES = _LANE | _LANE << 2 * _RANKS  # suits 0 and 2
_SUIT_CARDS = (1 << 4 * _RANKS) - 1
# Trumps from the weakest, when clubs are trumps: the left bower is the jack of spades.
_TRUMPS = (0, 1, 3, 4, 5, 3 * _RANKS + play.JACK, play.JACK, 4 * _RANKS)


def first_suit(observation: Observation) -> jax.Array:
    """Return the suit that features put first: uint32, trumps or else the suit of the up-card."""
    public = observation.public
    trump = public.calls.trump
    return jnp.where(trump < play.NUM_SUITS, trump, play.turned_suit(public.up_card) & 3)


def swap_word(first: jax.Array, word: jax.Array) -> jax.Array:
    """Rename suit s to s ^ first in a word of cards; other bits stay, and colours stay pairs."""
    cards, rest = word & _SUIT_CARDS, word & ~jnp.uint32(_SUIT_CARDS)
    # Exchange suits 0 and 1, and suits 2 and 3.
    neighbours = (cards & _LOW_LANES) << _RANKS | (cards >> _RANKS) & _LOW_LANES
    cards = jnp.where(first & 1 == 1, neighbours, cards)
    # Exchange suits 0 and 1 with suits 2 and 3.
    halves = cards << 2 * _RANKS | cards >> 2 * _RANKS
    return jnp.where(first & 2 == 2, halves & _SUIT_CARDS, cards) | rest


def swap_bits(first: jax.Array, suits: jax.Array) -> jax.Array:
    """Rename suit s to s ^ first in a set of suits, bit s for suit s."""
    # Exchange suits 0 and 1, and 2 and 3; then the two pairs.
    suits = jnp.where(first & 1 == 1, (suits & 5) << 1 | (suits >> 1) & 5, suits)
    return jnp.where(first & 2 == 2, (suits & 3) << 2 | suits >> 2, suits)


def swap_actions(first: jax.Array, word: jax.Array) -> jax.Array:
    """Rename suit s to s ^ first in a word of actions: in cards and in calls."""
    calls = jnp.uint32(15 << CALL)
    named = swap_bits(first, (word >> CALL) & 15)
    return swap_word(first, word) & ~calls | named << CALL


def write_features(game: EuchreGame, observation: Observation) -> BitWriter:
    rules, public = game.rules, observation.public
    out, seating, deck = BitWriter(), seating_of(rules), game.deck
    first = first_suit(observation)
    me = seating.seat_of(observation.player)
    out.cards("hand", _swapped(first, observation.hand))
    out.cards("discards", _swapped(first, observation.discards))
    if observation.dummy is not None:
        out.cards("dummy", _swapped(first, observation.dummy))
    for name, seat in _seats(seating, me):
        out.cards(f"played by {name}", _swapped(first, by_seat(observation.played_by, seat)))
    out.cards("up-card", _swapped(first, CardSet(deck, [jnp.uint32(1) << public.up_card])))
    out.flag("picked up", public.picked_up)
    _write_table(out, observation, first)
    _write_call(rules, out, public, me)
    _write_trick(out, seating, public.tricks, first, me)
    _write_strength(out, deck, observation, first)
    for name, seat in _seats(seating, me)[1:]:
        voids = swap_bits(first, field(public.voids, seat, 4))
        out.bits(f"voids of {name}", voids, 4, of="suits")
    _write_score(rules, out, observation)
    return out


def write_full_state(game: EuchreGame, state: State) -> BitWriter:
    """See `Game.write_full_state`: what is played does not matter any more, and is left out."""
    rules, out, deck = game.rules, BitWriter(), game.deck
    seating, seen = seating_of(rules), game.observe(state, state.current_player)
    first, me = first_suit(seen), seating.seat_of(seen.player)
    for name, seat in _seats(seating, me):
        out.cards(f"hand of {name}", _swapped(first, play.hand_of(state, seat)))
    if state.dummy is not None:
        out.cards("dummy", _swapped(first, state.dummy & state.aside))
    out.cards("up-card", _swapped(first, CardSet(deck, [jnp.uint32(1) << state.public.up_card])))
    _write_table(out, seen, first)
    _write_call(rules, out, seen.public, me)
    _write_trick(out, seating, seen.public.tricks, first, me)
    _write_score(rules, out, seen)
    return out


def _seats(seating: Seating, me: jax.Array) -> list[tuple[str, jax.Array]]:
    """Return name and seat of every seat, clockwise from the player's own."""
    seats = named_seats(me, seating.num_seats)
    return [(name, seat) for name, (_, seat) in zip(_NAMES[len(seats)], seats, strict=True)]


def _swapped(first: jax.Array, cards: CardSet) -> CardSet:
    return CardSet(cards.deck, [swap_word(first, cards.words[0])])


def _write_table(out: BitWriter, observation: Observation, first: jax.Array) -> None:
    public = observation.public
    # Who played each of them is in the cards played by each seat.
    (word,) = reduce(CardSet.__or__, observation.played_by).words
    played, active = jax.lax.population_count(word), public.calls.active
    waiting = public.tricks.waiting
    # Active seats that wait no longer have played to the trick.
    on_table = jax.lax.population_count(active) - jax.lax.population_count(waiting)
    on_table = jnp.where(public.tricks.led == NO_SUIT, 0, on_table)
    # The last cards of the history that belong to this trick.
    table = jnp.uint32(0)
    for back in range(1, len(observation.played_by)):
        card = card_at(public.history, played - back)
        # Cards further back belong to earlier tricks.
        table = table | jnp.where(on_table >= back, jnp.uint32(1) << card, 0)
    out.cards("on the table", _swapped(first, CardSet(observation.hand.deck, [table])))


def _write_call(rules: EuchreRules, out: BitWriter, public: Public, me: jax.Array) -> None:
    seating, call = seating_of(rules), public.calls
    number = seating.num_seats

    def place(name: str, seat: jax.Array, known: jax.Array) -> None:
        # A number beyond the seats sets no bit.
        out.one_hot(name, jnp.where(known, places_after(me, seat, number), play.NOBODY), number)

    always = jnp.ones((), bool)
    out.one_hot("phase", call.phase, play.DONE)
    place("dealer", public.dealer, always)
    place("to act", call.seat, call.phase != play.DONE)
    out.flag("trumps named", call.trump < play.NUM_SUITS)
    place("maker", call.maker, call.trump < play.NUM_SUITS)
    out.flag("alone", call.alone)
    if rules.defend_alone != "never":
        place("lone defender", call.defender, call.defender != play.NOBODY)
    for name, seat in _seats(seating, me):
        out.flag(f"{name} sits out", (call.phase >= play.PLAY) & ((call.active >> seat) & 1 == 0))
    if rules.joker:
        out.flag("blind", call.phase == play.NAME_BLIND)


def _write_trick(
    out: BitWriter, seating: Seating, table: Table, first: jax.Array, me: jax.Array
) -> None:
    number = seating.num_seats
    empty = table.led == NO_SUIT
    led = jnp.where(empty, NO_SUIT, table.led ^ first)
    out.one_hot("led suit", led, play.NUM_SUITS, of="suits")
    winner = places_after(me, table.winner, number)
    out.one_hot("winner so far", jnp.where(empty, play.NOBODY, winner), number)
    out.one_hot("trick number", table.tricks, play.NUM_TRICKS)
    for name, seat in _seats(seating, me):
        out.flag(f"{name} still to play", (table.waiting >> seat) & 1)
        won = jnp.uint32(0)
        for trick in range(play.NUM_TRICKS):
            mine = (table.tricks > trick) & (field(table.winners, trick, 2) == seat)
            won = won + mine.astype(jnp.uint32)
        out.levels(f"tricks of {name}", won, (1, 2, 3, 4, 5))


def _write_strength(out: BitWriter, deck: Deck, observation: Observation, first: jax.Array) -> None:
    """Write what follows from the rules of the trick, but takes a network long to work out."""
    public = observation.public
    named = public.calls.trump < play.NUM_SUITS
    played = reduce(CardSet.__or__, observation.played_by)
    gone = observation.hand | observation.discards | played
    hand = swap_word(first, observation.hand.words[0])
    unseen = swap_word(first, (CardSet.full(deck) - gone).words[0])
    # Before trumps are named, these features are empty.
    trumps = jnp.where(named, jax.lax.population_count(unseen & _of_trump(deck)), 0)
    highest = jnp.where(named, _highest(deck, hand, unseen), 0)
    out.cards("highest of their suit", CardSet(deck, [highest]))
    out.cards("taking the trick", CardSet(deck, [hand & _taking(deck, public.tricks, first)]))
    out.levels("trumps unseen", trumps, range(1, 8))


def _trumps(deck: Deck) -> tuple[int, ...]:
    """Return the trumps from the weakest, as features name them."""
    return _TRUMPS if deck.extra else _TRUMPS[:-1]


def _of_trump(deck: Deck) -> int:
    return sum(1 << card for card in _trumps(deck))


def _highest(deck: Deck, hand: jax.Array, unseen: jax.Array) -> jax.Array:
    """Return the cards of a hand that no unseen card of their suit beats, clubs being trumps."""
    trumps = jnp.uint32(_of_trump(deck))
    # Plain suits: an unseen card beats what lies below it in its lane.
    beaten = unseen & ~trumps
    lower = jnp.uint32(0)
    for _ in range(_RANKS - 1):
        # The lowest card of the next suit arrives at the top of this lane: clear it.
        beaten = (beaten >> 1) & (_SUIT_CARDS & ~sum(1 << 6 * s + 5 for s in range(play.NUM_SUITS)))
        lower = lower | beaten
    best = hand & ~trumps & ~lower
    above = jnp.zeros((), bool)
    # From the highest trump down: a trump is beaten once an unseen one has come before it.
    for card in reversed(_trumps(deck)):
        best = best | jnp.where(above, 0, hand & jnp.uint32(1 << card))
        above = above | ((unseen >> card) & 1 == 1)
    return best


def _taking(deck: Deck, table: Table, first: jax.Array) -> jax.Array:
    """Return the cards that beat the best one on the table (clubs are trumps); none if it is empty."""
    trumps = _trumps(deck)
    # Entry b: the trumps above the b weakest ones.
    over = [sum(1 << card for card in trumps[beaten:]) for beaten in range(len(trumps) + 1)]
    ruffed = table.best > TRUMP
    high = lookup(over, jnp.where(ruffed, jnp.subtract(table.best, TRUMP), 0))
    # Strength is rank + 1, so the ranks from `best` on are higher.
    plain = (_LANE & ~((jnp.uint32(1) << (table.best & 7)) - 1)) << (_RANKS * ((table.led ^ first) & 3))
    plain = jnp.where(ruffed, 0, plain & ~jnp.uint32(_of_trump(deck)))
    return jnp.where(table.led == NO_SUIT, 0, high | plain)


def _write_score(rules: EuchreRules, out: BitWriter, observation: Observation) -> None:
    """Write how many points each side still needs."""
    missing = [rules.target - total.astype(jnp.int32) for total in observation.public.totals]
    teams = seating_of(rules).teams
    if teams is None:
        seats = [observation.player, (observation.player + 1) % 3, (observation.player + 2) % 3]
        named = [("own", seats[0]), ("next's", seats[1]), ("previous's", seats[2])]
    else:
        side = lookup(teams, observation.player.astype(jnp.uint32))
        named = [("own", side), ("other side's", side ^ 1)]
    for name, side in named:
        out.levels(f"{name} missing points", by_seat(missing, side), (1, 2, 3, 4, 5, 6, 8, 10))
