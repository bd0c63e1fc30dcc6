"""Players from your own code: a function in a file, or one that an installed package registers.

The function takes the game and returns an agent, or an agent and its parameters:

    # my_agent.py, the player my_agent.py:make
    def make(game):
        return MyAgent(), ()

A package registers such functions under names, in its pyproject.toml:

    [project.entry-points."jaxcards.players"]
    mine = "my_package.players:make"
"""

import dataclasses
import functools
import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jaxcards.errors import UserError, quote, unknown

if TYPE_CHECKING:
    from jaxcards.game import Game

GROUP = "jaxcards.players"
"""The group of entry points in which packages register players."""


@dataclasses.dataclass(frozen=True)
class Code:
    """A function that makes a player.

    Attributes:
      name: of the player.
      load: returns the function, and runs the module that has it.
    """

    name: str
    load: Callable[[], Any]


def of_file(text: str) -> Code:
    """Return the function named by `FILE.py:NAME`. Its file is not run yet.

    Raises:
      UserError: if the file is missing.
    """
    path, _, name = text.rpartition(":")
    if not Path(path).is_file():
        raise UserError(f"{text}: file {path} not found")
    if not name.isidentifier():
        raise UserError(f"{text}: name the function that makes the player, {path}:make")
    return Code(text, functools.partial(_member_of_file, Path(path).resolve(), name))


def of_packages() -> dict[str, Code]:
    """Return the functions that installed packages register, by the name of the player."""
    return {point.name: Code(point.name, point.load) for point in _registered()}


def make(code: Code, game: "Game") -> tuple[Any, Any]:
    """Return the agent that a function makes for a game, and its parameters.

    Raises:
      UserError: if the function takes other arguments, fails, or returns something else, or if `act`
        fails.
    """
    import jax

    from jaxcards.agent import Agent

    function = _run(code.name, code.load)
    try:
        inspect.signature(function).bind(game)
    except TypeError:
        raise UserError(
            f"{code.name} must be a function of one argument, the game; see docs/howto.md"
        ) from None
    made = _run(code.name, lambda: function(game))
    agent, params = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
    # A class has the methods of an agent, too, but is not an instance.
    if isinstance(agent, type) or not isinstance(agent, Agent):
        raise UserError(
            f"{code.name} returns {quote(made)}: it must return an agent, which has init and act, or "
            "an agent and its parameters; see docs/howto.md"
        )
    try:
        hash(agent)
    except TypeError:
        raise UserError(
            f"the agent of {code.name} is not hashable: make its class a @dataclass(frozen=True)"
        ) from None
    if params is None:
        params = _run(code.name, lambda: agent.init(jax.random.key(0), game))

    def decide(key: jax.Array) -> Any:
        state = game.init(key)
        observation = game.observe(state, state.current_player)
        return agent.act(params, observation, game.legal_actions(state), key)

    # A mistake in `act` is found here, before the programs that call it are traced.
    _run(code.name, lambda: jax.eval_shape(decide, jax.random.key(0)))
    return agent, params


def _registered() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP))


def _member_of_file(path: Path, name: str) -> Any:
    """Return a member of a Python file, which is run once in a process."""
    # The hash keeps files of the same name in other folders apart.
    module_name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    module = sys.modules.get(module_name) or _imported(path, module_name)
    if not hasattr(module, name):
        members = vars(module).items()
        own = [n for n, value in members if getattr(value, "__module__", "") == module_name]
        raise unknown(f"function of {path.name}", name, own)
    return getattr(module, name)


def _imported(path: Path, module_name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses look up their module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # the file may import its neighbours
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


def _run(name: str, function: Callable[[], Any]) -> Any:
    """Return the value of a user's function. If it fails, name the line in one sentence."""
    try:
        return function()
    except UserError:
        raise
    except Exception as error:
        if isinstance(error, SyntaxError):
            file, line = error.filename, error.lineno
        else:
            frames = traceback.extract_tb(error.__traceback__)
            # Name the last line of the user's own code, not one of a library that it calls.
            own = [frame for frame in frames if not _is_of_libraries(frame.filename)]
            file, line = (own or frames)[-1].filename, (own or frames)[-1].lineno
        place = f"{Path(file).name}, line {line}" if file else name
        kind, text = type(error).__name__, str(error).partition("\n")[0]
        if kind.startswith(("Tracer", "Concretization")):
            text += " Write jnp.where instead of `if`, see docs/howto.md"
        raise UserError(f"{name} fails in {place}: {kind}: {text}") from error


def _is_of_libraries(file: str) -> bool:
    package = str(Path(__file__).parents[1])
    return file.startswith((package, "<frozen")) or "site-packages" in file
