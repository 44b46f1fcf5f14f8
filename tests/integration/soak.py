"""Lets a worker serve for a long time among writers, readers and kill -9, and counts what happens.

    python -m tests.integration.soak --minutes 30

Four processes write, by plain SQL as claude-mem does and by HTTP; eight read. The worker is killed
every minute and started again as each of our clients does. An error counts as announced when the
worker said in words what it cannot do now (503), or when it was just dead.
"""

import argparse
import itertools
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.bench.workers import free_port
from tests.integration.killing import processes_of, text_of, word_of
from tests.integration.memories import Memory, add, new_database, some, writing
from worker.shared.client import WorkerClient
from worker.shared.errors import MemtrayError, WorkerUnavailableError
from worker.shared.identity import read_record
from worker.shared.launch import ensure_running
from worker.shared.paths import Paths
from worker.shared.readiness import PartState, Ready
from worker.shared.stop import stop_worker

WRITERS, READERS = 4, 8
KILL_SECONDS = 60.0
SAMPLE_SECONDS = 1.0
WRITER_PAUSE, READER_PAUSE = 0.5, 0.1  # seconds between two calls, as busy users leave
AFTER_SECONDS = 120.0  # until everything is indexed at the end
MB = 2**20


@dataclass(frozen=True, slots=True)
class Trouble:
    """A call that was not answered as it should be."""

    began: float
    ended: float
    code: str
    detail: str
    status: int


@dataclass(slots=True)
class Tally:
    """What one writer or reader saw."""

    answered: int = 0
    slowest: float = 0.0
    troubles: list[Trouble] = field(default_factory=list)
    saved: dict[int, str] = field(default_factory=dict)  # id -> word, as acknowledged or committed

    def call(self, ask: Callable[[], object]) -> None:
        """Ask once and count what comes of it."""
        began = time.time()
        try:
            ask()
        except MemtrayError as exc:
            trouble = Trouble(began, time.time(), exc.code, exc.detail, exc.status)
            self.troubles.append(trouble)
        except Exception as exc:  # noqa: BLE001 - nothing else may come out of a client
            self.troubles.append(Trouble(began, time.time(), type(exc).__name__, str(exc), 0))
        else:
            self.answered += 1
            self.slowest = max(self.slowest, time.time() - began)


@dataclass(frozen=True, slots=True)
class Sample:
    """How large the worker was at one moment."""

    rss: int
    wal: int  # of the largest of all logs
    processes: int


@dataclass(slots=True)
class Outcome:
    """All that a soak has to tell."""

    seconds: float
    writers: Tally
    readers: Tally
    windows: list[tuple[float, float]]  # from each kill until the worker answered again
    samples: list[Sample]
    lost: list[int]  # of what was saved, what cannot be found by its word
    whole_seconds: float  # from the end of all writing until all was indexed

    @property
    def troubles(self) -> list[Trouble]:
        return self.writers.troubles + self.readers.troubles

    @property
    def unannounced(self) -> list[Trouble]:
        return [each for each in self.troubles if not self._is_announced(each)]

    def _is_announced(self, trouble: Trouble) -> bool:
        if trouble.code == WorkerUnavailableError.code:
            return any(
                trouble.began <= until and trouble.ended >= since for since, until in self.windows
            )
        return trouble.status == 503

    def table(self) -> str:
        """Return the figures for a person."""
        codes = Counter(trouble.code for trouble in self.troubles)
        half = len(self.samples) // 2
        early, late = self.samples[:half] or self.samples, self.samples[half:] or self.samples
        rows = {
            "minutes": f"{self.seconds / 60:.1f}",
            "kill -9": f"{len(self.windows)}",
            "slowest to answer again, s": f"{max((b - a for a, b in self.windows), default=0):.1f}",
            "writes answered": f"{self.writers.answered}, slowest {self.writers.slowest:.1f} s",
            "reads answered": f"{self.readers.answered}, slowest {self.readers.slowest:.1f} s",
            "errors announced": f"{len(self.troubles) - len(self.unannounced)} "
            + " ".join(f"{code}:{count}" for code, count in codes.items()),
            "errors not announced": f"{len(self.unannounced)}",
            "memories lost": f"{len(self.lost)} of {len(self.writers.saved)}",
            "all indexed after, s": f"{self.whole_seconds:.1f}",
            "worker RSS, MB, 1st / 2nd half": f"{max(s.rss for s in early) / MB:.0f}"
            f" / {max(s.rss for s in late) / MB:.0f}",
            "largest -wal, MB": f"{max(sample.wal for sample in self.samples) / MB:.1f}",
            "workers at once": f"{max(sample.processes for sample in self.samples)}",
        }
        lines = [f"{name:<34}{value}" for name, value in rows.items()]
        return "\n".join([*lines, *(f"  {each}" for each in self.unannounced[:10])])


def write(data_dir: Path, number: int, ends: float) -> Tally:
    """Write by SQL and by HTTP in turn until then."""
    paths, tally = Paths(data_dir), Tally()
    client = WorkerClient(paths, "soak-writer")
    for count in itertools.count():
        if time.time() > ends:
            return tally
        word = word_of(number, count)

        def by_sql(word: str = word, count: int = count) -> None:
            memory = Memory(word, text_of(word), at=int(time.time() * 1000))
            with writing(paths.database) as connection:
                (id_,) = add(connection, [memory])
            tally.saved[id_] = word

        def by_http(word: str = word, count: int = count) -> None:
            saved = client.post("/api/memory/save", {"text": text_of(word)})
            tally.saved[saved["id"]] = word

        tally.call(by_http if count % 2 else by_sql)
        time.sleep(WRITER_PAUSE)
    raise AssertionError


def read(data_dir: Path, number: int, ends: float) -> Tally:
    """Search, look at the timeline and read details in turn until then."""
    tally, client = Tally(), WorkerClient(Paths(data_dir), "soak-reader")
    queries = itertools.cycle([memory.title for memory in some(180)][number::READERS])
    calls: tuple[Callable[[], object], ...] = (
        lambda: client.get("/api/search", {"query": next(queries), "format": "json"}),
        lambda: client.get("/api/timeline", {"query": next(queries)}),
        lambda: client.post("/api/observations/batch", {"ids": [1, 2, 3]}),
    )
    for call in itertools.cycle(calls):
        if time.time() > ends:
            return tally
        tally.call(call)
        time.sleep(READER_PAUSE)
    raise AssertionError


def soak(data_dir: Path, *, seconds: float, kill_every: float = KILL_SECONDS) -> Outcome:
    """Run all that on a new database in this folder."""
    paths = Paths(data_dir)
    new_database(paths.database, some())
    port = free_port()
    ensure_running(paths, port=port)
    began = time.time()
    ends = began + seconds
    spawn = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(WRITERS + READERS, mp_context=spawn) as pool:
            written = [pool.submit(write, data_dir, number, ends) for number in range(WRITERS)]
            reading = [pool.submit(read, data_dir, number, ends) for number in range(READERS)]
            windows, samples = _kill_and_sample(paths, port, ends, kill_every)
            writers, readers = _sum(written), _sum(reading)
        ensure_running(paths, port=port)
        whole = _until_whole(paths)
        lost = list(_lost(paths, writers.saved))
    finally:
        stop_worker(paths)
    assert processes_of(data_dir) == []
    return Outcome(time.time() - began, writers, readers, windows, samples, lost, whole)


def _kill_and_sample(
    paths: Paths, port: int, ends: float, kill_every: float
) -> tuple[list[tuple[float, float]], list[Sample]]:
    windows: list[tuple[float, float]] = []
    samples = [_sample(paths)]
    due = time.time() + kill_every
    while time.time() < ends:
        time.sleep(SAMPLE_SECONDS)
        samples.append(_sample(paths))
        if time.time() >= due:
            due += kill_every
            windows.append((time.time(), _kill(paths, port)))
    return windows, samples


def _kill(paths: Paths, port: int) -> float:
    """Kill the worker, start another, and return when that answered."""
    record = read_record(paths.worker_json)
    assert record
    with suppress(psutil.NoSuchProcess):
        psutil.Process(record.pid).kill()
    ensure_running(paths, port=port)
    return time.time()


def _sample(paths: Paths) -> Sample:
    pids = processes_of(paths.data_dir)
    rss = 0
    for pid in pids:
        with suppress(psutil.Error):
            rss = max(rss, psutil.Process(pid).memory_info().rss)
    logs = [*paths.data_dir.glob("*-wal"), *paths.index.rglob("*-wal")]
    return Sample(rss, max(map(_size, logs), default=0), len(pids))


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def _sum(tallies: Sequence["Future[Tally]"]) -> Tally:
    whole = Tally()
    for tally in (each.result() for each in tallies):
        whole.answered += tally.answered
        whole.slowest = max(whole.slowest, tally.slowest)
        whole.troubles += tally.troubles
        whole.saved |= tally.saved
    return whole


def _until_whole(paths: Paths) -> float:
    """Wait until all is indexed, and return how long that took."""
    client, began = WorkerClient(paths, "soak"), time.monotonic()
    while time.monotonic() < began + AFTER_SECONDS:
        ready = Ready.model_validate(client.get("/api/ready"))
        totals = {part.part: part.total for part in ready.parts}
        behind = [part for part in ready.parts if part.done != part.total]
        # the index may not have looked yet at what was written last
        if (
            totals["keyword"] == totals["store"]
            and not behind
            and all(part.state is not PartState.BUILDING for part in ready.parts)
        ):
            return time.monotonic() - began
        time.sleep(SAMPLE_SECONDS)
    raise AssertionError(f"still not whole: {ready}")


def _lost(paths: Paths, saved: dict[int, str]) -> Iterator[int]:
    """Yield what was answered and is not found by its word."""
    client = WorkerClient(paths, "soak")
    for id_, word in saved.items():
        found = client.get("/api/search", {"query": word, "format": "json"})
        if [item["id"] for item in found["items"][:1]] != [id_]:
            yield id_


@contextmanager
def _folder(chosen: Path | None) -> Iterator[Path]:
    if chosen:
        yield chosen
        return
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, print the table, and return 1 where anything went wrong that was not announced."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--kill-every", type=float, default=KILL_SECONDS, help="seconds")
    parser.add_argument("--data-dir", type=Path, help="a folder to keep; must be new")
    chosen = parser.parse_args(arguments)
    with _folder(chosen.data_dir) as data_dir:
        seconds = chosen.minutes * 60
        outcome = soak(data_dir, seconds=seconds, kill_every=chosen.kill_every)
    print(outcome.table())  # noqa: T201 - its answer
    return int(bool(outcome.unannounced or outcome.lost))


if __name__ == "__main__":
    sys.exit(main())
