"""A data export of claude.ai, as it arrives: a ZIP of either layout, or one of its JSON files."""

import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO, Any

from worker.ingest.claude_ai.conversation import conversation_of
from worker.ingest.claude_ai.documents import memory_rows, project_rows
from worker.ingest.json_stream import TornError, elements
from worker.ingest.transcripts.content import text_at
from worker.ingest.transcripts.lines import Reading
from worker.ingest.transcripts.memories import rows_of
from worker.ingest.transcripts.turns import Conversation
from worker.shared.portable import Row

Admit = Callable[[Conversation], Conversation | None]

_UNPACKING = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError)
_OURS = ("projects", "conversations", "memories")  # in this order: projects name the memories


def is_export(path: Path) -> bool:
    """Say whether a file is an export of claude.ai or a part of one, by what it holds.

    Raises OSError.
    """
    with path.open("rb") as raw:
        if zipfile.is_zipfile(raw):
            return bool(_members(path))
        raw.seek(0)
        if not raw.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"[", b"{")):
            return False
        raw.seek(0)
        try:
            with closing(elements(raw)) as found:
                return _kind(next(found, None)) != ""
        except TornError:
            return False


def read_export(
    path: Path, reading: Reading, admit: Admit = lambda conversation: conversation
) -> Iterator[Iterable[Row]]:
    """Give the rows of each conversation, project and memory, its session first.

    `admit` returns what may be remembered of a conversation, None for nothing.
    What cannot be used is noted in `reading` with its name, never raised. Raises OSError.
    """
    names: dict[str, str] = {}
    at = int(path.stat().st_mtime * 1000)
    with path.open("rb") as raw:
        for name, file in _files(path, raw, reading):
            yield from _Part(name, path, at, names, admit).rows(file, reading, raw)
    reading.size = path.stat().st_size


def _files(path: Path, raw: IO[bytes], reading: Reading) -> Iterator[tuple[str, IO[bytes]]]:
    """Give each JSON file by its name; "" for the file itself."""
    if not zipfile.is_zipfile(raw):
        raw.seek(0)
        yield "", raw
        return
    members = _members(path)
    try:
        with zipfile.ZipFile(raw) as archive:
            for member in members:
                reading.lines += 1
                try:
                    with archive.open(member) as file:
                        yield member, file
                except _UNPACKING as exc:
                    reading.failed.append((reading.lines, f"{member}: {exc}"))
    except _UNPACKING as exc:
        reading.failed.append((0, str(exc)))


def _members(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            named = [name for name in archive.namelist() if _order(name) >= 0]
    except _UNPACKING:
        return []
    return sorted(named, key=lambda name: (_order(name), name))


def _order(name: str) -> int:
    """Return where a file of an archive comes; -1 for one that is not read."""
    path = PurePosixPath(name)
    if path.suffix.lower() != ".json" or path.name.startswith(".") or "__MACOSX" in path.parts:
        return -1
    kinds = [order for order, kind in enumerate(_OURS) if kind in (path.stem, *path.parts[:-1])]
    split = [order for order, kind in enumerate(_OURS) if path.stem.startswith(f"{kind}-")]
    return next(iter(kinds + split), -1)


def _kind(element: object) -> str:
    """Return what an element of an export is; "" for none of it."""
    if not isinstance(element, dict):
        return ""
    if isinstance(element.get("chat_messages"), list):
        return "conversation"
    if element.keys() & {"conversations_memory", "project_memories", "memory_files"}:
        return "memories"
    if "uuid" in element and element.keys() & {"docs", "prompt_template"}:
        return "project"
    return ""


class _Part:
    """One file of an export."""

    def __init__(self, name: str, path: Path, at: int, names: dict[str, str], admit: Admit) -> None:
        """`names` collects those of the projects, by their ids."""
        self._admit = admit
        self._name = name
        self._path = path
        self._at = at
        self._names = names

    def rows(self, file: IO[bytes], reading: Reading, raw: IO[bytes]) -> Iterator[Iterable[Row]]:
        """Give the rows of each element; empty ones where it tells nothing."""
        number = 0
        try:
            for number, element in enumerate(elements(file), 1):
                reading.size = raw.tell()
                if not _kind(element):
                    self._note(reading, number, "nothing that an export of claude.ai holds")
                yield from self._rows_of(element, reading)
        except TornError as exc:
            self._note(reading, number + 1, f"not readable from here on: {exc}")
        except _UNPACKING as exc:
            self._note(reading, number + 1, f"damaged from here on: {exc}")

    def _rows_of(self, element: Any, reading: Reading) -> Iterator[Iterable[Row]]:  # noqa: ANN401 - JSON
        kind = _kind(element)
        if kind == "conversation":
            conversation = conversation_of(element)
            reading.empty += conversation is None
            admitted = self._admit(conversation) if conversation else None
            yield rows_of(admitted, self._path, settled=True) if admitted else ()
        elif kind == "project":
            self._names[text_at(element, "uuid")] = text_at(element, "name")
            yield project_rows(element, self._at)
        elif kind == "memories":
            yield from memory_rows(element, self._names, self._at)

    def _note(self, reading: Reading, number: int, why: str) -> None:
        where = f"{self._name}, " if self._name else ""
        reading.failed.append((number, f"{where}element {number}: {why}"))
