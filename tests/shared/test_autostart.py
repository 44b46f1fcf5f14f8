"""Start at login mirrors the system's real entry, on each of three systems."""

import json
import plistlib
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worker.shared.autostart import (
    APPROVED_KEY,
    RUN_KEY,
    RUN_NAME,
    LoginError,
    StartAtLogin,
    entry_path,
    login_command,
)
from worker.shared.clients.entry import System
from worker.shared.login_formats import (
    desktop_entry,
    exec_value,
    launch_agent,
    read_desktop_entry,
    read_exec,
    read_launch_agent,
    run_value,
)
from worker.shared.paths import Paths

ROOT = Path(__file__).parents[2]
VALIDATE = shutil.which("desktop-file-validate")

words = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
commands = st.lists(words, min_size=1, max_size=5).filter(lambda found: found != [""])
odd = '/opt/Ä b (x)/50% "q" \\s `cmd` $HOME ~ #1 *?&|<>;/memtray'


class Registry:
    """Stands in for Windows's registry."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], object] = {}

    def read(self, key: str, name: str) -> object | None:
        return self.values.get((key, name))

    def write(self, key: str, name: str, value: str) -> None:
        self.values[key, name] = value

    def remove(self, key: str, name: str) -> None:
        self.values.pop((key, name), None)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A Python in a folder with blanks, and our script beside it."""
    folder = tmp_path / "Ä b (x)" / "bin"
    folder.mkdir(parents=True)
    (folder / "memtray").touch()
    (folder / "memtray.exe").touch()
    return folder / "python3"


def login(tmp_path: Path, program: Path, platform: str, registry: Registry) -> StartAtLogin:
    home = tmp_path / "home"
    executable = program.with_suffix(".exe") if platform == "win32" else program
    return StartAtLogin(
        Paths(home / ".claude-mem"),
        System(platform, {}, home),
        executable=executable,
        registry=registry,
    )


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_it_is_off_then_on_then_off_as_the_system_has_it(
    tmp_path: Path, program: Path, platform: str
) -> None:
    registry = Registry()
    start = login(tmp_path, program, platform, registry)
    assert not start.is_on()

    start.turn_on()
    start.turn_on()

    assert login(tmp_path, program, platform, registry).is_on()
    assert start.look().elsewhere == ""
    start.turn_off()
    start.turn_off()
    assert not login(tmp_path, program, platform, registry).is_on()


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_one_entry_is_left_after_an_update(tmp_path: Path, program: Path, platform: str) -> None:
    login(tmp_path, program, platform, Registry()).turn_on()
    newer = tmp_path / "newer" / "python3"
    newer.parent.mkdir()
    newer.with_name("memtray").touch()
    start = login(tmp_path, newer, platform, Registry())
    assert str(program.with_name("memtray")) in start.look().elsewhere

    start.turn_on()

    assert start.look().elsewhere == ""
    path = entry_path(System(platform, {}, tmp_path / "home"))
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_an_entry_whose_program_is_gone_starts_nothing(
    tmp_path: Path, program: Path, platform: str
) -> None:
    registry = Registry()
    start = login(tmp_path, program, platform, registry)
    start.turn_on()
    for script in program.parent.glob("memtray*"):
        script.unlink()
    newer = login(tmp_path, tmp_path / "newer" / "python3", platform, registry)

    assert not start.is_on()
    assert not newer.is_on()
    assert str(program.parent) in newer.look().elsewhere


def test_an_entry_that_the_user_wrote_is_on(tmp_path: Path, program: Path) -> None:
    path = entry_path(System("linux", {}, tmp_path / "home"))
    path.parent.mkdir(parents=True)
    path.write_text("[Desktop Entry]\nExec=memtray --background\n", encoding="utf-8")
    start = login(tmp_path, program, "linux", Registry())

    assert start.is_on()
    assert start.look().elsewhere == "memtray --background"


def test_the_command_is_the_script_in_the_background(tmp_path: Path, program: Path) -> None:
    system = System("linux", {}, tmp_path)
    usual, other = Paths(tmp_path / ".claude-mem"), Paths(tmp_path / "mé mories")
    script = str(program.with_name("memtray"))

    assert login_command(usual, system, executable=program, frozen=False) == [
        script, "--background",
    ]  # fmt: skip
    assert login_command(other, system, executable=program, frozen=False) == [
        script, "--background", "--data-dir", str(other.data_dir),
    ]  # fmt: skip
    bare = tmp_path / "python3"
    assert login_command(usual, system, executable=bare, frozen=False) == [
        str(bare), "-I", "-m", "app", "--background",
    ]  # fmt: skip
    built = tmp_path / "Memtray.EXE"
    assert login_command(usual, system, executable=built, frozen=True)[0] == str(
        tmp_path / "memtray.exe"
    )


def test_the_desktop_chooses_the_folder(tmp_path: Path) -> None:
    chosen = {"XDG_CONFIG_HOME": str(tmp_path / "c")}
    relative = {"XDG_CONFIG_HOME": "c"}  # the specification: ignore it

    assert entry_path(System("linux", chosen, tmp_path)) == (
        tmp_path / "c" / "autostart" / "memtray.desktop"
    )
    assert entry_path(System("linux", relative, tmp_path)) == (
        tmp_path / ".config" / "autostart" / "memtray.desktop"
    )
    assert entry_path(System("darwin", chosen, tmp_path)).parent == (
        tmp_path / "Library" / "LaunchAgents"
    )


@pytest.mark.parametrize("line", ["Hidden=true\n", "X-GNOME-Autostart-enabled=false\n"])
def test_switched_off_by_the_desktop_is_off(tmp_path: Path, program: Path, line: str) -> None:
    start = login(tmp_path, program, "linux", Registry())
    start.turn_on()
    path = entry_path(System("linux", {}, tmp_path / "home"))
    kept = path.read_text(encoding="utf-8").replace("X-GNOME-Autostart-enabled=true\n", "")
    path.write_text(kept + line, encoding="utf-8")

    assert not start.is_on()
    start.turn_on()
    assert start.is_on()


def test_switched_off_by_the_task_manager_is_off(tmp_path: Path, program: Path) -> None:
    registry = Registry()
    start = login(tmp_path, program, "win32", registry)
    start.turn_on()
    assert registry.values == {
        (RUN_KEY, RUN_NAME): f'"{program.with_name("memtray.exe")}" --background'
    }
    registry.values[APPROVED_KEY, RUN_NAME] = b"\x03" + bytes(11)

    assert not start.is_on()
    start.turn_on()
    assert start.is_on()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\0", b"[Desktop Entry]\nExec=\n", b"<plist"])
@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_an_entry_that_says_nothing_is_off(
    tmp_path: Path, program: Path, platform: str, content: bytes
) -> None:
    path = entry_path(System(platform, {}, tmp_path / "home"))
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    assert not login(tmp_path, program, platform, Registry()).is_on()


def test_an_app_that_macos_shows_for_a_while_is_not_started_at_login(tmp_path: Path) -> None:
    folder = tmp_path / "AppTranslocation/1A-2B/d/Memtray.app/Contents/MacOS"
    folder.mkdir(parents=True)
    (folder / "memtray").touch()
    start = login(tmp_path, folder / "python3", "darwin", Registry())

    with pytest.raises(LoginError, match="Move Memtray into the Applications folder"):
        start.turn_on()

    assert not start.is_on()


def test_what_cannot_be_written_is_told_with_the_path(tmp_path: Path, program: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".config").touch()  # a file where a folder must be

    with pytest.raises(LoginError, match=r"Check who may write .*memtray\.desktop"):
        login(tmp_path, program, "linux", Registry()).turn_on()


@given(commands)
def test_any_command_comes_back_from_a_desktop_entry(command: list[str]) -> None:
    assert read_exec(exec_value(command)) == tuple(command)
    assert read_desktop_entry(desktop_entry(command)).command == tuple(command)


@given(st.text())
def test_no_text_is_too_odd_to_be_read(text: str) -> None:
    read_desktop_entry(f"[Desktop Entry]\nExec={text}")
    read_launch_agent(text.encode("utf-8", "surrogatepass"))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no sh")
@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("aé \t\n\"'\\%$`~#", min_size=1, max_size=9), min_size=1, max_size=4))
def test_a_session_reads_the_same_words(command: list[str]) -> None:
    """As GLib does it: take off the escapes of a string, expand %%, split as a shell would."""
    unescaped = json.loads(f'"{exec_value(command).replace(chr(34), chr(92) + chr(34))}"')
    line = unescaped.replace("%%", "%")

    done = subprocess.run(
        ["sh", "-c", f"printf '%s\\0' {line}"], capture_output=True, timeout=20, check=True
    )

    assert done.stdout.decode("utf-8").split("\0")[:-1] == command


@pytest.mark.skipif(VALIDATE is None, reason="there is no desktop-file-validate")
@pytest.mark.parametrize("argument", ["/home/a/.claude-mem", "mé mories", 'a"b`c$d\\e', "50%", odd])
def test_the_desktop_entry_is_valid(tmp_path: Path, argument: str) -> None:
    path = tmp_path / "memtray.desktop"
    path.write_text(desktop_entry([odd, "--data-dir", argument]), encoding="utf-8")

    done = subprocess.run(
        [str(VALIDATE), str(path)], capture_output=True, encoding="utf-8", timeout=20, check=False
    )

    assert (done.returncode, done.stdout) == (0, "")


def test_the_launch_agent_starts_once_and_not_again_after_a_quit() -> None:
    raw = plistlib.loads(launch_agent([odd, "--background"]))

    assert raw["ProgramArguments"] == [odd, "--background"]
    assert raw["RunAtLoad"] is True
    assert "KeepAlive" not in raw


def test_macos_is_told_which_app_the_launch_agent_belongs_to() -> None:
    bundle = runpy.run_path(str(ROOT / "packaging" / "macos" / "bundle.py"))

    assert plistlib.loads(launch_agent([odd]))["AssociatedBundleIdentifiers"] == [
        bundle["IDENTIFIER"]
    ]


@pytest.mark.parametrize(
    ("command", "value"),
    [
        ([r"C:\Program Files\Ä\memtray.exe"], r'"C:\Program Files\Ä\memtray.exe"'),
        (
            [r"C:\M\memtray.exe", "--data-dir", "D:\\my data\\"],
            '"C:\\M\\memtray.exe" --data-dir "D:\\my data\\\\"',
        ),
    ],
)
def test_the_run_value_is_quoted_as_windows_reads_it(command: list[str], value: str) -> None:
    assert run_value(command) == value


@pytest.mark.skipif(sys.platform != "win32", reason="there is a registry on Windows only")
def test_the_real_registry_is_read() -> None:
    from worker.shared.autostart import WindowsRegistry

    assert WindowsRegistry().read(RUN_KEY, "memtray-there-is-none") is None
