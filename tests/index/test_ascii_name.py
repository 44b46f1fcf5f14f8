"""A user called 张三 has a folder that Chroma cannot open on Windows by its own name."""

from pathlib import Path

import pytest

from worker.index.ascii_name import ascii_name

SHORT = Path("C:/Users/8F20~1/CHROMA")


def short_name(_path: str) -> str:
    return str(SHORT)


@pytest.mark.parametrize(
    ("platform", "folder", "found"),
    [
        ("win32", "C:/Users/张三/chroma", SHORT),
        ("win32", "C:/Users/Zoë/chroma", SHORT),
        ("win32", "C:/Users/Zoe (x86)/chroma", Path("C:/Users/Zoe (x86)/chroma")),
        ("linux", "/home/张三/chroma", Path("/home/张三/chroma")),
        ("darwin", "/Users/张三/chroma", Path("/Users/张三/chroma")),
    ],
)
def test_windows_is_asked_for_its_short_name(platform: str, folder: str, found: Path) -> None:
    assert ascii_name(Path(folder), platform=platform, short_name=short_name) == found


def test_a_disk_that_keeps_no_short_names_gives_the_folder_itself() -> None:
    folder = Path("D:/数据/chroma")

    assert ascii_name(folder, platform="win32", short_name=lambda path: path) == folder
