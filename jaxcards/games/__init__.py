"""One package for each game. Called, `jaxcards.games()` lists them: see `registry.games`.

The package and the public function share a name. Binding the function over the package would
break `import jaxcards.games.jass as jass`, so the package itself can be called.
"""

import sys
from types import ModuleType

from jaxcards import registry


class _Games(ModuleType):
    def __call__(self) -> dict[str, str]:
        """Return every id of a game with a line of description; see `registry.games`."""
        return registry.games()


sys.modules[__name__].__class__ = _Games
