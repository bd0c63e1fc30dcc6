"""Tables of strength, from the cards of players and from results; None without a result."""

import json
from pathlib import Path
from typing import Any

from jaxcards.evaluation.result import unit_of
from jaxcards.registry import canonical_id, defaults
from readme_tables import table

EVALUATIONS = "experiments/*_ppo/evaluation.json"
EXPLOITERS = Path("experiments", "champions", "exploit.json")
CHAMPIONS = Path("jaxcards", "champions", "players")


def shipped(root: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return the name and the card of every shipped player."""
    files = sorted((root / CHAMPIONS).glob("*.json"))
    return [(file.stem, _read(file)) for file in files]


def strength(root: Path) -> str | None:
    """Return the table of shipped players on the default presets, or None without players."""
    rows = []
    for _, card in shipped(root):
        result = card["evaluations"][0]
        if result["game"] not in map(canonical_id, defaults()):
            continue
        pairs = {(pair["a"], pair["b"]): pair for pair in result["pairs"]}
        learned = pairs["champion", "heuristic"]
        rows.append(
            [
                f"`{result['game']}`",
                _points(learned),
                f"{100 * learned['won']['mean']:.0f} %",
                _points(pairs["champion", "random"]),
                _points(pairs["heuristic", "random"]),
                f"{result['num_deals']:,} x {result['num_seatings']}",
            ]
        )
    head = ("game", "champion – heuristic", "deals won", "champion – random", "heuristic – random")
    return table((*head, "deals x seatings"), rows) if rows else None


def strength_by_preset(root: Path) -> str | None:
    """Return the table of shipped players against the heuristic on all presets, or None without
    players.
    """
    rows = []
    for name, card in shipped(root):
        for result in card["evaluations"]:
            if card["matches"]:
                continue
            pair = result["pairs"][0]
            learned = "yes" if result["game"] in card["presets"] else "no"
            won = f"{100 * pair['won']['mean']:.0f} %"
            rows.append([f"`{result['game']}`", f"`{name}`", learned, _points(pair), won])
    rows.sort()
    head = ("preset", "player", "learned", "points per deal", "deals won")
    return table(head, rows) if rows else None


def strength_in_matches(root: Path) -> str | None:
    """Return the table of shipped players of matches against those of deals, or None."""
    rows = []
    for name, card in shipped(root):
        for result in card["evaluations"] if card["matches"] else []:
            pairs = {(pair["a"], pair["b"]): pair for pair in result["pairs"]}
            won = [_won(pairs["champion", other]) for other in ("deals", "heuristic")]
            id = result["game"].removesuffix(" match")
            rows.append([f"`{id}`", f"`{name}`", *won, f"{result['num_deals']:,}"])
    rows.sort()
    head = ("matches of", "player", "won against the player of deals", "against the heuristic")
    return table((*head, "duplicate matches"), rows) if rows else None


def exploiters(root: Path) -> str | None:
    """Return the gains of players trained against the shipped ones, or None without results."""
    file = root / EXPLOITERS
    rows = []
    for key, found in sorted(_read(file).items()) if file.exists() else []:
        name, _, _ = key.partition(",")  # the column of answers has the rest
        gained = _points({"difference": found["gain"]})
        if unit_of(found["game"]) == "match":
            gained = _matches(found["gain"])
        deals = f"{found['learned']['deals'] / 1e6:.1f} M"
        answers = "the mean" if found["symmetric"] else "one"
        rows.append([f"`{name}`", f"`{found['game']}`", answers, gained, deals])
    head = ("player", "preset", "both answer by", "gained, points per deal", "deals learned from")
    return table(head, rows) if rows else None


def training_of_shipped(root: Path) -> str | None:
    """Return the table of the training of the shipped players, or None without players."""
    rows = []
    for name, card in shipped(root):
        size = (root / CHAMPIONS / f"{name}.msgpack").stat().st_size
        before = card.get("before") or {"deals": 0, "minutes": 0}  # in earlier runs that it continues
        rows.append(
            [
                f"[`{name}`](../experiments/champions/{name}/config.toml)",
                f"{len(card['presets'])} + {len(card['variants'])}",
                f"{(card['deals'] + before['deals']) / 1e6:.1f} M",
                f"{card['minutes'] + before['minutes']:.0f}",
                f"{size / 1e6:.2f} MB",
                f"`{card['commit']}`",
            ]
        )
    head = ("player", "presets + variants", "deals", "minutes", "size", "commit")
    return table(head, rows) if rows else None


def of_eight_minutes(root: Path) -> str | None:
    """Return the players of `make train`, a row for each game, or None without players."""
    rows = []
    for file in sorted(root.glob(EVALUATIONS)):
        result = _read(file)
        about = f"{result['num_deals']:,} x {result['num_seatings']}"
        pairs = {(_kind(pair["a"]), _kind(pair["b"])): pair for pair in result["pairs"]}
        learned = pairs.get(("trained", "heuristic"))
        rows.append(
            [
                f"`{result['game']}`",
                _points(learned),
                f"{100 * learned['won']['mean']:.0f} %" if learned else "–",
                _points(pairs.get(("trained", "random"))),
                _points(pairs.get(("heuristic", "random"))),
                f"[{about}](../{file.relative_to(root).as_posix()})",
            ]
        )
    head = ("game", "trained – heuristic", "deals won", "trained – random", "heuristic – random")
    return table((*head, "deals x seatings"), rows) if rows else None


def _read(file: Path) -> dict[str, Any]:
    """Return the values of a JSON file."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _kind(player: str) -> str:
    """Return "heuristic", "random" or "trained"."""
    return player if player in ("heuristic", "random") else "trained"


def _won(pair: dict[str, Any]) -> str:
    """Return the share of matches won, with the interval of paired differences."""
    mean, low, high = (50 + 50 * pair["difference"][at] for at in ("mean", "low", "high"))
    return f"{mean:.1f} % ({low:.1f} to {high:.1f})"


def _matches(difference: dict[str, float]) -> str:
    """Return a difference in matches, counting a won one 1 and a lost one -1."""
    low, mean, high = (f"{50 * difference[at]:+.1f}" for at in ("low", "mean", "high"))
    return f"{mean} % ({low} to {high}) of the matches"


def _points(pair: dict[str, Any] | None) -> str:
    """Return the difference of a pair with its interval, to a tenth if that is fine enough."""
    if pair is None:
        return "–"
    low, high = (pair["difference"][name] for name in ("low", "high"))
    digits = 1 if high - low > 1 else 2
    return f"{pair['difference']['mean']:+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f})"
