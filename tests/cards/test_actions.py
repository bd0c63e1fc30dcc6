"""Sets of actions: words, masks, and the choice of one."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxcards.cards.actions import IDLE, ActionLayout, ActionSet, fenced, select
from jaxcards.cards.packs import FRENCH
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.errors import UserError
from jaxcards.games.jass.play import DECK
from jaxcards.testing.deals import quick_jit
from jaxcards.xla import prng

SHORT = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")
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
    """mask, count, contains, nth and sample_word against Python's sets, for 64 random sets."""
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
            jax.vmap(chosen.sample_word)(random),
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
def test_a_choice_by_words_is_uniform(most, size):
    chosen, probability = some_actions(size, most)
    random = jax.random.bits(jax.random.key(1), (NUM_DRAWS,))
    assert_drawn_from(probability, jax.jit(jax.vmap(chosen.sample_word))(random))


NUM_DRAWS = 100_000


def some_actions(size, most=20):
    """Random actions of 43, and the probability of each of the 43 to be chosen among them uniformly."""
    actions = sorted(np.random.default_rng(0).choice(43, size, replace=False).tolist())
    probability = np.zeros(43)
    probability[actions] = 1 / size
    return ActionSet.of(ActionLayout.after_cards(DECK, 43, most=most), actions), probability


def assert_drawn_from(probability, drawn):
    """Chi-square, and that nothing impossible was drawn."""
    assert drawn.dtype == jnp.int32
    counts, possible = np.bincount(np.asarray(drawn), minlength=len(probability)), probability > 0
    assert counts[possible].sum() == drawn.size
    expected = drawn.size * probability[possible] / probability.sum()
    chi, freedom = ((counts[possible] - expected) ** 2 / expected).sum(), possible.sum() - 1
    assert chi < freedom + 5 * np.sqrt(2 * freedom) + 1e-9


def over_keys(draw):
    """Return draws with different keys, all of step 5."""
    keys = jax.random.split(jax.random.key(2), NUM_DRAWS)
    return quick_jit(jax.vmap(lambda key: draw(key, 5)))(keys)


def over_steps(draw):
    """Return draws of different steps with one key."""
    return quick_jit(jax.vmap(lambda step: draw(jax.random.key(3), step)))(jnp.arange(NUM_DRAWS))


def by_logits(chosen, logits):
    return lambda key, step: chosen.sample_logits(key, logits, step)


@pytest.mark.parametrize("many", [over_keys, over_steps])
def test_a_choice_by_keys_and_steps_is_uniform(many):
    chosen, probability = some_actions(9)
    assert_drawn_from(probability, many(chosen.sample))


@pytest.mark.parametrize("many", [over_keys, over_steps])
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16])
def test_a_choice_by_logits_follows_them(many, dtype):
    chosen, legal = some_actions(12)
    logits = jnp.asarray(np.random.default_rng(1).normal(0, 1.5, 43), dtype).at[20:30].set(50)
    exact = np.where(legal > 0, np.exp(np.asarray(logits, np.float64)), 0)
    assert (exact[20:30] == 0).any(), "an illegal action of the highest logit"
    assert_drawn_from(exact / exact.sum(), many(by_logits(chosen, logits)))


INFINITE = float("inf")


@pytest.mark.slow_after(24)
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16])
@pytest.mark.parametrize(
    "first, others, chosen_first",
    [
        (0, -INFINITE, 1),
        (-INFINITE, 0, 0),
        (-INFINITE, -INFINITE, 1 / 12),
        (INFINITE, INFINITE, 1 / 12),
        (INFINITE, 3e38, 1 / 12),
        (INFINITE, 0, 1),
        (3e38, -3e38, 1),
        (-3e38, -3e38, 1 / 12),
        (float("nan"), 0, 0),
        (float("nan"), float("nan"), 1 / 12),
    ],
)
def test_a_choice_by_any_logits_is_legal(dtype, first, others, chosen_first):
    """The first of 12 legal actions against the rest; illegal ones have every kind of logit."""
    chosen, legal = some_actions(12)
    actions = np.flatnonzero(legal)
    logits = np.resize([INFINITE, -INFINITE, np.nan, 3e38, 0], 43)
    logits[actions] = others
    logits[actions[0]] = first
    probability = np.where(legal > 0, (1 - chosen_first) / 11, 0)
    probability[actions[0]] = chosen_first
    logits = jnp.asarray(logits, dtype)
    assert_drawn_from(probability, over_steps(by_logits(chosen, logits)))


def test_no_rounding_draws_an_illegal_action(monkeypatch):
    """The largest random number there is, and weights whose sum depends on the order of adding."""
    monkeypatch.setattr(prng, "uniform", lambda word: jnp.float32(1 - 2**-24))
    chosen = ActionSet.of(LAYOUTS[1], range(40))
    logits = jax.random.normal(jax.random.key(5), (4096, 43))
    drawn = quick_jit(jax.vmap(lambda row: chosen.sample_logits(jax.random.key(6), row)))(logits)
    assert int(drawn.max()) == 39


def test_a_choice_by_logits_may_be_any_action_of_a_large_set():
    layout = LAYOUTS[5]
    draw = by_logits(ActionSet.full(layout), jnp.zeros(194))
    assert_drawn_from(np.full(194, 1 / 194), over_steps(draw))


@pytest.mark.parametrize("shape", [(), (36,), (2, 43)])
def test_there_is_a_logit_for_each_action(shape):
    chosen, _ = some_actions(9)
    with pytest.raises(UserError, match=r"^logits must have shape \[43\], one for each action, not \["):
        chosen.sample_logits(jax.random.key(0), jnp.zeros(shape))


def test_the_first_draw_is_that_of_step_0():
    """As of the raw key."""
    chosen, _ = some_actions(9)

    def draws(key):
        raw, logits = jax.random.key_data(key), jnp.zeros(43)
        any = [chosen.sample(key), chosen.sample(key, 0), chosen.sample(raw)]
        return any, [chosen.sample_logits(key, logits), chosen.sample_logits(raw, logits, 0)]

    for same in quick_jit(jax.vmap(draws))(jax.random.split(jax.random.key(4), 64)):
        first, *others = map(np.asarray, same)
        assert len(set(first.tolist())) == 9
        assert all((first == other).all() for other in others)


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
