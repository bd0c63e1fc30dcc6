"""The process of the searches: `python -m jaxcards.serve.searches.child`, which the server starts.

It reads requests from a connection for each lane. A connection more has the setup, and then nothing:
it ends when the server does, however that ends, and this process with it.
"""

import dataclasses
import logging
import os
import sys
import threading
import traceback
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from jaxcards.errors import UserError
from jaxcards.serve.searches.requests import LANES, Answer, Progress, Request, Setup

if TYPE_CHECKING:
    from jaxcards.serve.searches.games import AllSearches

_log = logging.getLogger("jaxcards.serve")


class Desk:
    """Answers requests."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._searches: AllSearches | None = None
        self._beginning = threading.Lock()

    def answer(self, request: Request, progress: Progress) -> Answer:
        """Return the answer to a request, and the games that are loaded afterwards."""
        answer, searches = self._answer(request, progress), self._all()
        return dataclasses.replace(answer, games=searches.games, begun=searches.begun)

    def _answer(self, request: Request, progress: Progress) -> Answer:
        """Return the answer to a request. If it fails, the log has the place and no values."""
        try:
            method = getattr(self._all().of(request.game), request.method)
            more = {"progress": progress} if request.tells else {}
            return Answer(method(*request.args, **more))
        except UserError as error:
            return Answer(refused=str(error))
        except Exception as error:
            where = "".join(traceback.format_tb(error.__traceback__))
            _log.error("a search of %s failed by %s:\n%s", request.game.id, type(error).__name__, where)
            return Answer(failed=type(error).__name__)

    def _all(self) -> "AllSearches":
        with self._beginning:
            if self._searches is None:
                # Takes seconds: until here the process notices at once that the server has ended.
                from jaxcards.serve.searches.games import AllSearches

                self._searches = AllSearches(self._setup)
            return self._searches


def serve(desk: Desk, lane: Connection) -> None:
    """Answer what comes through a connection; when it ends, so does the process."""

    def tell(done: int, all: int) -> None:
        lane.send(Answer(progress=(done, all)))

    try:
        while True:
            lane.send(desk.answer(lane.recv(), tell))
    except (EOFError, OSError):
        os._exit(0)  # the server has ended
    except BaseException:
        _log.exception("the process of the searches gives up")
        os._exit(1)  # or the server would wait for an answer


def main(handles: list[int]) -> None:
    """Serve connections with these handles, the first of which has the setup; never returns."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    alive, *lanes = (Connection(handle) for handle in handles)
    assert len(lanes) == len(LANES)
    try:
        setup: Setup = alive.recv()
        os.nice(setup.nice)  # before there are threads, which have the priority of whoever starts them
        desk = Desk(setup)
        for lane in lanes:
            threading.Thread(target=serve, args=(desk, lane), daemon=True).start()
        alive.recv()
    except (EOFError, OSError):
        pass
    os._exit(0)  # there is nothing to keep, and a search may still be on


if __name__ == "__main__":
    main([int(handle) for handle in sys.argv[1:]])
