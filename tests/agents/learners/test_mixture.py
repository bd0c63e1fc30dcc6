"""Presets and drawn rules that one network learns."""

import pytest

import jaxcards
from jaxcards.agents.learners.mixture import Mixture
from jaxcards.agents.networks.vocabulary import facts
from jaxcards.errors import UserError

MAIN = {
    "jass": ("jass/schieber_1000", ("slalom",)),
    "belote": ("belote/bela", ("contree",)),
    "euchre": ("euchre/standard", ("british",)),
    "rikiki": ("rikiki/standard", ("standard5",)),
    "sheepshead": ("sheepshead/standard", ("standard_jd",)),
}


def test_one_game_needs_no_vocabulary():
    mixture = Mixture.of(jaxcards.make("jass"), (), 0, 0)
    assert len(mixture.games) == 1 and mixture.policy is None and mixture.critic is None


@pytest.mark.parametrize("name", MAIN)
def test_drawn_rules_are_new_and_near(name):
    id, presets = MAIN[name]
    mixture = Mixture.of(jaxcards.make(id), presets, 4, seed=3)
    known, drawn = mixture.games[: 1 + len(presets)], mixture.games[1 + len(presets) :]
    assert (
        mixture.games[0].id == id and len(drawn) == 4 and len(set(mixture.games)) == len(mixture.games)
    )
    actions = {action for game in known for action in game.action_names()}
    for game in drawn:
        assert set(game.action_names()) <= actions
        near = [_changes(game.rules, other.rules) for other in known]
        assert 1 <= min(near) <= 2
        assert facts(game.rules) not in [facts(other.rules) for other in known]


def _changes(rules, other):
    return sum(getattr(rules, name) != getattr(other, name) for name in rules.__dataclass_fields__)


def test_the_seed_decides_on_the_rules():
    game = jaxcards.make("jass")
    drawn = [Mixture.of(game, (), 3, seed).games for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_preset_that_does_not_exist_is_refused():
    with pytest.raises(UserError, match="did you mean 'slalom'"):
        Mixture.of(jaxcards.make("jass"), ("slalon",), 0, 0)
