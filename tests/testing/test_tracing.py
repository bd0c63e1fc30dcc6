"""Checks of form and of dealing fail for games that break them."""

import dataclasses

import jax
import jax.numpy as jnp
import pytest
from support.fakes.broken import RULES, broken, deals, fails

from jaxcards import testing
from jaxcards.cards import sets
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass.game import Jass


class FloatLeaf(Jass):
    """A leaf of the state is a float."""

    def init(self, key, round=None):
        return super().init(key, round).with_public(points=jnp.float32(0))


class ArrayLeaf(Jass):
    """A leaf of the state is an array."""

    def init(self, key, round=None):
        return super().init(key, round).with_public(points=jnp.zeros(4, jnp.uint32))


class WeakLeaf(Jass):
    """A leaf of the state has a weak type."""

    def init(self, key, round=None):
        return super().init(key, round).with_public(voids=jnp.asarray(0))


class DriftingStep(Jass):
    """A step changes the dtype of a leaf."""

    def _step(self, state, action, stage):
        after = super()._step(state, action, stage)
        return after.with_public(num_calls=after.public.num_calls.astype(jnp.int32))


@pytest.mark.parametrize(
    "cls, why",
    [
        (FloatLeaf, "float32"),
        (ArrayLeaf, "no scalar"),
        (WeakLeaf, "weak type"),
        (DriftingStep, "step changes shapes or dtypes"),
    ],
)
def test_state_leaves_can_fail(cls, why):
    fails(testing.check_state_leaves, broken(cls), deals(), match=why)


def test_size_budget_and_compilation_can_fail():
    game = Jass(RULES, "broken")
    fails(testing.check_state_leaves, game, deals(), match="bytes, more than 64", state_bytes=64)
    fails(testing.check_jaxpr_budget, game, {"step": 100}, match="step has .* more than 100")
    fails(testing.check_jaxpr_budget, game, {"stpe": 100}, match="a budget for stpe")
    fails(testing.check_compiles_once, broken(DriftingStep), match="step was traced 2 times")


class EqualToNone(Jass):
    """Equal games have different hashes."""

    def __hash__(self):
        return id(self)


class TakesAnyDeck(Jass):
    """A deck may be anything."""

    def init_from_deck(self, deck, dealer, **more):
        if isinstance(deck, jax.core.Tracer):
            return super().init_from_deck(deck, dealer, **more)
        deck = deck if len(set(deck.tolist())) == 36 else jnp.arange(36)
        return super().init_from_deck(deck, dealer, **more)


class UnevenDealer(Jass):
    """Seat 0 never deals."""

    def init(self, key, round=None):
        state = super().init(key, round)
        dealer = jnp.maximum(state.public.dealer, 1)
        player = ((dealer.astype(jnp.int32) + 1) & 3).astype(jnp.int32)
        return state.with_public(dealer=dealer, current_player=player)


class SortedDeal(Jass):
    """Everybody gets a suit."""

    def init(self, key, round=None):
        return super().init_from_deck(jnp.arange(36), super().init(key, round).public.dealer)


class KindToOne(Jass):
    """The holder of the lowest card and seat 0 exchange hands half of the time."""

    def init(self, key, round=None):
        state = super().init(key, round)
        first, second = state.hands[:2]
        swap = (second.words[0] & 1 == 1) & jax.random.bernoulli(key)
        hands = (sets.select(swap, second, first), sets.select(swap, first, second))
        return dataclasses.replace(state, hands=(*hands, *state.hands[2:]))


class Suits(Jass):
    """The two lowest cards stay together: every card is fair, two of them are not."""

    def init(self, key, round=None):
        state = super().init(key, round)
        two = jnp.uint32(3)
        owner = [hand.words[0] & 1 == 1 for hand in state.hands]
        words = [
            (jnp.where(mine, hand.words[0] | two, hand.words[0] & ~two), hand.words[1])
            for mine, hand in zip(owner, state.hands, strict=True)
        ]
        hands = tuple(CardSet(self.deck, pair) for pair in words)
        return dataclasses.replace(state, hands=hands)


class Unbatched(Jass):
    """Looks at the rank of its input: a batch and a single deal differ."""

    def points(self, state):
        batched = not isinstance(state.public.points, jax.core.Tracer)
        return super().points(state) + int(batched)


@pytest.mark.slow
def test_form_can_fail():
    fails(testing.check_hashable, broken(EqualToNone), match="different hashes")
    fails(testing.check_init_from_deck, broken(TakesAnyDeck), match="takes a deck with a card twice")
    fails(testing.check_same_in_batches, broken(Unbatched), deals(), match="not compiled")


@pytest.mark.slow_after(2)
@pytest.mark.parametrize(
    "cls, why",
    [
        (UnevenDealer, "some seats begin more often"),
        (SortedDeal, "two cards come together"),
        (KindToOne, "not equally likely"),
        (Suits, "two cards come together"),
    ],
)
def test_deals_are_uniform_can_fail(cls, why):
    fails(testing.check_deals_are_uniform, broken(cls), match=why, num_deals=1000)


def test_an_error_inside_of_a_game_names_the_check():
    class Raises(Jass):
        def points(self, state):
            raise TypeError("no points today")

    fails(testing.check_scores, Raises(RULES, "broken"), deals(), match="TypeError: no points today")
