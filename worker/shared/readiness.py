"""How a worker says that it is alive and how each of its parts is."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, Field

from worker.shared.identity import API_LEVEL, SERVICE


class Health(BaseModel):
    """GET /health: alive, and who."""

    status: Literal["ok"] = "ok"
    service: str = SERVICE
    version: str
    api_level: int = API_LEVEL
    instance: str
    pid: int
    port: int
    uptime_seconds: float
    observations: int | None
    data_dir: str


class ShutdownReply(BaseModel):
    """POST /api/admin/shutdown: 202, the worker finishes what is in flight and ends."""

    status: Literal["stopping"] = "stopping"
    notes: list[str] = []


class PartState(StrEnum):
    """How a part of the worker is."""

    OK = "ok"
    BUILDING = "building"
    DEGRADED = "degraded"
    DOWN = "down"
    OFF = "off"


class PartReport(BaseModel):
    """One line of GET /api/ready."""

    part: str
    state: PartState
    cause: str = ""
    remedy: str = ""
    done: int | None = None
    total: int | None = None
    age_seconds: float | None = Field(None, description="Since it was looked at; null: just now")


class Ready(BaseModel):
    """GET /api/ready: 503 only when the store is down."""

    state: PartState
    parts: list[PartReport]
