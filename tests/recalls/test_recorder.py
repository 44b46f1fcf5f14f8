"""Calls are written down in the background; whatever happens to the file, nobody waits or fails."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worker.recalls import recorder as recorder_module
from worker.recalls.recorder import WAITING, Call, Recorder
from worker.shared.readiness import PartState
from worker.shared.recalls_contract import KEPT_DAYS
from worker.state.database import reading

NOW = 1_780_000_000.0
DAY = 86_400


def call(asked: str = "pool", *, at: float = NOW) -> Call:
    return Call(
        at=int(at * 1000),
        client="claude-ai",
        tool="search",
        asked=asked,
        filters="",
        refs=("#1", "#S2"),
        text="a table of memories",
        ms=12,
        outcome="hits",
    )


class Wanted:
    """The setting, which may be switched at any time."""

    def __init__(self) -> None:
        self.on = True

    def __call__(self) -> bool:
        return self.on


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


@pytest.fixture
def wanted() -> Wanted:
    return Wanted()


@pytest.fixture
def recorder(path: Path, wanted: Wanted, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    monkeypatch.setattr(recorder_module, "RETRY_SECONDS", 0.05)
    made = Recorder(path, wanted, clock=lambda: NOW)
    yield made
    made.stop()


def asked(path: Path) -> list[str]:
    with reading(path) as connection:
        if connection is None:
            return []
        return [text for (text,) in connection.execute("SELECT asked FROM recalls ORDER BY id")]


def until_asked(path: Path, expected: list[str]) -> None:
    deadline = time.monotonic() + 20
    while (found := asked(path)) != expected:
        assert time.monotonic() < deadline, found


def until(recorder: Recorder, state: PartState) -> None:
    deadline = time.monotonic() + 20
    while recorder.report().state is not state:
        assert time.monotonic() < deadline, recorder.report()


def test_what_is_noted_is_written_in_order_and_without_the_text(
    recorder: Recorder, path: Path
) -> None:
    recorder.start()
    for number in range(20):
        recorder.note(call(f"q{number}"))

    until_asked(path, [f"q{number}" for number in range(20)])
    assert recorder.report().state is PartState.OK
    assert b"a table of memories" not in b"".join(f.read_bytes() for f in path.parent.iterdir())


@settings(max_examples=30, deadline=None)
@given(
    st.text(alphabet=st.characters(exclude_categories=[])),
    st.text(alphabet=st.characters(exclude_categories=[])),
)
def test_any_text_can_be_written(
    tmp_path_factory: pytest.TempPathFactory, query: str, problem: str
) -> None:
    path = tmp_path_factory.mktemp("state") / "state.db"
    recorder = Recorder(path, lambda: True, clock=lambda: NOW)
    recorder.note(replace(call(query), problem=problem))
    recorder.start()
    recorder.stop()

    assert asked(path) == [query.encode("utf-8", "replace").decode()]


def test_what_was_noted_before_the_end_is_written(recorder: Recorder, path: Path) -> None:
    recorder.start()
    recorder.note(call("last"))
    recorder.stop()

    assert asked(path) == ["last"]


def test_switched_off_nothing_is_written_and_no_file_is_made(
    recorder: Recorder, path: Path, wanted: Wanted
) -> None:
    wanted.on = False
    recorder.note(call())
    recorder.start()
    recorder.stop()

    assert not path.exists()
    assert recorder.report().state is PartState.OFF


def test_switching_off_holds_at_once(recorder: Recorder, path: Path, wanted: Wanted) -> None:
    recorder.start()
    recorder.note(call("before"))
    until_asked(path, ["before"])
    wanted.on = False
    recorder.note(call("after"))
    recorder.stop()

    assert asked(path) == ["before"]


def test_after_thirty_days_a_call_is_forgotten(recorder: Recorder, path: Path) -> None:
    recorder.start()
    recorder.note(call("old", at=NOW - (KEPT_DAYS + 1) * DAY))
    recorder.note(call("young", at=NOW - (KEPT_DAYS - 1) * DAY))
    until_asked(path, ["old", "young"])
    recorder.note(call("now"))

    until_asked(path, ["young", "now"])


def test_cleared_it_is_in_no_file_any_more(recorder: Recorder, path: Path) -> None:
    recorder.start()
    for _ in range(50):
        recorder.note(call("a secret question"))
    until_asked(path, ["a secret question"] * 50)

    assert recorder.clear() == 50

    assert asked(path) == []
    assert b"a secret question" not in b"".join(f.read_bytes() for f in path.parent.iterdir())


def test_clearing_what_was_never_written_makes_no_file(recorder: Recorder, path: Path) -> None:
    recorder.note(call())

    assert recorder.clear() == 1
    assert not path.exists()


def test_a_locked_file_is_told_and_written_once_it_is_free(recorder: Recorder, path: Path) -> None:
    recorder.start()
    recorder.note(call("one"))
    until_asked(path, ["one"])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        recorder.note(call("two"))
        until(recorder, PartState.DEGRADED)
        report = recorder.report()
        began = time.monotonic()
        recorder.note(call("three"))
        assert time.monotonic() - began < 2  # the other lock lasts for good

    assert str(path) in report.cause
    assert report.remedy
    until_asked(path, ["one", "two", "three"])
    until(recorder, PartState.OK)


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_file_is_set_aside_and_made_anew(
    recorder: Recorder, path: Path, content: bytes
) -> None:
    path.write_bytes(content)
    recorder.note(call())
    recorder.start()

    deadline = time.monotonic() + 20
    while not recorder.report().cause:
        assert time.monotonic() < deadline
    recorder.stop()
    (aside,) = path.parent.glob("state.db.damaged-*Z")
    assert aside.read_bytes() == content
    assert aside.name in recorder.report().cause
    assert recorder.report().state is PartState.OK
    assert asked(path) == ["pool"]


def test_damaged_while_in_use_it_is_made_anew(recorder: Recorder, path: Path) -> None:
    recorder.start()
    recorder.note(call("one"))
    until_asked(path, ["one"])
    deadline = time.monotonic() + 20
    while Path(f"{path}-wal").exists():  # a connection that just closes would write it whole again
        assert time.monotonic() < deadline
    path.write_bytes(b"broken")

    recorder.note(call("two"))

    deadline = time.monotonic() + 20
    while not list(path.parent.glob("state.db.damaged-*Z")):
        assert time.monotonic() < deadline
    until_asked(path, ["two"])


def test_without_a_folder_the_newest_calls_wait(
    recorder: Recorder, path: Path, tmp_path: Path
) -> None:
    tmp_path.rename(tmp_path.with_name("elsewhere"))
    recorder.start()
    for number in range(WAITING + 5):
        recorder.note(call(f"q{number}"))
    until(recorder, PartState.DEGRADED)

    tmp_path.with_name("elsewhere").rename(tmp_path)
    until(recorder, PartState.OK)
    found = asked(path)
    assert found[-1] == f"q{WAITING + 4}"
    assert len(found) <= WAITING + 5
