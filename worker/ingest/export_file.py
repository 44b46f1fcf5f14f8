"""The file that an export makes and an import reads: JSON lines, described in docs/EXPORT.md."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from worker.ingest.transcripts.lines import Reading
from worker.shared.errors import MemtrayError
from worker.shared.portable import MAX_ROW, TABLES, Row, check_row

Measured = tuple[Row, int]  # and about how many bytes it takes
GoOn = Callable[[], None]  # is called for each row and may raise

FORMAT = "memtray_export"  # the key by which the first line is known
VERSION = 1
CHUNK_ROWS = 500
CHUNK_BYTES = 1024 * 1024

_ACCEPTED = (
    "import reads what `memtray-worker export FILE` wrote, whose first line begins with "
    f'{{"{FORMAT}": '
)


class FileExistsAlreadyError(MemtrayError):
    """An export never replaces what is there unless it is told to."""

    title = "The file exists already"
    code = "file_exists"


class BadFileError(MemtrayError):
    """A file that is no whole export; nothing of it has been stored."""

    title = "The file cannot be imported"
    code = "bad_file"

    def __init__(self, why: str, path: Path, line: int | None = None) -> None:
        """`why` says what is wrong with the file, or with a line of it."""
        place = f"{path}, line {line}" if line else str(path)
        super().__init__(f"{place}: {why}; nothing was imported")
        self.why = why
        self.line = line


class ExportFile:
    """A file that is being written; it counts what it holds."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.counts: Counter[str] = Counter(dict.fromkeys(TABLES, 0))

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.line(row)
            self.counts[row["table"]] += 1

    def line(self, value: dict[str, Any]) -> None:
        self._file.write(json.dumps(value, ensure_ascii=False) + "\n")


@contextmanager
def writing(path: Path, header: dict[str, Any], *, replace: bool) -> Iterator[ExportFile]:
    """Give a file that gets its name once it is whole and on the disk; only the user can read it.

    Raises FileExistsAlreadyError, or OSError, and leaves nothing behind then.
    """
    _check_free(path, replace=replace)
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            export = ExportFile(file)
            export.line({FORMAT: VERSION, **header})
            yield export
            export.line({"end": dict(export.counts)})
            file.flush()
            os.fsync(file.fileno())
        _check_free(path, replace=replace)
        scratch.replace(path)
    except OSError as exc:
        raise OSError(exc.errno, exc.strerror, str(path)) from exc  # a full disk names no file
    finally:
        with suppress(OSError):
            scratch.unlink()


def _check_free(path: Path, *, replace: bool) -> None:
    if path.is_dir():
        raise FileExistsAlreadyError(f"{path} is a folder; name a file in it")
    if path.exists() and not replace:
        raise FileExistsAlreadyError(f"{path}; choose another name, or --force to replace it")


def read(path: Path, reading: Reading, go_on: GoOn = lambda: None) -> Iterator[Measured]:
    """Yield each row and its length in bytes; `reading` tells how far that is.

    `go_on` is called for each line and may raise.

    Raises BadFileError, with the number of the line, where it is no whole export, and OSError.
    """
    if path.exists() and not path.is_file():
        raise BadFileError(f"it is no ordinary file; {_ACCEPTED}", path)
    with path.open("rb") as file:
        lines = enumerate(iter(lambda: file.readline(MAX_ROW + 2), b""), start=1)
        _check_header(path, *next(lines, (1, b"")))
        counts: Counter[str] = Counter(dict.fromkeys(TABLES, 0))
        number = 1
        for number, line in lines:
            value = _parse(path, number, line)
            if "end" in value:
                _check_end(path, number, value["end"], counts)
                if next(lines, None):
                    raise BadFileError("there is more after the last line", path, number + 1)
                return
            row = _row(path, number, value)
            counts[row["table"]] += 1
            reading.size = file.tell()
            go_on()
            yield row, len(line)
    raise BadFileError(
        "the file ends here without its last line: copy or export it again", path, number
    )


def chunks(measured: Iterable[Measured]) -> Iterator[list[Row]]:
    """Yield the rows in parts, each of which is stored at once."""
    rows: list[Row] = []
    size = 0
    for row, length in measured:
        if rows and (len(rows) == CHUNK_ROWS or size + length > CHUNK_BYTES):
            yield rows
            rows, size = [], 0
        rows.append(row)
        size += length
    if rows:
        yield rows


def _check_header(path: Path, number: int, line: bytes) -> None:
    if not line:
        raise BadFileError(f"it is empty; {_ACCEPTED}", path)
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or FORMAT not in header:
        raise BadFileError(f"this is no export of Memtray; {_ACCEPTED}", path, number)
    if header[FORMAT] != VERSION:
        raise BadFileError(
            f"it has version {header[FORMAT]!r} of the format and this Memtray reads {VERSION}; "
            "update Memtray",
            path,
            number,
        )


def _parse(path: Path, number: int, line: bytes) -> dict[str, Any]:
    if len(line) > MAX_ROW + 1:
        raise BadFileError(f"it is longer than {MAX_ROW} bytes", path, number)
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        cut = "" if line.endswith(b"\n") else "; the file was cut off: copy or export it again"
        raise BadFileError(f"it is no whole JSON object{cut}", path, number)
    return value


def _row(path: Path, number: int, value: object) -> Row:
    try:
        return check_row(value)
    except ValueError as exc:
        raise BadFileError(str(exc), path, number) from exc


def _check_end(path: Path, number: int, stated: object, counts: Counter[str]) -> None:
    if stated != dict(counts):
        raise BadFileError(f"it promises {stated}, the file holds {dict(counts)}", path, number)
