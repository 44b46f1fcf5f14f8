"""What is excluded, or was said during a pause, becomes no memory on any way."""

import datetime as dt
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.claude_ai.exports import pool, said, talk, written
from tests.ingest.transcripts.made import Talk, pool_talk
from worker.ingest.capture import Capture
from worker.ingest.excludes import ExcludedError, PausedError
from worker.ingest.importer import Importer
from worker.ingest.importing import Imports
from worker.ingest.service import Ingest
from worker.ingest.tally import Tally
from worker.shared.capture import PatternRequest, PauseRequest
from worker.shared.contract import SaveRequest
from worker.shared.errors import BadRequestError, NotFoundError
from worker.shared.jobs import ImportPathsRequest
from worker.shared.readiness import PartState
from worker.shared.refs import Kind
from worker.shared.upkeep import ImportRequest
from worker.store.store import Store

BEGAN = dt.datetime(2026, 5, 4, 9, tzinfo=dt.UTC).timestamp()  # of each talk, to ten seconds


def nothing() -> None:
    """Take the place of what wakes the indexes."""


class Clock:
    """Seconds since the epoch, as a test wants them."""

    now = BEGAN

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "claude-mem.db")
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def capture(store: Store, state: Path, clock: Clock) -> Capture:
    return Capture(store, state, clock=clock)


def exclude(capture: Capture, *patterns: str) -> None:
    for pattern in patterns:
        capture.exclude(PatternRequest(pattern=pattern))


def take_in(store: Store, state: Path, file: Path) -> Tally:
    tally = Tally("job")
    Importer(store, state, nothing).take_in(file, tally)
    return tally


@pytest.mark.parametrize(
    "pattern", ["shop", "/home/mia/code/*", "code/shop", "**/projects/-home-*"]
)
def test_no_session_of_an_excluded_place_is_imported(
    store: Store, state: Path, capture: Capture, tmp_path: Path, pattern: str
) -> None:
    exclude(capture, pattern)
    file = pool_talk().write(tmp_path / "projects")

    tally = take_in(store, state, file)

    assert (tally.excluded, tally.added.total()) == (1, 0)
    assert sum(store.counts().values()) == 0


def test_allowed_again_it_is_imported(
    store: Store, state: Path, capture: Capture, tmp_path: Path
) -> None:
    exclude(capture, "shop")
    file = pool_talk().write(tmp_path)
    take_in(store, state, file)

    capture.allow(PatternRequest(pattern="shop"))
    tally = take_in(store, state, file)

    assert tally.excluded == 0
    assert tally.added["observations"] == 2


def test_a_save_into_an_excluded_project_is_refused_with_the_pattern(
    store: Store, state: Path, capture: Capture
) -> None:
    exclude(capture, "secret-*")

    with pytest.raises(ExcludedError, match=r"secret-plan is excluded by the pattern secret-\*"):
        Ingest(store, state).save(SaveRequest(text="of it", project="secret-plan"))

    Ingest(store, state).save(SaveRequest(text="of it", project="garden"))
    assert store.counts()[Kind.OBSERVATION] == 1


def test_rows_of_an_excluded_project_stay_out_of_an_import_and_are_counted(
    store: Store, state: Path, capture: Capture
) -> None:
    exclude(capture, "shop")
    rows = [
        {"table": "observations", "id": 1, "memory_session_id": "s", "project": name, "type": "x"}
        for name in ("shop", "garden")
    ]

    reply = Imports(store, state, nothing).enter(ImportRequest(rows=rows))

    assert reply.added == {"observations": 1}
    assert reply.notes == ["Left out as excluded: 1 rows"]


def test_what_a_pattern_means_is_told_without_changing_anything(
    store: Store, state: Path, capture: Capture, tmp_path: Path
) -> None:
    take_in(store, state, pool_talk().write(tmp_path))
    Ingest(store, state).save(SaveRequest(text="Tulips in May", project="garden"))

    reply = capture.test(PatternRequest(pattern="/home/mia"))

    assert [(each.project, each.folder) for each in reply.matches] == [
        ("shop", "/home/mia/code/shop")
    ]
    assert reply.matches[0].memories > 3
    assert reply.known == 2
    assert capture.excludes().excludes == []


def test_excluding_tells_which_memories_stay(store: Store, state: Path, capture: Capture) -> None:
    Ingest(store, state).save(SaveRequest(text="Tulips in May", project="garden"))

    reply = capture.exclude(PatternRequest(pattern="gard*"))

    assert reply.notes == ["What is stored already stays and is found: garden"]
    assert store.counts()[Kind.OBSERVATION] == 1
    assert [each.pattern for each in reply.excludes] == ["gard*"]


def test_a_bad_pattern_and_an_unknown_one_are_told(capture: Capture) -> None:
    with pytest.raises(BadRequestError, match="names a project or a folder"):
        exclude(capture, "!")
    with pytest.raises(NotFoundError, match="there is no shop"):
        capture.allow(PatternRequest(pattern="shop"))


def test_while_paused_nothing_is_saved_or_imported_and_the_answer_says_until_when(
    store: Store, state: Path, tmp_path: Path
) -> None:
    capture = Capture(store, state)
    capture.pause(PauseRequest(minutes=60))
    file = pool_talk().write(tmp_path)

    with pytest.raises(PausedError, match=r"until 20\d\d-.*memtray-worker resume"):
        Ingest(store, state).save(SaveRequest(text="of it"))
    with pytest.raises(PausedError):
        Imports(store, state, nothing).enter(ImportRequest(rows=[]))
    with pytest.raises(PausedError):
        Imports(store, state, nothing).begin(ImportPathsRequest(paths=(str(file),)))
    assert capture.report().state is PartState.OFF

    capture.resume()

    assert Ingest(store, state).save(SaveRequest(text="of it")).saved
    assert capture.report().state is PartState.OK


def test_a_pause_for_a_while_ends_by_itself_and_one_without_an_end_does_not(
    capture: Capture, clock: Clock
) -> None:
    capture.pause(PauseRequest(minutes=1))
    clock.now += 59
    assert capture.is_paused()
    clock.now += 2
    assert not capture.is_paused()

    capture.pause(PauseRequest())
    clock.now += 1e9
    assert capture.state().paused
    assert capture.state().until is None


def test_a_pause_survives_a_restart_and_can_be_made_longer(
    store: Store, state: Path, clock: Clock
) -> None:
    Capture(store, state, clock=clock).pause(PauseRequest(minutes=1))
    Capture(store, state, clock=clock).pause(PauseRequest(minutes=10))
    clock.now += 300

    again = Capture(store, state, clock=clock)

    assert again.is_paused()
    assert "until" in again.report().cause


def test_what_was_said_during_a_pause_stays_out_for_good(
    store: Store, state: Path, capture: Capture, clock: Clock, tmp_path: Path
) -> None:
    talk = (
        Talk()
        .asks("How is the harbour before the pause?")
        .says("The harbour is open and all ships are in it.")
    )
    clock.now = BEGAN + 25
    capture.pause(PauseRequest())
    talk.asks("About the private matter?").says("The private matter is settled with the notary.")
    clock.now = BEGAN + 45
    capture.resume()
    talk.asks("How is the lighthouse after the pause?").says(
        "The lighthouse was repaired and shines again."
    )

    take_in(store, state, talk.write(tmp_path))

    records = everything(store)
    assert "harbour" in records
    assert "lighthouse" in records
    assert "private matter" not in records


def everything(store: Store) -> str:
    tables = ("observations", "user_prompts", "session_summaries", "sdk_sessions")
    return str([store.read().execute(f"SELECT * FROM {table}").fetchall() for table in tables])


def test_what_was_said_to_claude_ai_during_a_pause_stays_out_for_good(
    store: Store, state: Path, capture: Capture, clock: Clock, tmp_path: Path
) -> None:
    clock.now = dt.datetime(2026, 3, 1, 10, 4, tzinfo=dt.UTC).timestamp()
    capture.pause(PauseRequest(minutes=2))
    matter = said("m4", "assistant", "The private matter is settled with the notary.", "m3", 5)
    private = talk("c2", said("m3", "human", "About the private matter?", "", 5), matter)
    file = written(tmp_path / "conversations.json", [pool(), private])

    tally = take_in(store, state, file)

    assert (tally.excluded, tally.added["user_prompts"]) == (1, 1)


@pytest.mark.parametrize("pattern", ["claude.ai", "**/private"])
def test_an_export_of_claude_ai_is_excluded_by_its_project_or_its_folder(
    store: Store, state: Path, capture: Capture, tmp_path: Path, pattern: str
) -> None:
    exclude(capture, pattern)
    (tmp_path / "private").mkdir()
    memories = {"account_uuid": "a1", "conversations_memory": "Mia sails on Sundays."}
    file = written(tmp_path / "private" / "all.json", [pool(), memories])

    tally = take_in(store, state, file)

    assert (tally.excluded, tally.added.total()) == (2, 0)


def test_what_claude_remembers_comes_in_once_and_again_only_when_it_has_changed(
    store: Store, state: Path, tmp_path: Path
) -> None:
    added = []
    for day, text in enumerate(("Mia sails.", "Mia sails.", "Mia sails and sings.")):
        memories = {"account_uuid": "a1", "conversations_memory": text}
        file = written(tmp_path / f"{day}.json", [memories])
        os.utime(file, (BEGAN + day * 86_400,) * 2)
        added.append(take_in(store, state, file).added["observations"])

    assert added == [1, 0, 1]
