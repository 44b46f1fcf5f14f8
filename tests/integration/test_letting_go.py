"""What is deleted is nowhere, and what is undone is back as it was."""

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.transcripts.made import Talk, pool_talk
from tests.integration.answers import until_whole
from tests.integration.memories import new_database, some, without_meaning
from tests.integration.processes import Worker, command, environment, running
from tests.integration.saving import save
from worker.shared.client import WorkerClient
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    with running(tmp_path_factory.mktemp("data")) as started:
        until_whole(started)
        yield started


def ask(worker: Worker, route: str, **body: object) -> Any:  # noqa: ANN401 - JSON
    return WorkerClient(Paths(worker.data_dir), "test").post(f"/api/memory/{route}", body)


def run(worker: Worker, *args: str) -> "subprocess.CompletedProcess[str]":
    data_dir = str(worker.data_dir)
    return command(*args, "--data-dir", data_dir, environ=environment(worker.data_dir))


def found(worker: Worker, word: str) -> list[int]:
    _, body = worker.get(f"/api/search?query={word}&format=json")
    return [item["id"] for item in body["items"] if word in item["title"].lower()]


def known(worker: Worker, word: str, **more: object) -> int:
    """Save a memory with a word of its own, and wait until it is found."""
    id_: int = save(worker, f"The {word} lives in the reeds by the river", **more)["id"]
    worker.until(
        f"/api/search?query={word}&format=json",
        lambda _, body: [item["id"] for item in body["items"]] == [id_],
    )
    return id_


def rows(worker: Worker) -> list[Any]:
    with closing(sqlite3.connect(Paths(worker.data_dir).database)) as connection:
        return connection.execute("SELECT * FROM observations ORDER BY id").fetchall()


def test_a_deleted_memory_is_in_no_answer(worker: Worker, tmp_path: Path) -> None:
    id_ = known(worker, "bittern")

    reply = ask(worker, "delete", ids=[id_])

    assert (reply["deleted"], reply["left"]) == ({"observations": 1}, 0)
    assert found(worker, "bittern") == []
    assert worker.get(f"/api/observation/{id_}")[0] == 404
    assert run(worker, "export", str(tmp_path / "all.jsonl")).returncode == 0
    assert "bittern" not in (tmp_path / "all.jsonl").read_text(encoding="utf-8")
    assert not [row for row in rows(worker) if "bittern" in str(row)]


def test_undone_it_is_back_as_it_was_and_found(worker: Worker) -> None:
    id_ = known(worker, "heron")
    before = rows(worker)
    batch = ask(worker, "delete", ids=[id_])["batch"]

    reply = ask(worker, "undo", batch=batch)

    assert reply["restored"] == 1
    assert rows(worker) == before
    assert found(worker, "heron") == [id_]  # at once


def test_for_good_means_that_nothing_is_kept(worker: Worker) -> None:
    id_ = known(worker, "grebe")

    reply = ask(worker, "delete", ids=[id_], now=True)

    assert (reply["batch"], reply["left"]) == (None, 0)
    assert b"grebe" not in Paths(worker.data_dir).state.read_bytes()


def test_for_good_tells_of_the_backups_that_hold_it_still(worker: Worker) -> None:
    id_ = known(worker, "grebe")
    assert run(worker, "backup").returncode == 0

    reply = ask(worker, "delete", ids=[id_], now=True)

    assert any(note.startswith("Backups made before may hold it") for note in reply["notes"])


def test_a_project_goes_as_a_whole_with_its_sessions(worker: Worker) -> None:
    known(worker, "avocet", project="marsh")
    known(worker, "dunlin", project="marsh")
    stays = known(worker, "plover", project="beach")

    reply = ask(worker, "delete", project="marsh")

    assert reply["deleted"] == {"observations": 2, "sdk_sessions": 1}
    assert found(worker, "avocet") == found(worker, "dunlin") == []
    assert found(worker, "plover") == [stays]
    assert ask(worker, "undo")["restored"] == 3


def test_an_import_does_not_bring_it_back(worker: Worker, tmp_path: Path) -> None:
    pool_talk().write(tmp_path)
    assert run(worker, "import", str(tmp_path)).returncode == 0
    _, body = worker.get("/api/search?project=shop&type=observations&format=json")
    ids = [item["id"] for item in body["items"]]
    batch = ask(worker, "delete", ids=ids)["batch"]

    again = run(worker, "import", str(tmp_path), "--json")

    assert json.loads(again.stdout)["added"] == {}
    ask(worker, "undo", batch=batch)


def test_an_export_does_not_bring_it_back_either(worker: Worker, tmp_path: Path) -> None:
    id_ = known(worker, "curlew")
    assert run(worker, "export", str(tmp_path / "all.jsonl")).returncode == 0
    ask(worker, "delete", ids=[id_])

    assert run(worker, "import", str(tmp_path / "all.jsonl")).returncode == 0

    assert found(worker, "curlew") == []


def test_the_commands_tell_what_they_did(worker: Worker) -> None:
    id_ = known(worker, "smew")

    deleted = run(worker, "delete", str(id_))
    listed = run(worker, "undo", "--list")
    undone = run(worker, "undo")

    assert "Deleted: " in deleted.stdout
    assert "Left: 0." in deleted.stdout
    assert f"#{id_}" in listed.stdout
    assert undone.stdout == "Put back: 1 row.\n"


def test_a_project_is_asked_for_first(worker: Worker) -> None:
    done = run(worker, "delete", "--project", "beach")

    assert done.returncode == 1
    assert "all memories of project beach?" in done.stderr
    assert "undo puts them back" in done.stderr
    assert "--yes" in done.stderr


@pytest.mark.parametrize(
    ("route", "body", "said"),
    [
        ("delete", {}, "either ids or project"),
        ("delete", {"ids": [1], "project": "x"}, "either ids or project"),
        ("delete", {"ids": [987654]}, "#987654"),
        ("delete", {"project": "nowhere"}, "nowhere"),
        ("undo", {"batch": "nothing"}, "nothing"),
    ],
)
def test_what_cannot_be_done_is_said(
    worker: Worker, route: str, body: dict[str, object], said: str
) -> None:
    with pytest.raises(MemtrayError, match=said):
        ask(worker, route, **body)


def test_for_good_no_file_of_the_folder_holds_a_word_of_it(worker: Worker, tmp_path: Path) -> None:
    talk = Talk(session="88888888-2222-4333-8444-555555555555", cwd="/home/mia/code/pier")
    talk.asks("Where does the turnstone-xqvz nest?").says(
        "The turnstone-xqvz nests on the tundra, and the other one, ruff-xqvz, in wet meadows."
    ).write(tmp_path)
    assert run(worker, "import", str(tmp_path)).returncode == 0
    until_whole(worker)
    assert holding(worker.data_dir, "xqvz")

    done = run(worker, "delete", "--project", "pier", "--now", "--yes")

    assert done.stdout.splitlines()[0] == (
        "Deleted: 1 session, 1 observation, 1 summary, 1 prompt. Left: 0."
    )
    until_whole(worker)
    assert holding(worker.data_dir, "xqvz") == set()


def test_a_session_does_not_repeat_a_prompt_that_was_deleted(
    worker: Worker, tmp_path: Path
) -> None:
    talk = Talk(session="99999999-2222-4333-8444-555555555555", cwd="/home/mia/code/quay")
    file = talk.asks("Where is the gadwall hidden?").says("In the reeds.").write(tmp_path)
    assert run(worker, "import", str(file)).returncode == 0
    _, body = worker.get("/api/search?project=quay&format=json")
    refs = [item["ref"] for item in body["items"]]

    batch = ask(worker, "delete", ids=refs)["batch"]
    assert "gadwall" not in sessions(worker)

    talk.asks("And the pochard?").says("On the lake, where it dives for plants all day long.")
    assert run(worker, "import", str(talk.write(tmp_path))).returncode == 0
    assert "gadwall" not in sessions(worker)

    assert ask(worker, "undo", batch=batch)["restored"] == len(refs)
    assert "gadwall" in sessions(worker)
    ask(worker, "delete", project="quay", now=True)


def sessions(worker: Worker) -> str:
    with closing(sqlite3.connect(Paths(worker.data_dir).database)) as connection:
        return str(connection.execute("SELECT * FROM sdk_sessions").fetchall())


def holding(folder: Path, word: str) -> set[str]:
    """Return the files in which a word stands; those that SQLite deletes meanwhile hold none."""
    found = set()
    for file in folder.rglob("*"):
        with suppress(FileNotFoundError):
            if file.is_file() and word.encode() in file.read_bytes():
                found.add(file.name)
    return found


def test_after_30_days_no_file_holds_a_word_of_it(tmp_path: Path) -> None:
    without_meaning(tmp_path)
    new_database(Paths(tmp_path).database, some())
    with running(tmp_path) as first:
        id_ = known(first, "wigeon-xqvz")
        ask(first, "delete", ids=[id_])
        assert first.stop() == 0
    month = 31 * 86_400_000
    with closing(sqlite3.connect(Paths(tmp_path).state)) as connection, connection:
        connection.execute("UPDATE trash SET at = at - ?", (month,))
    assert holding(tmp_path, "xqvz")

    with running(tmp_path) as second:
        second.until("/api/ready", lambda *_: not holding(tmp_path, "xqvz"))
        assert second.get("/api/trash")[1]["batches"] == []
