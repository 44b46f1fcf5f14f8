"""Of what was named each file is read that can be, and what cannot be is told."""

import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ingest.claude_ai.exports import pool, zipped
from tests.ingest.transcripts.made import pool_talk
from tests.nobody import NOBODY
from worker.ingest.files import files_in
from worker.ingest.readers import refusal


@contextmanager
def bound_by_modes() -> Iterator[None]:
    """Be a user whom the modes of files bind, as root is not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.name == "nt", reason="needs the modes of files")
def test_a_folder_that_may_not_be_read_is_told_and_the_rest_is_read() -> None:
    told: list[OSError] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        read = pool_talk().write(folder / "open")
        locked = pool_talk().write(folder / "locked").parent
        locked.chmod(0)
        with bound_by_modes():
            found = files_in([folder], told.append)
        locked.chmod(0o700)

    assert found == [read]
    assert [(Path(exc.filename), exc.strerror) for exc in told] == [(locked, "Permission denied")]


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    read = pool_talk().write(tmp_path)
    (read.parent / "up").symlink_to(tmp_path, target_is_directory=True)

    assert files_in([tmp_path], lambda exc: None) == [read]


def test_why_a_file_is_refused_is_told(tmp_path: Path) -> None:
    whole = zipped(tmp_path / "whole.zip", {"conversations.json": [pool()]})
    torn = tmp_path / "torn.zip"
    torn.write_bytes(whole.read_bytes()[:-30])
    foreign = tmp_path / "foreign.zip"
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("notes.txt", "nothing of ours")
    (tmp_path / "empty.json").touch()
    (tmp_path / "package.json").write_text('{"name": "shop"}')

    assert refusal(whole) == refusal(pool_talk().write(tmp_path)) == ""
    assert "damaged, or not whole" in refusal(torn)
    assert "no export of claude.ai" in refusal(foreign)
    assert refusal(tmp_path / "empty.json") == "it is empty"
    assert "none of what import reads" in refusal(tmp_path / "package.json")
