"""Which reader understands a file: the one place that knows of all of them."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from worker.ingest.claude_ai.export import Admit, is_export, read_export
from worker.ingest.claude_mem_export import is_claude_mem_export
from worker.ingest.export_file import FORMAT
from worker.ingest.transcripts.lines import Reading, is_transcript
from worker.shared.portable import Row

# Gives a conversation at a time as rows, its session first; what it cannot use it notes.
Reader = Callable[[Path, Reading, Admit], Iterator[Iterable[Row]]]

_SIGN = f'{{"{FORMAT}"'.encode()


def reader_of(file: Path) -> Reader | None:
    """Return what reads a file that is no transcript of Claude Code; None for a transcript.

    Raises OSError.
    """
    return read_export if file.suffix != ".jsonl" and is_export(file) else None


def is_understood(file: Path) -> bool:
    """Say whether a file is a transcript, or what another reader understands.

    Raises OSError.
    """
    return is_transcript(file) or reader_of(file) is not None


def holds_rows(file: Path) -> bool:
    """Say whether a file is an export of memories, by Memtray or by claude-mem's own script.

    Raises OSError.
    """
    with file.open("rb") as opened:
        is_ours = opened.read(len(_SIGN)) == _SIGN
    return is_ours or (is_claude_mem_export(file) and not is_transcript(file))
