"""Rounds of kill -9, each amid saves and the making of vectors, and what must hold of them."""

import http.client
import json
import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.integration import embedders
from tests.integration.memories import Memory, add, new_database, some, writing
from tests.integration.processes import Worker, running
from worker.index.keys import to_key
from worker.shared.identity import read_record
from worker.shared.paths import Paths
from worker.shared.refs import Kind, Ref

CLIENTS = 4
MAX_DELAY = 1.0  # seconds from the first batch of a round to its end: some batches long
BATCH_SECONDS = 60.0  # within which a started worker must be making vectors
BATCH = 32  # texts embedded at once
WAITING = 5 * BATCH  # rows without vectors at each start, more than are made until the end
_AS_LETTERS = str.maketrans("0123456789", "bcdfghjkmn")
_SHAPES = [f"{memory.title}. {memory.narrative}" for memory in some(180)]


class Saved(NamedTuple):
    """What one memory was made of."""

    word: str  # which no other has
    text: str


@dataclass(slots=True)
class Saves:
    """What was saved so far."""

    acknowledged: dict[int, Saved] = field(default_factory=dict)  # by id


@dataclass(frozen=True, slots=True)
class Round:
    """One life of a worker, as it was found after its death."""

    start_seconds: float
    acknowledged: int
    saves_in_flight: int  # asked for and never answered
    waiting: int  # rows without a vector: a batch of them was under way
    unkept: int  # texts that were at the model, and whose vectors were not kept yet
    not_in_chroma: int  # vectors that are kept, and not yet in Chroma


class Killing:
    """One data folder, on which a worker is killed again and again."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.paths = Paths(folder / "data")
        self.environ = embedders.counting(folder / "counting")
        self.counted = folder / "counting"
        self.saves = Saves()
        self.rounds: list[Round] = []
        self._random = random.Random(seed)
        self._log = self.counted / "texts.jsonl"
        new_database(self.paths.database)

    def round(self) -> None:
        """Start a worker, save through several clients, and kill it at a moment of chance."""
        self._top_up()
        began, noted, kept = time.monotonic(), self._noted(), len(self.kept())
        before = len(self.saves.acknowledged)
        with running(self.paths.data_dir, environ=self.environ) as worker:
            start_seconds = time.monotonic() - began
            self._until_embedding(worker, noted)
            with _saving(worker, self.saves, len(self.rounds)) as clients:
                _rest(worker, self._random.uniform(0, MAX_DELAY))
                clients.until_asking()
                worker.process.kill()
                worker.process.wait(15)
        assert processes_of(self.paths.data_dir) == []
        found = Round(
            start_seconds,
            len(self.saves.acknowledged) - before,
            clients.unanswered,
            *self._in_flight(noted, kept),
        )
        self.rounds.append(found)
        self.check_store()

    def check_store(self) -> None:
        """Assert that the database is whole and holds all that was ever acknowledged."""
        with closing(sqlite3.connect(self.paths.database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            texts = dict(connection.execute("SELECT id, narrative FROM observations"))
        lost = [
            id_ for id_, saved in self.saves.acknowledged.items() if texts.get(id_) != saved.text
        ]
        assert lost == []

    def kept(self) -> set[int]:
        """Return the keys that have a kept vector."""
        path = self.paths.index / "vectors.db"
        if not path.exists():
            return set()
        with closing(sqlite3.connect(path)) as connection:
            return {key for (key,) in connection.execute("SELECT key FROM vectors")}

    def embedded(self) -> list[str]:
        """Return every text that was embedded as a memory's, in all rounds."""
        return [text for text in embedders.embedded(self.counted) if "zq" in text]

    def report(self) -> str:
        """Return the figures of all rounds as a line."""
        lives = self.rounds
        return (
            f"{len(lives)} rounds, {len(self.saves.acknowledged)} saves acknowledged; in flight at "
            f"the kills: {sum(each.saves_in_flight for each in lives)} saves, "
            f"{sum(each.unkept > 0 for each in lives)} batches at the model, "
            f"{sum(each.not_in_chroma > 0 for each in lives)} on their way to Chroma; "
            f"slowest start {max(each.start_seconds for each in lives):.1f} s; "
            f"{len(self.embedded()) - len(set(self.embedded()))} texts embedded twice"
        )

    def _top_up(self) -> None:
        """Write, as another program would, what the next life has to make vectors of."""
        missing = range(WAITING - len(self._waiting()))
        life = len(self.rounds)
        with writing(self.paths.database) as connection:
            add(connection, [Memory(text_of(word_of(life, n)), project="other") for n in missing])

    def _waiting(self) -> set[int]:
        """Return the keys that have no kept vector."""
        with closing(sqlite3.connect(self.paths.database)) as connection:
            stored = [row[0] for row in connection.execute("SELECT id FROM observations")]
        return {to_key(Ref(Kind.OBSERVATION, id_)) for id_ in stored} - self.kept()

    def _until_embedding(self, worker: Worker, noted: int) -> None:
        """Wait until memories come to the model; before that it warms up with other texts."""
        deadline = time.monotonic() + BATCH_SECONDS
        while b"zq" not in self._noted_since(noted):
            assert time.monotonic() < deadline, worker.get("/api/ready")
            _rest(worker, 0.01)

    def _noted(self) -> int:
        return self._log.stat().st_size if self._log.exists() else 0

    def _noted_since(self, offset: int) -> bytes:
        return self._log.read_bytes()[offset:] if self._log.exists() else b""

    def _in_flight(self, noted: int, kept_before: int) -> tuple[int, int, int]:
        """Return what the files say that the dead worker was at in this life."""
        kept = len(self.kept())
        embedded = self._noted_since(noted).count(b"zq")
        in_chroma = _chroma_rows(self.paths.index / "chroma")
        return len(self._waiting()), embedded - (kept - kept_before), kept - in_chroma


def processes_of(data_dir: Path) -> list[int]:
    """Return the pids of the living workers of a folder, by their command lines."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            told = process.cmdline()
            if "run" in told and str(data_dir) in told:
                found += [process.pid] * (process.status() != psutil.STATUS_ZOMBIE)
    return found


def word_of(*numbers: int) -> str:
    """Return a word of letters alone that only these numbers have, and no grammar shortens."""
    return "zq" + "x".join(str(number).translate(_AS_LETTERS) for number in numbers)


def text_of(word: str) -> str:
    """Return a text that holds a word which no other has, and that means what few others do.

    However many a quick machine saves, those that mean the same are fewer than a search gives.
    """
    first, second = random.Random(word).sample(_SHAPES, 2)
    return f"{first} {second} Noted as {word}."


def _chroma_rows(folder: Path) -> int:
    path = folder / "chroma.sqlite3"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection:
        try:
            (rows,) = connection.execute("SELECT count(*) FROM embeddings").fetchone()
        except sqlite3.OperationalError:  # killed before its tables were made
            return 0
        return int(rows)


def _rest(worker: Worker, seconds: float) -> None:
    """Let the worker work, which must not end meanwhile."""
    with suppress(Exception):
        worker.process.wait(seconds)
    assert worker.process.poll() is None


class _Clients:
    """Threads that save one memory after another until their worker is gone."""

    def __init__(self, worker: Worker, saves: Saves, life: int) -> None:
        record = read_record(Paths(worker.data_dir).worker_json)
        assert record
        self._record = record
        self._saves = saves
        self._life = life
        self._asking = [False] * CLIENTS
        self._threads = [
            threading.Thread(target=self._save_on, args=(number,)) for number in range(CLIENTS)
        ]

    @property
    def unanswered(self) -> int:
        """How many were asking when the worker died."""
        return sum(self._asking)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(30)
            assert not thread.is_alive()

    def until_asking(self) -> None:
        """Wait until each client waits for an answer, or almost."""
        while sum(self._asking) < CLIENTS - 1:
            assert any(thread.is_alive() for thread in self._threads)

    def _save_on(self, client: int) -> None:
        headers = {
            "Authorization": f"Bearer {self._record.token}",
            "Content-Type": "application/json",
        }
        number = 0
        with (
            closing(
                http.client.HTTPConnection("127.0.0.1", self._record.port, timeout=30)
            ) as connection,
            suppress(OSError, http.client.HTTPException),
        ):
            while True:
                word = word_of(self._life, client, number)
                text = text_of(word)
                body = json.dumps({"text": text})
                self._asking[client] = True
                connection.request("POST", "/api/memory/save", body, headers)
                response = connection.getresponse()
                answer = json.loads(response.read())
                self._asking[client] = False
                assert response.status in (200, 201), answer
                self._saves.acknowledged[answer["id"]] = Saved(word, text)
                number += 1


@contextmanager
def _saving(worker: Worker, saves: Saves, life: int) -> Iterator[_Clients]:
    clients = _Clients(worker, saves, life)
    clients.start()
    try:
        yield clients
    finally:
        worker.process.kill()
        clients.join()
