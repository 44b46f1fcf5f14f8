"""Which processes belong to an installation is told by what they run, on each of three systems."""

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import cast

import pytest

from worker.shared.installation import Installation, data_dir_of

LINUX = Installation(cast("Path", PurePosixPath("/opt/Ä b/memtray")))
MAC = Installation(cast("Path", PurePosixPath("/Applications/Memtray.app/Contents/MacOS")))
WINDOWS = Installation(
    cast("Path", PureWindowsPath(r"C:\Users\Ä b\AppData\Local\Programs\Memtray")), ".exe"
)


@pytest.mark.parametrize(
    ("installation", "file", "program"),
    [
        (LINUX, "/opt/Ä b/memtray/memtray-mcp", "memtray-mcp"),
        (LINUX, "/opt/Ä b/memtray/memtray", "memtray"),
        (LINUX, "/opt/Ä b/memtray/memtray-mcp.exe", ""),
        (LINUX, "/home/a/bin/memtray-mcp", ""),
        (LINUX, "/opt/ä b/memtray/memtray", ""),
        (MAC, "/Applications/Memtray.app/Contents/MacOS/memtray-worker", "memtray-worker"),
        (
            WINDOWS,
            r"c:\users\Ä B\appdata\local\programs\memtray\MEMTRAY-WORKER.EXE",
            "memtray-worker",
        ),
        (WINDOWS, r"C:\Users\Ä b\AppData\Local\Programs\Memtray\unins000.exe", ""),
        (WINDOWS, "", ""),
    ],
)
def test_a_program_is_known_by_its_path(
    installation: Installation, file: str, program: str
) -> None:
    assert installation.program_of([file]) == program
    assert installation.holds(file) or not program


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        (["memtray", "--data-dir", "/a b"], "/a b"),
        (["memtray", "--data-dir=/a=b"], "/a=b"),
        (["memtray", "--data-dir"], None),
        (["memtray", "--background"], None),
    ],
)
def test_the_folder_is_read_from_a_command_line(words: list[str], folder: str | None) -> None:
    assert data_dir_of(words) == folder


def test_whoever_asks_is_not_among_those_that_run(tmp_path: Path) -> None:
    assert Installation(tmp_path).running() == []
