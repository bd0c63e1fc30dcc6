"""Checks of what players see, and of words, fail for games that get them wrong."""

import dataclasses

import jax
import jax.numpy as jnp
import pytest
from support.fakes.broken import broken, deals, fails, openings

import jaxcards
from jaxcards import testing
from jaxcards.cards import history
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.errors import UserError
from jaxcards.games.euchre.game import Euchre
from jaxcards.games.jass.game import Jass


class Openings(Jass):
    """Jass with a determinization that compiles fast and holds before the first card only."""

    def determinize(self, key, state, player):
        own = by_seat(state.hands, player)
        order = jax.random.uniform(key, (36,)) + jnp.where(own.mask(), 2, 0)
        block = jnp.argsort(jnp.argsort(order)) // 9  # the player's own cards are block 3
        bits = jnp.uint32(1) << jnp.arange(18, dtype=jnp.uint32)
        hands = []
        for seat in range(4):
            mine = (block == ((seat - player - 1) & 3)).reshape(2, 18)
            words = jnp.where(mine, bits, 0).sum(axis=1, dtype=jnp.uint32)
            hands.append(CardSet(self.deck, [words[0], words[1]]))
        return dataclasses.replace(state, hands=tuple(hands))


@pytest.mark.slow
def test_openings_are_sound():
    """The games behind the broken games below pass."""
    game = broken(Openings)
    testing.check_determinize(game, openings(), number=64)
    testing.check_observations_hide(game, openings(), number=64)


class LeakyObservation(Openings):
    """A player sees the first word of the next player's hand."""

    def observe(self, state, player):
        seen = super().observe(state, player)
        hands = jnp.stack([hand.words[0] for hand in state.hands])
        points = seen.public.points ^ (hands[(player + 1) & 3] & 1)
        return dataclasses.replace(seen, public=dataclasses.replace(seen.public, points=points))


class LeakyMask(Openings):
    """A player may push only if the partner holds the lowest card."""

    def _legal(self, state, stage):
        legal = super()._legal(state, stage)
        partner = jnp.stack([hand.words[0] for hand in state.hands])[(state.current_player + 2) & 3]
        banned = (state.public.num_calls == 0) & (partner & 1 == 0)
        words = [
            legal.words[0],
            jnp.where(banned, legal.words[1] & ~jnp.uint32(1 << 24), legal.words[1]),
        ]
        return ActionSet(legal.layout, words)


class Peeking(LeakyObservation):
    """Sees hidden cards, and its `determinize` keeps them where they are."""

    def determinize(self, key, state, player):
        return state


class MovesOwnCards(Jass):
    """Resamples the player's own cards as well."""

    def determinize(self, key, state, player):
        hands = self.init(key).hands
        return dataclasses.replace(state, hands=hands)


class ReadsHiddenCards(Openings):
    """Resampled cards depend on the hidden cards."""

    def determinize(self, key, state, player):
        word = state.hands[0].words[0] ^ state.hands[1].words[0]
        return super().determinize(jax.random.fold_in(key, word), state, player)


class EndsTheDeal(Jass):
    """The resampled deal is over."""

    def determinize(self, key, state, player):
        return state.with_public(num_played=jnp.uint32(36))


class ForgetsTheScore(Jass):
    """Once a deal is over, the resampled deal has other points."""

    def determinize(self, key, state, player):
        other = super().determinize(key, state, player)
        return other.with_public(points=other.public.points ^ state.terminated)


@pytest.mark.parametrize("cls", [LeakyObservation, LeakyMask])
def test_observations_hide_can_fail(cls):
    fails(
        testing.check_observations_hide, broken(cls), openings(), match="hidden cards show", number=128
    )


@pytest.mark.slow
def test_determinize_of_a_finished_deal_can_fail():
    changed = r"changes what the player sees: \.public\.points"
    fails(testing.check_determinize, broken(ForgetsTheScore), deals(), match=changed, number=64)


@pytest.mark.slow
def test_play_hides_can_fail():
    fails(
        testing.check_play_hides, broken(LeakyObservation), match=r"show in observation\.public\.points"
    )
    fails(testing.check_play_hides, broken(LeakyMask), match="show in the legal set")
    # A leak that the game's own determinization does not bring to light.
    fails(testing.check_play_hides, broken(Peeking), match=r"show in observation\.public\.points")


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "cls, why",
    [
        (MovesOwnCards, "determinize changes the player's own hand|in no place"),
        (ReadsHiddenCards, "reads what the player does not see"),
        (EndsTheDeal, "ends a deal that goes on"),
        (Peeking, "moves no card"),
    ],
)
def test_determinize_can_fail(cls, why):
    fails(testing.check_determinize, broken(cls), openings(), match=why, number=64)


class OtherName(Jass):
    """Two actions have one name."""

    def action_names(self):
        return [*super().action_names()[:42], super().action_names()[41]]


class TakesAnyName(Jass):
    """Every text is an action."""

    def string_to_action(self, name):
        try:
            return super().string_to_action(name)
        except UserError:
            return 0


class StrayFeatures(Jass):
    """The words of features have bits beyond the last feature."""

    def feature_words(self, observation):
        return super().feature_words(observation) | jnp.uint32(1 << 31)


class RelabelsPlays(Jass):
    """Moves every card by one and does not come back."""

    def relabel_action(self, observation, action):
        return ((action + 1) % self.num_actions).astype(jnp.int32)


class RelabelsSetsOnly(Jass):
    """Translates legal sets but not actions."""

    def relabel_action(self, observation, action):
        return action.astype(jnp.int32)


class Unchecked(Jass):
    """Takes any action."""

    def checked_step(self, state, action):
        number = action if isinstance(action, int) else self.string_to_action(action)
        return self.step(state, jnp.int32(number))


@pytest.mark.slow
def test_words_and_features_can_fail():
    fails(testing.check_action_names, broken(OtherName), match="two actions have the same name")
    fails(testing.check_action_names, broken(TakesAnyName), match="of no action is taken")
    fails(testing.check_features, broken(StrayFeatures), deals(), match="bits beyond its")
    fails(testing.check_relabelling, broken(RelabelsPlays), deals(), match="not its own inverse")
    fails(testing.check_relabelling, broken(RelabelsSetsOnly), deals(), match="disagree")
    fails(testing.check_checked_step, broken(Unchecked), deals(), match="takes action")


class HidesACard(Jass):
    """The card that another player led is not shown."""

    def history(self, observation):
        found = super().history(observation)
        first = (jnp.arange(self.max_steps) == 2) & (found.players != observation.player)
        return found._replace(actions=jnp.where(first, -1, found.actions))


class SwapsTheFirst(Jass):
    """The first two actions come in the wrong order."""

    def history(self, observation):
        found = super().history(observation)
        swapped = found.actions.at[:2].set(found.actions[1::-1])
        return found._replace(actions=jnp.where(found.length >= 2, swapped, found.actions))


class WrongSeat(Jass):
    """The dealer seems to have taken each action."""

    def history(self, observation):
        found = super().history(observation)
        dealer = observation.public.dealer.astype(jnp.int32)
        return found._replace(players=jnp.where(found.players < 0, -1, dealer))


class CountsOneMore(Jass):
    """The length is too large."""

    def history(self, observation):
        found = super().history(observation)
        return found._replace(length=found.length + 1)


class RemembersMore(Jass):
    """Entries after the last action are not empty."""

    def history(self, observation):
        found = super().history(observation)
        return found._replace(actions=jnp.maximum(found.actions, 0))


@pytest.mark.parametrize(
    "cls, why",
    [
        (HidesACard, "actions are not those taken"),
        (SwapsTheFirst, "actions are not those taken"),
        (WrongSeat, "players are not those who acted"),
        (CountsOneMore, "length is not the number of actions"),
        (RemembersMore, "actions after the last one are not -1"),
    ],
)
def test_history_can_fail(cls, why):
    fails(testing.check_history, broken(cls), deals(), match=why)


class BuriesAnother(Euchre):
    """The dealer remembers another card than the one that it has laid aside."""

    def history(self, observation):
        found = super().history(observation)
        discard = history.ascending(observation.discards, 1)
        away = observation.discards.any() & (found.actions == discard)
        return found._replace(actions=jnp.where(away, found.actions ^ 1, found.actions))


@pytest.mark.slow
def test_history_of_cards_laid_aside_can_fail():
    game = BuriesAnother(jaxcards.make("euchre").rules, "broken")
    fails(testing.check_history, game, match="cards laid aside are not those taken")


def test_a_game_without_a_history_passes():
    class Silent(Jass):
        history = jaxcards.Game.history

    testing.check_history(broken(Silent), deals())
