"""The score of a deal: worked examples (docs/belote.md, 4.6), and random results by the reference."""

import dataclasses
import random

import jax
import jax.numpy as jnp
import pytest

from games.belote import examples, reference
from games.belote.playout import game_of
from games.belote.test_worked_examples import position
from games.belote.variants import rules_of
from games.rows import table, two
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote import score
from jaxcards.games.belote.play import (
    CONTRACT_WORD,
    DECK,
    DECLARED_BITS,
    DECLARED_PUBLIC,
    POINTS_BITS,
    Contract,
)
from jaxcards.testing.deals import quick_jit


def scored_row(row):
    """Return the numbers of a row of `examples.SCORES`."""
    id_, name, bidder, level, m, c, w, d, b, carry, scores, outcome, carry_out = row
    level = None if level == "-" else level
    inputs = (int(bidder), level, int(m), two(c), two(w), two(d), two(b), int(carry))
    return id_, name, inputs, (two(scores), outcome, int(carry_out))


@table(examples.SCORES)
def test_scores_rule(row):
    _, name, inputs, want = scored_row(row)
    assert reference.deal_score(rules_of(name), *inputs) == want


def finished(name: str, bidder, level, m, c, w, d, b, carry, alone=False):
    """Return a state after the last card, with these results of the teams; `bidder` is seat 0 or 1."""
    state = position(name, 1, [[], [], [], []], 32)[0]
    # King and queen of trumps (here hearts), together with each team that has the belote.
    if max(b):
        hands = [CardSet.of(DECK, DECK.cards("Kh Qh") if points else []) for points in b]
        state = dataclasses.replace(state, hands=(*state.hands[:2], *hands))
    partner = 2 * (not alone)  # who wins the first trick of each team
    seats = [1 if trick < w[1] else 0 for trick in range(8)]
    seats = [seat + (partner if trick in (0, w[1]) else 0) for trick, seat in enumerate(seats)]
    changes = {
        "points": jnp.uint32(c[0] | c[1] << POINTS_BITS),
        "winners": jnp.uint32(sum(seat << 2 * trick for trick, seat in enumerate(seats))),
        "dealer": jnp.uint8((bidder + 3) % 4),
        "num_calls": jnp.uint8(1),
    }
    if state.declared is not None:
        declared = d[0] // 10 | d[1] // 10 << DECLARED_BITS | DECLARED_PUBLIC
        state = dataclasses.replace(state, declared=jnp.uint32(declared))
    else:
        assert max(d) == 0
    if state.public.carry is not None:
        changes["carry"] = jnp.uint32(carry)
    if level is not None:
        number = game_of(name).rules.levels.index(level)
        parts = (number + 1, 1, bidder, {1: 0, 2: 1, 4: 2}[m], 0)
        changes["contract"] = CONTRACT_WORD.pack(Contract(*map(jnp.uint32, parts)))
    return state.with_public(**changes)


@table(examples.SCORES)
def test_scores(row):
    _, name, inputs, (scores, outcome, carry_out) = scored_row(row)
    game, state = game_of(name), finished(name, *inputs)
    found = score.outcome(game.rules, state)
    assert [int(points) for points in found.scores] == scores
    assert game.points(state).tolist() == scores * 2
    assert (bool(found.made), bool(found.failed)) == (outcome == "made", outcome == "failed")
    assert int(found.carry) == carry_out


def test_a_generale_is_won_by_the_bidder_alone():
    """Value 500 (contree.net, ContrAI); the partner may not win a trick."""
    result = 0, "generale", 1, [162, 0], [8, 0], [0, 0], [0, 0], 0
    rules, name = game_of("generale").rules, "generale"
    alone, together = (score.outcome(rules, finished(name, *result, one)) for one in (True, False))
    assert (bool(alone.made), [*map(int, alone.scores)]) == (True, [750, 0])
    assert (bool(together.made), [*map(int, together.scores)]) == (False, [0, 660])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bids_to_210", "generale", "contract_only", "cards_make"])
def test_scores_of_random_results(name):
    """The compiled score is that of the reference, for results that random play seldom has."""
    source, rules = random.Random(3), rules_of(name)
    contract, declares = rules.auction == "contract", rules.declarations
    inputs = []
    for _ in range(300):
        first = source.choice((0, 8, *range(1, 8)))
        cards = {0: 0, 8: 162}.get(first, source.choice((71, 81, 91, source.randrange(5, 158))))
        declared = [0, 0]
        declared[source.randrange(2)] = source.choice((0, 0, 10, 20, 50, 100, 250)) if declares else 0
        belote = source.choice(([0, 0], [20, 0], [0, 20]))
        level = source.choice(reference.levels(rules)[:2] * 4 + reference.levels(rules))
        inputs.append((
            source.randrange(2), level if contract else None,
            source.choice((1, 1, 2, 4)) if contract else 1,
            [cards, 162 - cards], [first, 8 - first], declared, belote,
            source.choice((0, 81)) if rules.tie == "litige" else 0, source.random() < 0.5,
        ))  # fmt: skip
    states = jax.tree.map(lambda *leaves: jnp.stack(leaves), *(finished(name, *one) for one in inputs))
    found = quick_jit(jax.vmap(lambda state: score.outcome(game_of(name).rules, state)))(states)
    outcomes = set()
    for i, (*one, alone) in enumerate(inputs):
        alone = alone and one[4][one[0]] == 8
        scores, outcome, carry = reference.deal_score(rules, *one, alone=alone)
        assert [int(points[i]) for points in found.scores] == scores, (one, alone)
        assert (bool(found.made[i]), bool(found.failed[i])) == (outcome == "made", outcome == "failed")
        assert int(found.carry[i]) == carry
        outcomes.add(outcome)
    assert {"made", "failed"} <= outcomes and ("litige" in outcomes) == (rules.tie == "litige")
