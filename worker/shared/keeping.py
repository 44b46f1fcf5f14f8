"""Requests and replies about what is stored already: secrets in it, and the room it takes."""

from pydantic import BaseModel, Field, model_validator

from worker.shared.contract import Request
from worker.shared.jobs import JobState


class RedactRequest(Request):
    """POST /api/redact: look for secrets in all that is stored."""

    apply: bool = Field(False, description="Also replace them, after a backup")
    drop_backups: bool = Field(
        False, description="With apply: delete all older backups, which hold the secrets still"
    )

    @model_validator(mode="after")
    def _only_after_a_change(self) -> "RedactRequest":
        if self.drop_backups and not self.apply:
            raise ValueError("drop_backups goes with apply")
        return self


class FoundSecret(BaseModel):
    """Where secrets stand; never what they are."""

    where: str = Field(description="#12, #S3, #P7, or the table and the id")
    field: str
    kinds: dict[str, int]


class RedactReply(BaseModel):
    """GET and POST /api/redact (202): how far it is, and what was found."""

    state: JobState | None = Field(description="None: not asked for since the worker's start")
    applied: bool = False
    done: int = Field(0, description="Rows looked at")
    total: int = 0
    found: dict[str, int] = Field({}, description="How many, by kind")
    places: list[FoundSecret] = Field([], description="The first thousand")
    more: int = Field(0, description="How many places are not named")
    backup: str = Field("", description="The backup that was made")
    backups: list[str] = Field([], description="All backups that may hold the secrets still")
    cause: str = Field("", description="Why it failed")
    notes: list[str] = []


class SizeReply(BaseModel):
    """GET /api/compact, and POST (202): the room that the memories take, in bytes."""

    bytes: int
    unused: int = Field(description="Of it; compacting gives it back")
    log: int = Field(description="The -wal file beside it")
    backups: int
    room: int = Field(description="Free on the disk")
    needed: int = Field(description="That has to be free for compacting")
    state: JobState | None = Field(None, description="Of the last compacting; None: none yet")
    before: int | None = Field(None, description="What the last one began with")
    cause: str = Field("", description="Why it failed")
    notes: list[str] = []
