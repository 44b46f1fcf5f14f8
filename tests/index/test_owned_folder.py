"""One user at a time, and no trust in what was changed behind its back."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from worker.index.owned_folder import FolderDeadlyError, FolderInUseError, OwnedFolder


def used_once(path: Path) -> OwnedFolder:
    """A folder with one file, closed as it should be."""
    folder = OwnedFolder(path)
    folder.take()
    (path / "part").mkdir()
    (path / "part" / "data.bin").write_bytes(b"12345")
    folder.seal()
    folder.release()
    return folder


def test_what_was_not_touched_is_trusted(tmp_path: Path) -> None:
    folder = used_once(tmp_path / "data")

    assert not folder.take()

    assert (tmp_path / "data" / "part" / "data.bin").read_bytes() == b"12345"
    folder.release()


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file.write_bytes(b"1234"),
        lambda file: file.write_bytes(b"54321"),
        lambda file: file.unlink(),
        lambda file: file.with_name("more.bin").touch(),
    ],
    ids=["shorter", "other content", "deleted", "another file"],
)
def test_what_was_changed_while_closed_is_set_aside(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    folder = used_once(tmp_path / "data")
    change(tmp_path / "data" / "part" / "data.bin")

    assert folder.take()

    assert list((tmp_path / "data").iterdir()) == []
    assert (tmp_path / "data.bad-1").is_dir()
    folder.release()


def test_after_a_kill_nothing_is_known_and_the_files_stay(tmp_path: Path) -> None:
    folder = used_once(tmp_path / "data")
    folder.take()
    (tmp_path / "data" / "part" / "data.bin").write_bytes(b"changed")
    folder.release()  # the system does so for a process that is killed

    assert not folder.take()
    folder.release()


def test_a_mark_left_behind_sets_the_folder_aside(tmp_path: Path) -> None:
    folder = used_once(tmp_path / "data")
    with folder.marked():
        assert not (tmp_path / "data.bad-1").exists()
    (tmp_path / "data.opening").touch()

    assert folder.take()

    assert not (tmp_path / "data.opening").exists()
    assert (tmp_path / "data.bad-1").is_dir()
    folder.release()


def died_while_opening(path: Path, *, reading: bool = True) -> bool:
    """Open a folder and end as a process does that is killed meanwhile."""
    folder = OwnedFolder(path)
    suspect = folder.take()
    with folder.marked(reading=reading):
        mark = (path.parent / "data.opening").read_bytes()
    (path.parent / "data.opening").write_bytes(mark)
    folder.release()
    return suspect


def test_a_death_before_its_files_were_read_is_not_theirs(tmp_path: Path) -> None:
    used_once(tmp_path / "data")
    died_while_opening(tmp_path / "data", reading=False)

    assert not OwnedFolder(tmp_path / "data").take()

    assert (tmp_path / "data" / "part" / "data.bin").read_bytes() == b"12345"


def test_after_three_deaths_in_a_row_it_stays_closed_until_forgiven(tmp_path: Path) -> None:
    used_once(tmp_path / "data")
    assert [died_while_opening(tmp_path / "data") for _ in range(3)] == [False, True, True]

    folder = OwnedFolder(tmp_path / "data")
    for _ in range(2):
        with pytest.raises(FolderDeadlyError, match=r"3 times in a row .*data"):
            folder.take()

    folder.forgive()
    assert not folder.take()
    folder.release()


def test_deaths_that_were_not_in_a_row_do_not_add_up(tmp_path: Path) -> None:
    used_once(tmp_path / "data")
    for _ in range(4):
        died_while_opening(tmp_path / "data")
        folder = OwnedFolder(tmp_path / "data")
        assert folder.take()
        with folder.marked():
            pass
        folder.release()


@pytest.mark.parametrize("ago", [2 * 3600, -2 * 3600], ids=["long ago", "before the clock jumped"])
def test_deaths_of_another_time_are_no_row(tmp_path: Path, ago: int) -> None:
    used_once(tmp_path / "data")
    for _ in range(3):
        died_while_opening(tmp_path / "data")
    then = time.time() - ago
    os.utime(tmp_path / "data.opening", (then, then))

    assert OwnedFolder(tmp_path / "data").take()


def test_a_second_user_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    first, second = used_once(tmp_path / "data"), OwnedFolder(tmp_path / "data")
    first.take()
    with first.marked(), pytest.raises(FolderInUseError, match=r"Another process has .*data open"):
        second.take()

    assert (tmp_path / "data" / "part" / "data.bin").exists()
    first.release()


def test_a_deleted_folder_is_made_again(tmp_path: Path) -> None:
    folder = OwnedFolder(tmp_path / "deep" / "data")

    folder.take()

    assert (tmp_path / "deep" / "data").is_dir()
    folder.release()
