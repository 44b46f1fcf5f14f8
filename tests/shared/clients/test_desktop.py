"""Each kind of config that people have ends with our entry in it, or as it was, told why."""

import contextlib
import json
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bench.material import ROOT, SHARED
from worker.shared.clients import desktop, files
from worker.shared.clients.desktop import config_path, connect, disconnect
from worker.shared.clients.entry import NAME, CannotConnectError, Entry, System
from worker.shared.clients.files import ConfigError
from worker.shared.clients.json_text import BrokenJsonError
from worker.shared.clients.state import ClientState
from worker.shared.errors import MemtrayError

SAMPLES = SHARED / "data" / "desktop_configs"


READY = """{
  "mcpServers": {
    "ä": {"command": "C:\\\\Users\\\\Đại\\\\x.exe", "args": [ "1" ]},
    "remote": {"type": "http", "url": "https://example.invalid/mcp"}
  },
  "globalShortcut": "Ctrl+Space",
  "zoom": 1.50,
  "big": 12345678901234567890
}"""


def sample(name: str) -> bytes:
    if not SAMPLES.exists():
        pytest.skip(f"{SAMPLES} is absent")
    return next(SAMPLES.glob(f"{name}_*")).read_bytes()


def put(config: Path, content: str | bytes) -> bytes:
    raw = content.encode() if isinstance(content, str) else content
    config.write_bytes(raw)
    return raw


def changes(config: Path, entry: Entry, system: System) -> list[Callable[[], object]]:
    return [lambda: connect(config, entry, system), lambda: disconnect(config)]


# ---------------------------------------------------------------------- files that can be used
@pytest.mark.parametrize(
    "name", ["01", "02", "03", "06", "07", "13", "15", "16", "17", "19", "22", "25"]
)
def test_our_entry_comes_in_and_goes_and_all_else_stays(
    config: Path, system: System, entry: Entry, name: str
) -> None:
    raw = put(config, sample(name))
    encoding = "utf-16" if name == "03" else "utf-8-sig"
    before = json.loads(raw.decode(encoding).strip() or "{}")

    done = connect(config, entry, system)

    after = json.loads(config.read_bytes())  # without a mark, or this would fail
    assert after["mcpServers"].pop(NAME) == entry.as_json()
    before["mcpServers"] = before.get("mcpServers") or {}
    assert after == before
    assert [key for key in after if key in before] == list(after)
    assert done.backup
    assert done.backup.read_bytes() == raw
    assert (b"\r\n" in config.read_bytes()) == (name == "02")
    disconnect(config)
    assert json.loads(config.read_bytes()) == before


def test_a_second_run_changes_nothing(config: Path, system: System, entry: Entry) -> None:
    put(config, READY)
    connect(config, entry, system)
    content, names = config.read_bytes(), sorted(config.parent.iterdir())

    assert not connect(config, entry, system).changed

    assert config.read_bytes() == content
    assert sorted(config.parent.iterdir()) == names


def test_every_byte_of_the_others_stays(config: Path, system: System, entry: Entry) -> None:
    raw = put(config, READY)

    connect(config, entry, system)
    added = config.read_bytes()
    disconnect(config)

    start = next(i for i, (a, b) in enumerate(zip(added, raw, strict=False)) if a != b)
    assert added.endswith(raw[start:])
    assert config.read_bytes() == raw


def test_a_file_that_is_not_there_is_made_for_the_user_alone(
    config: Path, system: System, entry: Entry
) -> None:
    done = connect(config, entry, system)

    assert json.loads(config.read_bytes()) == {"mcpServers": {NAME: entry.as_json()}}
    assert done.backup is None
    assert os.name != "posix" or stat.S_IMODE(config.stat().st_mode) == 0o600


OLD = {"command": "C:\\Old\\memtray-mcp.exe", "args": ["--data-dir", "X"], "disabled": True}


def test_an_old_entry_of_ours_is_renewed_and_keeps_its_other_keys(
    config: Path, system: System, entry: Entry
) -> None:
    put(config, json.dumps({"mcpServers": {"a": {}, NAME: OLD, "z": {}}}, indent=4))

    done = connect(config, entry, system)

    servers = json.loads(config.read_bytes())["mcpServers"]
    assert list(servers) == ["a", NAME, "z"]
    assert servers[NAME] == {**entry.as_json(), "disabled": True}
    assert any("disabled" in note for note in done.notes)


def test_claude_mems_own_server_is_told_and_left(
    config: Path, system: System, entry: Entry
) -> None:
    other = {"command": "bun", "args": ["mcp-server.cjs"]}
    put(config, json.dumps({"mcpServers": {"mcp-search": other}}))

    done = connect(config, entry, system)

    assert json.loads(config.read_bytes())["mcpServers"]["mcp-search"] == other
    assert any("mcp-search" in note for note in done.notes)


def test_what_was_written_otherwise_is_told(config: Path, system: System, entry: Entry) -> None:
    put(config, READY.encode("utf-16"))

    assert any("UTF-16" in note for note in connect(config, entry, system).notes)
    assert config.read_bytes()[:1] == b"{"


# ---------------------------------------------------------------------- files to be left alone
BROKEN: dict[str, tuple[str | bytes, str]] = {
    "comma": (READY.replace("890\n}", "890,\n}"), "line 9, column 1"),
    "comment": (READY.replace('  "zoom"', '  // mine\n  "zoom"'), "line 7, column 3"),
    "constant": (READY.replace("1.50", "NaN"), "line 7, column 11: NaN"),
    "cut off": (READY[:80], "cut off"),
    "list": ("[]", "is a list"),
    "null": ("null", "is null"),
    "brace": ("{", "cut off"),
    "servers": ('{\n"mcpServers": [1]}', "line 2: mcpServers must be"),
    "twice": ('{"mcpServers": {},\n"mcpServers": {}}', "line 2: 'mcpServers'"),
    "ours twice": ('{"mcpServers": {"memtray": {},\n"memtray": {}}}', "line 2: 'memtray'"),
    "latin": (READY.encode("latin-1", "replace").replace(b"\xe4", b"\xff"), "line 3: it is no UTF"),
    "half of UTF-16": (READY.encode("utf-16") + b"\0", "no UTF-8"),
    "unmarked UTF-16": (
        READY.replace("ä", "a").replace("Đại", "D").encode("utf-16-le"),
        "zero bytes",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_cannot_be_understood_is_left_byte_for_byte(
    config: Path, system: System, entry: Entry, kind: str
) -> None:
    content, place = BROKEN[kind]
    raw = put(config, content)

    for change in changes(config, entry, system):
        with pytest.raises(BrokenJsonError) as caught:
            change()
        assert str(config) in caught.value.detail
        assert place in caught.value.detail
    assert desktop.report(system, entry).state is ClientState.BROKEN
    assert place in desktop.report(system, entry).cause
    assert config.read_bytes() == raw
    assert list(config.parent.iterdir()) == [config]


@pytest.mark.parametrize("name", ["04", "08", "10", "12", "14", "21"])
def test_each_broken_sample_is_refused(
    config: Path, system: System, entry: Entry, name: str
) -> None:
    raw = put(config, sample(name))

    with pytest.raises(BrokenJsonError, match="The file is as it was"):
        connect(config, entry, system)

    assert config.read_bytes() == raw


@pytest.mark.parametrize(
    "value",
    [{"command": "npx", "args": ["-y", "server-memory"]}, {"url": "https://x.invalid"}, "x", None],
)
def test_our_name_on_another_server_is_left(
    config: Path, system: System, entry: Entry, value: object
) -> None:
    raw = put(config, json.dumps({"mcpServers": {NAME: value}}))

    for change in changes(config, entry, system):
        with pytest.raises(ConfigError, match="another one"):
            change()
    assert desktop.report(system, entry).state is ClientState.NAME_TAKEN
    assert config.read_bytes() == raw


# ---------------------------------------------------------------------- the file system
def test_without_claude_desktop_nothing_is_made(system: System, entry: Entry) -> None:
    path = config_path(system)

    with pytest.raises(ConfigError, match="install Claude Desktop"):
        connect(path, entry, system)

    assert not path.parent.exists()
    assert desktop.report(system, entry).state is ClientState.NOT_INSTALLED


def test_a_write_protected_file_stays(config: Path, system: System, entry: Entry) -> None:
    raw = put(config, READY)
    config.chmod(0o400)

    with pytest.raises(ConfigError, match="write-protected"):
        connect(config, entry, system)

    assert config.read_bytes() == raw
    assert list(config.parent.iterdir()) == [config]


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_behind_a_link_the_file_itself_is_changed(
    config: Path, system: System, entry: Entry, tmp_path: Path
) -> None:
    target = tmp_path / "dotfiles.json"
    target.write_text(READY, encoding="utf-8")
    target.chmod(0o640)
    config.symlink_to(target)

    connect(config, entry, system)

    assert config.is_symlink()
    assert NAME in json.loads(target.read_bytes())["mcpServers"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_file_that_changes_between_reading_and_writing_stays(config: Path) -> None:
    put(config, READY)
    file = files.read(config)
    newer = put(config, '{"mcpServers": {"new": {}}}')

    with pytest.raises(ConfigError, match="changed by another program"):
        files.replace(file, b"{}")

    assert config.read_bytes() == newer
    assert list(config.parent.iterdir()) == [config]


def test_five_backups_are_kept_and_any_can_be_put_back(
    config: Path, system: System, entry: Entry
) -> None:
    first = put(config, READY)
    done = connect(config, entry, system)
    assert done.backup
    connected = config.read_bytes()

    undone = files.undo(config, done.backup)

    assert config.read_bytes() == first
    assert undone
    assert undone.read_bytes() == connected
    for _ in range(4):
        connect(config, entry, system)
        disconnect(config)
    assert len(files.backups(config)) == files.KEPT_BACKUPS
    assert done.backup not in files.backups(config)
    with pytest.raises(ConfigError, match="as it was"):
        files.undo(config, done.backup)


# What changes a file to and fro, until it is killed.
TO_AND_FRO = """
import sys
from pathlib import Path
from worker.shared.clients import files

path = Path(sys.argv[1])
print("ready", flush=True)
while True:
    for size in (100_000, 200_000):
        files.replace(files.read(path), b'{"a": "' + b"x" * size + b'"}')
"""


def test_kill_9_leaves_one_content_or_the_other(config: Path) -> None:
    put(config, "{}")
    for number in range(8):
        with subprocess.Popen(
            [sys.executable, "-c", TO_AND_FRO, config], cwd=ROOT, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout
            process.stdout.readline()
            until = time.monotonic() + 0.01 * number
            while time.monotonic() < until:
                pass
            process.kill()

        assert len(json.loads(config.read_bytes()).get("a", "x" * 100_000)) in (100_000, 200_000)


@pytest.fixture
def small_disk(system: System) -> Iterator[Path]:
    """A config on a file system that has no room left."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("needs to mount a small file system")
    config = config_path(system)
    config.parent.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(config.parent)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount a file system")
    try:
        put(config, READY)
        with contextlib.suppress(OSError):
            (config.parent / "films").write_bytes(b"x" * 100_000)
        yield config
    finally:
        subprocess.run(["umount", "-l", str(config.parent)], check=True)


def test_a_full_disk_leaves_the_file_as_it_was(
    small_disk: Path, system: System, entry: Entry
) -> None:
    with pytest.raises(ConfigError, match=r"No space left.*as it was"):
        connect(small_disk, entry, system)

    assert small_disk.read_bytes() == READY.encode()
    assert {path.name for path in small_disk.parent.iterdir()} == {"films", small_disk.name}


# ---------------------------------------------------------------------- how it is
def test_the_state_is_told_from_the_file(config: Path, system: System, entry: Entry) -> None:
    def state() -> ClientState:
        return desktop.report(system, entry).state

    assert state() is ClientState.NOT_CONNECTED
    connect(config, entry, system)
    assert state() is ClientState.CONNECTED
    put(config, '{"preferences": {}}')  # as Claude Desktop does at times
    assert state() is ClientState.NOT_CONNECTED
    put(config, json.dumps({"mcpServers": {NAME: OLD}}))
    report = desktop.report(system, entry)
    assert report.state is ClientState.OTHER_PLACE
    assert "is not there" in report.cause
    assert "memtray-worker connect claude-desktop" in report.remedy
    other = Entry(entry.command, ("--data-dir", "/elsewhere"))
    put(config, json.dumps({"mcpServers": {NAME: other.as_json()}}))
    assert state() is ClientState.OTHER_PLACE
    assert json.dumps(dict(desktop.report(system, entry).as_json()))


def test_what_does_not_answer_is_never_written(config: Path, system: System) -> None:
    raw = put(config, READY)

    with pytest.raises(CannotConnectError, match="cannot be started"):
        connect(config, Entry("/no/such/memtray-mcp"), system)

    assert config.read_bytes() == raw


def test_without_our_entry_disconnecting_says_so(config: Path) -> None:
    raw = put(config, READY)

    done = disconnect(config)

    assert not done.changed
    assert any("does not name memtray" in note for note in done.notes)
    assert config.read_bytes() == raw


def test_any_error_may_be_shown_to_a_person(config: Path, system: System, entry: Entry) -> None:
    config.mkdir()

    with pytest.raises(MemtrayError, match="check who owns it"):
        connect(config, entry, system)
