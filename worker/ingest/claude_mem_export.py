"""The JSON file that claude-mem's own export script writes, as rows like those of ours."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worker.ingest.export_file import BadFileError
from worker.shared.portable import Row, check_row

MAX_FILE = 512 * 1024 * 1024  # bytes
_LISTS = {
    "sessions": "sdk_sessions",
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


def read_claude_mem(path: Path) -> Iterator[tuple[int, Row, int]]:
    """Yield the number of each record, its row and its length in bytes, sessions first.

    Raises BadFileError, with the list and the number of the record, where it is no whole export.
    """
    whole = _parse(path)
    number = 0
    for name, table in _LISTS.items():
        for place, record in enumerate(_list(path, whole, name), 1):
            row = _row(path, f"{name}, record {place}", table, record)
            number += 1
            yield number, row, len(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))


def _parse(path: Path) -> dict[str, Any]:
    if path.stat().st_size > MAX_FILE:
        raise _bad(path, f"it is longer than {MAX_FILE} bytes; export a project at a time")
    try:
        whole = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as exc:
        raise _bad(path, f"it is no whole JSON ({exc}): copy or export it again") from exc
    if not isinstance(whole, dict):
        raise _bad(path, "it is no JSON object")
    return whole


def _list(path: Path, whole: dict[str, Any], name: str) -> list[Any]:
    found = whole.get(name, [])
    if not isinstance(found, list):
        raise _bad(path, f"{name} is no list")
    return found


def _row(path: Path, place: str, table: str, record: object) -> Row:
    if not isinstance(record, dict):
        raise _bad(path, f"{place}: it is no JSON object")
    texts = {
        key: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
        for key, value in record.items()
        if value is not None
    }
    try:
        return check_row({**texts, "table": table})
    except ValueError as exc:
        raise _bad(path, f"{place}: {exc}") from exc


def _bad(path: Path, what: str) -> BadFileError:
    return BadFileError(f"{path}, {what}; nothing was imported")
