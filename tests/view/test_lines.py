"""The lines of a score: they add up to the points of a finished deal."""

import jax
import numpy as np
import pytest
from support.marks import by_cost
from view.test_outcomes import finished

from jaxcards import registry
from jaxcards.view.look import seen_by

PRESETS = [
    id
    for id in registry.games()
    if id.split("/")[0] in ("jass", "belote") and id != "jass/differenzler"
]
FAST = ("belote/contree", "belote/bela", "jass/slalom")


def views(id, number):
    """Return the game, and the views of player 0 of finished deals."""
    # Random bids are never made, so that contracts need better players.
    player = "heuristic" if id.startswith(("belote/contree", "belote/coinche")) else "random"
    game, (seen, points, _) = finished(id, number, player)
    mask = np.ones(game.num_actions, bool)
    for deal in range(number):
        one = jax.tree.map(lambda leaf, deal=deal: leaf[deal], seen)
        yield game, seen_by(game, 0, one, mask, 0, True, points[deal])


def total(score):
    """Return the sum of the lines of a score."""
    factors = [line.args["number"] for line in score.lines if line.key == "line.times"]
    return sum(line.args.get("points", 0) for line in score.lines) * (factors or [1])[0]


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("id", by_cost(PRESETS, set(PRESETS) - set(FAST)))
def test_lines_add_up_to_the_result(id):
    keys = set()
    for game, view in views(id, 60):
        unit = getattr(game.rules, "rounding", 1)
        for score in view.scores:
            assert (total(score) + unit // 2) // unit * unit == score.result, (view.result, score)
            keys |= {line.key for line in score.lines}
    assert {"line.cards", "line.last_trick"} <= keys
    if game.rules.__class__.__name__ == "BeloteRules" and game.rules.auction == "contract":
        assert {"line.contract", "line.all_cards"} <= keys
