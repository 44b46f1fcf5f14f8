"""One worker, however many want to start it, and a reason where there is none."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from filelock import FileLock

from tests.shared.stub import TOKEN, Stub, problem, said
from worker.shared.errors import WorkerUnavailableError
from worker.shared.identity import WorkerRecord, read_record
from worker.shared.launch import detached, ensure_running, worker_command
from worker.shared.paths import Paths, write_private
from worker.shared.processes import is_ours
from worker.shared.restart import replace_older
from worker.shared.stop import SHUTDOWN

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="the stub is a POSIX script")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "dätä folder")


@pytest.fixture
def programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: Paths
) -> Iterator[Callable[[str], None]]:
    """Make ensure_running start the stub; call with what shall go wrong with it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "memtray-worker"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from tests.shared.stub import main\nmain()\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("MEMTRAY_PORT", "1")  # nobody is there
    monkeypatch.delenv("STUB_MODE", raising=False)
    yield lambda mode: monkeypatch.setenv("STUB_MODE", mode)
    for started in paths.own.glob("started-*"):
        end(int(started.name.removeprefix("started-")))


def end(pid: int) -> None:
    """Kill a stub, which is known by its command line, and wait until it is gone."""
    try:
        process = psutil.Process(pid)
        if "memtray-worker" in " ".join(process.cmdline()):
            process.kill()
        process.wait(10)
    except psutil.NoSuchProcess:
        return


def starts(paths: Paths) -> int:
    return len(list(paths.own.glob("started-*")))


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Say whether something becomes true in that time."""
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        threading.Event().wait(0.02)
    return holds()


def record_of(pid: int, started: float) -> WorkerRecord:
    return WorkerRecord(pid=pid, started=started, port=1, instance="i", token=TOKEN, version="1")


# starting


@POSIX
def test_a_worker_is_started_and_found_again(paths: Paths, programs: Callable[[str], None]) -> None:
    first = ensure_running(paths)
    record = read_record(paths.worker_json)
    assert record
    assert is_ours(record)
    assert (first.pid, first.instance) == (record.pid, record.instance)

    assert ensure_running(paths).instance == first.instance
    assert starts(paths) == 1


@POSIX
def test_it_runs_in_a_session_of_its_own_and_not_where_we_are(
    paths: Paths, programs: Callable[[str], None]
) -> None:
    pid = ensure_running(paths).pid
    assert os.getsid(pid) == pid
    assert psutil.Process(pid).cwd() == str(ROOT)
    output = paths.logs / "worker-output.log"
    assert str(paths.data_dir) in output.read_text(encoding="utf-8")
    assert output.stat().st_mode & 0o777 == 0o600


@POSIX
def test_the_port_asked_for_is_handed_on(paths: Paths, programs: Callable[[str], None]) -> None:
    with Stub(paths, lambda _: said("")).serving() as probe:
        port = probe.port
    assert ensure_running(paths, port=port).port == port


@POSIX
def test_a_slow_start_is_waited_for(paths: Paths, programs: Callable[[str], None]) -> None:
    programs("slow")
    assert ensure_running(paths).instance
    assert starts(paths) == 1


@POSIX
@pytest.mark.parametrize("code", [1, 3])
def test_a_worker_that_ends_at_once_is_reported_with_code_and_last_lines(
    paths: Paths, programs: Callable[[str], None], code: int
) -> None:
    programs(f"fails{code}")
    began = time.monotonic()
    with pytest.raises(WorkerUnavailableError, match=rf"code {code}[\s\S]*the stub runs in"):
        ensure_running(paths, wait_seconds=15)
    assert time.monotonic() - began < 10
    assert starts(paths) == 1


@POSIX
def test_a_worker_that_stays_silent_is_not_started_twice(
    paths: Paths, programs: Callable[[str], None]
) -> None:
    programs("silent")
    with pytest.raises(WorkerUnavailableError, match="does not answer yet"):
        ensure_running(paths, wait_seconds=2)
    assert within(20, paths.worker_json.exists)
    with pytest.raises(WorkerUnavailableError, match="is running but does not answer"):
        ensure_running(paths, wait_seconds=1)
    assert starts(paths) == 1


@POSIX
def test_eight_starters_at_once_get_one_worker(
    paths: Paths, programs: Callable[[str], None]
) -> None:
    code = (
        "import sys; from pathlib import Path; from worker.shared.launch import ensure_running;"
        "from worker.shared.paths import Paths; exe, folder = sys.argv[1:]; sys.executable = exe;"
        "from threading import Thread;"
        "start = lambda: print(ensure_running(Paths(Path(folder))).instance);"
        "other = Thread(target=start); other.start(); start(); other.join()"
    )
    starters = [
        subprocess.Popen(
            [sys.orig_argv[0], "-c", code, sys.executable, str(paths.data_dir)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(4)
    ]
    instances = [i for s in starters for i in s.communicate(timeout=60)[0].split()]
    assert len(instances) == 8
    assert len(set(instances)) == 1
    assert starts(paths) == 1


@POSIX
def test_the_worker_outlives_its_starter_and_leaves_no_zombie(
    paths: Paths, programs: Callable[[str], None]
) -> None:
    pid = ensure_running(paths).pid
    end(pid)
    assert not psutil.pid_exists(pid)  # reaped, although it was our child
    assert ensure_running(paths).pid != pid  # what is left of it blocks nobody


@POSIX
def test_a_worker_in_the_folder_or_path_of_the_user_is_not_taken_for_ours(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = tmp_path / "project"
    (hostile / "worker").mkdir(parents=True)
    (hostile / "worker" / "__init__.py").write_text("raise SystemExit(7)", encoding="utf-8")
    empty = tmp_path / "bin"  # no script beside python: the module has to be run
    empty.mkdir()
    (empty / "python").symlink_to(sys.executable)
    (tmp_path / "pyvenv.cfg").write_bytes((Path(sys.prefix) / "pyvenv.cfg").read_bytes())
    (tmp_path / "lib").symlink_to(Path(sys.prefix) / "lib")
    monkeypatch.setattr(sys, "executable", str(empty / "python"))
    monkeypatch.setenv("PYTHONPATH", str(hostile))
    monkeypatch.chdir(hostile)

    health = ensure_running(paths, port=0)
    worker = psutil.Process(health.pid)
    assert worker.cmdline()[1:4] == ["-m", "worker", "run"]
    worker.terminate()
    worker.wait(15)


# replacing


@POSIX
def test_an_older_worker_is_replaced_once_and_no_more(
    paths: Paths, programs: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUB_VERSION", "0.9")  # also of the new one, as of a bad build
    first = ensure_running(paths)
    second = replace_older(paths, version="0.10")
    assert second.instance != first.instance
    assert (second.version, second.port) == ("0.9", first.port)
    assert starts(paths) == 2


@POSIX
@pytest.mark.parametrize("version", ["1.2.3", "1.3", "10.0.0", "unknown"])
def test_a_worker_that_is_not_older_is_left_alone(
    paths: Paths,
    programs: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    version: str,
) -> None:
    monkeypatch.setenv("STUB_VERSION", version)
    assert replace_older(paths, version="1.2.3").instance == ensure_running(paths).instance
    assert starts(paths) == 1


def test_an_older_worker_that_will_not_leave_goes_on(paths: Paths) -> None:
    refusal = problem(404, "not_found", "there is no such address")
    with Stub(paths, lambda _: refusal, version="0.0.1").serving() as stub:
        stub.announce()
        assert replace_older(paths, version="1.0").version == "0.0.1"
        assert [asked.path for asked in stub.asked if asked.method == "POST"] == [SHUTDOWN]


# not starting


@POSIX
def test_what_the_user_stopped_is_started_only_on_request(
    paths: Paths, programs: Callable[[str], None]
) -> None:
    paths.create()
    paths.stopped_mark.touch()
    with pytest.raises(WorkerUnavailableError, match=r"stopped by the user.*memtray-worker start"):
        ensure_running(paths)
    assert starts(paths) == 0
    assert paths.stopped_mark.exists()

    assert ensure_running(paths, explicit=True)
    assert not paths.stopped_mark.exists()


def test_a_running_worker_is_used_even_when_the_mark_is_there(paths: Paths) -> None:
    with Stub(paths, lambda _: said("")).serving() as stub:
        stub.announce()
        paths.stopped_mark.touch()
        assert ensure_running(paths).instance == stub.instance


def test_another_starter_that_hangs_is_named_after_the_time(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTRAY_PORT", "1")
    paths.create()
    with (
        FileLock(paths.start_lock),
        pytest.raises(WorkerUnavailableError, match="Another program has been starting"),
    ):
        ensure_running(paths, wait_seconds=0.2)


def test_a_waiting_starter_takes_the_worker_of_the_first(
    paths: Paths, programs: Callable[[str], None]
) -> None:
    found: list[str] = []
    waiter = threading.Thread(target=lambda: found.append(ensure_running(paths).instance))
    with Stub(paths, lambda _: said("")).serving() as stub:
        paths.create()
        with FileLock(paths.start_lock):
            waiter.start()
            waiter.join(0.3)
            assert waiter.is_alive()
            stub.announce()
        waiter.join(10)
        assert found == [stub.instance]
    assert starts(paths) == 0


def test_a_data_folder_that_cannot_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTRAY_PORT", "1")
    (tmp_path / "file").touch()
    with pytest.raises(WorkerUnavailableError, match="cannot be started"):
        ensure_running(Paths(tmp_path / "file" / "data"))


# who is who


def test_our_process_is_known_by_number_and_start() -> None:
    started = psutil.Process().create_time()
    assert is_ours(record_of(os.getpid(), started))
    assert not is_ours(record_of(os.getpid(), started - 60))
    assert not is_ours(record_of(2**22 + 1, started))
    assert not is_ours(record_of(-1, started))
    assert not is_ours(record_of(2**70, started))
    assert not is_ours(None)


@POSIX
def test_a_zombie_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as child:
        started = psutil.Process(child.pid).create_time()
        assert child.stdout
        assert child.stdout.read() == b""  # it has ended, and nobody has asked how
        assert within(10, lambda: not is_ours(record_of(child.pid, started)))


@POSIX
def test_a_number_that_now_belongs_to_another_program_blocks_no_start(
    paths: Paths, programs: Callable[[str], None]
) -> None:
    paths.create()
    stale = record_of(os.getpid(), psutil.Process().create_time() - 3600)
    write_private(paths.worker_json, stale.to_json())
    assert ensure_running(paths).pid != os.getpid()


# pure parts


@pytest.mark.parametrize("name", ["python", "python3.11"])
def test_the_command_is_the_script_beside_python_or_else_the_module(
    tmp_path: Path, name: str
) -> None:
    paths = Paths(tmp_path / "data")
    python = tmp_path / name
    tail = ["run", "--data-dir", str(paths.data_dir)]
    leaving = ["--leave-when-idle", "3600"]
    module = worker_command(paths, None, executable=python, frozen=False)
    assert module == [str(python), "-m", "worker", *tail, *leaving]

    script = tmp_path / "memtray-worker"
    script.touch()
    command = worker_command(paths, 4000, executable=python, frozen=False)
    assert command == [str(script), *tail, "--port", "4000", *leaving]


def test_a_frozen_program_starts_the_program_beside_it(tmp_path: Path) -> None:
    executable = tmp_path / "memtray-mcp.exe"
    command = worker_command(Paths(tmp_path), None, executable=executable, frozen=True)
    assert command[0] == str(tmp_path / "memtray-worker.exe")


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", {"start_new_session": True}),
        ("darwin", {"start_new_session": True}),
        ("win32", {"creationflags": 0x08000200}),
    ],
)
def test_each_system_has_its_way_to_detach(platform: str, expected: dict[str, object]) -> None:
    assert detached(platform) == expected
