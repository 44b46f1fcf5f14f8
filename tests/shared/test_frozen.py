"""What a packaged program starts meets the environment that the system had before it."""

import os
from pathlib import Path, PurePosixPath
from typing import cast

import pytest

from worker.shared import frozen
from worker.shared.frozen import clean_environ, goes_away, system_libraries


def test_the_library_path_of_before_comes_back() -> None:
    packaged = {"LD_LIBRARY_PATH": "/opt/x/_internal", "LD_LIBRARY_PATH_ORIG": "/usr/y", "A": "1"}
    assert dict(clean_environ(packaged)) == {"LD_LIBRARY_PATH": "/usr/y", "A": "1"}


def test_where_there_was_no_library_path_there_is_none() -> None:
    packaged = {"LD_LIBRARY_PATH": "/opt/x/_internal", "_PYI_ARCHIVE_FILE": "/opt/x/memtray"}
    assert dict(clean_environ(packaged)) == {}


@pytest.mark.parametrize("before", [{}, {"QT_PLUGIN_PATH": "/theirs", "PATH": r"C:\Windows"}])
def test_children_do_not_find_the_plugins_of_our_qt(
    monkeypatch: pytest.MonkeyPatch, before: dict[str, str]
) -> None:
    monkeypatch.setattr(os, "environ", dict(before))
    frozen.begin()
    hook = {"QT_PLUGIN_PATH": "/ours", "QML2_IMPORT_PATH": "/ours/qml", "PATH": "/ours;"}
    os.environ.update(hook)  # as PyInstaller does before the app begins
    os.environ["SET_LATER"] = "1"

    frozen.qt_has_begun()

    assert dict(os.environ) == before | {"SET_LATER": "1"}


def test_a_child_of_windows_looks_for_libraries_as_if_nothing_were_packaged() -> None:
    bundle = r"C:\M\_internal"
    chosen: list[str | None] = []

    with system_libraries(bundle, chosen.append):
        assert chosen == [None]

    assert chosen == [None, bundle]
    with pytest.raises(FileNotFoundError), system_libraries(bundle, chosen.append):
        Path("/no such program").read_bytes()
    assert chosen[2:] == [None, bundle]


def test_where_nothing_is_packaged_nothing_is_changed() -> None:
    chosen: list[str | None] = []

    with system_libraries("", chosen.append):
        pass

    assert chosen == []


@pytest.mark.parametrize(
    ("program", "goes"),
    [
        (
            "/private/var/folders/a/AppTranslocation/1A-2B/d/Memtray.app/Contents/MacOS/memtray",
            True,
        ),
        ("/Volumes/Memtray/Memtray.app/Contents/MacOS/memtray", True),
        ("/Volumes/Memtray 1/Memtray.app/Contents/MacOS/memtray", True),
        ("/Volumes/Memtray disk/Applications/Memtray.app/Contents/MacOS/memtray", False),
        ("/Volumes/Daten/Memtray.app/Contents/MacOS/memtray", False),
        ("/Applications/Memtray.app/Contents/MacOS/memtray", False),
    ],
)
def test_an_app_in_a_disk_image_does_not_stay(program: str, goes: bool) -> None:
    assert goes_away(cast("Path", PurePosixPath(program))) is goes
