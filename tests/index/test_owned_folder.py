"""One user at a time, and no trust in what was changed behind its back."""

from collections.abc import Callable
from pathlib import Path

import pytest

from worker.index.owned_folder import FolderInUseError, OwnedFolder


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
