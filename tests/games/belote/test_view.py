"""The view of a finished deal: its lines add up to the score, and its result is the outcome."""

import jax.numpy as jnp
import numpy as np
import pytest
from view.test_lines import total

import jaxcards
from games.belote.golden import GOLDEN
from jaxcards.games.belote import score
from jaxcards.games.belote.play import CONTRACT_WORD
from jaxcards.testing.deals import quick_jit
from jaxcards.view.look import seen_by
from jaxcards.view.text import render

LITIGE = next(golden for golden in GOLDEN if golden.outcome == "litige")
BELA, CONTRACT = GOLDEN[0], next(golden for golden in GOLDEN if golden.level)
OTHERS = {"made": "result.fulfilled", "failed": "result.failed", "litige": "result.level"}


@pytest.mark.slow_after(4)
@pytest.mark.parametrize(
    "golden, changes, doubled, outcome",
    [
        (LITIGE, {}, 0, "litige"),
        (LITIGE, {"tie": "make"}, 0, "made"),
        (LITIGE, {"bonus_makes": False}, 0, "failed"),
        (BELA, {"tie": "litige"}, 0, "failed"),
        (BELA, {"tie": "litige", "belote_safe": True}, 0, "failed"),
        (CONTRACT, {}, 0, None),
        (CONTRACT, {"tie": "litige"}, 0, None),
        (CONTRACT, {"tie": "litige"}, 1, None),
        (CONTRACT, {"contract_only": True}, 2, None),
        (CONTRACT, {"bonus_makes": False}, 0, "made"),
    ],
)
def test_lines_add_up_to_the_score(golden, changes, doubled, outcome):
    game = jaxcards.make(f"belote/{golden.variant}", **changes)
    state, step = game.init_from_deck(jnp.array(golden.deck), golden.dealer), quick_jit(game.step)
    for action in golden.actions:
        state = step(state, jnp.int32(action))
    carry = 30 if state.public.carry is not None else 0
    if carry:
        state = state.with_public(carry=jnp.uint32(carry))
    if doubled:
        contract = CONTRACT_WORD.unpack(state.public.contract)._replace(doubled=jnp.uint32(doubled))
        state = state.with_public(contract=CONTRACT_WORD.pack(contract))
    points, found = np.asarray(game.points(state)), score.outcome(game.rules, state)
    kept = "made" if found.made else "failed" if found.failed else "litige"
    assert outcome in (None, kept)
    view = seen_by(game, 0, game.observe(state, 0), np.ones(game.num_actions, bool), 0, True, points)
    told = view.result[0]
    assert told.key == OTHERS[kept]
    assert kept == "litige" or (told.args["points"] >= told.args["need"]) == (kept == "made")
    unit = game.rules.rounding
    for side in view.scores:
        assert (total(side) + unit // 2) // unit * unit == side.result
    lines = {line.key: line.args.get("points") for side in view.scores for line in side.lines}
    assert lines.get("line.carry") == (carry or None if kept != "litige" else None)


def test_a_generale_has_a_name():
    game = jaxcards.make("belote/coinche", generale=True)
    state = game.checked_step(game.init_from_deck(jnp.arange(32), 3), "bid generale d")
    mask = np.asarray(game.legal_action_mask(state))
    view = seen_by(game, 1, game.observe(state, 1), mask, 1, False, None)
    assert [choice.text.key for choice in view.choices] == ["do.pass", "do.double"]
    assert render(view.facts[0], (), ()) == "générale ♦"
