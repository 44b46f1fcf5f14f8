"""The JSON file that claude-mem's own export script writes, as rows like those of ours."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from worker.ingest.export_file import BadFileError, GoOn, Measured
from worker.ingest.json_stream import Begun, Place, TornError, array_at, ignore, members
from worker.ingest.transcripts.lines import Reading
from worker.shared.portable import check_row

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


class ClaudeMemExport:
    """The export, gone over a record at a time: to be checked, and then for its rows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._begun: set[str] = set()
        self._sessions: Place | None = None

    def check(self, reading: Reading, go_on: GoOn = lambda: None) -> Iterator[Measured]:
        """Yield each row as it stands there, and about how many bytes it takes.

        `reading` tells how far that is, `go_on` is called for each record and may raise. Raises
        BadFileError, with the list and the number of the record, where it is no whole export, and
        OSError.
        """
        self._begun.clear()
        for name, number, record in self._members(reading, go_on, self._begin):
            if name in _LISTS:
                yield self._row(name, number, record)

    def rows(self, reading: Reading, go_on: GoOn = lambda: None) -> Iterator[Measured]:
        """Yield the same, sessions first, of a file that was checked: claude-mem has them later."""
        if self._sessions:
            with self._path.open("rb") as file, self._told():
                for number, record in array_at(file, self._sessions):
                    go_on()
                    yield self._row(_SESSIONS, number, record)
        for name, number, record in self._members(reading, go_on):
            if name in _LISTS and name != _SESSIONS:
                yield self._row(name, number, record)

    def _begin(self, name: str, place: Callable[[], Place]) -> None:
        if name in self._begun:
            raise BadFileError(f"{name} is there twice", self._path)
        if name in _LISTS:
            self._begun.add(name)
        if name == _SESSIONS:
            self._sessions = place()

    def _members(
        self, reading: Reading, go_on: GoOn, begun: Begun = ignore
    ) -> Iterator[tuple[str, int, Any]]:
        with self._path.open("rb") as file, self._told(), closing(members(file, begun)) as found:
            for each in found:
                reading.size = file.tell()
                go_on()
                yield each

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except TornError as exc:
            why = f"it is no whole JSON ({exc}): copy or export it again"
            raise BadFileError(why, self._path) from exc

    def _row(self, name: str, number: int, record: object) -> Measured:
        if not number:
            raise BadFileError(f"{name} is no list", self._path)
        if not isinstance(record, dict):
            raise BadFileError(f"{name}, record {number}: it is no JSON object", self._path)
        texts = {
            key: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
            for key, value in record.items()
            if value is not None
        }
        texts["table"] = _LISTS[name]
        try:
            row = check_row(texts)
        except ValueError as exc:
            raise BadFileError(f"{name}, record {number}: {exc}", self._path) from exc
        return row, sum(len(value) for value in row.values() if isinstance(value, str))
