"""Lines of logs for tests."""

import datetime as dt
import json
from pathlib import Path

START = dt.datetime(2026, 5, 28, 12, tzinfo=dt.UTC)


def line(
    message: str,
    second: float = 0,
    *,
    level: str = "INFO",
    component: str = "worker.run",
    exception: str = "",
) -> bytes:
    """Return one line as our processes write it."""
    entry = {
        "time": (START + dt.timedelta(seconds=second)).isoformat(timespec="milliseconds"),
        "level": level,
        "component": component,
        "message": message,
        **({"exception": exception} if exception else {}),
    }
    return json.dumps(entry, ensure_ascii=False).encode() + b"\n"


def write(path: Path, *lines: bytes) -> None:
    """Append to a log file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(lines))
