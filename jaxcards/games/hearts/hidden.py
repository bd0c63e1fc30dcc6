"""Determinization: other hidden cards that fit what a player of Hearts knows (docs/hearts.md, 7)."""

from functools import reduce

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards import dealing, history, sets
from jaxcards.cards.seats import by_seat, field, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import sample_hands
from jaxcards.games.hearts import play
from jaxcards.games.hearts.calls import num_passed_by, received_by
from jaxcards.games.hearts.play import DECK, NUM_PASSED, HeartsGame, Observation, State
from jaxcards.kit.state import observed
from jaxcards.xla import prng

_PASSES = 3  # the stream of random words for the passed cards


def observe(game: HeartsGame, state: State, player: jax.Array) -> Observation:
    """Return an observation; the player knows the cards that it passed and those that it received."""
    del game  # the same in all rules
    me = jnp.asarray(player).astype(jnp.uint32)
    passed, received = by_seat(state.passed, me), received_by(state, me)
    return Observation(**observed(state, player), passed=passed, received=received)


def dealt_blocks(game: HeartsGame, state: State) -> tuple[CardSet, ...]:
    """Return the hands as they were dealt, and the cards left out of the pack."""
    hands = zip(state.hands, state.passed, strict=True)
    dealt = [(hand - received_by(state, seat)) | own for seat, (hand, own) in enumerate(hands)]
    return (*dealt, CardSet.of(DECK, game.left_out))[: len(game.block_sizes)]


def sample_state(game: HeartsGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with random hidden cards; all deals and passes that fit are equally likely.

    Every hand is possible with the same number of choices of passed cards, so these are drawn last.
    """
    seen = observation
    allowed, sizes, known = possible_cards(game, seen)
    held = sample_hands(key, seen.player, seen.hand, allowed, sizes, max_size=game.hand_size)
    hands = kit.dealt_hands([hand | sure for hand, sure in zip(held, known, strict=True)], seen)
    passed = _passes(game, key, seen, hands)
    hands = tuple(hand - own for hand, own in zip(hands, passed, strict=True))
    return State(public=seen.public, hands=hands, played=seen.played, passed=passed)


def possible_cards(
    game: HeartsGame, seen: Observation
) -> tuple[list[CardSet], list[jax.Array], list[CardSet]]:
    """Return the cards of unknown place that each seat may hold, their number, and the known ones.

    Known are the cards that the player has passed, once their receiver has them.
    """
    public, players = seen.public, game.num_players
    done, unseen = play.all_passed(public, players), seen.unseen - CardSet.of(DECK, game.left_out)
    allowed, sizes = kit.possible_cards(seen, unseen - seen.passed, public.voids, game.hand_size)
    receiver = seat_after(seen.player, public.direction.astype(jnp.int32), players)
    held = (seen.passed - seen.played).where(done)
    known = [held.where(receiver == seat) for seat in range(players)]
    sizes = [size - cards.count() for size, cards in zip(sizes, known, strict=True)]
    # All know who has the lowest club: the seat that leads, or has led, first.
    first = history.card_at(public.history, 0)
    club = CardSet.of(DECK, [play.lowest_club(game.rules)]).where(done)
    for seat, played in enumerate(seen.played_by):
        leads = jnp.where(public.num_played == 0, public.current_player == seat, played.contains(first))
        possible = sets.select(leads, allowed[seat], allowed[seat] - club)
        if play.tells_penalties(game.rules):
            only = field(public.voids, play.PENALTIES_ONLY + seat, 1) == 1
            possible = sets.select(only, possible & play.penalties(), possible)
        allowed[seat] = possible
    return allowed, sizes, known


def _passes(
    game: HeartsGame, key: jax.Array, seen: Observation, hands: tuple[CardSet, ...]
) -> tuple[CardSet, ...]:
    """Return the cards that each seat has passed: those that the player knows, and random ones.

    Args:
      hands: for each seat, its hand after the passing or, before its end, with the cards it has passed.
    """
    public, players, passed, nothing = seen.public, game.num_players, [], CardSet.empty(DECK)
    if not game.rules.passes:
        return (nothing,) * players
    words, done = prng.fold(prng.key_words(key), _PASSES), play.all_passed(public, players)
    for seat in range(players):
        receiver = seat_after(jnp.uint32(seat), public.direction.astype(jnp.uint32), players)
        # Once all have passed, the cards that a seat gave are in the hand of its receiver.
        choice = sets.select(done, by_seat(hands, receiver), hands[seat])
        drawn = dealing.draw(words, NUM_PASSED * seat, choice, NUM_PASSED, most=game.hand_size)
        number = num_passed_by(public, seat, players)
        some = [card.where(number > place) for place, card in enumerate(drawn)]
        got = done & (receiver == seen.player.astype(jnp.uint32))
        cards = sets.select(got, seen.received, reduce(CardSet.__or__, some))
        passed.append(sets.select(seen.player == seat, seen.passed, cards))
    return tuple(passed)
