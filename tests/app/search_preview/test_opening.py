"""A click on a file opens what only shows, and never anything that runs."""

from pathlib import Path

import pytest

from app.search.preview.opening import Opening, opening_of

SYSTEMS = ("linux", "darwin", "win32")


def made(path: Path, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x", encoding="utf-8")
    path.chmod(mode)
    return path


@pytest.mark.parametrize("platform", SYSTEMS)
@pytest.mark.parametrize("name", ["notes.md", "pool.rs", "A B.TXT", "数据.json"])
def test_a_text_is_opened(tmp_path: Path, name: str, platform: str) -> None:
    path = made(tmp_path / name)

    assert opening_of(str(path), home=tmp_path, platform=platform) == Opening(path, is_file=True)


@pytest.mark.parametrize("platform", SYSTEMS)
@pytest.mark.parametrize(
    "name",
    ["run.sh", "run.py", "run.js", "a.exe", "a.bat", "a.desktop", "a.html", "a.md.lnk", "Makefile"],
)
def test_of_what_might_run_the_folder_is_opened(tmp_path: Path, name: str, platform: str) -> None:
    path = made(tmp_path / "src" / name)

    opening = opening_of(str(path), home=tmp_path, platform=platform)

    assert opening == Opening(tmp_path / "src", is_file=False)


def test_a_text_that_can_be_run_is_not_opened(tmp_path: Path) -> None:
    path = made(tmp_path / "notes.txt", 0o755)

    assert opening_of(str(path), home=tmp_path, platform="linux") == Opening(tmp_path, False)


def test_a_folder_is_opened_as_one(tmp_path: Path) -> None:
    assert opening_of(str(tmp_path), home=tmp_path, platform="linux") == Opening(tmp_path, False)


def test_no_program_of_macos_is_opened_as_a_folder(tmp_path: Path) -> None:
    inside = made(tmp_path / "Evil.app" / "Contents" / "x.sh")

    for named in (inside, inside.parent, inside.parent.parent):
        opening = opening_of(str(named), home=tmp_path, platform="darwin")
        assert opening == Opening(tmp_path, is_file=False)


def test_a_path_from_the_home_folder_on_is_understood(tmp_path: Path) -> None:
    path = made(tmp_path / "notes.md")

    assert opening_of("~/notes.md", home=tmp_path) == Opening(path, is_file=True)


@pytest.mark.parametrize(
    "named",
    [
        "src/pool.py",
        "/nowhere/pool.py",
        "//server/share/x.md",
        "\\\\server\\share\\x.md",
        "file:///etc/passwd",
        "https://example.com/x.md",
        "javascript:alert(1)",
        "",
        "\0",
        "/etc/passwd\0.md",
        "/" + "x" * 5_000,
        "/\ud800",
    ],
)
@pytest.mark.parametrize("platform", SYSTEMS)
def test_what_is_not_here_is_not_opened(tmp_path: Path, named: str, platform: str) -> None:
    assert opening_of(named, home=tmp_path, platform=platform) is None
