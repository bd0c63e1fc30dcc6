"""Openings of deals: `init_from_deck` rebuilds the same deal from one, bit for bit."""

import jax
import numpy as np
import pytest
from records.played import ALL
from support.marks import by_cost

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.cards.dealing import from_deck
from jaxcards.cards.opening import deck_of
from jaxcards.testing.deals import quick_jit, require_equal


@pytest.mark.slow
@pytest.mark.parametrize("id", by_cost(ALL, set(ALL) - {"rikiki/standard"}))
def test_a_deal_begins_again_from_its_opening(id):
    game = jaxcards.make(id)

    def both(key):
        start = game.init(key)
        opening = game.opening(start)
        return start, game.init_from_deck(opening.deck, opening.dealer, **opening.facts), opening

    keys = jax.random.split(jax.random.key(1), 64)
    first, again, opening = quick_jit(jax.vmap(both))(keys)
    require_equal(first, again, id)
    # The same at the end of the deal, by which time cards have moved.
    final = quick_jit(jax.vmap(lambda key: jaxcards.rollout(game, RandomAgent(), (), key).state))(keys)
    require_equal(opening, quick_jit(jax.vmap(game.opening))(final), id)
    assert opening.facts.keys() == game.opening_facts.keys()
    for name, fact in game.opening_facts.items():
        values = np.asarray(opening.facts[name])
        assert values.shape == (64,) if fact.size is None else (64, fact.size)
        assert fact.lowest <= values.min() and values.max() <= fact.highest
        assert fact.drawn or name == "round" or (values == fact.default).all()


def test_a_deck_of_blocks_is_the_inverse_of_blocks_of_a_deck():
    deck = jaxcards.make("euchre").deck
    order = np.random.default_rng(0).permutation(deck.num_cards)
    blocks = from_deck(deck, order, (5, 5, 1))
    found = np.asarray(deck_of(deck, blocks, (5, 5, 1))).tolist()
    assert np.asarray(deck_of(deck, blocks, None)).tolist() == found
    assert sorted(found) == list(range(deck.num_cards))
    assert found[:5] == sorted(order[:5]) and found[5:10] == sorted(order[5:10])
    assert found[10] == order[10] and found[11:] == sorted(order[11:])


def test_a_game_without_an_opening_says_so():
    class Other(type(jaxcards.make("euchre"))):
        opening = jaxcards.Game.opening

    game = Other(jaxcards.make("euchre").rules)
    with pytest.raises(jaxcards.UserError, match="euchre does not tell how its deals began"):
        game.opening(game.init(jax.random.key(0)))
