"""The result of an evaluation: numbers, a table for people, JSON."""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from jaxcards.errors import UserError, unknown
from jaxcards.evaluation.intervals import Interval
from jaxcards.evaluation.scores import SCORES
from jaxcards.tables import align


@dataclasses.dataclass(frozen=True)
class Pair:
    """The result of two players on the same deals.

    Attributes:
      a, b: their names.
      difference: A less B in points (returns) per deal, or in the score of the evaluation.
      sd: standard deviation of that difference over deals.
      detectable: the smallest true difference that this number of deals shows with a power of 80 %.
      won: share of deals whose difference is above 0; ties count half.
      tied: share of deals whose difference is exactly 0.
      points_a, points_b: mean points of each one's side per deal.
      reduced: the difference with reduced variance, see `evaluation.aivat`; None without.
    """

    a: str
    b: str
    difference: Interval
    sd: float
    detectable: float
    won: Interval
    tied: float
    points_a: float
    points_b: float
    reduced: Interval | None = None

    @property
    def deals_saved(self) -> float | None:
        """Number of plain deals that one deal with reduced variance is worth; None without."""
        if self.reduced is None:
            return None
        plain, reduced = (found.high - found.low for found in (self.difference, self.reduced))
        # The width of an interval falls with the root of the number of deals.
        return (plain / reduced) ** 2 if reduced else None

    def reversed(self) -> "Pair":
        """Return the same result, seen from B."""
        return dataclasses.replace(
            self,
            a=self.b,
            b=self.a,
            difference=-self.difference,
            won=self.won.complement(),
            points_a=self.points_b,
            points_b=self.points_a,
            reduced=self.reduced and -self.reduced,
        )


@dataclasses.dataclass(frozen=True)
class Standing:
    """A player against the average of all others.

    Attributes:
      name: of the player.
      difference: points (returns) per deal more than the opponents, averaged over them.
      elo: rating in Elo points above the average of all players, by deals won (see
        `jaxcards.evaluation.elo`); None in results of version 0.2 and before.
    """

    name: str
    difference: Interval
    elo: Interval | None = None


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """The results of all pairs of players on duplicate deals; see `evaluation.duplicate.evaluate`.

    Attributes:
      game: id of the game.
      names: the players.
      num_deals: deals of each pair, the same for all.
      num_seatings: seatings of each deal.
      seed: of the deals.
      pairs: results of all pairs (i, j), i < j, in the order of `names`. Each has its own 95 %
        interval: on average, one of twenty pairs misses the truth.
      standings: each player against all others, best first.
      ended_at_bound: the number of matches, over all pairs and seatings, that ended at
        `Game.match_bound` and not by a rule; 0 for single deals.
      with_open_hands: those of `names` that see all hands, see `jaxcards.agent.OpenHandsAgent`.
      calls: the player that made the calls of all; "" if each made its own.
      score: the unit of all differences, one of `scores.SCORES`.
      provenance: origin of the result, as JSON values: version, rules, machine, command.
    """

    game: str
    names: tuple[str, ...]
    num_deals: int
    num_seatings: int
    seed: int
    pairs: tuple[Pair, ...]
    standings: tuple[Standing, ...]
    ended_at_bound: int = 0
    with_open_hands: tuple[str, ...] = ()
    calls: str = ""
    score: str = "points"
    provenance: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def pair(self, a: str, b: str) -> Pair:
        """Return the result of two players, A less B.

        Raises:
          UserError: if a name is unknown, or both names are the same.
        """
        for name in (a, b):
            if name not in self.names:
                raise unknown("player", name, self.names)
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                return pair.reversed()
        raise UserError(f"{a} did not play against itself")

    def cross_table(self) -> np.ndarray:
        """Return float64[n, n]: the difference of the player of the row less that of the column."""
        table = np.zeros((len(self.names), len(self.names)))
        for i, a in enumerate(self.names):
            for j, b in enumerate(self.names):
                if i != j:
                    table[i, j] = self.pair(a, b).difference.mean
        return table

    def to_json(self) -> str:
        """Return the result as a JSON text, which `from_json` reads."""
        return json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Evaluation":
        """Return the result from the text of `to_json`.

        Raises:
          UserError: if the text is not such a result.
        """
        try:
            values = json.loads(text)
            # Lists of JSON become tuples, and its objects become intervals.
            pairs = tuple(Pair(**_intervals(pair)) for pair in values.pop("pairs"))
            rows = tuple(Standing(**_intervals(row)) for row in values.pop("standings"))
            names = tuple(values.pop("names"))
            open_ = tuple(values.pop("with_open_hands", ()))
            return cls(names=names, pairs=pairs, standings=rows, with_open_hands=open_, **values)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise UserError(f"not a result of an evaluation: {error}") from None

    @property
    def unit(self) -> str:
        """The unit of play; see `unit_of`."""
        return unit_of(self.game)

    @property
    def measure(self) -> str:
        """The unit of the differences, such as "points per deal"."""
        return f"{SCORES[self.score]} per {self.unit}"

    def to_text(self) -> str:
        """Return the result as a table for people."""
        units = UNITS[self.unit]
        lines = [
            f"{self.game}: {self.num_deals} {units}, each in {self.num_seatings} seatings, "
            f"seed {self.seed}",
            "",
            *_pair_lines(self.pairs, self.measure, units),
        ]
        if any(pair.reduced for pair in self.pairs):
            lines += ["", *_reduced_lines(self.pairs, self.measure)]
        # With two players, their pair says it all.
        if len(self.names) > 2:
            lines += ["", *_standing_lines(self.standings, self.measure)]
            lines += ["", f"{self.measure} of the row less the column:", *_cross_lines(self)]
        if self.ended_at_bound:
            number = self.num_deals * self.num_seatings * len(self.pairs)
            lines += ["", f"{self.ended_at_bound} of {number} matches ended at the bound of deals"]
        lines += ["", *_notes(self)]
        return "\n".join(lines)


UNITS = {"deal": "deals", "match": "matches"}
"""The unit of play, singular: plural."""


def unit_of(game: str) -> str:
    """Return the unit of play of an id: "deal", or "match", which counts 1 or -1."""
    return "match" if game.endswith(" match") else "deal"


def _intervals(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: Interval(**value) if isinstance(value, dict) else value for name, value in values.items()
    }


def _pair_lines(pairs: tuple[Pair, ...], measure: str, units: str) -> list[str]:
    head = ["A - B", measure, "95 % interval", f"{units} won", "95 % interval"]
    head += ["points A", "points B", "detectable"]
    rows = [
        [
            f"{pair.a} - {pair.b}",
            f"{pair.difference.mean:+.2f}",
            _between(pair.difference, "+.2f"),
            f"{100 * pair.won.mean:.1f} %",
            f"[{100 * pair.won.low:.1f}, {100 * pair.won.high:.1f}]",
            f"{pair.points_a:.1f}",
            f"{pair.points_b:.1f}",
            f"{pair.detectable:.2f}",
        ]
        for pair in pairs
    ]
    return align([head, *rows])


def _reduced_lines(pairs: tuple[Pair, ...], measure: str) -> list[str]:
    rows = [["with reduced variance", measure, "95 % interval", "worth of a deal"]]
    for pair in pairs:
        if pair.reduced:
            cells = [f"{pair.reduced.mean:+.2f}", _between(pair.reduced, "+.2f")]
            worth = f"{pair.deals_saved:.1f} deals" if pair.deals_saved else "-"
            rows.append([f"{pair.a} - {pair.b}", *cells, worth])
    return align(rows)


def _standing_lines(standings: tuple[Standing, ...], measure: str) -> list[str]:
    rows = [["against the average of all others", measure, "95 % interval"]]
    rows += [
        [row.name, f"{row.difference.mean:+.2f}", _between(row.difference, "+.2f")] for row in standings
    ]
    # Results of version 0.2 and before lack ratings.
    if all(row.elo for row in standings):
        rows[0] += ["Elo", "95 % interval"]
        for cells, row in zip(rows[1:], standings, strict=True):
            assert row.elo is not None
            cells += [f"{row.elo.mean:+.0f}", _between(row.elo, "+.0f")]
    return align(rows)


def _between(interval: Interval, form: str) -> str:
    return f"[{interval.low:{form}}, {interval.high:{form}}]"


def _cross_lines(result: Evaluation) -> list[str]:
    table = result.cross_table()
    rows = [["", *result.names]]
    for i, name in enumerate(result.names):
        cells = ["." if i == j else f"{value:+.2f}" for j, value in enumerate(table[i])]
        rows.append([name, *cells])
    return align(rows)


def _notes(result: Evaluation) -> list[str]:
    lines = [
        f"A {result.unit} is the mean over its seatings; intervals are of paired differences.",
        "detectable: the smallest true difference that these deals show in four of five tries.",
    ]
    if result.calls:
        lines.append(f"{result.calls} made the calls of all players: only their cards are compared.")
    for name in result.with_open_hands:
        lines.append(f"{name} sees all hands: an upper bound for honest players.")
    # An interval that contains 0 shows no difference.
    unclear = [f"{p.a} - {p.b}" for p in result.pairs if not p.difference.excludes(0)]
    if unclear:
        lines.append(f"No difference shown: {', '.join(unclear)}.")
    return lines
