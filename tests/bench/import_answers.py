"""`python -m tests.bench.import_answers`: are the answers of the collected transcripts found."""

import json
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.bench.import_questions import QUESTIONS, UNANSWERED, Place
from tests.bench.material import SHARED
from tests.integration.processes import Worker, running
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths

FOLDER = SHARED / "data" / "transcripts"
Where = dict[str, tuple[str, int, int]]  # by ref: file, first and last line of its turn


def main() -> int:
    """Import the collection, ask all questions, and print how many are answered on page one."""
    if not FOLDER.exists():
        print(f"{FOLDER} is absent")
        return 1
    with tempfile.TemporaryDirectory() as scratch, running(Path(scratch) / "data") as worker:
        client = WorkerClient(Paths(worker.data_dir), "bench")
        _take_in(worker, client)
        where = _places(Paths(worker.data_dir).database)
        pages = {question: _page(client, question.text) for question in QUESTIONS}
        told = [q for q, page in pages.items() if _answers(where, page, q.places, prompts=False)]
        found = [q for q, page in pages.items() if _answers(where, page, q.places, prompts=True)]
        silent = [text for text in UNANSWERED if not _page(client, text)]
        quiet = [text for text in UNANSWERED if not _page(client, text, strong=True)]
        strong = [
            q
            for q in QUESTIONS
            if _answers(where, _page(client, q.text, strong=True), q.places, prompts=True)
        ]
    for question in QUESTIONS:
        if question not in found:
            print(f"not found: {question.text}")
    print(f"answered by any record: {len(found)} of {len(QUESTIONS)}")
    print(f"answered by an observation or summary: {len(told)} of {len(QUESTIONS)}")
    print(f"answered by a hit that is not marked weak: {len(strong)} of {len(QUESTIONS)}")
    print(f"nothing found where there is no answer: {len(silent)} of {len(UNANSWERED)}")
    print(f"nothing, or only hits marked weak: {len(quiet)} of {len(UNANSWERED)}")
    return 0


def _take_in(worker: Worker, client: WorkerClient) -> None:
    worker.until("/api/stats", lambda status, _: status == 200)
    job = client.post("/api/import", {"paths": [str(FOLDER)]})
    worker.until(f"/api/jobs/{job['id']}", lambda _, body: body["state"] == "done")
    worker.until("/api/ready", lambda _, body: body["state"] == "ok", seconds=120)


def _page(client: WorkerClient, query: str, *, strong: bool = False) -> list[str]:
    """Return the refs of the first page, without those marked weak when only `strong` count."""
    reply = client.get("/api/search", {"query": query, "format": "json"})
    return [item["ref"] for item in reply["items"] if not (strong and item["weak"])]


def _places(database: Path) -> Where:
    """Return the turn that each observation was made of, and each prompt with an observation."""
    where: Where = {}
    with closing(sqlite3.connect(database)) as connection:
        turns = {}
        sql = "SELECT id, metadata, memory_session_id, prompt_number FROM observations"
        for id_, metadata, session, number in connection.execute(sql):
            told = json.loads(metadata)
            file = str(Path(told["source"]).relative_to(FOLDER))
            turns[session, number] = where[f"#{id_}"] = (file, *told["lines"])
        sql = "SELECT id, content_session_id, prompt_number FROM user_prompts"
        for id_, session, number in connection.execute(sql):
            if (place := turns.get((f"memtray-{session}", number))) is not None:
                where[f"#P{id_}"] = place
    return where


def _answers(where: Where, page: list[str], places: tuple[Place, ...], *, prompts: bool) -> bool:
    for ref in page:
        if ref in where and (prompts or not ref.startswith("#P")):
            file, first, last = where[ref]
            if any(file == f and first <= b and a <= last for f, a, b in places):
                return True
    return False


if __name__ == "__main__":
    sys.exit(main())
