"""The application: the API, the page, and what guards them."""

import asyncio
import contextlib
import dataclasses
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import jaxcards
from jaxcards.errors import UserError
from jaxcards.serve import api
from jaxcards.serve.advice import Adviser
from jaxcards.serve.faces import sprite
from jaxcards.serve.guard import Guard
from jaxcards.serve.library import Load
from jaxcards.serve.refusals import Refusal, Unavailable
from jaxcards.serve.settings import ServeSettings
from jaxcards.serve.store import Store
from jaxcards.serve.tables import Tables
from jaxcards.view.text import FOLDER

PAGE = Path(__file__).parent / "page"
_TIDY = 60.0  # seconds between two looks for tables that nobody uses

_log = logging.getLogger("jaxcards.serve")


def make_app(settings: ServeSettings, load: Load) -> FastAPI:
    """Return the application.

    Args:
      settings: of the server.
      load: from the name of a player, and the game or match, to an agent and its parameters.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        tables = Tables(settings, Store(settings.file), load)
        app.state.tables, app.state.adviser = tables, Adviser(tables)
        tasks = [asyncio.create_task(_tidy(tables)), asyncio.create_task(_warm(tables))]
        # The server answers until the end of this pause.
        yield
        for task in tasks:
            task.cancel()
        tables.close()

    app = FastAPI(
        title="jaxcards",
        version=jaxcards.__version__,
        description="Tables of trick-taking card games. docs/serve.md says how a client works.",
        lifespan=lifespan,
        docs_url=None,  # those pages load scripts from elsewhere; /api.html is our own
        redoc_url=None,
    )
    app.include_router(api.router)
    _add_errors(app)
    _add_pages(app, settings)
    app.add_middleware(Guard, settings=settings)
    return app


async def _tidy(tables: Tables) -> None:
    while True:
        tables.forget_unused()
        await asyncio.sleep(_TIDY)


async def _warm(tables: Tables) -> None:
    try:
        await tables.warm()
    except UserError as error:
        _log.warning("not compiled ahead: %s", error)


def _add_errors(app: FastAPI) -> None:
    """Answer every error with one line."""

    @app.exception_handler(UserError)
    async def refused(request: Request, error: UserError) -> JSONResponse:
        if not isinstance(error, Refusal):
            return JSONResponse({"error": str(error)}, 400)
        text = dataclasses.asdict(error.text)
        # Only in this case may the same request succeed later.
        headers = {"Retry-After": "2"} if isinstance(error, Unavailable) else None
        return JSONResponse({"error": str(error), "text": text}, error.status, headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        # One line for the first fault, cut off if it repeats a long input.
        first: dict[str, Any] = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return JSONResponse({"error": f"{where}: {first['msg']}"[:300]}, 422)

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)


def _add_pages(app: FastAPI, settings: ServeSettings) -> None:
    @app.get("/health", summary="whether the server is well")
    async def health(request: Request) -> dict[str, Any]:
        """Return the number of stored tables."""
        tables, _ = request.app.state.tables.store.counts("")
        return {"status": "ok", "version": jaxcards.__version__, "tables": tables}

    @app.get("/settings.json", summary="what the page must know of the server")
    async def page_settings() -> dict[str, Any]:
        """Return the default language and the seconds that a complete trick stays."""
        return {"language": settings.language, "trick_stays": settings.trick_stays}

    @app.get("/cards.svg", include_in_schema=False)
    async def cards(pack: Annotated[str, Query(max_length=20)] = "french") -> Response:
        return Response(sprite(pack), media_type="image/svg+xml")

    app.mount("/texts", StaticFiles(directory=FOLDER), name="texts")
    # Last, because the path "/" takes all requests that nothing above has taken.
    app.mount("/", StaticFiles(directory=PAGE, html=True), name="page")
