"""The names of `jaxcards.learn` are those that the built-in learners use."""

import jaxcards
from jaxcards import learn
from jaxcards.agents.learners import advantages
from jaxcards.agents.networks import masking, vocabulary


def test_the_parts_are_those_of_the_learners():
    assert jaxcards.learn is learn
    assert learn.turn_based_advantages is advantages.turn_based_advantages
    assert learn.policy_vocabulary is vocabulary.policy_vocabulary
    for name in ("log_probabilities", "entropy", "sample", "divergence", "epsilon_greedy"):
        assert getattr(learn, name) is getattr(masking, name)


def test_every_name_has_a_docstring():
    assert all(getattr(learn, name).__doc__ for name in learn.__all__)
