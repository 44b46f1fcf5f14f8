"""Standard streams as every program may expect them, whoever started it."""

import codecs
import json
import os
import sys


def fill_streams() -> None:
    """Give a process without standard streams the null device, and never die of a character."""
    descriptor = 0
    while descriptor <= 2:  # else the next file opened, maybe the database, becomes stdout
        descriptor = os.open(os.devnull, os.O_RDWR)
    os.close(descriptor)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def json_line(value: object, encoding: str) -> str:
    """Return JSON for a stream: JSON is UTF-8, so one of another encoding gets ASCII alone."""
    return json.dumps(value, ensure_ascii=codecs.lookup(encoding).name != "utf-8")
