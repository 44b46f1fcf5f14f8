"""The JSON file that claude-mem's own export script writes, as rows like those of ours."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from worker.ingest.export_file import BadFileError
from worker.ingest.json_stream import TornError, members
from worker.ingest.transcripts.lines import Reading
from worker.shared.portable import Row, check_row

_SESSIONS = "sessions"
_LISTS = {
    _SESSIONS: "sdk_sessions",
    "observations": "observations",
    "summaries": "session_summaries",
    "prompts": "user_prompts",
}
_SIGN = b'"exportedAt'
_START = 64 * 1024  # bytes in which the sign stands


def is_claude_mem_export(path: Path) -> bool:
    """Say whether a file begins as claude-mem's export does; raises OSError."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(_START)
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and _SIGN in start


def read_claude_mem(
    path: Path, reading: Reading, go_on: Callable[[], None] = lambda: None
) -> Iterator[tuple[Row, int]]:
    """Yield each row and about how many bytes it takes, sessions first.

    The file is gone over twice, as claude-mem writes sessions behind their observations; in
    memory is one record. `reading` tells how far that is, `go_on` is called for each record and may
    raise. Raises BadFileError, with the list and the number of the record, where it is no whole
    export, and OSError.
    """
    whole = path.stat().st_size
    for turn, wanted in enumerate(([_SESSIONS], [name for name in _LISTS if name != _SESSIONS])):
        for name, number, record, read in _records(path):
            reading.size = (turn * whole + read) // 2
            go_on()
            if name in wanted:
                row = _row(path, name, number, record)
                yield row, sum(len(value) for value in row.values() if isinstance(value, str))
    reading.size = whole


def _records(path: Path) -> Iterator[tuple[str, int, Any, int]]:
    """Yield list, number and record as they stand there, and the bytes read so far."""
    try:
        with path.open("rb") as file, closing(members(file)) as found:
            for name, number, record in found:
                yield name, number, record, file.tell()
    except TornError as exc:
        raise BadFileError(f"it is no whole JSON ({exc}): copy or export it again", path) from exc


def _row(path: Path, name: str, number: int, record: object) -> Row:
    if not number:
        raise BadFileError(f"{name} is no list", path)
    if not isinstance(record, dict):
        raise BadFileError(f"{name}, record {number}: it is no JSON object", path)
    texts = {
        key: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
        for key, value in record.items()
        if value is not None
    }
    try:
        return check_row({**texts, "table": _LISTS[name]})
    except ValueError as exc:
        raise BadFileError(f"{name}, record {number}: {exc}", path) from exc
