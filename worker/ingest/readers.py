"""Which reader understands a file: the one place that knows of all of them."""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from worker.ingest.claude_ai.export import Admit, is_export, read_export
from worker.ingest.claude_mem_export import ClaudeMemExport, is_claude_mem_export
from worker.ingest.export_file import FORMAT, GoOn, Measured, read
from worker.ingest.transcripts.lines import Reading, is_transcript
from worker.shared.portable import Row

# Gives a conversation at a time as rows, its session first; what it cannot use it notes.
Reader = Callable[[Path, Reading, Admit], Iterator[Iterable[Row]]]
Walk = Callable[[Reading, GoOn], Iterator[Measured]]

_ZIP = b"PK\x03\x04"
_SIGN = f'{{"{FORMAT}"'.encode()


@dataclass(frozen=True, slots=True)
class Export:
    """A file of rows as they are stored, which is gone over twice."""

    check: Walk  # gives them in whatever order, and raises where any cannot be used
    rows: Walk  # after that, sessions first


def reader_of(file: Path) -> Reader | None:
    """Return what reads a file that is no transcript of Claude Code; None for a transcript.

    Raises OSError.
    """
    return read_export if file.suffix != ".jsonl" and is_export(file) else None


def rows_in(file: Path) -> Export | None:
    """Return how an export of memories is read, Memtray's or that of claude-mem's own script.

    None for any other file. Raises OSError.
    """
    with file.open("rb") as opened:
        if opened.read(len(_SIGN)) == _SIGN:
            walk = partial(read, file)
            return Export(walk, walk)
    is_theirs = is_claude_mem_export(file) and not (file.suffix == ".jsonl" and is_transcript(file))
    if not is_theirs:
        return None
    export = ClaudeMemExport(file)
    return Export(export.check, export.rows)


def refusal(file: Path) -> str:
    """Return why a file is none that an import reads; "" for a transcript or an export.

    Raises OSError.
    """
    if rows_in(file) or reader_of(file) or is_transcript(file):
        return ""
    if not file.stat().st_size:
        return "it is empty"
    with file.open("rb") as opened:
        if opened.read(len(_ZIP)) != _ZIP:
            return "this is none of what import reads"
        whole = zipfile.is_zipfile(opened)
    return (
        "in this ZIP is no export of claude.ai"
        if whole
        else "this ZIP is damaged, or not whole: download or copy it again"
    )
