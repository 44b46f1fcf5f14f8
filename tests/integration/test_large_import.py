"""A gigabyte of transcripts and an export in one long line come in, and memory stays small."""

import json
import random
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.ingest.claude_ai.exports import said, talk
from tests.ingest.transcripts.made import Talk
from tests.integration.memories import without_meaning
from tests.integration.processes import Worker, running
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths

pytestmark = pytest.mark.slow

FILES = 100
TURNS = 20  # of each file
READ = 50_000  # characters of each file that the assistant read, ten of them a turn
CONVERSATIONS = 400  # of the export, each of 500 kB
MEMORY = 300_000_000  # bytes that the worker may have at most
MINUTES = 20.0


def text(chance: random.Random, length: int) -> str:
    """Return made-up lines of a program."""
    words = [chance.choice("bdfgklmnprst") + chance.choice("aeiou") * 2 for _ in range(40)]
    line = " = ".join(words) + "\n"
    return (line * (length // len(line) + 1))[:length]


def projects(folder: Path) -> Path:
    chance = random.Random(4)
    for number in range(FILES):
        session = Talk(session=f"{number:08}-2222-4333-8444-555555555555")
        for turn in range(TURNS):
            session.asks(f"Why is part {turn} of job {number} slow?")
            for each in range(10):
                session.uses("Read", text(chance, READ), file_path=f"/src/{number}/{each}.py")
            session.says(
                f"Part {turn} of job {number} is slow because each request empties the cache of it."
            )
        session.write(folder)
    return folder


def export(path: Path) -> Path:
    chance = random.Random(5)
    with path.open("w", encoding="utf-8") as file:
        for number in range(CONVERSATIONS):
            question = said(f"q{number}", "human", text(chance, 240_000))
            reply = f"Answer {number}: the cache was emptied by every request that came in."
            answer = said(f"a{number}", "assistant", reply, f"q{number}", 1)
            file.write(("," if number else "[") + json.dumps(talk(f"c{number}", question, answer)))
        file.write("]")
    return path


def test_its_memory_does_not_grow_with_what_is_read(tmp_path: Path) -> None:
    paths = [str(projects(tmp_path / "projects")), str(export(tmp_path / "conversations.json"))]
    data_dir = tmp_path / "data"
    without_meaning(data_dir)
    with running(data_dir) as worker:
        worker.until("/api/stats", lambda status, _: status == 200)
        job = WorkerClient(Paths(data_dir), "test").post("/api/import", {"paths": paths})
        most, done = watched(worker, str(job["id"]))

    assert done["bytes_done"] == done["bytes"] > 1_150_000_000
    assert (done["failures"], done["files_done"]) == (0, FILES + 1)
    assert done["added"]["observations"] == FILES * TURNS + CONVERSATIONS
    assert most < MEMORY


def watched(worker: Worker, job: str) -> tuple[int, dict[str, Any]]:
    """Return the most memory that the worker had during a job, and the job at its end."""
    process = psutil.Process(worker.process.pid)
    most = 0

    def is_over(_: int, body: Any) -> bool:  # noqa: ANN401 - JSON
        nonlocal most
        most = max(most, process.memory_info().rss)
        return bool(body["state"] == "done")

    done: dict[str, Any] = worker.until(f"/api/jobs/{job}", is_over, seconds=MINUTES * 60)
    print(f"{most / 1e6:.0f} MB at most, {done['seconds']} s")  # noqa: T201
    return most, done
