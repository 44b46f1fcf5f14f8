"""Log files: what is in them, who may read them, how many stay."""

import datetime as dt
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from worker.shared import logs
from worker.shared.logs import setup_logging

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")


@pytest.fixture(autouse=True)
def root_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def entries(path: Path | None) -> list[dict[str, Any]]:
    assert path
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_entry_is_one_json_line_with_time_level_component_and_message(tmp_path: Path) -> None:
    path = setup_logging(tmp_path / "logs", "worker")
    logging.getLogger("worker.index").info("two\nlines, 悬空 🎉 %d", 7)

    (entry,) = entries(path)
    assert entry["level"] == "INFO"
    assert entry["component"] == "worker.index"
    assert entry["message"] == "two\nlines, 悬空 🎉 7"
    assert dt.datetime.fromisoformat(entry["time"]).utcoffset() is not None


def test_the_file_is_named_by_component_day_and_process(tmp_path: Path) -> None:
    path = setup_logging(tmp_path, "mcp")
    assert path
    assert path.name == f"mcp-{dt.datetime.now():%Y%m%d}-{os.getpid()}.jsonl"


def test_an_exception_is_part_of_its_entry(tmp_path: Path) -> None:
    path = setup_logging(tmp_path, "worker")
    try:
        int("bad\nthing")
    except ValueError:
        logging.getLogger("x").exception("it failed")

    (entry,) = entries(path)
    assert "Traceback" in entry["exception"]
    assert "ValueError: invalid literal" in entry["exception"]


def test_below_the_level_nothing_is_written(tmp_path: Path) -> None:
    path = setup_logging(tmp_path, "worker", "WARNING")
    logging.getLogger("x").info("no")
    assert entries(path) == []


def test_a_lone_surrogate_is_no_obstacle(tmp_path: Path) -> None:
    path = setup_logging(tmp_path, "worker")
    logging.getLogger("x").warning("half \ud800")
    assert entries(path)[0]["message"] == "half \ud800"


@POSIX
def test_only_the_user_can_read_a_log(tmp_path: Path) -> None:
    path = setup_logging(tmp_path / "logs", "worker")
    assert path
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_of_one_component_twenty_files_stay_none_older_than_two_weeks(tmp_path: Path) -> None:
    now = dt.datetime.now().timestamp()
    for number in range(30):
        for component in ("worker", "mcp"):
            old = tmp_path / f"{component}-20260101-{number}.jsonl"
            old.touch()
            age = number if number < 5 else number * 3600  # from 5 on: hours
            os.utime(old, (now - age, now - age))
    ancient = tmp_path / "worker-20250101-1.jsonl"
    ancient.touch()
    os.utime(ancient, (now - 15 * 86_400,) * 2)
    (tmp_path / "worker-output.log").touch()

    path = setup_logging(tmp_path, "worker")

    left = sorted(tmp_path.glob("worker-*.jsonl"))
    assert path in left
    assert len(left) == 20
    assert {f"worker-20260101-{n}.jsonl" for n in range(19)} < {p.name for p in left}
    assert ancient not in left
    assert len(list(tmp_path.glob("mcp-*.jsonl"))) == 30
    assert (tmp_path / "worker-output.log").exists()


def test_an_old_file_goes_even_when_there_are_few(tmp_path: Path) -> None:
    ancient = tmp_path / "worker-20250101-1.jsonl"
    ancient.touch()
    age = dt.datetime.now().timestamp() - 15 * 86_400
    os.utime(ancient, (age, age))
    setup_logging(tmp_path, "worker")
    assert not ancient.exists()


def test_a_full_file_is_set_aside_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_MAX_BYTES", 1000)
    path = setup_logging(tmp_path, "worker")
    for number in range(100):
        logging.getLogger("x").warning("entry %d", number)
    assert path
    assert [p.name for p in sorted(tmp_path.iterdir())] == [path.name, f"{path.name}.1"]
    assert sum(p.stat().st_size for p in tmp_path.iterdir()) < 3000


def in_a_process(code: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environ},
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )


def test_a_folder_that_cannot_be_written_costs_the_file_alone(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.touch()
    done = in_a_process(
        "import logging, pathlib; from worker.shared.logs import setup_logging\n"
        f"folder = pathlib.Path({str(blocked / 'logs')!r})\n"
        "assert setup_logging(folder, 'mcp', stderr=True) is None\n"
        "logging.error('still here')"
    )
    assert done.returncode == 0
    assert "no log file" in done.stderr
    assert "still here" in done.stderr


def test_without_any_stderr_nothing_is_raised(tmp_path: Path) -> None:
    done = in_a_process(
        "import logging, pathlib, sys; sys.stderr = None\n"
        "from worker.shared.logs import setup_logging\n"
        f"setup_logging(pathlib.Path({str(tmp_path)!r}), 'app', stderr=True)\n"
        "logging.error('bad %d', 'arguments'); logging.error('good')"
    )
    assert done.returncode == 0, done.stderr
    assert "good" in next(tmp_path.glob("app-*.jsonl")).read_text(encoding="utf-8")


def test_stderr_takes_any_text_in_any_locale_and_only_what_matters(tmp_path: Path) -> None:
    done = in_a_process(
        "import logging, pathlib; from worker.shared.logs import setup_logging\n"
        f"setup_logging(pathlib.Path({str(tmp_path)!r}), 'mcp', stderr=True)\n"
        "logging.info('not for others'); logging.warning('悬空 \\ud800')",
        PYTHONIOENCODING="ascii",
        LC_ALL="C",
    )
    assert done.returncode == 0
    assert "\\u60ac\\u7a7a \\ud800" in done.stderr
    assert "not for others" not in done.stderr


NO_ROOM = """
import logging, pathlib, resource, signal, sys
from worker.shared.logs import setup_logging
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
setup_logging(pathlib.Path(sys.argv[1]), "worker")
logging.getLogger("worker").info("x" * 10_000)
"""


@POSIX
def test_without_room_a_line_is_lost_and_stderr_does_not_fill_with_that(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_ROOM, tmp_path], capture_output=True, encoding="utf-8", check=True
    )

    assert done.stderr == ""
