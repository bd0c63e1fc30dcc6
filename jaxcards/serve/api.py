"""The HTTP API: what a client may ask, and what it is answered. `/openapi.json` documents it."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from jaxcards.serve import catalogue, forms, messages
from jaxcards.serve.advice import Adviser
from jaxcards.serve.refusals import Unknown
from jaxcards.serve.seating import new_token
from jaxcards.serve.store import hashed
from jaxcards.serve.table import ServedTable
from jaxcards.serve.tables import Tables

_HEARTBEAT = 15.0  # seconds; proxies close what is silent for a minute

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": forms.Problem, "description": "bad input"},
    401: {"model": forms.Problem, "description": "no token"},
    403: {"model": forms.Problem, "description": "not your seat"},
    404: {"model": forms.Problem, "description": "no such table"},
    409: {"model": forms.Problem, "description": "not now, or not legal"},
    413: {"model": forms.Problem, "description": "too long"},
    422: {"model": forms.Problem, "description": "not of the documented form"},
    429: {"model": forms.Problem, "description": "too much"},
    503: {"model": forms.Problem, "description": "the search does not work"},
}

router = APIRouter(prefix="/api", responses=_PROBLEMS)

TableId = Annotated[str, Path(max_length=64)]


def _token(authorization: str | None) -> str:
    """Return the token of a header.

    Raises:
      Unknown: there is none.
    """
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unknown("no_token")
    return token.strip()


Authorization = Annotated[str | None, Header(max_length=200, description="Bearer TOKEN")]


def _tables(request: Request) -> Tables:
    return request.app.state.tables


def _adviser(request: Request) -> Adviser:
    return request.app.state.adviser


async def _mine(request: Request, id: str, authorization: str | None) -> tuple[ServedTable, int]:
    return await _tables(request).seat(id, _token(authorization))


async def _loaded(request: Request, id: str, authorization: str | None) -> tuple[ServedTable, int]:
    """Return a table and the player of a token, once the deal is loaded; see `ServedTable.loaded`."""
    table, player = await _mine(request, id, authorization)
    await table.loaded()
    return table, player


# ---- Games --------------------------------------------------------------------------------------


@router.get("/games", summary="all games with presets and rules, and the players offered")
async def games(request: Request) -> dict[str, Any]:
    """Each rule has its help and the values it takes."""
    return catalogue.games(_tables(request).settings.players)


@router.post("/games/check", summary="whether rules are allowed, and for how many players they are")
async def check(request: Request, body: forms.GameQuestion) -> dict[str, Any]:
    """Answer 400 with the reason if they are not."""
    tables = _tables(request)
    programs = await tables.batches.apart("load", tables.library.game, body.game, body.rules)
    game = programs.game
    teams = None if game.teams is None else list(game.teams)
    matches, player = programs.match is not None, await tables.first_player(programs, False)
    found = {"id": game.id, "players": game.num_players, "teams": teams, "matches": matches}
    return found | {"player": player}


# ---- Tables -------------------------------------------------------------------------------------


@router.post("/tables", status_code=201, summary="open a table")
async def open_table(request: Request, body: forms.TableRequest) -> forms.Seated:
    """Open a table; its events say when the game is compiled and the cards are dealt."""
    person = body.person or new_token()
    found = await _tables(request).open(
        body.game, body.rules, body.match, body.seats, body.name, hashed(person),
        body.totals, body.deals_before,
    )  # fmt: skip
    return _seated(*found, person)


@router.post("/records", status_code=201, summary="open a table at a move of a recorded deal")
async def open_record(request: Request, body: forms.RecordRequest) -> forms.Seated:
    """At its end the deal can be reviewed; before it, it is played on. It counts for no statistics."""
    person = body.person or new_token()
    found = await _tables(request).open_record(
        body.record, body.move, body.player, body.others, body.name, hashed(person)
    )
    return _seated(*found, person)


@router.post("/tables/{id}/invitation", summary="who invites me to what")
async def invitation(request: Request, id: TableId, body: forms.InvitationQuestion) -> forms.Invitation:
    """Refused with 403 if the seat is taken."""
    table, _ = await _tables(request).invited(id, body.invitation)
    return forms.Invitation(host=table.occupants[table.host].name, game=table.game.id)


@router.post("/tables/{id}/join", summary="take a seat by invitation")
async def join(request: Request, id: TableId, body: forms.JoinRequest) -> forms.Seated:
    """Take a seat; an invitation is good for one person."""
    person = body.person or new_token()
    found = await _tables(request).join(id, body.invitation, body.name, hashed(person))
    return _seated(*found, person)


def _seated(table: ServedTable, player: int, token: str, person: str) -> forms.Seated:
    state = forms.TableState(**messages.of_table(table, player))
    return forms.Seated(id=table.id, player=player, token=token, person=person, table=state)


@router.post("/tables/{id}/fill", response_model=forms.TableState, summary="fill the free seats")
async def fill(request: Request, id: TableId, authorization: Authorization = None) -> dict[str, Any]:
    """Players take the seats of people who have not come. For the person who opened the table."""
    return messages.of_table(*await _tables(request).fill(id, _token(authorization)))


@router.get("/tables/{id}", response_model=forms.TableState, summary="what my seat sees")
async def look(request: Request, id: TableId, authorization: Authorization = None) -> dict[str, Any]:
    """Return the state of the table as the seat of the token sees it."""
    table, player = await _mine(request, id, authorization)
    return messages.of_table(table, player)


@router.post("/tables/{id}/actions", response_model=forms.TableState, summary="act")
async def act(
    request: Request, id: TableId, body: forms.ActionRequest, authorization: Authorization = None
) -> dict[str, Any]:
    """Refused with 409, and without any effect, unless it is your turn and the action is legal."""
    table, player = await _mine(request, id, authorization)
    await table.act(player, body.turn, body.action)
    return messages.of_table(table, player)


@router.post("/tables/{id}/deals", response_model=forms.TableState, summary="deal the next deal")
async def deal(
    request: Request, id: TableId, body: forms.TurnRequest, authorization: Authorization = None
) -> dict[str, Any]:
    """Possible when a deal is over; of a match, until it is over."""
    table, player = await _mine(request, id, authorization)
    await table.next_deal(body.turn)
    return messages.of_table(table, player)


@router.post("/tables/{id}/leave", status_code=204, summary="leave the table")
async def leave(request: Request, id: TableId, authorization: Authorization = None) -> None:
    """Leave the seat to a player; the table ends when the last person leaves."""
    await _tables(request).leave(id, _token(authorization))


# ---- Events -------------------------------------------------------------------------------------


@router.get(
    "/tables/{id}/events",
    summary="the table, and again after each action (Server-Sent Events)",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "events of type table"}},
)
async def events(
    request: Request,
    id: TableId,
    authorization: Authorization = None,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
) -> StreamingResponse:
    """Stream events; the data of one is the answer of `GET /api/tables/{id}`, its id the turn.

    With `Last-Event-ID` the missed events of this deal come first.
    """
    table, player = await _mine(request, id, authorization)
    _tables(request).check_listeners()
    said = last_event_id or ""
    last = int(said) if said.isdecimal() and said.isascii() and len(said) < 12 else None
    return StreamingResponse(_events(table, player, last), media_type="text/event-stream")


async def _events(table: ServedTable, player: int, last: int | None) -> AsyncIterator[str]:
    told, number = _place(table, last), table.number
    table.listeners += 1
    try:
        while True:
            changed = table.changed  # before the table is read, so that no change is missed
            # Another deal, or one that is being replayed: its past is not told step by step.
            if table.number != number or not table.ready:
                told, number = None, table.number
            # First the table after each missed action, then the table as it is now.
            if told is not None:
                for place in range(told + 1, len(table.actions)):
                    yield _event(table, player, place)
            told = len(table.actions) if table.ready else None
            yield _event(table, player, None)
            if table.failure:
                return
            while not await _happens(changed):
                # A line that begins with a colon is a comment of Server-Sent Events.
                yield ": still here\n\n"
    finally:
        table.listeners -= 1


def _place(table: ServedTable, last: int | None) -> int | None:
    """Return after how many actions of this deal a turn was; None if in none of them."""
    if last is None:
        return None
    # In brackets: the turn before the first action of this deal.
    place = last - (table.turn - len(table.actions))
    return place if 0 <= place <= len(table.actions) else None


async def _happens(changed: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(changed.wait(), _HEARTBEAT)
    except TimeoutError:
        return False
    return True


def _event(table: ServedTable, player: int, place: int | None) -> str:
    message = messages.of_table(table, player, place)
    data = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return f"id: {message['turn']}\nevent: table\ndata: {data}\n\n"


# ---- Hints, and what was played -----------------------------------------------------------------


@router.post("/tables/{id}/hint", response_model=forms.Advice, summary="what a trained player would do")
async def hint(
    request: Request, id: TableId, body: forms.HintRequest, authorization: Authorization = None
) -> dict[str, Any]:
    """From what your seat sees. The first hint of a game compiles the search, which takes a while.

    Without `values` the policy's probabilities come at once; then ask again for the values.
    """
    table, player = await _loaded(request, id, authorization)
    return await _adviser(request).hint(table, player, body.turn, body.values)


@router.post("/tables/{id}/why", response_model=forms.Advice, summary="what a move was worth")
async def why(
    request: Request, id: TableId, body: forms.MoveRequest, authorization: Authorization = None
) -> dict[str, Any]:
    """Your own moves at any time; those of others when the deal is over."""
    table, player = await _loaded(request, id, authorization)
    return await _adviser(request).why(table, player, body.move)


@router.get("/tables/{id}/review", summary="the deal that is over, all hands open, move by move")
async def review(request: Request, id: TableId, authorization: Authorization = None) -> dict[str, Any]:
    """Refused with 409 before the end of the deal. The result is as at the table, for your seat."""
    table, player = await _loaded(request, id, authorization)
    return await _adviser(request).review(table, player)


@router.post("/tables/{id}/costs", summary="what each move of the deal that is over cost")
async def costs(
    request: Request, response: Response, id: TableId, authorization: Authorization = None
) -> dict[str, Any]:
    """As `jaxcards review --json` has it; `worst` are the numbers of the costliest moves.

    While they are computed the status is 202, and the answer says how many moves are `done`: ask again.
    """
    table, _ = await _loaded(request, id, authorization)
    found = await _adviser(request).costs(table)
    response.status_code = 200 if "moves" in found else 202
    return found


@router.get("/tables/{id}/record", response_class=PlainTextResponse, summary="the record of the deal")
async def record(request: Request, id: TableId, authorization: Authorization = None) -> str:
    """Return the record as a line of JSON (docs/records.md), once the deal is over."""
    table, _ = await _loaded(request, id, authorization)
    return _adviser(request).record(table)


@router.get("/statistics", summary="my results")
async def statistics(request: Request, authorization: Authorization = None) -> dict[str, Any]:
    """Of the person whose token is given, in all deals and matches that came to their end."""
    outcomes = _tables(request).store.outcomes(hashed(_token(authorization)))
    return messages.of_statistics(outcomes)
