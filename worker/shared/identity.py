"""Who a worker is: what it writes into `worker.json`, and what it says in /health.

Loads quickly, as a worker must be able to say so before anything else.
"""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from worker.shared.paths import Paths
from worker.shared.settings import load_settings

API_LEVEL = 1
SERVICE = "memtray-worker"
PORT_VARIABLE = "MEMTRAY_PORT"


@dataclass(frozen=True, slots=True)
class WorkerRecord:
    """What a running worker writes into `worker.json`."""

    pid: int
    started: float  # seconds since the epoch, as psutil tells it
    port: int
    instance: str  # made anew at each start
    token: str
    version: str
    port_setting: int | None = None  # what the settings said when it started; None: it is older

    def to_json(self) -> str:
        """Return it as it stands in the file."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class Identity:
    """Who this worker is; what others compare before they trust or stop it."""

    version: str
    instance: str
    pid: int
    port: int
    started: float  # the process's start, seconds since the epoch
    token: str
    data_dir: str
    require_token: bool = False  # for reading, too

    def health(self, observations: int | None) -> dict[str, object]:
        """Return what /health says now: the fields of Health, see the contract."""
        return {
            "status": "ok",
            "service": SERVICE,
            "version": self.version,
            "api_level": API_LEVEL,
            "instance": self.instance,
            "pid": self.pid,
            "port": self.port,
            "uptime_seconds": round(max(0.0, time.time() - self.started), 3),
            "observations": observations,
            "data_dir": self.data_dir,
        }


def read_record(path: Path) -> WorkerRecord | None:
    """Return what `worker.json` says, or None when there is none that can be read."""
    try:
        found = json.loads(path.read_bytes())
        known = {field.name for field in fields(WorkerRecord)}
        record = WorkerRecord(**{name: found[name] for name in known.intersection(found)})
    except (OSError, ValueError, RecursionError, TypeError):
        return None
    numbers = type(record.pid) is type(record.port) is int and isinstance(record.started, float)
    texts = all(isinstance(text, str) for text in (record.instance, record.token, record.version))
    return record if numbers and texts and 0 < record.port < 65_536 else None


def expected_port(paths: Paths, environ: Mapping[str, str] = os.environ) -> int:
    """Return the port of a worker that has told nobody: MEMTRAY_PORT, the setting, 37777."""
    wanted = environ.get(PORT_VARIABLE, "")
    if wanted.isascii() and wanted.isdigit() and 0 < int(wanted) < 65_536:
        return int(wanted)
    return load_settings(paths.settings).port
