"""Groups of runs that differ in their seed: the mean over the seeds, with its interval.

Every run plays its own deals, so that the spread of the results has both parts: the luck of the deals,
and the difference between the seeds.
"""

import dataclasses
import json
import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from jaxcards.errors import UserError
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.intervals import Interval, student_quantile
from jaxcards.evaluation.result import UNITS, unit_of
from jaxcards.game import Game
from jaxcards.tables import align


@dataclasses.dataclass(frozen=True)
class GroupPair:
    """Two groups of players. A player outside all groups is a group of one.

    Attributes:
      a, b: names of the groups.
      differences: A less B in points (returns) per deal: a row for each of A, a column for each of B.
      difference: the mean over A and B, with its interval over the seeds.
    """

    a: str
    b: str
    differences: tuple[tuple[float, ...], ...]
    difference: Interval


@dataclasses.dataclass(frozen=True)
class GroupEvaluation:
    """Groups of runs on duplicate deals; see `evaluate_groups`.

    Attributes:
      game: id of the game.
      groups: names of the players of each group, by its name.
      num_deals: deals of every pair of players.
      seed: of the first pair.
      pairs: the results.
      provenance: as in `Evaluation`.
    """

    game: str
    groups: Mapping[str, tuple[str, ...]]
    num_deals: int
    seed: int
    pairs: tuple[GroupPair, ...]
    provenance: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def to_json(self) -> str:
        """Return the result as a JSON text."""
        return json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False) + "\n"

    def to_text(self) -> str:
        """Return the result as a table for people."""
        unit = unit_of(self.game)
        rows = [["A - B", f"points per {unit}", "95 % interval", "runs", "lowest", "highest"]]
        for pair in self.pairs:
            values, interval = np.array(pair.differences), pair.difference
            rows.append(
                [
                    f"{pair.a} - {pair.b}",
                    f"{interval.mean:+.2f}",
                    f"[{interval.low:+.2f}, {interval.high:+.2f}]",
                    " x ".join(str(size) for size in values.shape if size > 1),
                    f"{values.min():+.2f}",
                    f"{values.max():+.2f}",
                ]
            )
        members = [
            # A group of one has the name of its player.
            f"{name}: {', '.join(names)}" for name, names in self.groups.items() if len(names) > 1
        ]
        title = f"{self.game}: {self.num_deals} {UNITS[unit]} of each pair of players, seed {self.seed}"
        return "\n".join([title, "", *align(rows), "", *members, "Intervals are over the runs."])


def group_name(name: str) -> str:
    """Return the group of a run folder: its name, with `*` for the last number.

    >>> group_name("runs/seed_12")
    'runs/seed_*'
    """
    # The last number: digits that no other digit follows.
    return re.sub(r"\d+(?=\D*$)", "*", name.rstrip("/"))


def evaluate_groups(
    game: Game,
    agents: Sequence[Any],
    params: Sequence[Any],
    names: Sequence[str],
    groups: Sequence[str],
    num_deals: int,
    seed: int = 0,
) -> GroupEvaluation:
    """Compare groups of players on duplicate deals. Players of one group do not meet.

    Args:
      game, agents, params, names: see `evaluate`.
      groups: the name of each player's group.
      num_deals: deals of every pair of players. Pair n plays those of seed `seed` + n.
      seed: 0 to 2**32 - 1.

    Raises:
      UserError: fewer than two groups, or only groups of one player; see also `evaluate`.
    """
    members: dict[str, list[int]] = {}
    for player, group in enumerate(groups):
        members.setdefault(group, []).append(player)
    if len(members) < 2:
        raise UserError("all players are in one group: name another player to compare them with")
    if all(len(players) == 1 for players in members.values()):
        raise UserError(
            "every player is in a different group: name, for example, runs/seed_0 and runs/seed_1"
        )
    pairs, number = [], 0
    for a, b in combinations(members, 2):
        table = np.zeros((len(members[a]), len(members[b])))
        for row, i in enumerate(members[a]):
            for column, j in enumerate(members[b]):
                result = evaluate(
                    game, [agents[i], agents[j]], [params[i], params[j]], [names[i], names[j]],
                    # Other deals for each pair, so that their luck is independent.
                    num_deals, (seed + number) % 2**32,
                )  # fmt: skip
                table[row, column] = result.pairs[0].difference.mean
                number += 1
        pairs.append(GroupPair(a, b, tuple(map(tuple, table.tolist())), mean_over_runs(table)))
    named = {group: tuple(names[player] for player in players) for group, players in members.items()}
    return GroupEvaluation(game.id or game.name, named, num_deals, seed, tuple(pairs))


def mean_over_runs(table: np.ndarray) -> Interval:
    """Return the mean of a table of differences, with its 95 % interval over rows and columns.

    The variance of the mean is that of the means of the rows, divided by their number, plus the same
    for the columns. A side of one player adds nothing. Student's t has the degrees of freedom of the
    smaller side that has several players, which is conservative.

    Args:
      table: float[a, b] with a > 1 or b > 1.
    """
    # The means of the rows and of the columns, where there are several.
    sides = [table.mean(axis=axis) for axis in (1, 0) if table.shape[1 - axis] > 1]
    error = math.sqrt(sum(side.var(ddof=1) / side.size for side in sides))
    half = student_quantile(min(side.size for side in sides) - 1) * error
    mean = float(table.mean())
    return Interval(mean, mean - half, mean + half)
