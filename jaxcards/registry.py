"""The games, by id: `game` or `game/preset`. Does not import JAX until a game is made.

A game consists of two modules. Its rules module does not import JAX and has

    Rules                  the frozen dataclass of its rules, declared as `jaxcards.settings` says
    PRESETS                dict[str, Rules], lower-case names
    DEFAULT_PRESET         the preset that the bare name of the game means
    PRESET_DESCRIPTIONS    optional dict[str, str]: a line for each preset that no language file names
    OLD_PRESETS            optional dict[str, str]: old names of presets -> current names
    VERSIONS               optional dict[str, int]: versions of presets that have changed; others have 1

The version of a preset grows when legal actions, scores or observations of its deals change.

and its game module has a subclass of `jaxcards.Game` whose constructor takes such rules.
"""

import ast
import dataclasses
import importlib
import pkgutil
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jaxcards import settings
from jaxcards.errors import UserError, quote, unknown
from jaxcards.view.text import language_file

if TYPE_CHECKING:
    from jaxcards.game import Game


@dataclass(frozen=True)
class GameEntry:
    """One game: its name, the places of its rules and its class, and a description.

    Attributes:
      name: the first part of its ids.
      rules_module: dotted path of its rules module.
      game: its class, or `"dotted.path:Class"`.
      description: one line for `games()`.
    """

    name: str
    rules_module: str
    game: "str | type[Game]"
    description: str

    def rules(self) -> ModuleType:
        """Return the rules module. Does not import JAX."""
        return importlib.import_module(self.rules_module)

    def game_class(self) -> "type[Game]":
        """Return the class of the game. Imports JAX."""
        if not isinstance(self.game, str):
            return self.game
        return pkgutil.resolve_name(self.game)

    def preset_texts(self, preset: str) -> tuple[str, str]:
        """Return the English name and paragraph of a preset; its description and "" without these."""
        key, texts = f"preset.{self.name}.{preset}", language_file("en")["texts"]
        if key in texts:
            return texts[key], texts[f"{key}.about"]
        return self.rules().PRESET_DESCRIPTIONS[preset], ""


_BUILT_IN = (
    GameEntry(
        name="jass",
        rules_module="jaxcards.games.jass.rules",
        game="jaxcards.games.jass.game:Jass",
        description="Swiss Jass: four players, 36 cards, and the declarer's side chooses the mode",
    ),
    GameEntry(
        name="belote",
        rules_module="jaxcards.games.belote.rules",
        game="jaxcards.games.belote.game:Belote",
        description="Belote and its kin: four players, 32 cards, the bidding side must get the most",
    ),
    GameEntry(
        name="euchre",
        rules_module="jaxcards.games.euchre.rules",
        game="jaxcards.games.euchre.game:Euchre",
        description="Euchre: 24 cards, five tricks, and jacks of one colour are the highest trumps",
    ),
    GameEntry(
        name="rikiki",
        rules_module="jaxcards.games.rikiki.rules",
        game="jaxcards.games.rikiki.game:Rikiki",
        description="Rikiki or Oh Hell: two to seven players bid how many tricks they will win",
    ),
    GameEntry(
        name="sheepshead",
        rules_module="jaxcards.games.sheepshead.rules",
        game="jaxcards.games.sheepshead.game:Sheepshead",
        description="Sheepshead: three to six players, a picker and a secret partner against the rest",
    ),
    GameEntry(
        name="hearts",
        rules_module="jaxcards.games.hearts.rules",
        game="jaxcards.games.hearts.game:Hearts",
        description="Hearts: three to six players avoid hearts and the queen of spades",
    ),
    GameEntry(
        name="spades",
        rules_module="jaxcards.games.spades.rules",
        game="jaxcards.games.spades.game:Spades",
        description="Spades: bid a number of tricks, alone or with a partner; spades are trumps",
    ),
    GameEntry(
        name="skat",
        rules_module="jaxcards.games.skat.rules",
        game="jaxcards.games.skat.game:Skat",
        description="Skat: three players bid for the right to play alone against two",
    ),
    GameEntry(
        name="bridge",
        rules_module="jaxcards.games.bridge.rules",
        game="jaxcards.games.bridge.game:Bridge",
        description="Bridge: bid for a contract, then play the partner's open hand too",
    ),
)

GAMES: dict[str, GameEntry] = {entry.name: entry for entry in _BUILT_IN}


def make(id: str, **overrides: Any) -> "Game":
    """Return the game of an id.

    Args:
      id: `"jass"` (its default preset) or `"jass/tournament"`; `games()` lists all. Old names of
        presets work, too. `"jass/tournament-v1"` also checks the version of the preset.
        `"jass/tournament (weis=False, target=500)"` changes rules, as the game's own `id` names them.
      overrides: fields of the rules that differ from the preset, such as `weis=False`.

    Returns:
      A frozen, hashable `Game`.

    Raises:
      UserError: an unknown game, preset, version or rule, or a value that the rules do not allow.
    """
    entry, rules = resolve(id, **overrides)
    return entry.game_class()(rules, _full_id(id, overrides))


def resolve(id: str, **overrides: Any) -> tuple[GameEntry, Any]:
    """Return the entry and the rules of an id, like `make`. Does not import JAX."""
    id, changes = _parts(id)
    entry, preset = _find(id)
    rules = entry.rules().PRESETS[preset]
    overrides = changes | overrides
    if not overrides:
        return entry, rules
    hints = settings.annotations(type(rules))
    for name in overrides:
        if name not in hints:
            raise unknown(f"rule of {entry.name}", name, hints)
    try:
        values = {name: settings.convert(name, hints[name], v) for name, v in overrides.items()}
        return entry, dataclasses.replace(rules, **values)
    except ValueError as error:
        raise UserError(f"{entry.name}/{preset}: {error}") from None


def canonical_id(id: str) -> str:
    """Return an id with its preset: `"jass"` -> `"jass/schieber_1000"`. Raises the errors of `make`."""
    return _full_id(id, {})


def _full_id(id: str, overrides: dict[str, Any]) -> str:
    rules = resolve(id, **overrides)[1]
    id, changes = _parts(id)
    entry, preset = _find(id)
    text = ", ".join(f"{name}={getattr(rules, name)!r}" for name in changes | overrides)
    return f"{entry.name}/{preset}" + (f" ({text})" if text else "")


def versioned_id(id: str) -> str:
    """Return an id with its version: `"jass/slalom (weis=False)"` -> `"jass/slalom-v1 (weis=False)"`.

    An id of an unknown game or preset is returned unchanged.
    """
    known, space, changes = id.partition(" ")
    try:
        entry, preset = _find(known)
    except UserError:
        return id
    return f"{entry.name}/{preset}-v{_version(entry, preset)}{space}{changes}"


def current_id(id: str) -> str:
    """Return the current id: `"jass/seed-v1 (weis=False)"` -> `"jass/swisslos (weis=False)"`.

    An id without a preset, or of an unknown game, preset or version, is returned unchanged.
    """
    known, space, changes = id.partition(" ")
    try:
        return canonical_id(known) + space + changes if "/" in known else id
    except UserError:
        return id


def games() -> dict[str, str]:
    """Return every id with a description: each game by itself, then each of its presets."""
    lines = {}
    for entry in GAMES.values():
        module = entry.rules()
        lines[entry.name] = f"{entry.description} (preset {module.DEFAULT_PRESET})"
        for preset in module.PRESETS:
            lines[f"{entry.name}/{preset}"] = entry.preset_texts(preset)[0]
    return lines


def defaults() -> list[str]:
    """Return the id of every game with its default preset written out."""
    return [canonical_id(name) for name in GAMES]


def register(
    name: str, rules_module: str | ModuleType, game: "str | type[Game]", description: str
) -> None:
    """Add a game from another package, so that `make` and the command line find it.

    Args:
      name: lower-case letters, digits and `_`, beginning with a letter; not yet taken.
      rules_module: the rules module, or its dotted path.
      game: the class of the game, or `"dotted.path:Class"`, which is imported on first use.
      description: one line for `games()`.

    Raises:
      UserError: if the name is taken or malformed, or `game` is of another type.
    """
    if not (isinstance(name, str) and name.isascii() and name.isidentifier() and name.islower()):
        raise UserError(f"a game's name is lower-case letters, digits and _, not {quote(name)}")
    if name in GAMES:
        raise UserError(f"the game {name!r} is registered already")
    if isinstance(game, str) and not all(game.partition(":")):
        raise UserError(f"a game is a class or a text 'dotted.path:Class', not {quote(game)}")
    path = rules_module.__name__ if isinstance(rules_module, ModuleType) else rules_module
    GAMES[name] = GameEntry(name, path, game, description)


def _parts(id: str) -> tuple[str, dict[str, Any]]:
    """Split an id at its changed rules: "jass (weis=False)" -> "jass", {"weis": False}."""
    known, bracket, text = id.partition(" (") if isinstance(id, str) else (id, "", "")
    if not bracket:
        return id, {}
    try:
        # The text has the closing bracket: read the changes as arguments of a call.
        call = ast.parse(f"rules({text}", mode="eval").body
        if isinstance(call, ast.Call) and not call.args:
            return known, {str(word.arg): _value(word.value) for word in call.keywords}
    except (SyntaxError, ValueError):
        pass
    raise UserError(f"write changed rules as 'jass (weis=False, target=500)', not {quote(id)}")


def _value(node: ast.expr) -> Any:
    """Return the value of a rule. Texts, true and false need no quotes and no capital letter."""
    if isinstance(node, ast.Name):
        return {"true": True, "false": False}.get(node.id, node.id)
    return ast.literal_eval(node)


def _find(id: str) -> tuple[GameEntry, str]:
    if not isinstance(id, str):
        raise UserError(f"an id is a text such as 'jass' or 'jass/swisslos', not {quote(id)}")
    name, slash, preset = id.partition("/")
    if name not in GAMES:
        # A preset without its game: suggest the ids that end with it.
        ids = [] if slash else [id for id in games() if id.endswith(f"/{name}")]
        if ids:
            raise UserError(f"unknown game {quote(name)}; did you mean the preset {' or '.join(ids)}?")
        raise unknown("game", name, GAMES)
    entry = GAMES[name]
    module = entry.rules()
    if not slash:
        return entry, module.DEFAULT_PRESET
    preset, dash, version = preset.partition("-v")
    preset = getattr(module, "OLD_PRESETS", {}).get(preset, preset)
    if preset not in module.PRESETS:
        raise unknown(f"preset of {name}", preset, module.PRESETS)
    current = str(_version(entry, preset))
    if dash and version != current:
        raise UserError(
            f"unknown version {quote(version)} of {name}/{preset}: "
            f"this jaxcards has {name}/{preset}-v{current}"
        )
    return entry, preset


def _version(entry: GameEntry, preset: str) -> int:
    return int(getattr(entry.rules(), "VERSIONS", {}).get(preset, 1))
