"""Tables of strength, from the cards of players and from results; None without a result."""

import json
from pathlib import Path
from typing import Any

from jaxcards.evaluation.result import unit_of
from jaxcards.players import leaderboard
from jaxcards.registry import canonical_id, defaults, versioned_id
from readme_tables import from_results, table

EVALUATIONS = "experiments/*_ppo/evaluation.json"
EXPLOITERS = Path("experiments", "champions", "exploit.json")
CHAMPIONS = Path("jaxcards", "champions", "players"), Path("players", "jaxcards_players")
AGAINST = {"deals": "the player of deals", "heuristic": "the heuristic"}


def shipped(root: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return the name and the card of every shipped player."""
    files = sorted(file for folder in CHAMPIONS for file in (root / folder).glob("*.json"))
    return [(file.stem, _read(file)) for file in files]


def glance(root: Path) -> str | None:
    """Return the speed and strength of each default preset, or None without any speed."""
    speed = from_results.speed(root)
    points = {result["game"]: _points(result["pairs"][0]) for result in _default_presets(root)}
    ids = map(canonical_id, defaults())
    rows = [[f"`{id}`", _speed_of(id, speed), points.get(id, "–")] for id in ids]
    head = ("game", "random deals per second, one core", "champion – heuristic, points per deal")
    return table(head, rows) if speed else None


def _speed_of(id: str, speed: dict[str, str]) -> str:
    """Return the speed of a preset, or else of another one of its game, which is named."""
    game = id.partition("/")[0]
    others = [f"{rate} (`{other}`)" for other, rate in speed.items() if other.startswith(f"{game}/")]
    return speed.get(id) or next(iter(others), "–")


def _default_presets(root: Path) -> list[dict[str, Any]]:
    """Return the evaluations of shipped players on the default presets."""
    found = [card["evaluations"][0] for _, card in shipped(root)]
    return [result for result in found if result["game"] in map(canonical_id, defaults())]


def strength_by_preset(root: Path) -> str | None:
    """Return the table of shipped players against the heuristic on other presets, or None without."""
    found = [
        (result["game"], _points(result["pairs"][0]))
        for _, card in shipped(root)
        if not card["matches"]
        for result in card["evaluations"]
        if result["game"] not in map(canonical_id, defaults())
    ]
    # Presets of a game with equal figures share a row.
    games: dict[tuple[str, str], list[str]] = {}
    for id, points in sorted(found):
        games.setdefault((id.partition("/")[0], points), []).append(f"`{id}`")
    rows = [[", ".join(ids), points] for (_, points), ids in games.items()]
    return table(("preset", "points per deal"), rows) if rows else None


def leaderboards() -> str:
    """Return the leaderboards of all presets that have one, in one table.

    The first row of a game names it. Players that jaxcards did not make name their maker.
    """
    rows = []
    for game in leaderboard.games():
        # What random play loses to the others is in the column "against random".
        found = [entry for entry in leaderboard.entries(game) if entry.player != "random"]
        head, *entries = leaderboard.rows(found)
        for place, (name, *cells, maker) in enumerate(entries):
            player = name if maker == "jaxcards" else f"{name}, by {maker}"
            rows.append(["" if place else f"`{versioned_id(game)}`", player, *cells])
    return table(("game", *head[:-1]), rows)


def strength_in_matches(root: Path) -> str | None:
    """Return the table of shipped players of matches against those of deals, or None."""
    rows = []
    for name, card in shipped(root):
        for result in card["evaluations"] if card["matches"] else []:
            id, deals = result["game"].removesuffix(" match"), f"{result['num_deals']:,}"
            for pair in result["pairs"]:
                if pair["a"] == "champion" and pair["b"] in AGAINST:
                    rows.append([f"`{id}`", f"`{name}`", AGAINST[pair["b"]], _won(pair), deals])
    rows.sort()
    head = ("matches of", "player", "against", "won", "duplicate matches")
    return table(head, rows) if rows else None


def exploiters(root: Path) -> str | None:
    """Return the gains above 0 of players trained against the shipped ones, or None without results."""
    file = root / EXPLOITERS
    measured = _read(file) if file.exists() else {}
    rows = []
    for key, found in sorted(measured.items()):
        name, _, _ = key.partition(",")  # the column of answers has the rest
        gained = _points({"difference": found["gain"]})
        if unit_of(found["game"]) == "match":
            gained = _matches(found["gain"])
        answers = "the mean" if found["symmetric"] else "one"
        if found["gain"]["low"] > 0:
            rows.append([f"`{name}`", f"`{found['game']}`", answers, gained])
    head = ("player", "preset", "both answer by", "gained, points per deal")
    link = f"[others](../{EXPLOITERS.as_posix()})"
    rest = f"The {len(measured) - len(rows)} {link} gained nothing: their interval holds 0 or less."
    return f"{table(head, rows)}\n\n{rest}" if measured else None


def of_eight_minutes(root: Path) -> str | None:
    """Return the table of the players of `make train`, or None without one."""
    rows = []
    for file in sorted(root.glob(EVALUATIONS)):
        result = _read(file)
        rows += [
            [f"`{result['game']}`", _points(pair)]
            for pair in result["pairs"]
            if (_kind(pair["a"]), _kind(pair["b"])) == ("trained", "heuristic")
        ]
    return table(("game", "points per deal"), rows) if rows else None


def _read(file: Path) -> dict[str, Any]:
    """Return the values of a JSON file."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _kind(player: str) -> str:
    """Return the name of a player, or "trained" for a run folder."""
    return player if player in ("champion", "heuristic", "random") else "trained"


def _won(pair: dict[str, Any]) -> str:
    """Return the share of matches won, with the interval of paired differences."""
    mean, low, high = (50 + 50 * pair["difference"][at] for at in ("mean", "low", "high"))
    return f"{mean:.1f} % ±{(high - low) / 2:.1f}"


def _matches(difference: dict[str, float]) -> str:
    """Return a difference in matches, counting a won one 1 and a lost one -1."""
    low, mean, high = (50 * difference[at] for at in ("low", "mean", "high"))
    return f"{mean:+.1f} % ±{(high - low) / 2:.1f} of the matches"


def _points(pair: dict[str, Any]) -> str:
    """Return the difference of a pair with its interval, to a tenth if that is fine enough."""
    low, high = (pair["difference"][name] for name in ("low", "high"))
    digits = 1 if high - low > 1 else 2
    return f"{pair['difference']['mean']:+.{digits}f} ±{(high - low) / 2:.{digits}f}"
