"""The files that an import reads, out of the files and folders that were named."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from worker.ingest.readers import reader_of, rows_in


def files_in(paths: Sequence[Path], unreadable: Callable[[OSError], None]) -> list[Path]:
    """Return the files, the oldest first: who tells something first keeps it.

    Of a folder those are all transcripts, and all exports, by what they hold. `unreadable` is told
    of each folder that cannot be read.
    """
    found = {
        file for path in paths for file in (_held_by(path, unreadable) if path.is_dir() else [path])
    }
    return sorted(filter(Path.is_file, found), key=lambda file: (status_of(file)[1], str(file)))


def status_of(file: Path) -> tuple[int, float]:
    """Return size and time of change; nothing of a file that is gone."""
    try:
        status = file.stat()
    except OSError:
        return 0, 0.0
    return status.st_size, status.st_mtime


def _held_by(folder: Path, unreadable: Callable[[OSError], None]) -> Iterator[Path]:
    for held, _, names in os.walk(folder, onerror=unreadable):
        for file in (Path(held, name) for name in names):
            if file.suffix == ".jsonl" or (file.suffix in (".zip", ".json") and _is_export(file)):
                yield file


def _is_export(file: Path) -> bool:
    with suppress(OSError):
        return file.is_file() and bool(reader_of(file) or rows_in(file))
    return False
