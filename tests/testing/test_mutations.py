"""Games with one mistake each, which `check_game` finds: Hearts, from outside, and Euchre."""

import dataclasses

import jax
import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards import testing
from jaxcards.cards.sets import CardSet, select
from jaxcards.games.euchre.game import Euchre


class IgnoresVoids:
    """Deals cards to players who have shown that they lack the suit."""

    def sample_state(self, key, seen):
        public = dataclasses.replace(seen.public, voids=jnp.uint32(0))
        state = super().sample_state(key, dataclasses.replace(seen, public=public))
        return dataclasses.replace(state, public=seen.public)


class LikesStrongHands:
    """Draws two deals and keeps the one in which seat 0 has the higher cards."""

    def sample_state(self, key, seen):
        sample = super().sample_state
        one, other = (sample(each, seen) for each in jax.random.split(key))
        better = one.hands[0].words[-1] > other.hands[0].words[-1]
        return jax.tree.map(lambda a, b: jnp.where(better, a, b), one, other)


class Peeks:
    """Samples deals that depend on a hidden card."""

    def determinize(self, key, state, player):
        hidden = state.hands[0].words[0] ^ state.hands[1].words[0]
        return super().determinize(jax.random.fold_in(key, hidden), state, player)


class ShowsACard:
    """Tells everybody whether seat 0 was dealt card 1."""

    def observe(self, state, player):
        seen = super().observe(state, player)
        voids = seen.public.voids | (state.hands[0].words[0] & 2) << 30
        return dataclasses.replace(seen, public=dataclasses.replace(seen.public, voids=voids))


class HidesAnOwnCard:
    """A player does not see its own lowest card."""

    def observe(self, state, player):
        seen = super().observe(state, player)
        lowest = seen.hand.words[0] & (~seen.hand.words[0] + jnp.uint32(1))
        hand = CardSet(seen.hand.deck, [seen.hand.words[0] ^ lowest, *seen.hand.words[1:]])
        return dataclasses.replace(seen, hand=hand)


class NeedNotFollow:
    """Any card of the hand may be played, though the state still notes who is void."""

    def _legal(self, state, stage):
        legal = super()._legal(state, stage)
        me = state.current_player
        hands = jax.tree.map(lambda *hands: jnp.stack(hands)[me], *self.card_places(state).hands)
        plays = legal.cards(self.deck).any() & getattr(state, "playing", True)
        return legal.with_cards(select(plays, hands, legal.cards(self.deck)))


class KeepsPlayedCards:
    """A card that is played stays in the hand."""

    def card_places(self, state):
        places = super().card_places(state)
        hands = [hand | gone for hand, gone in zip(places.hands, places.played, strict=True)]
        return places._replace(hands=tuple(hands))


MUTATIONS = [
    (IgnoresVoids, testing.check_past_is_legal, "the past of a sampled deal is illegal: action"),
    (LikesStrongHands, testing.check_samples_are_uniform, "in sampled deals .off by"),
    (Peeks, testing.check_determinize, "reads what the player does not see"),
    (ShowsACard, testing.check_observations_hide, r"hidden cards show in observation\.public\.voids"),
    (HidesAnOwnCard, testing.check_determinize, "determinize"),
    (NeedNotFollow, testing.check_samples_are_uniform, "in sampled deals .off by"),
    (KeepsPlayedCards, testing.check_cards_are_kept, "a card is in no place, or in two"),
]
NAMES = [mutation.__name__ for mutation, *_ in MUTATIONS]


def mutated(mutation, cls, rules):
    return type(mutation.__name__, (mutation, cls), {})(rules, "mutated")


def caught(call, match=None):
    with pytest.raises(AssertionError, match=match) as error:
        call()
    return str(error.value)


DEAR = (IgnoresVoids, LikesStrongHands, NeedNotFollow)  # their checks compile much


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "mutation, check, match",
    [pytest.param(*row, marks=pytest.mark.slow if row[0] in DEAR else ()) for row in MUTATIONS],
    ids=NAMES,
)
def test_a_check_finds_a_mistake_in_hearts(hearts, mutation, check, match):
    game = mutated(mutation, hearts.Hearts, hearts.Rules())
    deals = testing.play_deals(game, 64)
    text = caught(lambda: check(game, deals), match)
    assert text.startswith(f"{check.__name__}: mutated: ")


@pytest.mark.slow
@pytest.mark.parametrize("mutation", [mutation for mutation, *_ in MUTATIONS], ids=NAMES)
@pytest.mark.parametrize("name", ["plain_hearts", "euchre"])
def test_check_game_finds_it(hearts, name, mutation):
    cls = hearts.Hearts if name == "plain_hearts" else Euchre
    caught(lambda: testing.check_game(mutated(mutation, cls, jaxcards.make(name).rules)))


def test_a_game_without_a_past_says_what_it_lacks(hearts):
    class NoPast(hearts.Hearts):
        opening = jaxcards.Game.opening
        history = jaxcards.Game.history

    text = caught(lambda: testing.check_past_is_legal(NoPast(hearts.Rules(), "lacking")))
    assert text == "check_past_is_legal: lacking: lacking has no `opening` and no `history`"
