"""Checks of the play fail for games that break it."""

import jax.numpy as jnp
import pytest
from support.fakes.broken import broken, deals, fails

from jaxcards import stages, testing
from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass.game import Jass
from jaxcards.stages import Repeat


class EmptyMask(Jass):
    """Followers have nothing to play in the last trick."""

    def _legal(self, state, stage):
        legal = super()._legal(state, stage)
        stuck = state.public.num_played == 33
        return ActionSet(legal.layout, [jnp.where(stuck, 0, word) for word in legal.words])


class MaskAfterEnd(Jass):
    """Nothing is legal after the end."""

    def legal_actions(self, state):
        legal = super().legal_actions(state)
        words = [jnp.where(state.terminated, 0, word) for word in legal.words]
        return ActionSet(legal.layout, words)


class StrayBits(Jass):
    """The legal set has a bit of no action."""

    def _legal(self, state, stage):
        legal = super()._legal(state, stage)
        return ActionSet(legal.layout, [legal.words[0] | jnp.uint32(1 << 20), legal.words[1]])


class OtherMask(Jass):
    """Mask and words differ."""

    def legal_action_mask(self, state):
        return super().legal_action_mask(state).at[42].set(True)


class IllegalPlay(Jass):
    """Every card of the hand is thought to be illegal unless it is the lowest."""

    def _legal(self, state, stage):
        legal = super()._legal(state, stage)
        first = legal.nth(jnp.uint32(0))
        lowest = jnp.arange(self.num_actions) == first
        low = CardSet.single(self.deck, first)
        words = [
            jnp.where(lowest[:36].any(), a, b) for a, b in zip(low.words, legal.words, strict=True)
        ]
        return ActionSet(legal.layout, words)


@pytest.mark.slow_after(2)
@pytest.mark.parametrize(
    "cls, why",
    [
        (EmptyMask, "empty before the end"),
        (MaskAfterEnd, "not all True after the end"),
        (StrayBits, "bits of no action"),
        (OtherMask, "differs from the mask"),
        (IllegalPlay, "an action of the random play was illegal"),
    ],
)
def test_legal_actions_can_fail(cls, why):
    fails(testing.check_legal_actions, broken(cls), deals(), match=why)


class LostCard(Jass):
    """The hand of seat 2 is empty."""

    def card_places(self, state):
        places = super().card_places(state)
        hands = (*places.hands[:2], CardSet.empty(self.deck), places.hands[3])
        return places._replace(hands=hands)


class CardStays(Jass):
    """Cards that were played are taken to be in the hand still."""

    def card_places(self, state):
        nothing = (CardSet.empty(self.deck),) * 4
        return super().card_places(state)._replace(hands=state.hands, played=nothing)


@pytest.mark.parametrize("cls, why", [(LostCard, "in no place"), (CardStays, "still in the hand")])
def test_cards_are_kept_can_fail(cls, why):
    fails(testing.check_cards_are_kept, broken(cls), deals(), match=why)


class NotFrozen(Jass):
    """Calls are counted after the end."""

    def _step(self, state, action, stage):
        after = super()._step(state, action, stage)
        number = after.public.num_calls + (action == IDLE).astype(jnp.uint8)
        return after.with_public(num_calls=number)


class TooLong(Jass):
    """Promises fewer decisions than there are."""

    @property
    def max_steps(self):
        return 37


class TooShort(Jass):
    """Promises more decisions than there are."""

    @property
    def max_steps(self):
        return 39


@pytest.mark.slow
def test_end_and_length_can_fail():
    fails(
        testing.check_end,
        broken(NotFrozen),
        deals(),
        match="changes a finished deal: .public.num_calls",
    )
    game = broken(TooLong)
    played = testing.play_deals(game, 64)
    fails(testing.check_end, game, played, match="max_steps 37")
    fails(testing.check_length, game, played, match="more than max_steps 37")
    game = broken(TooShort)
    fails(testing.check_length, game, testing.play_deals(game, 64), match="max_steps is 39.* took 38")


class NoZeroSum(Jass):
    """Both sides get their own points."""

    def returns(self, state):
        return self.points(state).astype(jnp.float32)


class FloatPoints(Jass):
    """Points are floats."""

    def points(self, state):
        return super().points(state).astype(jnp.float32)


class Backwards(Jass):
    """Progress counts what is left."""

    def progress(self, state):
        return 157 - super().progress(state)


class OneOfTwo(Jass):
    """Only one of a team gets its points."""

    def points(self, state):
        return super().points(state).at[2].add(1)


@pytest.mark.parametrize(
    "cls, why",
    [
        (NoZeroSum, "do not add up to 0"),
        (FloatPoints, "points are float32, not int32"),
        (Backwards, "progress goes down"),
        (OneOfTwo, "points differ within a side"),
    ],
)
def test_scores_can_fail(cls, why):
    fails(testing.check_scores, broken(cls), deals(), match=why)


class FewTricks(Jass):
    """The schedule ends after eight tricks."""

    def schedule(self, round=None):
        return super().schedule(round)[:-1]


class LeadsForever(Jass):
    """Every card is said to be a lead."""

    def schedule(self, round=None):
        calls, tricks, last = super().schedule(round)
        parts = (stages.LEAD, Repeat(2, (stages.LEAD,)), stages.COMPLETE)
        return calls, tricks._replace(parts=parts), last


class OneCall(Jass):
    """Calls that come after a push are left out, but cards are played where none are left."""

    def schedule(self, round=None):
        calls, *tricks = super().schedule(round)
        return calls._replace(times=1), Repeat(1, (stages.ANY,)), *tricks


class LastTooSoon(Jass):
    """The last trick but one is said to be the last."""

    def schedule(self, round=None):
        calls, tricks, last = super().schedule(round)
        return calls, tricks._replace(times=7), last, last


@pytest.mark.parametrize(
    "cls, why",
    [
        (FewTricks, "the schedule has 34 decisions, max_steps is 38"),
        (LastTooSoon, "the stages change"),
        pytest.param(LeadsForever, "the stages change", marks=pytest.mark.slow),
        pytest.param(OneCall, "the stages change", marks=pytest.mark.slow),
    ],
)
def test_schedule_can_fail(cls, why):
    fails(testing.check_schedule, broken(cls), deals(), match=why)
