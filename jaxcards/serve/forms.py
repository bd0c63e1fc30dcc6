"""The requests and answers of the API, as it documents and checks them."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from jaxcards.serve.seating import MOST_SEATS

_Token = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
_Turn = Annotated[int, Field(ge=0, le=2**31 - 1)]
_Total = Annotated[int, Field(ge=-(2**31), le=2**31 - 1)]


class _Form(BaseModel):
    # Refuse unknown fields and values of another type, so that a misspelt field is not ignored.
    model_config = ConfigDict(extra="forbid", strict=True)


class GameQuestion(_Form):
    """Rules about which something is asked."""

    game: str = Field(max_length=100, examples=["jass/schieber_1000"])
    rules: dict[Annotated[str, Field(max_length=60)], JsonValue] = Field(
        default_factory=dict, max_length=100, description="single rules that differ from the preset"
    )


class TableRequest(GameQuestion):
    """A table to open."""

    match: bool = Field(False, description="a whole match; else deals one after the other")
    totals: list[_Total] = Field(
        default_factory=list, max_length=MOST_SEATS, examples=[[9, 7]],
        description="points of each player or side before a match; empty for zeros",
    )  # fmt: skip
    deals_before: int = Field(0, ge=0, le=2**31 - 1, description="deals of the match played before")
    seats: list[Annotated[str, Field(max_length=100)]] = Field(
        min_length=1, max_length=MOST_SEATS, examples=[["you", "champion", "champion", "champion"]],
        description="for each player: you (once), person (by invitation), or a player offered",
    )  # fmt: skip
    name: str = Field("guest", max_length=100, description="what others call you")
    person: _Token | None = Field(None, description="token that results are kept for")


class RecordRequest(_Form):
    """A recorded deal to look at again, or to play on from."""

    record: str = Field(max_length=16_000, description="a line of JSON, as docs/records.md has it")
    move: _Turn | None = Field(None, description="played on from here; the end of the record without")
    player: int = Field(0, ge=0, le=15, description="who you are")
    others: str | None = Field(
        None, max_length=100,
        description="a player offered, for all other seats; without, the first that knows the game",
    )  # fmt: skip
    name: str = Field("guest", max_length=100)
    person: _Token | None = None


class InvitationQuestion(_Form):
    """An invitation to look at."""

    invitation: _Token


class Invitation(_Form):
    """A table that a person is invited to."""

    host: str = Field(description="name of the person who opened the table, or who stayed")
    game: str


class JoinRequest(InvitationQuestion):
    """An invitation that is accepted."""

    name: str = Field("guest", max_length=100)
    person: _Token | None = None


class ActionRequest(_Form):
    """An action of the player to act."""

    turn: _Turn = Field(description="the turn of the table that this answers")
    action: int = Field(ge=0, le=2**31 - 1, description="of the choices of the view")


class TurnRequest(_Form):
    """Something that belongs to a turn."""

    turn: _Turn


class HintRequest(TurnRequest):
    """A hint for the player to act."""

    values: bool = True


class MoveRequest(_Form):
    """A move of the deal on the table."""

    move: _Turn = Field(description="its number in the deal, from 0")


class Text(BaseModel):
    """A text for people: a key of the language files, and its arguments; see docs/play.md, A view."""

    key: str
    args: dict[str, Any]


class SeatState(BaseModel):
    """The occupant of a seat."""

    kind: str
    name: str = Field(description="of a person; of a player its kind, with a number")
    shown: Text = Field(description="the name that people read")
    free: bool
    invitation: str = Field(description="shown to the host while the seat is free")


class TableState(BaseModel):
    """A table as a seat sees it."""

    id: str
    turn: int = Field(description="counts actions and deals; an action names the turn it answers")
    status: str = Field(description="preparing, waiting, playing, deal over, over, or failed")
    failure: Text | None
    game: str
    match: bool
    number: int = Field(description="of the deal, from 0")
    player: int = Field(description="the number of your player")
    seats: list[SeatState]
    view: dict[str, Any] | None = Field(description="see docs/play.md, A view; null before the play")
    log: list[list[Text]] = Field(description="what was told of each action of the deal")


class Seated(BaseModel):
    """A seat that was taken."""

    id: str
    player: int
    token: str = Field(description="of the seat: Authorization: Bearer TOKEN")
    person: str = Field(description="token that results are kept for; send it with the next table")
    table: TableState


class ChoiceWorth(BaseModel):
    """The advice about a choice."""

    action: int
    text: Text
    policy: float = Field(description="the probability with which the trained player chooses it")
    value: float | None = Field(description="the expected result of the deal, in `unit`")
    error: float | None = Field(description="standard error of them")


class Advice(BaseModel):
    """The advice of the trained player about every choice, the best first."""

    best: int
    reason: Text
    worlds: int
    unit: str = Field(description="of the values; see `View.deal_unit`")
    choices: list[ChoiceWorth]
    played: int | None = None


class Problem(BaseModel):
    """Why a request was refused, in one line of English; as a text in other languages if it has one."""

    error: str
    text: Text | None = None
