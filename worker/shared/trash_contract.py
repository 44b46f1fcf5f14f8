"""Requests and replies about memories that are let go, and put back."""

from pydantic import BaseModel, Field, model_validator

from worker.shared.contract import Request
from worker.shared.values import Ids, Name

MAX_DELETE = 1_000


class DeleteRequest(Request):
    """POST /api/memory/delete: ids, or all of a project."""

    ids: Ids = Field((), max_length=MAX_DELETE)
    project: Name = None
    now: bool = Field(False, description="For good: nothing is kept to put it back")

    @model_validator(mode="after")
    def _one_of_both(self) -> "DeleteRequest":
        if bool(self.ids) == bool(self.project):
            raise ValueError("give either ids or project")
        return self


class UndoRequest(Request):
    """POST /api/memory/undo: what a deletion took, put back."""

    batch: Name = Field(None, description="What the deletion answered; the latest if not given")


class Deleted(BaseModel):
    """One deletion that can be undone."""

    batch: str
    label: str = Field(description="The project, or the first ids")
    rows: int
    deleted_at: str = Field(description="ISO time with offset, local zone")
    until: str = Field(description="When it is forgotten")


class DeleteReply(BaseModel):
    """POST /api/memory/delete: what went, and what a search for it still finds."""

    batch: str | None = Field(description="For undoing it; None where it is gone for good")
    deleted: dict[str, int] = Field(description="How many, by table")
    summaries: int = Field(
        0, description="Of them: summaries of imported sessions, which told of what went"
    )
    not_found: list[str] = []
    left: int = Field(description="How many of them are still found: 0 where all is as it should")
    until: str | None = Field(description="How long it can be undone")
    notes: list[str] = []


class UndoReply(BaseModel):
    """POST /api/memory/undo."""

    batch: str
    restored: int
    notes: list[str] = []


class TrashReply(BaseModel):
    """GET /api/trash, newest first."""

    batches: list[Deleted]
    notes: list[str] = []
