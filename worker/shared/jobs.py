"""Requests and replies about long work: imports, and how far they are."""

from enum import StrEnum

from pydantic import BaseModel, Field

from worker.shared.contract import Request
from worker.shared.values import KeptText, KeptTexts

FILES, ROWS = "import", "rows"  # the kinds of jobs: files that are read, rows that were sent


class JobState(StrEnum):
    """How a job is."""

    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    UNDONE = "undone"  # it had ended, and what it had added is gone again


class ImportPathsRequest(Request):
    """POST /api/import: transcripts of Claude Code, files and folders on this machine."""

    paths: KeptTexts = Field(min_length=1, max_length=100, description="Whole paths")
    sidechains: bool = Field(False, description="Also what sub-agents said to themselves")
    yes: bool = Field(False, description="Also into a database in which claude-mem has recorded")


class UndoImportRequest(Request):
    """POST /api/import/undo."""

    job: KeptText = Field(min_length=1, max_length=40, description="The id of the import")


class UndoImportReply(BaseModel):
    """POST /api/import/undo: what an import had added is gone."""

    job: str
    removed: dict[str, int] = Field(description="How many rows, by table")
    notes: list[str] = []


class FailedLine(BaseModel):
    """What could not be read."""

    file: str
    line: int | None = Field(None, description="None for the whole file")
    why: str


class JobReply(BaseModel):
    """GET and DELETE /api/jobs/ID, its pause and resume, POST /api/import (202): how far it is."""

    id: str
    kind: str = Field(description="import: of files; rows: POST /api/import/rows, done at once")
    state: JobState
    started: str = Field(description="ISO time with offset, local zone")
    seconds: float = Field(description="That it ran, pauses left out")
    rate: float | None = Field(None, description="Bytes a second; None: nothing measured yet")
    left: float | None = Field(None, description="Seconds that it will take still, at this rate")
    files: int
    files_done: int
    bytes: int
    bytes_done: int
    added: dict[str, int] = Field({}, description="How many are new, by table")
    known: int = Field(0, description="How many were there already")
    recorded: int = Field(0, description="Sessions left out, as claude-mem has recorded them")
    excluded: int = Field(0, description="Sessions left out, as they are excluded or were paused")
    empty: int = Field(0, description="Conversations of an export in which nothing was said")
    repaired: int = Field(0, description="Lines that could be read after all")
    secrets: dict[str, int] = Field({}, description="How many were left out, by kind")
    failed: list[FailedLine] = Field([], description="The first hundred")
    failures: int = Field(0, description="How many there are in all")
    cause: str = Field("", description="Why it failed")
    notes: list[str] = []


class JobsReply(BaseModel):
    """GET /api/jobs: the last twenty, also of earlier runs of the worker, newest first."""

    jobs: list[JobReply]
    notes: list[str] = []
