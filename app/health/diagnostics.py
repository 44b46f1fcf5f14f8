"""The report for somebody who helps: what is known of this installation, nothing of the user's."""

import platform
import re
import sqlite3
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from app.health.redaction import Private, redact
from worker import __version__
from worker.shared.log_lines import Entry
from worker.shared.readiness import PartReport
from worker.shared.state import WorkerState

LINES = 200  # of the log
_CHAIN = ("Traceback (most recent", "During handling of the", "The above exception was")
_FRAME = re.compile(r'\s+File "')
_KEPT = re.compile(r"[\s^~]*")  # blank, or what points at a place in the line above
_STAMP = re.compile(r"\d{4}-\d\d-\d\d ")
_NAME = re.compile(r"[\w.]+")


@dataclass(frozen=True, slots=True)
class Facts:
    """What was collected, as it is: not redacted yet."""

    at: datetime
    worker: WorkerState
    parts: Sequence[PartReport]
    versions: Mapping[str, str]
    system: Mapping[str, str]
    sizes: Mapping[str, int | None]  # bytes, by path; None where there is nothing
    free: int | None  # bytes on the disk of the data folder
    settings: Mapping[str, object]
    counts: Mapping[str, object] = field(default_factory=dict)
    log: Sequence[Entry] = ()
    output: str = ""  # what the worker wrote besides its log
    troubles: Sequence[str] = ()  # what could not be collected


def report(facts: Facts, private: Private) -> str:
    """Return the report as text, without anything private."""
    blocks = {
        "Memtray diagnostics": [facts.at.isoformat(" ", "seconds")],
        "Versions": [f"{name} {value}" for name, value in facts.versions.items()],
        "System": _pairs(facts.system),
        "Worker": list(_worker(facts.worker)),
        "Parts": list(_parts(facts.parts)),
        "Counts": _pairs(facts.counts),
        "Files": list(_files(facts)),
        "Settings": _pairs(facts.settings),
        "Not collected": list(facts.troubles),
        f"Last {LINES} log lines": list(_log(facts.log)),
        "Last output of the worker": list(without_values(facts.output, inside=False)),
    }
    text = "\n\n".join(
        "\n".join([title, "-" * len(title), *lines]) for title, lines in blocks.items() if lines
    )
    return redact(text, private) + "\n"


def save_zip(path: Path, text: str) -> None:
    """Write the report, and nothing that it does not show, into a zip; raise OSError."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("memtray-diagnostics.txt", text)


def versions() -> dict[str, str]:
    """Return the versions of Memtray and of what it is built on."""
    found = {
        "memtray": __version__,
        "python": f"{platform.python_version()}{' (frozen)' if hasattr(sys, 'frozen') else ''}",
        "sqlite": sqlite3.sqlite_version,
    }
    for package in _requirements():
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not found"
    return found


def _requirements() -> list[str]:
    """Return the packages that Memtray needs, as its own description names them."""
    try:
        needed = requires("memtray") or []
    except PackageNotFoundError:  # run from a folder, or frozen without it
        return []
    names = (re.match(r"[\w.-]+", text) for text in needed if 'extra == "dev"' not in text)
    return sorted({name[0] for name in names if name})


def _worker(seen: WorkerState) -> Iterator[str]:
    yield f"state: {seen.state}" + (f" ({seen.cause})" if seen.cause else "")
    yield f"data folder: {seen.data_dir}"
    yield f"port: {seen.port}"
    if seen.health:
        up = int(seen.health.uptime_seconds)
        yield f"process: {seen.pid}, version {seen.health.version}, up for {up} s"
    if seen.remedy:
        yield f"remedy: {seen.remedy}"


def _parts(parts: Iterable[PartReport]) -> Iterator[str]:
    for part in parts:
        yield f"{part.part}: {part.state}{_lag(part)}"
        yield from (f"    {text}" for text in (part.cause, part.remedy) if text)


def _lag(part: PartReport) -> str:
    if part.done is None:
        return ""
    if part.total is None:
        return f", {part.done}"
    return f", {part.done} of {part.total}, lag {max(0, part.total - part.done)}"


def _files(facts: Facts) -> Iterator[str]:
    for path, size in facts.sizes.items():
        yield f"{path}: {'not there' if size is None else f'{size:,} bytes'}"
    if facts.free is not None:
        yield f"free on that disk: {facts.free:,} bytes"


def _log(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield what was logged above DEBUG, where no memory is; an error may quote one."""
    for entry in entries:
        if entry.level not in ("DEBUG", "-"):
            exception = "\n".join(without_values(entry.exception, inside=True))
            yield str(entry.model_copy(update={"exception": exception}))


def without_values(text: str, *, inside: bool) -> Iterator[str]:
    """Yield the lines, of tracebacks without what their errors quote; where it happened stays.

    `inside` says that all of the text is a traceback; else it ends with the next line of a log.
    """
    is_source = named = False
    for line in text.splitlines():
        if line.startswith(_CHAIN):
            inside, named = True, False
        elif inside and _STAMP.match(line):
            inside = False
        is_frame = _FRAME.match(line) is not None
        if not inside or is_frame or is_source or _KEPT.fullmatch(line) or line.startswith(_CHAIN):
            yield line
        elif not named:
            named = True
            yield _name_of_error(line)
        is_source = inside and is_frame


def _name_of_error(line: str) -> str:
    name, colon, _ = line.partition(":")
    return f"{name}: …" if colon and _NAME.fullmatch(name) else "…"


def _pairs(values: Mapping[str, object]) -> list[str]:
    return [f"{name}: {value}" for name, value in values.items()]
