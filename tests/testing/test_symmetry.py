"""The check of exchangeable suits passes for what is right, and fails for games that get it wrong."""

import pytest
from support.fakes.broken import broken, fails

from jaxcards import testing
from jaxcards.cards.symmetry import SuitSymmetry, permutations_of_others
from jaxcards.games.jass.game import Jass

EXCHANGE = ((0, 1, 2, 3), (0, 2, 1, 3))


class FewerSuits(Jass):
    """Exchanges two suits alone, so that few deals show it."""

    @property
    def suit_symmetry(self):
        return SuitSymmetry(EXCHANGE)


class SaysNotWhatSuitsAre(FewerSuits):
    """Some features of suits do not say that they are."""

    def write_features(self, observation):
        out = super().write_features(observation)
        place = next(i for i, feature in enumerate(out.features) if feature.name == "led suit")
        out.features[place] = type(out.features[place])("led suit", 4)
        return out


class CardsStay(Jass):
    """Says that a card keeps its name although its suit is exchanged."""

    @property
    def suit_symmetry(self):
        return SuitSymmetry(EXCHANGE, fixed=1 << 9)


class IdentityLast(Jass):
    """Begins with a permutation that changes suits."""

    @property
    def suit_symmetry(self):
        return SuitSymmetry(permutations_of_others(0)[::-1])


@pytest.mark.slow
def test_what_is_right_passes():
    testing.check_suit_symmetry(broken(FewerSuits), num_deals=8)


def test_what_is_no_permutation_fails():
    fails(testing.check_suit_symmetry, broken(IdentityLast), match="first permutation changes suits")
    fails(testing.check_suit_symmetry, broken(CardsStay), match="two cards become the same")


@pytest.mark.slow
def test_features_that_do_not_move_fail():
    game = broken(SaysNotWhatSuitsAre)
    fails(testing.check_suit_symmetry, game, match="features differ", num_deals=8)
