"""Tables of games, presets, features, other engines and moved modules, from the code."""

import dataclasses
import importlib
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


def facts(game: str) -> str:
    """Numbers of each preset of a game."""

    def size(tree: Any) -> int:
        return sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(tree))

    rows = []
    for id in _presets(game):
        made = jaxcards.make(id)
        state = jax.eval_shape(made.init, jax.random.key(0))
        seen = jax.eval_shape(made.observe, state, 0)
        rows.append(
            (
                f"`{id}`",
                made.num_players,
                made.deck.num_cards,
                made.num_actions,
                made.max_steps,
                size(state),
                size(seen),
                made.num_features,
                made.num_full_state_features,
            )
        )
    head = ("id", "players", "cards", "actions", "longest deal", "bytes of state")
    return table((*head, "bytes of observation", "features", "full-state features"), rows)


def presets(game: str) -> str:
    """Return the rules that each preset changes from the defaults."""
    rows = []
    for id in _presets(game):
        rules = jaxcards.make(id).rules
        changes = [
            f"`{field.name}={getattr(rules, field.name)!r}`"
            for field in dataclasses.fields(rules)
            if getattr(rules, field.name) != field.default
        ]
        rows.append((f"`{id}`", ", ".join(changes) or "–"))
    return table(("id", "differs from the defaults in"), rows)


def named(game: str) -> str:
    """Return the name of each preset and its paragraph, as on the first page of the browser."""
    entry = registry.GAMES[game]
    rows = []
    for preset in entry.rules().PRESETS:
        called, about = entry.preset_texts(preset)
        rows.append((f"`{preset}`", f"**{called}.** {about}"))
    return table(("preset", "the game"), rows)


def _presets(game: str) -> dict[str, str]:
    return {id: text for id, text in jaxcards.games().items() if id.startswith(f"{game}/")}
