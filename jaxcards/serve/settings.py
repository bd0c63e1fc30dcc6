"""The settings of `jaxcards serve`, from a file and from options. Imports no JAX."""

import dataclasses
import ipaddress
import os
from pathlib import Path
from typing import Literal

from jaxcards import registry
from jaxcards.errors import UserError, quote
from jaxcards.settings import setting, validate


@dataclasses.dataclass(frozen=True)
class ServeSettings:
    """The settings of a server; instances are valid, or `UserError` is raised."""

    host: str = setting("127.0.0.1", "address to listen on; 0.0.0.0 = all of this machine")
    port: int = setting(8300, "port to listen on; 0 = any free one", minimum=0, maximum=65535)
    data: str = setting("", "file of the tables (default: tables.sqlite in the user's data folder)")
    names: tuple[str, ...] = setting((), "further host names of this server, such as cards.example.org")
    players: tuple[str, ...] = setting(
        ("champion", "search:32", "heuristic", "random"), "players offered for a seat"
    )
    warm: tuple[str, ...] = setting((), "games to compile at the start")
    pause: float = setting(0.9, "seconds that a player takes for any move", minimum=0, maximum=30)
    trick_stays: float = setting(1.5, "seconds that a trick stays on the table", minimum=0, maximum=30)
    hint_worlds: int = setting(64, "deals that a hint plays out", minimum=2, maximum=10_000)
    prepare_hints: bool = setting(True, "compile the hints of a game when its first table is dealt")
    nice: int = setting(10, "niceness of search and compilation", minimum=0, maximum=19)
    language: Literal["en", "de", "fr"] = setting("en", "language of a browser that asks for none")
    max_tables: int = setting(1000, "tables kept", minimum=1)
    max_tables_of_person: int = setting(50, "tables kept for one browser", minimum=1)
    keep_days: int = setting(30, "days after which an unused table is removed", minimum=1)
    max_streams: int = setting(2000, "windows that may listen at a time", minimum=1)
    requests_per_second: float = setting(40, "requests of one address, on average", above=0)
    burst: int = setting(200, "requests of one address at once", minimum=1)
    max_body: int = setting(16_384, "bytes of a request", minimum=1024)

    def __post_init__(self) -> None:
        validate(self)
        if not self.players:
            raise UserError("players must name at least one player, such as champion")
        for game in self.warm:
            registry.canonical_id(game)

    @property
    def file(self) -> Path:
        """The file of the tables."""
        if self.data:
            return Path(self.data)
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
        return Path(base, "jaxcards", "tables.sqlite")

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def check_data(file: Path) -> None:
    """Make the folder of the file of tables.

    Raises:
      UserError: it cannot be made, or the file is a folder.
    """
    if file.is_dir():
        raise UserError(f"data must be a file, and {quote(str(file))} is a folder")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder of {file}: {error.strerror}") from None
