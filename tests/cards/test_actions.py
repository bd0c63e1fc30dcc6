"""Sets of actions: words, masks, and the choice of one."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxcards.cards.actions import IDLE, ActionLayout, ActionSet, fenced, select
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.games.jass.deck import DECK

SHORT = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")
FRENCH = Deck(suits="cdhs", ranks="23456789TJQKA", symbols="♣♦♥♠")
LAYOUTS = [
    ActionLayout.after_cards(DECK, 36, most=9),
    ActionLayout.after_cards(DECK, 43, most=9),
    ActionLayout.after_cards(DECK, 45, most=12),
    ActionLayout.after_cards(DECK, 50, most=14),
    ActionLayout.after_cards(DECK, 51, most=9),
    ActionLayout.after_cards(DECK, 194, most=158),
    ActionLayout.after_cards(SHORT, 32, most=8),
    ActionLayout.after_cards(SHORT, 33, most=8),
    ActionLayout.after_cards(SHORT, 99, most=60),
    ActionLayout.after_cards(FRENCH, 52, most=13),
    ActionLayout.after_cards(FRENCH, 58, most=13),
    ActionLayout.after_cards(FRENCH, 66, most=14),
]


def name(layout):
    return f"{layout.num_actions}, at most {layout.most}"


@pytest.mark.parametrize("layout", LAYOUTS, ids=name)
def test_layouts_cover_every_action_once(layout):
    assert sum(layout.widths) == layout.num_actions
    assert all(0 < width <= 32 for width in layout.widths)
    places = [o + b for o, w in zip(layout.offsets, layout.widths, strict=True) for b in range(w)]
    assert places == list(range(layout.num_actions))
    for action in range(layout.num_actions):
        assert sum(word.bit_count() for word in layout.constant([action])) == 1


@pytest.mark.parametrize("layout", LAYOUTS, ids=name)
def test_all_readings_of_a_set_agree(layout):
    """mask, count, contains, nth and sample against Python's sets, for 64 random sets."""
    rng = np.random.default_rng(layout.num_actions)
    sizes = rng.integers(1, min(layout.most, layout.num_actions) + 1, size=64)
    sets = [np.sort(rng.choice(layout.num_actions, n, replace=False)) for n in sizes]
    words = np.array([layout.constant(s.tolist()) for s in sets], np.uint32)
    tried = jnp.asarray([*range(layout.num_actions), layout.num_actions, 255, -1], jnp.int32)

    def look(words, random):
        chosen = ActionSet(layout, list(words))
        return (
            chosen.mask(),
            chosen.count(),
            jax.vmap(chosen.contains)(tried),
            jax.vmap(chosen.nth)(jnp.arange(layout.most, dtype=jnp.uint32)),
            jax.vmap(chosen.sample)(random),
        )

    random = jax.random.bits(jax.random.key(0), (64, 32))
    mask, count, contains, nth, sample = map(np.asarray, jax.jit(jax.vmap(look))(words, random))
    for i, actions in enumerate(sets):
        assert np.flatnonzero(mask[i]).tolist() == actions.tolist()
        assert count[i] == len(actions)
        assert np.flatnonzero(contains[i]).tolist() == actions.tolist()
        assert nth[i, : len(actions)].tolist() == actions.tolist()
        assert set(sample[i].tolist()) <= set(actions.tolist())
    assert nth.dtype == sample.dtype == np.int32


@pytest.mark.parametrize("most, size", [(9, 9), (9, 5), (20, 20)])
def test_sample_is_uniform(most, size):
    layout = ActionLayout.after_cards(DECK, 43, most=most)
    actions = sorted(np.random.default_rng(0).choice(43, size, replace=False).tolist())
    chosen = ActionSet.of(layout, actions)
    random = jax.random.bits(jax.random.key(1), (100_000,))
    drawn = np.asarray(jax.jit(jax.vmap(chosen.sample))(random))
    counts = np.bincount(drawn, minlength=43)[actions]
    assert counts.sum() == len(drawn)
    expected = len(drawn) / size
    chi = ((counts - expected) ** 2 / expected).sum()
    assert chi < size + 5 * np.sqrt(2 * size)


def test_full_and_cards():
    layout = LAYOUTS[1]
    assert ActionSet.full(layout).mask().all()
    cards = [0, 17, 18, 35]
    plays = ActionSet.of_cards(layout, CardSet.of(DECK, cards))
    assert np.flatnonzero(plays.mask()).tolist() == cards
    many = LAYOUTS[5]
    assert len(ActionSet.of_cards(many, CardSet.of(DECK, cards)).words) == len(many.offsets)


@settings(max_examples=30, deadline=None)
@given(st.sets(st.integers(0, 193), min_size=1))
def test_of_any_actions(actions):
    mask = ActionSet.of(LAYOUTS[5], sorted(actions)).mask()
    assert set(np.flatnonzero(mask).tolist()) == actions


def test_a_set_is_a_pytree():
    layout = LAYOUTS[1]
    batch = jax.vmap(lambda word: ActionSet(layout, [word, word]))(jnp.arange(3, dtype=jnp.uint32))
    assert batch.layout == layout and batch.words[0].shape == (3,)


@pytest.mark.parametrize("deck", [DECK, SHORT, FRENCH], ids=["36", "32", "52"])
def test_cards_are_read_and_replaced_and_other_actions_stay(deck):
    n = deck.num_cards
    layout = ActionLayout.after_cards(deck, n + 6, most=20)
    legal = ActionSet.of(layout, [0, 7, n - 1, n, n + 5])
    assert legal.cards(deck).to_list() == [0, 7, n - 1]
    other = legal.with_cards(CardSet.of(deck, [1, n - 2]))
    assert np.flatnonzero(other.mask()).tolist() == [1, n - 2, n, n + 5]


@pytest.mark.parametrize("layout", LAYOUTS, ids=name)
def test_one_set_or_another_or_all(layout):
    yes, no = ActionSet.of(layout, [1, 3]), ActionSet.of(layout, [2, layout.num_actions - 1])
    for chosen in (yes, no):
        found = select(jnp.bool_(chosen is yes), yes, no)
        np.testing.assert_array_equal(found.mask(), chosen.mask())
        np.testing.assert_array_equal(found.or_all(jnp.bool_(False)).mask(), chosen.mask())
        assert found.or_all(jnp.bool_(True)).mask().all()


def test_after_the_end_any_action_is_the_idle_one():
    for over in (False, True):
        action = fenced(jnp.int32(42), jnp.bool_(over))
        assert action.dtype == jnp.uint32 and int(action) == (IDLE if over else 42)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_only_action_of_a_set(layout):
    actions = range(layout.num_actions)
    sets = [ActionSet.of(layout, [action]) for action in actions]
    stacked = jax.tree.map(lambda *words: jnp.stack(words), *sets)
    assert jax.jit(jax.vmap(ActionSet.only))(stacked).tolist() == list(actions)
