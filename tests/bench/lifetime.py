"""What a worker needs: to start, to stand idle, for what is new, to build Chroma anew.

`python -m tests.bench.lifetime DATABASE` prints how many of its observations the embedder alone
does in a second, in a process of its own, in which one BLAS thread can be asked for.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import psutil

from tests.bench.api import Api
from tests.bench.databases import Corpus, count_rows
from tests.bench.material import Material, run_tool
from tests.bench.measure import milliseconds, percentile
from tests.bench.table import Group, Row
from tests.bench.targets import row
from tests.bench.workers import Worker, running
from worker.index.embedder import UniversalSentenceEncoder
from worker.index.fingerprint import embedded_text
from worker.index.meaning_sync import BATCH
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState, Ready
from worker.shared.refs import Kind, Ref
from worker.store.store import Store

SEED = 8  # of the new memories; the corpus has another
NEW = 2_000
_POLL_SECONDS = 0.05
_LOOK_SECONDS = 2.0
_SETTLED_SHARE = 2.0  # % of a processor: by then what is frequent was read ahead
_LONGEST_SECONDS = 900.0
_POLLED_SECONDS = 3.0  # for which /api/ready may tell what was


@dataclass(frozen=True, slots=True)
class _Life:
    """A worker on a copy of a corpus, and what to ask it."""

    worker: Worker
    corpus: Corpus
    api: Api
    queries: Sequence[str]

    @property
    def process(self) -> psutil.Process:
        return psutil.Process(self.worker.pid)

    def parts(self) -> dict[str, PartReport]:
        ready = Ready.model_validate_json(self.api.get("/api/ready").body)
        return {part.part: part for part in ready.parts}

    def is_whole(self) -> bool:
        """Say whether every row of the store is in each index."""
        rows, parts = count_rows(self.corpus.database), self.parts()
        counted = [parts[name].done for name in ("keyword", "vectors", "chroma")]
        states = {part.state for part in parts.values()}
        return counted == [rows] * 3 and states <= {PartState.OK, PartState.OFF}

    def ask(self, query: str) -> float:
        """Return the milliseconds of one search."""
        return milliseconds(lambda: self.api.get("/api/search", {"query": query, "limit": 20}))

    def asking_until(self, holds: Callable[[], bool]) -> list[float]:
        """Search one query after the other; return the milliseconds of each."""
        taken = []
        for query in cycle(self.queries):
            taken.append(self.ask(query))
            if holds():
                return taken
        return taken


def measure(corpus: Corpus, material: Material, *, size: int, quick: bool) -> Group:
    """Return the figures of a worker on a copy of `corpus`."""
    with tempfile.TemporaryDirectory(prefix="life-", dir=corpus.data_dir.parent) as scratch:
        copy = Corpus(corpus.name, Path(scratch) / "data")
        shutil.copytree(corpus.data_dir, copy.data_dir)
        before = _vectors(copy)
        with running(copy.data_dir) as worker, Api(worker.port) as api:
            life = _Life(worker, copy, api, copy.texts())
            again = sum(before.get(key) != place for key, place in _vectors(copy).items())
            rows = [*_start(life, size, again), *_needs(life, size, seconds=10 if quick else 60)]
            with _new_memories(copy, material) as new:
                rows += _indexing(life, new)
            rows += _rebuild(life, size)
    return Group(f"A worker's life, {size:,} observations", tuple(rows))


def _start(life: _Life, size: int, again: int) -> Iterator[Row]:
    healthy, ready = life.worker.healthy_seconds, life.worker.ready_seconds
    yield row("life healthy", "healthy after spawn", healthy, unit="s")
    yield row(f"life ready {size}", "every part ok, nothing new", ready, unit="s")
    yield row("life again", "vectors made again", again)


def _needs(life: _Life, size: int, *, seconds: float) -> Iterator[Row]:
    """Memory, disk, and the processor while nobody asks."""
    deadline = time.monotonic() + _LONGEST_SECONDS
    while _share(life.process, _LOOK_SECONDS) > _SETTLED_SHARE and time.monotonic() < deadline:
        pass
    loaded = life.process.memory_info().rss / 1e6
    for query in life.queries:
        life.ask(query)
    asked = life.process.memory_info().rss / 1e6
    yield row(f"life memory {size}", "memory, vectors loaded", loaded, unit="MB",
              note=f"{asked:.0f} after {len(life.queries)} different queries")  # fmt: skip
    folder = Paths(life.corpus.data_dir).index
    held = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    beside = held / count_rows(life.corpus.database) / 1000
    yield row("life disk", "disk a memory, beside the store", beside, unit="kB")
    share = _share(life.process, seconds)
    yield row("life idle", f"processor, idle for {seconds:g} s", share, unit="%")


def _share(process: psutil.Process, seconds: float) -> float:
    """Return how much of one processor it takes in the next seconds, in %."""
    began, before = time.monotonic(), sum(process.cpu_times()[:2])
    time.sleep(seconds)
    return (sum(process.cpu_times()[:2]) - before) / (time.monotonic() - began) * 100


def _indexing(life: _Life, new: "_NewMemories") -> Iterator[Row]:
    """How soon new memories are in all indexes: with nobody asking, then while one searches."""
    alone = new.embedded_alone()
    calm = [life.ask(query) for query in life.queries]
    began = new.put(0)
    _until(life.is_whole)
    rate = new.half / (time.monotonic() - began)
    yield row("life indexed", "of the embedder's rate, indexed", rate / alone * 100, unit="%",
              note=f"{rate:.0f} of {alone:.0f} a second")  # fmt: skip
    began = new.put(1)
    deadline = time.monotonic() + _LONGEST_SECONDS
    busy = life.asking_until(lambda: life.is_whole() or time.monotonic() > deadline)
    rate = new.half / (time.monotonic() - began)
    yield row("life searches", "a search meanwhile, times as long",
              percentile(busy, 0.5) / percentile(calm, 0.5), unit="x",
              note=f"p50 {percentile(busy, 0.5):.1f} against {percentile(calm, 0.5):.1f} ms,"
              f" p95 {percentile(busy, 0.95):.1f}; {rate:.0f} rows a second")  # fmt: skip


def _rebuild(life: _Life, size: int) -> Iterator[Row]:
    """How long Chroma takes to be filled from the kept vectors, while one searches."""
    WorkerClient(Paths(life.corpus.data_dir), "bench").post("/api/reindex", {"what": "chroma"})
    began = time.monotonic()
    _until(lambda: life.parts()["chroma"].state is not PartState.OK, within=_POLLED_SECONDS)
    deadline = began + _LONGEST_SECONDS
    busy = life.asking_until(lambda: life.is_whole() or time.monotonic() > deadline)
    yield row(f"life rebuild {size}", "Chroma from the kept vectors", time.monotonic() - began,
              unit="s", note=f"{len(busy)} searches meanwhile, p50 {percentile(busy, 0.5):.1f},"
              f" p95 {percentile(busy, 0.95):.1f} ms")  # fmt: skip


class _NewMemories:
    """A side database, whose observations go over in two halves, a transaction each."""

    def __init__(self, side: Path, database: Path) -> None:
        self._side = side
        self._database = database
        self.half = NEW // 2

    def embedded_alone(self) -> float:
        """Return how many of them the embedder does in a second, with nothing beside it."""
        done = subprocess.run(
            [sys.executable, "-m", __name__, str(self._side)],
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            check=True,
            stdout=subprocess.PIPE,
        )
        return float(done.stdout)

    def put(self, half: int) -> float:
        """Copy one half; return the moment of the commit."""
        with closing(sqlite3.connect(self._database, timeout=60)) as connection:
            connection.execute("ATTACH ? AS side", (str(self._side),))
            with connection:
                if not half:
                    connection.execute(_copy(connection, "sdk_sessions", ""))
                part = f"ORDER BY id LIMIT {self.half} OFFSET {half * self.half}"
                connection.execute(_copy(connection, "observations", part))
            return time.monotonic()


@contextmanager
def _new_memories(corpus: Corpus, material: Material) -> Iterator[_NewMemories]:
    with tempfile.TemporaryDirectory(dir=corpus.data_dir.parent) as folder:
        side = Path(folder) / "side.db"
        store = Store(side)
        store.open()
        store.close()
        run_tool(material.gen_db, side, NEW, "--seed", SEED, "--no-planted")
        yield _NewMemories(side, corpus.database)


def _copy(connection: sqlite3.Connection, table: str, part: str) -> str:
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    names = ", ".join(name for name in columns if name != "id")
    return f"INSERT INTO {table} ({names}) SELECT {names} FROM side.{table} {part}"


def _vectors(corpus: Corpus) -> dict[int, int]:
    """Return where each kept vector stands; one that is made again stands elsewhere."""
    with closing(sqlite3.connect(Paths(corpus.data_dir).index / "vectors.db")) as connection:
        return dict(connection.execute("SELECT key, place FROM vectors"))


def _until(holds: Callable[[], bool], *, within: float = _LONGEST_SECONDS) -> None:
    deadline = time.monotonic() + within
    while not holds() and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)


def main() -> None:
    """Print the embedder's rate."""
    store = Store(Path(sys.argv[1]))
    store.open()
    refs = [Ref(Kind.OBSERVATION, id_) for id_ in store.ids(Kind.OBSERVATION)]
    texts = [embedded_text(record) for record in store.records(refs).values()]
    store.close()
    model = UniversalSentenceEncoder()
    model.load()
    began = time.perf_counter()
    for start in range(0, len(texts), BATCH):
        model.encode(texts[start : start + BATCH])
    print(len(texts) / (time.perf_counter() - began))


if __name__ == "__main__":
    main()
