"""Tables of games, presets, features, other engines and moved modules, from the code."""

import importlib
import itertools
from typing import Any

import jax
import peers

import jaxcards
from jaxcards import registry
from readme_tables import table


def work_of_peers() -> str:
    """For each other engine, the work that is the same and that is not."""
    modules = [importlib.import_module(f"peers.{name}") for name in peers.NAMES]
    return table(
        ("engine", "the same", "not the same"), [(m.TITLE, m.SAME, m.NOT_SAME) for m in modules]
    )


def games() -> str:
    """Every game with a line of description."""
    rows = []
    for name in [id for id in jaxcards.games() if "/" not in id]:
        about, _, preset = jaxcards.games()[name].rpartition(" (preset ")
        number = len(_presets(name))
        rows.append((f"[`{name}`](docs/{name}.md)", about, f"`{preset.rstrip(')')}`", number))
    return table(("game and rules", "what it is", "default preset", "presets"), rows)


def cards(game: str) -> str:
    """Return the numbers and letters of the cards of a game."""
    deck = jaxcards.make(game).deck
    last = f"{deck.symbols[-1]}{deck.ranks[-1]} is {deck.num_suit_cards - 1}"
    suits = ", ".join(map(" ".join, zip(deck.symbols, deck.suits, strict=True)))
    ranks, number = " ".join(deck.ranks), deck.ranks_per_suit
    return (
        f"A card is the int `{number} * suit + rank`; {last}.\n"
        f"Suits 0 to 3: {suits}. Ranks 0 to {number - 1}: {ranks}."
    )


def facts(game: str) -> str:
    """Return the range of the sizes of a game over its presets."""

    def size(tree: Any) -> int:
        return sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(tree))

    found = []
    for id in _presets(game):
        made = jaxcards.make(id)
        state = jax.eval_shape(made.init, jax.random.key(0))
        found.append((made.num_actions, made.max_steps, size(state), made.num_features))
    columns = [sorted(set(column)) for column in zip(*found, strict=True)]
    ranges = [f"{all[0]} to {all[-1]}" if len(all) > 1 else str(all[0]) for all in columns]
    return "{} actions; {} steps in the longest deal; {} bytes of state; {} features.".format(*ranges)


def presets(game: str) -> str:
    """Return the name of each preset, its paragraph as in the browser, and the rules that it changes.

    Rules are compared with the defaults, or with an earlier preset that is much closer.
    """
    rows: list[tuple[str, str, str]] = []
    entry = registry.GAMES[game]
    earlier: dict[str, Any] = {}
    for name, rules in entry.rules().PRESETS.items():
        text = _changes(type(rules)(), rules)
        others = [f"as `{other}`, but {_changes(base, rules)}" for other, base in earlier.items()]
        shortest = min(others, key=len, default=text)
        if 3 * len(shortest) < 2 * len(text):  # worth a look at another row
            text = shortest
        earlier[name] = rules
        called, about = entry.preset_texts(name)
        rows.append((f"`{name}`", f"**{called}.** {about}", text))
    return table(("preset", "the game", "differs from the defaults in"), rows)


def _changes(base: Any, rules: Any) -> str:
    """Return the rules with another value than in `base`, each with its value."""
    old, new = vars(base), vars(rules)
    return ", ".join(f"`{name}={_written(new[name])}`" for name in new if new[name] != old[name]) or "–"


def _written(value: Any) -> str:
    """Return a value as Python writes it; of each run in a long row of numbers only the ends."""
    if not isinstance(value, tuple) or len(value) < 9:
        return repr(value)
    steps = [after - number for number, after in itertools.pairwise(value)]
    turns = [value[n] for n in range(1, len(steps)) if steps[n - 1] != steps[n]]
    return f"({', …, '.join(map(str, (value[0], *turns, value[-1])))})"


def _presets(game: str) -> dict[str, str]:
    return {id: text for id, text in jaxcards.games().items() if id.startswith(f"{game}/")}
