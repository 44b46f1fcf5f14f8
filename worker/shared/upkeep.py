"""What backups, transfers and repairs take and give."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, Field

from worker.shared.contract import Request
from worker.shared.values import Name, Rows


class RestoreRequest(Request):
    """POST /api/restore."""

    name: str = Field(
        min_length=1, max_length=200, description="A name from GET /api/backup, or newest"
    )


class ExportRequest(Request):
    """GET /api/export: one page of rows, to be kept or carried elsewhere."""

    project: Name = None
    after: Name = Field(None, description="What `next` of the page before was")


class ImportRequest(Request):
    """POST /api/import/rows: rows of an export; all of them are stored, or none."""

    rows: Rows = Field(description="Objects as /api/export gives them")
    job: Name = Field(None, description="Of the reply to the rows before: undone together")


class MemoriesIn(BaseModel):
    """What one database holds."""

    observations: int
    sessions: int
    prompts: int
    oldest: str | None = Field(description="ISO time with offset, local zone")
    newest: str | None = Field(description="ISO time with offset, local zone")


class BackupReply(BaseModel):
    """POST /api/backup: a verified copy of the memories, on the disk."""

    name: str
    path: str
    kind: Literal["daily", "manual", "before-restore"]
    made: str = Field(description="ISO time with offset, local zone")
    bytes: int
    memories: MemoriesIn | None = Field(description="None where it cannot be read any more")
    problem: str = ""
    notes: list[str] = []


class BackupsReply(BaseModel):
    """GET /api/backup: all that there are, newest first."""

    folder: str
    backups: list[BackupReply]
    kept: dict[str, int] = Field({}, description="How many of a kind are kept; the others stay")
    notes: list[str] = []


class RestoreReply(BaseModel):
    """POST /api/restore: what the database holds now, and where that is which it held before."""

    restored: str
    memories: MemoriesIn
    kept: str | None
    notes: list[str] = []


class ExportReply(BaseModel):
    """GET /api/export."""

    rows: list[dict[str, str | int | float]]
    next: str | None = Field(description="Where the next page begins; none after the last")
    left_out: list[str] = Field([], description="Records that are too large to travel")
    notes: list[str] = []


class ImportReply(BaseModel):
    """POST /api/import/rows: they are on the disk."""

    added: dict[str, int] = Field(description="How many are new, by table")
    known: int = Field(description="How many were there already")
    secrets: dict[str, int] = Field({}, description="How many were left out, by kind")
    job: str | None = Field(None, description="What undoes it; none where nothing was added")
    notes: list[str] = []


class Index(StrEnum):
    """What can be made anew: from the memories, from the texts, from the kept vectors."""

    KEYWORD = "keyword"
    VECTORS = "vectors"
    CHROMA = "chroma"
    ALL = "all"


class ReindexRequest(Request):
    """POST /api/reindex: what is quick, keyword and chroma, unless `what` says otherwise."""

    what: Index | None = Field(
        None, description="keyword, vectors (embeds each memory anew), chroma, all"
    )


class ReindexReply(BaseModel):
    """POST /api/reindex: 202, GET /api/ready tells how far each is."""

    begun: list[Index]
    notes: list[str] = []


class Mended(BaseModel):
    """What was done about one part or, where only a person can do it, what that is."""

    part: str
    did: str


class RepairReply(BaseModel):
    """POST /api/repair: what was done; nothing where all was well."""

    mended: list[Mended]
    notes: list[str] = []
