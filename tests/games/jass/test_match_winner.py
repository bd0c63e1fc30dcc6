"""The winner of a match computed from the cards equals the one that is kept while playing."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.games.jass import score
from jaxcards.games.jass.play import NO_WINNER
from jaxcards.testing.deals import quick_jit
from jaxcards.xla import prng

RULES = {
    "close to 1000": ("jass/schieber_1000", {}, (900, 880)),
    "multiplied": ("jass/schieber_2500", {}, (2250, 2300)),
    "slalom": ("jass/slalom", {}, (2300, 2250)),
    # A random player seldom takes all tricks, so the target is one that Weis and cards reach as well.
    "large bonus": ("jass/schieber_1000", {"match_bonus": 900}, (870, 860)),
    "tricks first": ("jass/schieber_1000", {"target_order": "stock_trick_weis"}, (980, 985)),
}


@pytest.mark.parametrize("name", by_cost(RULES, {*RULES} - {"close to 1000"}))
def test_replayed_equals_kept(name: str) -> None:
    id, changes, totals = RULES[name]
    game = jaxcards.make(id, **changes)
    agent = RandomAgent()

    def play(key: jax.Array):
        words = prng.key_words(key)
        start = game.next_deal(key, game.init(key), jnp.array(totals * 2))

        def turn(state, time):
            legal = game.legal_actions(state)
            action = agent.act((), None, legal, prng.wrap(prng.fold(words, time)))
            after = game.step(state, action)
            return after, (after.match_winner, score.replayed_match_winner(game.rules, after))

        return jax.lax.scan(turn, start, jnp.arange(game.max_steps, dtype=jnp.uint32))[1]

    keys = jax.random.split(jax.random.key(1), 512)
    kept, replayed = map(np.asarray, quick_jit(jax.vmap(play))(keys))
    assert (kept == replayed).all()
    decided = kept[:, -1] != NO_WINNER
    assert decided.sum() > 20 and (kept[:, -1] == 0).any() and (kept[:, -1] == 1).any()
