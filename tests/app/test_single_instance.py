"""One app for a folder, and what other starts can ask it."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.background import Background
from app.single_instance import NoAnswerError, Reception, ask, socket_name, take_place
from tests.integration.processes import ROOT
from worker.shared.paths import Paths

ASKER = """
import json, sys
from pathlib import Path
from app.single_instance import ask
from worker.shared.paths import Paths
print(json.dumps(ask(Paths(Path(sys.argv[1])), "status")))
"""
HOLDER = """
import sys
from pathlib import Path
from app.single_instance import take_place
from worker.shared.paths import Paths
lock = take_place(Paths(Path(sys.argv[1])))
print("mine" if lock else "taken", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path)


def holder(paths: Paths) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(paths.data_dir)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


def test_the_second_gets_no_place_until_the_first_is_killed(paths: Paths) -> None:
    with holder(paths) as first:
        assert first.stdout
        assert first.stdout.readline() == "mine\n"
        assert take_place(paths) is None

        first.kill()
        first.wait(10)

        lock = take_place(paths)
    assert lock is not None
    lock.release()


def test_another_folder_is_another_place(tmp_path: Path) -> None:
    one, other = Paths(tmp_path / "one"), Paths(tmp_path / "other")
    locks = [take_place(one), take_place(other)]

    assert None not in locks
    assert socket_name(one.data_dir) != socket_name(other.data_dir)
    for lock in locks:
        assert lock is not None
        lock.release()


def asked(qtbot: QtBot, background: Background, paths: Paths) -> list[object]:
    """Return what another process is told."""
    asking = [sys.executable, "-c", ASKER, str(paths.data_dir)]
    work = partial(subprocess.run, asking, cwd=ROOT, capture_output=True, encoding="utf-8")
    with qtbot.waitSignal(background.run("asking", work).done, timeout=10_000) as done:
        pass
    (asker,) = done.args
    assert asker.returncode == 0, asker.stderr
    return [json.loads(asker.stdout)]


def test_what_is_asked_is_answered(qtbot: QtBot, background: Background, paths: Paths) -> None:
    reception = Reception(paths, lambda asked: {"asked": asked, "line": "a\nb – 中"})

    assert asked(qtbot, background, paths) == [{"asked": "status", "line": "a\nb – 中"}]
    reception.close()


def test_nobody_there_is_said_so(paths: Paths) -> None:
    with pytest.raises(NoAnswerError, match="start it: memtray"):
        ask(paths, "show")


def test_one_that_hangs_is_waited_for_no_longer_than_it_takes(qtbot: QtBot, paths: Paths) -> None:
    reception = Reception(paths, lambda _: {})

    with pytest.raises(NoAnswerError):  # this thread is the one that would answer
        ask(paths, "show", milliseconds=50)

    reception.close()


def test_what_a_crash_leaves_is_in_nobodys_way(
    qtbot: QtBot, background: Background, paths: Paths
) -> None:
    first = Reception(paths, lambda _: {})
    second = Reception(paths, lambda _: {"it": "answers"})  # the socket's file is still there

    assert asked(qtbot, background, paths) == [{"it": "answers"}]
    first.close()
    second.close()
