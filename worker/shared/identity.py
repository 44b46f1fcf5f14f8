"""Who a worker is: what it writes into `worker.json`, and what it says in /health.

Apart from the rest of the contract, as a worker must be able to say so before anything else.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from worker.shared.paths import Paths
from worker.shared.settings import load_settings

API_LEVEL = 1
SERVICE = "memtray-worker"
PORT_VARIABLE = "MEMTRAY_PORT"


class WorkerRecord(BaseModel):
    """What a running worker writes into `worker.json`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    pid: int
    started: float  # seconds since the epoch, as psutil tells it
    port: int = Field(ge=1, le=65_535)
    instance: str
    token: str
    version: str


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


@dataclass(frozen=True, slots=True)
class Identity:
    """Who this worker is; what others compare before they trust or stop it."""

    version: str
    instance: str  # made anew at each start
    pid: int
    port: int
    started: float  # the process's start, seconds since the epoch
    token: str
    data_dir: str
    require_token: bool = False  # for reading, too

    def health(self, observations: int | None) -> Health:
        """Return what /health says now."""
        return Health(
            version=self.version,
            instance=self.instance,
            pid=self.pid,
            port=self.port,
            uptime_seconds=round(max(0.0, time.time() - self.started), 3),
            observations=observations,
            data_dir=self.data_dir,
        )


def read_record(path: Path) -> WorkerRecord | None:
    """Return what `worker.json` says, or None when there is none that can be read."""
    try:
        return WorkerRecord.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def expected_port(paths: Paths, environ: Mapping[str, str] = os.environ) -> int:
    """Return the port of a worker that has told nobody: MEMTRAY_PORT, the setting, 37777."""
    wanted = environ.get(PORT_VARIABLE, "")
    if wanted.isascii() and wanted.isdigit() and 0 < int(wanted) < 65_536:
        return int(wanted)
    return load_settings(paths.settings).port
