"""What the packages of Windows and macOS and the plugins are made from, looked at on any system."""

import json
import plistlib
import re
import runpy
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from worker import __version__
from worker.__main__ import main

PACKAGING = Path(__file__).parents[2] / "packaging"


def made_by(script: str) -> dict[str, Any]:
    """Return the names of a script that is no module of a package."""
    return runpy.run_path(str(PACKAGING / script))


def test_the_mac_app_has_no_place_in_the_dock() -> None:
    plist = made_by("macos/bundle.py")["info_plist"]("1.2.3")

    assert plist["LSUIElement"] is True
    assert plist["LSBackgroundOnly"] is False
    assert plist["CFBundleShortVersionString"] == plist["CFBundleVersion"] == "1.2.3"


def test_the_mac_app_asks_for_the_system_that_its_libraries_need() -> None:
    """The wheels of PySide6 6.12 are for macOS 14, and so are numpy's where that is built on."""
    plist = made_by("macos/bundle.py")["info_plist"]("1.2.3")

    assert plist["LSMinimumSystemVersion"] == "14.0"


def test_a_bundle_is_signed_from_the_inside_and_programs_alone_are_entitled(tmp_path: Path) -> None:
    script, app = made_by("macos/package.py"), tmp_path / "Memtray.app"
    program, library = app / "Contents/MacOS/memtray", app / "Contents/Frameworks/a/b.so"
    for path in (program, library):
        path.parent.mkdir(parents=True)
        path.write_bytes(b"\xcf\xfa\xed\xfe")
    (app / "Contents/Info.plist").write_text("<plist/>", encoding="utf-8")

    order = list(script["inside_out"](app))

    assert order == [library, program, app]
    entitled = ["--entitlements" in script["sign_command"](path, "Me") for path in order]
    assert entitled == [False, True, True]
    assert "runtime" not in script["sign_command"](app, "-")


def test_what_the_mac_is_asked_for_is_a_plist_without_comments() -> None:
    text = (PACKAGING / "macos/entitlements.plist").read_bytes()

    assert b"<!--" not in text  # codesign may refuse them
    assert plistlib.loads(text) == {
        "com.apple.security.cs.allow-unsigned-executable-memory": True,
        "com.apple.security.cs.allow-jit": True,
    }


def test_a_command_that_fails_now_and_then_is_run_again(tmp_path: Path) -> None:
    patiently, tries = made_by("macos/package.py")["run_patiently"], tmp_path / "tries"
    text = "import pathlib, sys; tries = pathlib.Path(sys.argv[1]); tries.open('a').write('x')"
    busy = [sys.executable, "-c", f"{text}; sys.exit(len(tries.read_text()) < 3)", str(tries)]

    patiently(busy, pause=0)
    assert tries.read_text() == "xxx"

    tries.unlink()
    with pytest.raises(SystemExit, match="has failed 2 times"):
        patiently(busy, times=2, pause=0)


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        ("1", (1, 0, 0, 0)),
        ("1.2.3", (1, 2, 3, 0)),
        ("1.0.0rc1", (1, 0, 0, 0)),
        ("1.2.dev3", (1, 2, 0, 0)),
        ("1.2.3.4.5", (1, 2, 3, 4)),
    ],
)
def test_windows_gets_four_numbers_of_any_version(version: str, numbers: tuple[int, ...]) -> None:
    assert made_by("windows/version_info.py")["numbers_of"](version) == numbers

    told = made_by("windows/package.py")["arguments"](
        version, numbers, Path("dist"), Path("icon"), target=Path("out"), sign=""
    )
    assert f"/DNumbers={'.'.join(map(str, numbers))}" in told
    assert f"/DVersion={version}" in told
    script = (PACKAGING / "windows/memtray.iss").read_text("utf-8-sig")
    assert "VersionInfoVersion={#Numbers}\n" in script


def test_the_mac_gets_numbers_alone() -> None:
    plist = made_by("macos/bundle.py")["info_plist"]("1.0.0rc1")

    assert plist["CFBundleShortVersionString"] == plist["CFBundleVersion"] == "1.0.0"


def test_the_licence_of_python_is_found_where_windows_has_it(tmp_path: Path) -> None:
    library, base = tmp_path / "Lib", tmp_path
    library.mkdir()
    (base / "LICENSE.txt").write_text("PSF\n", encoding="utf-8")
    licence = made_by("notices.py")["python_licence"]

    assert licence((str(library), str(base))) == ("PSF",)
    (library / "LICENSE.txt").write_text("theirs", encoding="utf-8")
    assert licence((str(library), str(base))) == ("theirs",)


@pytest.mark.parametrize("name", ["memtray", "memtray-worker", "memtray-mcp"])
def test_windows_is_told_version_and_name(name: str) -> None:
    text = made_by("windows/version_info.py")["version_info"](name, "1.2.3")

    assert "filevers=(1, 2, 3, 0)" in text
    assert f"{name}.exe" in text


def test_windows_installer_goes_on_where_it_cannot_be_told_who_runs() -> None:
    script = (PACKAGING / "windows/memtray.iss").read_text("utf-8-sig")
    prepare = script.partition("function PrepareToInstall")[2].partition("\nend;")[0]

    assert re.search(r"Code = 3 then\s+Result := CustomMessage\('CannotStop'\)", prepare)
    assert re.search(
        r"Code <> 0 then.*\s+SuppressibleMsgBox\(CustomMessage\('CannotTell'\)", prepare
    )


def test_windows_installer_calls_nothing_that_shows_an_error_and_waits() -> None:
    """A program without a console, if it is broken, opens a window that no silent run closes."""
    code = (PACKAGING / "windows/memtray.iss").read_text("utf-8-sig").partition("[Code]")[2]

    assert set(re.findall(r"Call\(.*?, '([\w.-]+)'", code)) == {"memtray-worker.exe"}


def test_windows_installer_calls_commands_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    script = (PACKAGING / "windows/memtray.iss").read_text("utf-8-sig")
    called = set(re.findall(r"(?:worker\.exe', '|Parameters: \"|Parameters := ')([a-z-]+)", script))

    assert called == {"start-at-login", "start-again", "make-way", "uninstall-cleanup", "--version"}
    for command in called:
        with pytest.raises(SystemExit, match=r"^0$"):
            main([command, "--help"])
    assert "--remember FILE" in capsys.readouterr().out


def test_each_text_of_windows_installer_is_there_in_both_languages() -> None:
    script = (PACKAGING / "windows/memtray.iss").read_text("utf-8-sig")
    texts = re.findall(r"^(en|zh)\.(\w+)=.+$", script, re.MULTILINE)
    used = set(re.findall(r"CustomMessage\('(\w+)'\)|\{cm:(\w+)\}", script))

    english = {name for language, name in texts if language == "en"}
    assert english == {name for language, name in texts if language == "zh"}
    assert {code or constant for code, constant in used} == english


def test_icon_files_hold_the_pictures_they_name() -> None:
    script, pictures = made_by("icons.py"), {16: b"small", 256: b"large", 512: b"huge"}

    ico, icns = script["ico"](pictures), script["icns"](pictures)

    assert ico[:6] == b"\0\0\1\0\2\0"
    assert (b"huge" in ico, b"huge" in icns, b"small" in icns) == (False, True, False)
    assert int.from_bytes(icns[4:8], "big") == len(icns)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_the_plugins_start_what_is_installed(tmp_path: Path, platform: str) -> None:
    script = made_by("plugin/build.py")
    command = script["USUAL"][platform]

    market, extension = script["build"](tmp_path, command, b"png", "1.0.0")

    servers = json.loads((market / "memtray" / ".mcp.json").read_bytes())["mcpServers"]
    assert command in servers["memtray"]["command"]
    assert servers["memtray"]["command"].count("${") == 1 or platform != "win32"
    assert extension.stat().st_size > 0


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (__version__, __version__),
        ("1", "1.0.0"),
        ("1.0.0rc1", "1.0.0-rc.1"),
        ("1.2.dev3", "1.2.0-dev.3"),
    ],
)
def test_the_plugins_have_the_version_of_the_programs(
    tmp_path: Path, version: str, told: str
) -> None:
    market, extension = made_by("plugin/build.py")["build"](tmp_path, "mcp", b"png", version)

    plugin = json.loads((market / "memtray/.claude-plugin/plugin.json").read_bytes())
    with zipfile.ZipFile(extension) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert plugin["version"] == manifest["version"] == told
