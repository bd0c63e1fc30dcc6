"""The leaderboard: every player meets the same opponents on the same deals of a game.

An entry is the result of one player. The entries of this release are in the folder `entries`, a
file each. Two entries compare if the version of the game, the deals and the shipped network agree.
"""

import dataclasses
import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jaxcards
from jaxcards import registry
from jaxcards.errors import UserError
from jaxcards.evaluation.intervals import Interval
from jaxcards.tables import align

FOLDER = Path(__file__).parent / "entries"
OPPONENTS = ("champion", "heuristic", "random")
DEALS, SEED = 1000, 20_261_129


@dataclasses.dataclass(frozen=True)
class Entry:
    """The result of one player.

    Attributes:
      game: id of the game with its version, such as "jass/schieber_1000-v1".
      player: its name on the command line.
      by: who made it.
      deals, seed: of the duplicate deals, `DEALS` and `SEED`.
      champion: name and checksum of the shipped network, see `champion_of`.
      points: opponent -> points per deal ahead of it. The player itself is left out.
      milliseconds: median processor time of a decision, one deal at a time; None for other engines.
      machine: the processor.
      version: of jaxcards.
    """

    game: str
    player: str
    by: str
    deals: int
    seed: int
    champion: str
    points: dict[str, Interval]
    milliseconds: float | None
    machine: str
    version: str

    def to_json(self) -> str:
        """Return the entry as a JSON text, which `from_json` reads."""
        return json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str) -> "Entry":
        """Return the entry of a JSON text.

        Args:
          text: of `to_json`.
          where: its file, for errors.

        Raises:
          UserError: if the text is not an entry, or an entry of other deals or another champion.
        """
        try:
            values = json.loads(text)
            points = {str(name): Interval(**found) for name, found in values.pop("points").items()}
            entry = cls(points=points, **values)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise UserError(f"{where} is not an entry of the leaderboard: {error}") from None
        known = entry.game.partition("-v")[0]
        newest = registry.versioned_id(known), DEALS, SEED, champion_of(known)
        if (entry.game, entry.deals, entry.seed, entry.champion) != newest:
            raise UserError(
                f"{where} has other deals, rules or opponents than this release: make it again with "
                f"jaxcards leaderboard {known} PLAYER"
            )
        return entry


def champion_of(game: str) -> str:
    """Return the name and the checksum of the shipped network of a game: "skat 1a2b3c4d"."""
    from jaxcards.champions import catalogue

    name = catalogue.player_of(game)
    content = catalogue.files()[name].read_bytes()
    return f"{name} {hashlib.sha256(content).hexdigest()[:8]}"


def entries(game: str) -> list[Entry]:
    """Return the entries of a preset. Raises the errors of `Entry.from_json`."""
    files = sorted(FOLDER.glob(f"{registry.canonical_id(game).replace('/', '-')}-*.json"))
    return [Entry.from_json(file.read_text("utf-8"), file.name) for file in files]


def games() -> list[str]:
    """Return the default preset of each game, then the other presets that have entries."""
    found = {json.loads(file.read_text("utf-8"))["game"] for file in FOLDER.glob("*.json")}
    return list(dict.fromkeys([*registry.defaults(), *sorted(id.partition("-v")[0] for id in found)]))


def enter(game: str, player: str, by: str, machine: str) -> Entry:
    """Let a player meet every opponent on the deals of the leaderboard.

    Args:
      game: id of a preset.
      player: any name that `jaxcards evaluate` takes.
      by: who made the player.
      machine: its processor.

    Raises:
      UserError: an unknown game or player, a player that cannot play the game, or an illegal action.
    """
    from jaxcards.evaluation.duplicate import evaluate
    from jaxcards.opponents.names import Opponent
    from jaxcards.players.loading import load_player

    id = registry.canonical_id(game)
    made = registry.make(id)
    agent, params = load_player(player, made)
    points = {}
    for opponent in OPPONENTS:
        if opponent != player:
            other, own = load_player(opponent, made)
            names = [player, opponent]
            result = evaluate(made, [agent, other], [params, own], names, DEALS, SEED)
            points[opponent] = result.pairs[0].difference
    timed = None if isinstance(agent, Opponent) else _milliseconds(made, agent, params)
    return Entry(
        game=registry.versioned_id(id), player=player, by=by, deals=DEALS, seed=SEED,
        champion=champion_of(id), points=points, milliseconds=timed,
        machine=machine, version=jaxcards.__version__,
    )  # fmt: skip


def rows(found: Sequence[Entry]) -> list[list[str]]:
    """Return the table of some entries of one game: a row of heads, then a row for each."""
    lines = [["player", *(f"against {name}" for name in OPPONENTS), "ms a decision", "made by"]]
    for entry in sorted(found, key=_order):
        cells = [_shown(entry.points.get(name)) for name in OPPONENTS]
        slow = "" if entry.milliseconds is None else f"{entry.milliseconds:.2g}"
        lines.append([entry.player, *cells, slow, entry.by])
    return lines


def to_text(game: str, found: Sequence[Entry]) -> str:
    """Return the table of some entries of one game for people."""
    id = registry.versioned_id(registry.canonical_id(game))
    head = f"{id}: points per deal, {DEALS} duplicate deals"
    return "\n".join([head, "", *align(rows(found))])


def _order(entry: Entry) -> tuple[float, ...]:
    """Return the key of the order: most points ahead of the champion first."""
    return tuple(-entry.points[name].mean if name in entry.points else 0.0 for name in OPPONENTS)


def _shown(points: Interval | None) -> str:
    return f"{points.mean:+.2f} ±{(points.high - points.low) / 2:.2f}" if points else ""


def _milliseconds(game: Any, agent: Any, params: Any) -> float:
    """Return the median processor time of a decision in a deal of random play, in milliseconds."""
    import jax
    import numpy as np

    act, step = jax.jit(agent.act), jax.jit(game.step)
    look = jax.jit(lambda state: (game.observe(state, state.current_player), game.legal_actions(state)))
    state = jax.jit(game.init)(jax.random.key(SEED))
    times: list[float] = []
    while not state.terminated:
        seen, legal = look(state)
        key = jax.random.key(len(times))
        # A forced move takes no thought, and would lower the median.
        if int(legal.count()) > 1:
            jax.block_until_ready(act(params, seen, legal, key))  # compiles; not timed
            # Unlike the time of the clock, that of the processor hardly depends on other work.
            begun = time.process_time()
            jax.block_until_ready(act(params, seen, legal, key))
            times.append(time.process_time() - begun)
        state = step(state, legal.sample(key))
    return 1000 * float(np.median(times))
