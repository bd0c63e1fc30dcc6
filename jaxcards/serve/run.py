"""Runs the server until it is stopped."""

import asyncio
import gc
import logging
import socket
import sys
from collections.abc import Callable

import uvicorn

from jaxcards.errors import UserError
from jaxcards.serve.app import make_app
from jaxcards.serve.library import Load
from jaxcards.serve.settings import ServeSettings

# Seconds that a thread keeps the interpreter while others wait. A move needs it a dozen times, and each
# time a thread that traces a new game may have it: by default that thread would keep it for 5 ms.
_TURN = 0.0005

# How many new objects make Python look for garbage among them, and how often it looks at older ones.
# Tracing leaves millions of objects behind that stay: to look at them all stops every table for a
# quarter of a second, which by default happened every few seconds.
_GARBAGE = 50_000, 20, 20


def serve(settings: ServeSettings, load: Load, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C or SIGTERM; `say` gets the address.

    Raises:
      UserError: the address cannot be listened on, or the file of the tables cannot be read.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("jax").setLevel(logging.WARNING)  # it tells which backends are missing
    listener = _listen(settings)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    if not settings.loopback:
        logging.warning("others can reach this server: read docs/serve.md, On a network")
    config = uvicorn.Config(
        make_app(settings, load),
        log_level="warning",  # a line for each request would have its address, and tell nothing more
        timeout_graceful_shutdown=2,
        timeout_keep_alive=75,  # pages act every few seconds, and would meet a closing connection
        server_header=False,
        h11_max_incomplete_event_size=settings.max_body,
    )
    sys.setswitchinterval(_TURN)
    gc.set_threshold(*_GARBAGE)
    server = uvicorn.Server(config)
    say(f"jaxcards serves tables at http://{shown}:{port}/ (Ctrl-C stops it; tables are kept)")
    asyncio.run(server.serve(sockets=[listener]))


def _listen(settings: ServeSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(2048)  # whoever comes before the server is ready waits
    except OSError as error:
        listener.close()
        raise UserError(
            f"cannot listen on {settings.host} port {settings.port} ({error.strerror}): name another "
            "with --port, or 0 for any that is free"
        ) from None
    return listener
