"""The lines of a transcript as objects, whatever state the file is in."""

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

MAX_LINE = 64 * 1024 * 1024  # bytes; a longer one is counted and left out
_LOOKED_AT = 200  # lines
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Line:
    """One object, and where it stands."""

    number: int
    record: dict[str, Any]


@dataclass(slots=True)
class Reading:
    """What came of reading a file: how many bytes, and which lines could not be used."""

    size: int = 0  # bytes
    lines: int = 0
    empty: int = 0  # conversations in which nothing was said
    repaired: int = 0  # lines that held several objects, or NUL characters
    failed: list[tuple[int, str]] = field(default_factory=list)  # number of the line, and why


def read_lines(path: Path, reading: Reading) -> Iterator[Line]:
    """Give each object of a file; what cannot be used is noted in `reading`, never raised.

    A last line without its end is left out silently where it is not whole: it is being written.
    Raises OSError.
    """
    with path.open("rb") as file:
        encoding = _encoding(file)
        if encoding:
            yield from _of_text(path, encoding, reading)
            return
        while raw := file.readline(MAX_LINE + 1):
            reading.lines += 1
            reading.size += len(raw)
            whole = raw.endswith(b"\n")
            if len(raw) > MAX_LINE and not whole:
                reading.size += _skip_line(file)
                reading.failed.append((reading.lines, "longer than 64 MiB"))
                continue
            text = raw.decode("utf-8", "replace")
            del raw  # it may be long, and so are the text and what is in it
            yield from _objects(text, reading, whole=whole)
            del text  # before the next line is read


def is_transcript(path: Path) -> bool:
    """Say whether any of the first lines of a file is a record as Claude Code writes them.

    Raises OSError.
    """
    first = islice(read_lines(path, Reading()), _LOOKED_AT)
    return any(
        {"sessionId", "leafUuid", "message", "snapshot"} & line.record.keys() for line in first
    )


def _encoding(file: BinaryIO) -> str:
    """Return the encoding of a file that is not UTF-8, and go to where the text begins."""
    start = file.read(4)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if len(start) == 4 and not start[1] and not start[3]:
        return "utf-16-le"
    if len(start) == 4 and not start[0] and not start[2]:
        return "utf-16-be"
    file.seek(3 if start.startswith(codecs.BOM_UTF8) else 0)
    return ""


def _of_text(path: Path, encoding: str, reading: Reading) -> Iterator[Line]:
    reading.size = path.stat().st_size
    with path.open(encoding=encoding, errors="replace", newline="\n") as file:
        for text in file:
            reading.lines += 1
            yield from _objects(text.rstrip(), reading, whole=text.endswith("\n"))


def _skip_line(file: BinaryIO) -> int:
    skipped = 0
    while rest := file.readline(MAX_LINE):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped


def _objects(text: str, reading: Reading, *, whole: bool) -> Iterator[Line]:
    """Give the objects of one line: one, as a rule; several where their ends got lost."""
    cleaned = text.replace("\0", "") if "\0" in text else text
    at, count = _past_blanks(cleaned, 0), 0
    while at < len(cleaned):
        try:
            found, at = _DECODER.raw_decode(cleaned, at)
        except (ValueError, RecursionError) as exc:
            if whole:
                deep = isinstance(exc, RecursionError)
                why = "no JSON: nested too deeply" if deep else "no JSON: cut off or garbled"
                reading.failed.append((reading.lines, why))
            return
        count += 1
        at = _past_blanks(cleaned, at)
        if isinstance(found, dict):
            yield Line(reading.lines, found)
        else:
            reading.failed.append((reading.lines, "no JSON object"))
    if count > 1 or (count and "\0" in text):
        reading.repaired += 1


def _past_blanks(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at
