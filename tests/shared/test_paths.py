"""Where the data folder is, and that what is written there is for the user alone."""

import json
import stat
import sys
from pathlib import Path

import pytest

from worker.shared import paths as shared_paths
from worker.shared.paths import (
    DATA_DIR_VARIABLE,
    Paths,
    find_data_dir,
    once_read,
    remove,
    write_private,
)

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")


def with_setting(home: Path, value: object) -> Path:
    """Make a home in which claude-mem's own settings name a data folder."""
    (home / ".claude-mem").mkdir()
    settings = json.dumps({DATA_DIR_VARIABLE: value})
    (home / ".claude-mem" / "settings.json").write_text(settings, encoding="utf-8")
    return home


def test_the_argument_comes_first_then_the_environment_then_claude_mems_setting(
    tmp_path: Path,
) -> None:
    home = with_setting(tmp_path, "/of the setting")
    environ = {DATA_DIR_VARIABLE: "/of the environment"}

    assert find_data_dir("/of the argument", environ, home) == Path("/of the argument").absolute()
    assert find_data_dir(None, environ, home) == Path("/of the environment").absolute()
    assert find_data_dir(None, {}, home) == Path("/of the setting").absolute()


@pytest.mark.parametrize("value", [None, "", "  ", 7, ["/x"]])
def test_a_setting_that_names_nothing_counts_as_none(tmp_path: Path, value: object) -> None:
    home = with_setting(tmp_path, value)

    assert find_data_dir(None, {DATA_DIR_VARIABLE: ""}, home) == home / ".claude-mem"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe"])
def test_settings_that_cannot_be_read_are_passed_over(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".claude-mem").mkdir()
    (tmp_path / ".claude-mem" / "settings.json").write_bytes(content)

    assert find_data_dir(None, {}, tmp_path) == tmp_path / ".claude-mem"


def test_a_relative_folder_and_a_tilde_become_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")

    assert find_data_dir("here", {}, Path("/")) == Path.cwd() / "here"
    if sys.platform != "win32":
        assert find_data_dir("~/mem", {}, Path("/")) == Path("/home/somebody/mem")


@POSIX
def test_our_folders_are_for_the_user_alone(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "Ä b" / "data")

    paths.create()

    for folder in (paths.data_dir, paths.own, paths.index, paths.logs):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@POSIX
def test_a_private_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "worker.json"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o644)

    write_private(path, "neu ü\n")

    assert path.read_bytes() == "neu ü\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


class Busy:
    """A file that another program reads until it was asked for so often."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self) -> None:
        if self.left:
            self.left -= 1
            raise PermissionError(13, "in use by another process")


def test_windows_is_asked_again_while_another_program_reads_the_file() -> None:
    busy = Busy(3)

    once_read(busy, platform="win32")

    assert busy.left == 0


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_elsewhere_no_permission_is_told_at_once(platform: str) -> None:
    busy = Busy(3)

    with pytest.raises(PermissionError):
        once_read(busy, platform=platform)

    assert busy.left == 2


def test_a_file_that_stays_in_use_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_paths, "_READ_SECONDS", 0.0)

    with pytest.raises(PermissionError):
        once_read(Busy(1_000_000), platform="win32")


def test_a_file_that_is_not_there_is_removed(tmp_path: Path) -> None:
    (tmp_path / "there").touch()

    remove(tmp_path / "there")
    remove(tmp_path / "there")

    assert list(tmp_path.iterdir()) == []
