"""Requests and replies about what Claude asked for and got."""

from typing import Literal

from pydantic import BaseModel, Field

from worker.shared.contract import Request
from worker.shared.values import Name, When, Whole, parse_when

KEPT_DAYS = 30
MAX_RECALLS = 500


class RecallsRequest(Request):
    """GET /api/recalls: newest first."""

    limit: Whole = Field(50, ge=1, le=MAX_RECALLS)
    before: Whole | None = Field(None, ge=1, description="What `next` of the page before was")
    since: When = Field(None, description="ISO date, inclusive")
    client: Name = Field(None, description="Such as claude-ai")
    format: Literal["text", "json"] = "text"

    @property
    def since_ms(self) -> int:
        return 0 if self.since is None else parse_when(self.since)


class Seen(BaseModel):
    """One memory that Claude was shown; without a title where it is not there any more."""

    ref: str
    type: str = ""
    title: str = ""


class Recall(BaseModel):
    """One call of an MCP tool."""

    id: int
    at: str = Field(description="ISO time with offset, local zone")
    at_epoch: int = Field(description="Milliseconds")
    client: str
    tool: str
    asked: str = Field(description="The query, the anchor or the ids")
    filters: str = Field(description="What else was asked for, as name=value")
    seen: list[Seen]
    tokens: int = Field(description="Of the answer, guessed without the model's own tokenizer")
    ms: int = Field(description="From the request to its answer, in the worker")
    outcome: Literal["hits", "none", "failed"]
    problem: str = ""


class Tally(BaseModel):
    """How often was asked, and what the answers cost."""

    recalls: int = 0
    tokens: int = 0


class DayTally(Tally):
    """The same of one local day."""

    day: str = Field(description="ISO date")


class RecallsReply(BaseModel):
    """GET /api/recalls?format=json."""

    recalls: list[Recall]
    next: int | None = Field(description="`before` of the next page; none after the last")
    today: Tally
    days: list[DayTally] = Field(description=f"The last {KEPT_DAYS}, today last")
    clients: list[str]
    recording: bool = Field(description="False where the settings switch it off")
    notes: list[str] = []


class ClearedReply(BaseModel):
    """POST /api/recalls/clear."""

    cleared: int
    notes: list[str] = []
