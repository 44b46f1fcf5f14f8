"""Uninstalling and making way for real: an installation of its own, its processes, a home."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil
import pytest

from app.single_instance import NoAnswerError, ask
from tests.e2e.running_app import prepare
from tests.e2e.screen import until as wait
from tests.integration.processes import ROOT, command, environment
from worker.shared.autostart import entry_path
from worker.shared.clients.entry import System
from worker.shared.identity import read_record
from worker.shared.paths import Paths

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks where Linux has it")

MODULES = {"memtray": "app", "memtray-worker": "worker", "memtray-mcp": "mcp_server"}
PREFERENCES = '{\n  "preferences": {"a": "Ü"}\n}\n'
Process = subprocess.Popen[bytes]


@dataclass(frozen=True)
class Place:
    """A home, and the programs that are installed for it."""

    home: Path
    programs: Path
    environ: dict[str, str]
    started: list[Process]

    @property
    def paths(self) -> Paths:
        return Paths(self.home / ".claude-mem")

    @property
    def desktop(self) -> Path:
        return self.home / ".config" / "Claude" / "claude_desktop_config.json"

    @property
    def code(self) -> Path:
        return self.home / ".claude.json"

    @property
    def login(self) -> Path:
        return entry_path(System("linux", self.environ, self.home))

    def start(self, *words: str) -> Process:
        process = subprocess.Popen(
            [self.programs / words[0], *words[1:]],
            cwd=self.home,
            env=self.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.started.append(process)
        return process

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return command(*words, "--programs", str(self.programs), environ=self.environ)

    def connect(self, programs: Path | None = None) -> None:
        """Have everything refer to the programs, as connecting and switching on would."""
        folder = programs or self.programs
        entry = {"mcpServers": {"memtray": {"command": str(folder / "memtray-mcp"), "args": []}}}
        self.desktop.parent.mkdir(parents=True)
        self.desktop.write_text(json.dumps(json.loads(PREFERENCES) | entry), encoding="utf-8")
        self.code.write_text(json.dumps({"projects": {}} | entry), encoding="utf-8")
        self.login.parent.mkdir(parents=True)
        exec_line = f'Exec="{folder / "memtray"}" --background\n'
        self.login.write_text(f"[Desktop Entry]\n{exec_line}", encoding="utf-8")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    home, programs = tmp_path / "home", tmp_path / "Ä b" / "memtray"
    home.mkdir()
    installed(programs)
    environ = environment(home) | {"PATH": "/usr/bin:/bin", "QT_QPA_PLATFORM": "offscreen"}
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR"):
        environ.pop(name, None)
    made = Place(home, programs, environ, [])
    yield made
    for process in made.started:
        process.kill()
        process.communicate()


def installed(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "python3").symlink_to(sys.executable)
    for name, package in MODULES.items():
        text = (
            f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
            f"from {package}.__main__ import main\nsys.exit(main())\n"
        )
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)


def until(holds: Callable[[], object], process: Process) -> None:
    """Wait for a process to have come up."""
    while not holds():
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)


def _answers(paths: Paths) -> bool:
    try:
        ask(paths, "status", milliseconds=500)
    except NoAnswerError:
        return False
    return True


def everything(place: Place) -> list[Process]:
    """Start the app, a worker and an MCP server."""
    paths = place.paths
    worker = place.start("memtray-worker", "run", "--data-dir", str(paths.data_dir), "--port", "0")
    until(lambda: read_record(paths.worker_json), worker)
    mcp = place.start("memtray-mcp")
    app = place.start("memtray", "--background")
    until(lambda: list(paths.logs.glob("app-*.jsonl")), app)
    return [worker, mcp, app]


def test_an_upgrade_ends_all_that_runs_and_no_more(place: Place, tmp_path: Path) -> None:
    processes = everything(place)
    elsewhere = tmp_path / "elsewhere"
    installed(elsewhere)
    other = Place(place.home, elsewhere, place.environ, place.started).start("memtray-mcp")

    done = place.run("make-way")

    assert (done.returncode, done.stdout) == (0, "Nothing of Memtray runs any more.\n")
    assert [process.wait(20) for process in processes[::2]] == [0, 0]
    assert processes[1].wait(20) is not None
    assert other.poll() is None
    assert not place.paths.stopped_mark.exists()  # the new version may start a worker
    assert not place.paths.worker_json.exists()


def test_each_app_that_an_upgrade_ended_is_started_again_as_it_was(
    place: Place, tmp_path: Path
) -> None:
    homes = [place.home, tmp_path / "another home"]
    folders = [prepare(home) for home in homes]
    place.environ["OF_THE_SESSION"] = "Ü"
    for paths in folders:
        app = place.start("memtray", "--background", "--data-dir", str(paths.data_dir))
        until(partial(_answers, paths), app)
    del place.environ["OF_THE_SESSION"]
    ran = tmp_path / "ran"

    place.run("make-way", "--remember", str(ran))

    assert not any(_answers(paths) for paths in folders)
    assert ran.stat().st_mode & 0o777 == 0o600
    done = place.run("start-again", str(ran))
    try:
        assert (done.returncode, done.stdout) == (0, "")
        assert not ran.exists()
        for paths in folders:
            wait(partial(_answers, paths), seconds=60, what="the app again")
            pid = ask(paths, "status", milliseconds=10_000)["pid"]
            assert isinstance(pid, int)
            assert psutil.Process(pid).environ()["OF_THE_SESSION"] == "Ü"
    finally:
        place.run("make-way")


def test_an_app_on_a_folder_below_the_one_where_it_was_started_is_asked_to_quit(
    place: Place,
) -> None:
    app = place.start("memtray", "--background", "--data-dir", "mé mories")
    until(partial(_answers, Paths(place.home / "mé mories")), app)

    assert place.run("make-way").returncode == 0

    assert app.wait(20) == 0
    assert not (ROOT / "mé mories").exists()


def test_where_no_app_ran_none_is_started(place: Place, tmp_path: Path) -> None:
    place.start("memtray-mcp")
    ran = tmp_path / "ran"

    place.run("make-way", "--remember", str(ran))

    assert json.loads(ran.read_bytes()) == []
    for _again in range(2):
        assert place.run("start-again", str(ran)).returncode == 0
    assert place.run("make-way").returncode == 0


def test_uninstalling_takes_all_entries_and_processes_and_keeps_the_data(place: Place) -> None:
    place.connect()
    processes = everything(place)

    done = place.run("uninstall-cleanup")

    assert done.returncode == 0, done.stdout
    assert [process.wait(20) for process in processes[::2]] == [0, 0]
    assert json.loads(place.desktop.read_bytes()) == json.loads(PREFERENCES) | {"mcpServers": {}}
    assert json.loads(place.code.read_bytes()) == {"projects": {}, "mcpServers": {}}
    assert not place.login.exists()
    assert place.paths.database.exists()
    assert place.paths.own.is_dir()
    assert list(place.desktop.parent.iterdir()) == [place.desktop]
    kept = {path.name.partition(".memtray-")[0] for path in (place.paths.own / "clients").iterdir()}
    assert kept == {place.desktop.name, place.code.name}  # as they were, among our data


def test_on_an_untouched_machine_nothing_is_made(place: Place) -> None:
    done = place.run("uninstall-cleanup", "--delete-data")

    assert done.returncode == 0, done.stdout
    assert list(place.home.iterdir()) == []


def test_another_memtray_stays_connected(place: Place, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    installed(elsewhere)
    place.connect(elsewhere)
    before = [path.read_bytes() for path in (place.desktop, place.code, place.login)]

    done = place.run("uninstall-cleanup")

    assert done.returncode == 0
    assert done.stdout.count("another Memtray") + done.stdout.count("Another Memtray") == 3
    assert [path.read_bytes() for path in (place.desktop, place.code, place.login)] == before


def test_an_entry_of_a_program_that_is_gone_goes_too(place: Place, tmp_path: Path) -> None:
    place.connect(tmp_path / "gone")

    done = place.run("uninstall-cleanup")

    assert done.returncode == 0
    assert "memtray" not in json.loads(place.desktop.read_bytes())["mcpServers"]
    assert not place.login.exists()


def test_data_goes_only_on_request_and_the_memories_stay(place: Place) -> None:
    place.connect()
    paths = place.paths
    paths.create()
    paths.database.write_bytes(b"theirs")

    done = place.run("uninstall-cleanup", "--delete-data")

    assert done.returncode == 0, done.stdout
    assert [path.name for path in paths.data_dir.iterdir()] == ["claude-mem.db"]
    assert list(place.desktop.parent.iterdir()) == [place.desktop]  # no backup of ours is left


def test_the_memories_go_on_request(place: Place) -> None:
    paths = place.paths
    paths.create()
    for suffix in ("", "-wal", "-shm"):
        Path(f"{paths.database}{suffix}").touch()

    done = place.run("uninstall-cleanup", "--delete-memories")

    assert done.returncode == 0, done.stdout
    assert not paths.data_dir.exists()


def test_memories_that_another_program_uses_stay(place: Place) -> None:
    paths = place.paths
    paths.create()
    with paths.database.open("wb"):
        done = place.run("uninstall-cleanup", "--delete-memories")

    assert done.returncode == 1
    assert "is in use by" in done.stdout
    assert paths.database.exists()


def test_a_broken_config_is_named_and_the_rest_is_done(place: Place) -> None:
    place.connect()
    place.desktop.write_text('{"mcpServers": {', encoding="utf-8")

    done = place.run("uninstall-cleanup")

    assert done.returncode == 1
    assert f"Take the server memtray out of {place.desktop} by hand" in done.stdout
    assert json.loads(place.code.read_bytes())["mcpServers"] == {}
    assert not place.login.exists()


def test_start_at_login_is_the_entry_that_the_app_writes(place: Place) -> None:
    said = [
        command("start-at-login", wish, environ=place.environ).stdout
        for wish in ("status", "on", "status", "off")
    ]

    assert said == ["off\n", "on\n", "on\n", "off\n"]
    assert not place.login.exists()


def test_an_app_that_is_ending_well_is_not_killed_by_being_told_again(place: Place) -> None:
    _, _, app = everything(place)
    quitting = place.start("memtray", "--quit")

    while app.poll() is None:
        app.terminate()
        with suppress(subprocess.TimeoutExpired):
            app.wait(0.001)

    assert app.returncode == 0
    quitting.wait(20)
