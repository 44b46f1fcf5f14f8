"""Saving through a real worker: what was answered is kept and found, whatever happens."""

import json
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.bench.workers import free_port
from tests.integration.answers import until_whole
from tests.integration.memories import new_database, some, without_meaning
from tests.integration.processes import COMMAND, ROOT, Worker, command, environment, running
from tests.integration.saving import save
from worker.shared.paths import Paths

BY_MEANING = "Which animal sleeps while it hangs from a branch?"
SLOTH = "Sloths rest in trees, their claws hooked around the wood"


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A worker with all its parts."""
    data_dir = tmp_path_factory.mktemp("data")
    new_database(Paths(data_dir).database, some())
    with running(data_dir) as started:
        until_whole(started)
        yield started


def until_first(worker: Worker, id_: int, query: str, *, seconds: float) -> None:
    """Wait until a search has this memory at its top."""

    def is_first(_: int, body: Any) -> bool:  # noqa: ANN401 - JSON
        return [item["id"] for item in body["items"][:1]] == [id_]

    worker.until(
        f"/api/search?{urlencode({'query': query, 'format': 'json'})}", is_first, seconds=seconds
    )


def rows(data_dir: Path, where: str = "1") -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(Paths(data_dir).database)) as connection:
        return connection.execute(f"SELECT id, title FROM observations WHERE {where}").fetchall()


def test_it_is_found_by_word_within_a_second_and_by_meaning_within_ten(worker: Worker) -> None:
    saved = save(worker, SLOTH, project="zoo")

    until_first(worker, saved["id"], "hooked", seconds=1)
    until_first(worker, saved["id"], BY_MEANING, seconds=10)


def test_the_same_text_from_eight_clients_at_once_is_kept_once(worker: Worker) -> None:
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: save(worker, "Double click"), range(8)))

    assert len({answer["id"] for answer in answers}) == 1
    assert [answer["saved"] for answer in answers].count(True) == 1
    assert len(rows(worker.data_dir, "title = 'Double click'")) == 1


def test_after_kill_9_whatever_was_answered_is_there_and_found(tmp_path: Path) -> None:
    without_meaning(tmp_path)
    saved = []
    for number in range(3):
        with running(tmp_path) as worker:
            saved.append(save(worker, f"Aardvark{number} digs"))
            worker.process.kill()
            worker.process.wait(15)

    with running(tmp_path) as worker:
        for number, answer in enumerate(saved):
            until_first(worker, answer["id"], f"aardvark{number}", seconds=30)
    assert [row[0] for row in rows(tmp_path)] == [answer["id"] for answer in saved]


# ---------------------------------------------------------------------- from the command line
@pytest.fixture
def environ(worker: Worker, tmp_path: Path) -> Mapping[str, str]:
    return environment(tmp_path) | {
        "CLAUDE_MEM_DATA_DIR": str(worker.data_dir),
        "MEMTRAY_PORT": str(free_port()),
    }


def test_the_command_says_where_it_is(environ: Mapping[str, str]) -> None:
    done = command("save", "Tabs are", "two wide", "--project", "shop", environ=environ)

    assert done.returncode == 0, done.stderr
    assert "Memory saved as observation #" in done.stdout
    assert "in project shop: Tabs are two wide" in done.stdout


def test_the_command_answers_scripts(worker: Worker, environ: Mapping[str, str]) -> None:
    options = ("--title", "Use SQLite", "--type", "decision", "--concepts", "a,b", "--json")

    done = command("save", "No server to run", *options, environ=environ)

    answer = json.loads(done.stdout)
    assert (answer["title"], answer["type"], answer["saved"]) == ("Use SQLite", "decision", True)
    assert rows(worker.data_dir, f"id = {answer['id']}") == [(answer["id"], "Use SQLite")]


def from_stdin(text: bytes, environ: Mapping[str, str]) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [*COMMAND, "save", "-"], input=text, cwd=ROOT, env=dict(environ), capture_output=True,
        timeout=60, check=False,
    )  # fmt: skip


def test_the_command_reads_stdin(environ: Mapping[str, str]) -> None:
    done = from_stdin("第一行 first\n\nsecond\n".encode(), environ)

    assert done.returncode == 0, done.stderr
    assert "第一行 first" in done.stdout.decode()


@pytest.mark.parametrize(
    ("text", "said"),
    [(b"", "text: "), (b"a\0b", "U+0000"), (b"caf\xe9", "no UTF-8"), (b"x" * 5_000_000, "4194304")],
)
def test_the_command_tells_what_cannot_be_kept(
    environ: Mapping[str, str], text: bytes, said: str
) -> None:
    done = from_stdin(text, environ)

    assert done.returncode == 1
    assert said in done.stderr.decode()
    assert done.stdout == b""
