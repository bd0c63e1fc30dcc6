"""The steps after the last update: the player's file, its evaluation, pictures."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jaxcards.agent import Agent
from jaxcards.agents.learners.base import Learner
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.registry import player_file
from jaxcards.agents.networks import saved
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.groups import GroupEvaluation, GroupPair, group_name, mean_over_runs
from jaxcards.evaluation.plot import plot
from jaxcards.evaluation.result import UNITS, Evaluation, unit_of
from jaxcards.files import write_text
from jaxcards.game import Game
from jaxcards.tables import align
from jaxcards.training.curve import plot_curve
from jaxcards.training.folder import RunFolder
from jaxcards.training.player import write_player
from jaxcards.training.yardstick import Yardstick

# Duplicate deals of every pair in the evaluation of a finished player.
FINAL_DEALS = 2000


def end_seconds(yardstick: Yardstick, evaluate: bool, once: float) -> float:
    """Estimate the time of `finish` and the final evaluation, without compiling.

    Args:
      yardstick: the measurement while training.
      evaluate: whether the finished player is evaluated.
      once: seconds of one measurement.

    Returns:
      Seconds, with the yardstick's last use.
    """
    # An estimate for the pictures.
    drawing = 2.0
    if not evaluate:
        return drawing + once
    players = 1 + len(yardstick.opponents)
    pairs = players * (players - 1) / 2
    # The deals of the final evaluation, in units of one measurement.
    deals = pairs * FINAL_DEALS / (len(yardstick.opponents) * yardstick.num_deals)
    return drawing + once + deals * once


def finish(folder: RunFolder, name: str, learner: Learner, state: Any) -> None:
    """Write the file of the player, which is player.msgpack for a network, and curve.png.

    Args:
      folder: of the run.
      name: of the learner.
      learner: the learner.
      state: its last state.
    """
    if player_file(name):
        write_player(name, learner, state, folder)
    else:
        saved.write_network(folder.player, learner.describe_network(), learner.saved(state))
    game = learner.game
    plot_curve(folder.metrics, folder.curve, f"{game.id or game.name}: {folder.path.name}")


def final_evaluation(
    folder: RunFolder, game: Game, player: Agent, params: Any, others: Mapping[str, FixedPlayer],
    provenance: Mapping[str, Any], seed: int = 0,
) -> Evaluation:  # fmt: skip
    """Compare the player with others on new deals, and write the evaluation.

    Args:
      folder: of the run.
      game: of single deals.
      player, params: the trained player.
      others: the players to compare it with, by name.
      provenance: of the evaluation, see `Evaluation`.
      seed: of the deals.
    """
    result = evaluate(
        game,
        agents=[player, *(other.agent for other in others.values())],
        params=[params, *(other.params for other in others.values())],
        names=[str(folder.path), *others],
        num_deals=FINAL_DEALS,
        seed=seed,
    )
    result = dataclasses.replace(result, provenance=provenance)
    write_text(folder.evaluation, result.to_json())
    plot(result, folder.evaluation_plot)
    return result


def seeds_evaluation(results: Sequence[Evaluation]) -> GroupEvaluation:
    """Return the evaluations of several seeds as those of a group."""
    first, names = results[0], tuple(one.names[0] for one in results)
    group, pairs = group_name(names[0]), []
    # The first pairs are those of the trained player.
    for place, other in enumerate(first.names[1:]):
        # A row for each seed, and one column: the opponent is a single player.
        column = [[one.pairs[place].difference.mean] for one in results]
        differences = tuple(map(tuple, column))
        pairs.append(GroupPair(group, other, differences, mean_over_runs(np.array(column))))
    groups = {group: names}
    return GroupEvaluation(first.game, groups, first.num_deals, first.seed, tuple(pairs))


def grid_table(results: Mapping[str, Sequence[Evaluation]]) -> tuple[str, str]:
    """Return the combinations of a grid as a table for people, the best first, and the best one's name.

    Args:
      results: by the name of a combination the evaluations of its seeds, with the same opponents. The
        first opponent decides the order.
    """
    found, first = [], next(iter(results.values()))[0]
    others = first.names[1:]
    for name, seeds in results.items():
        # The interval of a single seed is over the deals.
        pairs = seeds_evaluation(seeds).pairs if len(seeds) > 1 else seeds[0].pairs
        found.append((name, [pair.difference for pair in pairs[: len(others)]]))
    found.sort(key=lambda one: -one[1][0].mean)
    rows = [["settings", *(text for other in others for text in (f"against {other}", "95 % interval"))]]
    for name, intervals in found:
        cells = [(f"{one.mean:+.2f}", f"[{one.low:+.2f}, {one.high:+.2f}]") for one in intervals]
        rows.append([name, *(cell for pair in cells for cell in pair)])
    unit = unit_of(first.game)
    title = (
        f"{first.game}: points per {unit} more than each opponent, "
        f"{first.num_deals} {UNITS[unit]} for each run"
    )
    return "\n".join([title, "", *align(rows)]), found[0][0]
