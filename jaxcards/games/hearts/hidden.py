"""Determinization: other hidden cards that fit what a player of Hearts knows (docs/hearts.md, 7)."""

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards import dealing, history, sets
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import by_seat, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import sample_hands
from jaxcards.games.hearts.calls import num_passed_by, sender
from jaxcards.games.hearts.play import (
    DECK,
    NUM_PASSED,
    HeartsGame,
    Observation,
    State,
    all_passed,
    hand_size,
    lowest_club,
    penalties,
    removed,
)
from jaxcards.kit import dealt_hands
from jaxcards.kit.state import observed
from jaxcards.xla import prng

_PASSES = 3  # the stream of random words for the passed cards


def observe(game: HeartsGame, state: State, player: jax.Array) -> Observation:
    """Return an observation; the player knows the cards that it passed and those that it received."""
    public, players = state.public, game.num_players
    received = by_seat(state.passed, sender(player, public.direction, players))
    done = all_passed(public, players)
    return Observation(
        **observed(state, player),
        passed=by_seat(state.passed, jnp.asarray(player).astype(jnp.uint32)),
        received=sets.select(done, received, CardSet.empty(DECK)),
    )


def card_places(game: HeartsGame, state: State) -> CardPlaces:
    """See `Game.card_places`: aside are cards that are being passed, and those left out of the pack."""
    held = [state.hand_of(jnp.uint32(seat)) for seat in range(game.num_players)]
    gone = [hand & state.played for hand in state.hands]
    aside = CardSet.full(DECK) - state.played
    for hand in held:
        aside = aside - hand
    return CardPlaces(tuple(held), tuple(gone), aside, (CardSet.of(DECK, removed(game.rules)),))


def sample_state(game: HeartsGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with random hidden cards; all deals and passes that fit are equally likely.

    Every hand is possible with the same number of choices of passed cards, so these are drawn last.
    """
    seen, public, players = observation, observation.public, game.num_players
    done = all_passed(public, players)
    allowed, sizes, known = possible_cards(game, seen)
    held = sample_hands(key, seen.player, seen.hand, allowed, sizes, max_size=game.hand_size)
    dealt = dealt_hands([hand | sure for hand, sure in zip(held, known, strict=True)], seen)
    return State(
        public=public, hands=dealt, played=seen.played, passed=_passes(game, key, seen, dealt, done)
    )


def possible_cards(
    game: HeartsGame, seen: Observation
) -> tuple[list[CardSet], list[jax.Array], list[CardSet]]:
    """Return the cards of unknown place that each seat may hold, their number, and the known ones.

    Known are the cards that the player has passed: its own while cards are passed, then the receiver's.
    """
    rules, public, players = game.rules, seen.public, game.num_players
    done, nothing = all_passed(public, players), CardSet.empty(DECK)
    unseen = seen.unseen - seen.passed - CardSet.of(DECK, removed(rules))
    allowed, sizes = kit.possible_cards(seen, unseen, public.voids, hand_size(rules))
    receiver = seat_after(seen.player, public.direction.astype(jnp.int32), players)
    holder = jnp.where(done, receiver, seen.player)
    known = [sets.select(holder == seat, seen.passed - seen.played, nothing) for seat in range(players)]
    sizes = [size - cards.count() for size, cards in zip(sizes, known, strict=True)]
    # All know who has the lowest club: the seat that leads, or has led, first.
    first = history.card_at(public.history, 0)
    club = sets.select(done, CardSet.of(DECK, [lowest_club(rules)]), nothing)
    for seat, played in enumerate(seen.played_by):
        leads = jnp.where(public.num_played == 0, public.current_player == seat, played.contains(first))
        possible = sets.select(leads, allowed[seat], allowed[seat] - club)
        if public.penalties_only is not None:
            only = (public.penalties_only >> seat) & 1 == 1
            possible = sets.select(only, possible & penalties(), possible)
        allowed[seat] = possible
    return allowed, sizes, known


def _passes(
    game: HeartsGame, key: jax.Array, seen: Observation, dealt: tuple[CardSet, ...], done: jax.Array
) -> tuple[CardSet, ...]:
    """Return the cards that each seat has passed: those that the player knows, and random ones."""
    public, players, passed = seen.public, game.num_players, []
    if not game.rules.passes:
        return (CardSet.empty(DECK),) * players
    words, nothing = prng.fold(prng.key_words(key), _PASSES), CardSet.empty(DECK)
    for seat in range(players):
        receiver = seat_after(jnp.uint32(seat), public.direction.astype(jnp.uint32), players)
        choice = sets.select(done, by_seat(dealt, receiver), dealt[seat])
        drawn = dealing.draw(words, NUM_PASSED * seat, choice, NUM_PASSED, most=game.hand_size)
        number = jnp.where(public.direction == 0, 0, num_passed_by(public, seat, players))
        cards = nothing
        for place, one in enumerate(drawn):
            cards = cards | sets.select(number > place, one, nothing)
        cards = sets.select(done & (receiver == seen.player.astype(jnp.uint32)), seen.received, cards)
        passed.append(sets.select(seen.player == seat, seen.passed, cards))
    return tuple(passed)


def dealt_blocks(game: HeartsGame, state: State) -> tuple[CardSet, ...]:
    """Return the hands as they were dealt, and the cards left out of the pack."""
    players, done = game.num_players, state.playing
    before = []
    for seat, hand in enumerate(state.hands):
        received = by_seat(state.passed, sender(seat, state.public.direction, players))
        before.append(sets.select(done, (hand - received) | state.passed[seat], hand))
    rest = removed(game.rules)
    return (*before, CardSet.of(DECK, rest)) if rest else tuple(before)
