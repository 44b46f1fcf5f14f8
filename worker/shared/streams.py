"""Standard streams as every program may expect them, whoever started it."""

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
