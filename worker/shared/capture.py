"""Requests and replies about what is not remembered: excludes, and pauses."""

from pydantic import BaseModel, Field

from worker.shared.contract import Request
from worker.shared.values import KeptText, Whole

MAX_MINUTES = 60 * 24 * 365


class PatternRequest(Request):
    """POST /api/excludes, POST /api/excludes/remove, GET /api/excludes/test."""

    pattern: KeptText = Field(
        min_length=1,
        max_length=200,
        description="As in .gitignore: a project's or folder's name, or a path; * ? [ab] ** !",
    )


class PauseRequest(Request):
    """POST /api/capture/pause."""

    minutes: Whole | None = Field(
        None, ge=1, le=MAX_MINUTES, description="For how long; until it is ended if not given"
    )


class KnownPlace(BaseModel):
    """A project or a folder that is known here."""

    project: str
    folder: str = Field("", description="Empty where it is not known")
    memories: int = Field(description="How many are stored already")


class Exclude(BaseModel):
    """One pattern."""

    pattern: str
    added_at: str = Field(description="ISO time with offset, local zone")
    matches: list[KnownPlace] = Field(description="What of the known it means")


class ExcludesReply(BaseModel):
    """GET /api/excludes, and what a change of them answers: all patterns in their order."""

    excludes: list[Exclude]
    notes: list[str] = []


class TestReply(BaseModel):
    """GET /api/excludes/test: what a pattern would mean; nothing is changed."""

    __test__ = False

    pattern: str
    matches: list[KnownPlace]
    known: int = Field(description="How many projects and folders are known in all")
    notes: list[str] = []


class CaptureReply(BaseModel):
    """GET /api/capture: whether anything new is remembered."""

    paused: bool
    until: str | None = Field(
        None, description="ISO time with offset, local zone; None: until it is ended"
    )
    notes: list[str] = []
