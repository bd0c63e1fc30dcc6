"""Positions of the compiled game, made directly: what an example of the rules gives, and no more."""

import dataclasses
from functools import cache

import jax.numpy as jnp

from games.sheepshead.playout import game_of
from games.sheepshead.reference import card, cards
from jaxcards import stages
from jaxcards.cards import tricks
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.sheepshead import calls
from jaxcards.games.sheepshead.play import BURY, DECK, NO_CARD, NO_SEAT, PLAY, TRUMP_CLASS
from jaxcards.testing.deals import quick_jit

CLASSES = {"clubs": 0, "diamonds": 1, "hearts": 2, "spades": 3, "trump": TRUMP_CLASS, "lead": NO_SUIT}


def position(
    variant: str,
    hand: str,
    *,
    led: str = "lead",
    role: str = "defender",
    called: str = "",
    unknown: str = "",
    played: str = "",
    phase: int = PLAY,
):
    """Return a state in which seat 1 is to move and holds `hand`; it is picker, partner or defender."""
    game = game_of(variant)
    n = game.num_players
    held = cards(hand)
    other = [card(called)] if called and card(called) not in held + cards(played) else []
    hands = [CardSet.of(DECK, held if seat == 1 else other if seat == 2 else []) for seat in range(n)]
    table = tricks.Trick(
        jnp.uint32(CLASSES[led]), *(jnp.uint32(0 if led == "lead" else x) for x in (9, 0, 0))
    )
    state = game.init_from_deck(list(range(32)), 0)
    state = dataclasses.replace(
        state,
        hands=tuple(hands),
        blind=CardSet.empty(DECK),
        played=CardSet.of(DECK, cards(played)),
        unknown=jnp.uint32(card(unknown)) if unknown else state.unknown,
    )
    return state.with_public(
        phase=jnp.uint32(phase),
        picker=jnp.uint32(1 if role == "picker" else 0 if role == "partner" or called else NO_SEAT),
        called=jnp.uint32(card(called)) if called else state.public.called,
        table=tricks.pack(table),
    )


@cache
def _legal(variant: str):
    return quick_jit(lambda state: calls.legal_words(game_of(variant).rules, state, stages.ANY))


def legal(variant: str, hand: str, **given) -> set[int]:
    """Cards that the compiled game allows in such a position."""
    word = int(_legal(variant)(position(variant, hand, **given))[0])
    return {number for number in range(32) if word >> number & 1}


def bury(variant: str, hand: str, **given) -> set[int]:
    return legal(variant, hand, role="picker", phase=BURY, **given)


@cache
def _step(variant: str):
    return quick_jit(game_of(variant).step)


def winner(variant: str, trick: str, *, called: str = "", unknown: str = "", played: str = "") -> int:
    """Place in the trick of the card that wins it; the unknown, if any, is the one led."""
    game, numbers = game_of(variant), cards(trick)
    state = game.init_from_deck(list(range(32)), game.num_players - 1)
    picker = 0
    state = dataclasses.replace(
        state,
        hands=tuple(CardSet.of(DECK, [number]) for number in numbers),
        blind=CardSet.empty(DECK),
        played=CardSet.of(DECK, cards(played)),
        unknown=jnp.uint32(card(unknown) if unknown else NO_CARD),
    ).with_public(
        phase=jnp.uint32(PLAY),
        picker=jnp.uint32(picker),
        called=jnp.uint32(card(called) if called else NO_CARD),
    )
    for number in numbers:
        state = _step(variant)(state, jnp.int32(number))
    return int(state.current_player)
