"""The canary: a memory that is known must be found, else a green light means nothing."""

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import psutil

from worker.checks.report import FAULTY, degraded, ok
from worker.compose import Loaded, load
from worker.index.analyze import analyze, is_stop_word
from worker.index.embedder import Embedder
from worker.shared.contract import MAX_LIMIT, OrderBy, SearchReply, SearchRequest
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState
from worker.shared.settings import Settings
from worker.store.filters import Filters
from worker.store.records import Record
from worker.store.store import Store
from worker.store.writing import NewMemory, save

Search = Callable[[SearchRequest], SearchReply]

BUILD_SECONDS = 30.0  # for the scratch index, which takes one
INDEX_SECONDS = 5.0  # until which a memory that was just stored is in the index
_SCRATCH = "memtray-canary-"
_NEWEST = 5  # memories that are looked at for one that has words
_WORDS = 6
_POLL_SECONDS = 0.05

_KNOWN = (
    ("Canary: the connection pool was exhausted", "数据库连接池耗尽，因为重试从不释放连接。"),
    ("Photographs arrive twice", "Each upload was sent again after a timeout."),
    ("The tray icon is blurred", "It was drawn for one screen and shown on another."),
    ("Invoices are printed in the wrong currency", "The locale of the server was used."),
)
_QUESTIONS = (
    ("by word", "exhausted", 1),
    ("by two Chinese characters", "释放", 1),
    ("by meaning", "why do I get the same picture two times?", 2),
)
REINDEX = "Build the keyword index anew: memtray-worker reindex keyword"
_REINSTALL = "Reinstall Memtray; the log says more."


def check_canary(
    embedder: Embedder | None, stopping: threading.Event, *, with_chroma: bool = True
) -> PartReport:
    """Build a scratch index of known memories, and look whether they are found.

    `embedder` is None where meaning cannot be searched, or is said elsewhere to be broken;
    `with_chroma` is false where Chroma is.
    """
    try:
        _sweep(Path(tempfile.gettempdir()))
        with tempfile.TemporaryDirectory(prefix=f"{_SCRATCH}{os.getpid()}-") as folder:
            return _sing(Paths(Path(folder)), embedder, stopping, with_chroma=with_chroma)
    except OSError as exc:
        return degraded(
            "canary",
            f"No scratch index can be made in {tempfile.gettempdir()}: {exc.strerror}.",
            "Make room there, or name another folder in TMPDIR.",
        )


def _sweep(folder: Path) -> None:
    """Remove the scratch folders of processes that were killed before they could."""
    for left in folder.glob(f"{_SCRATCH}[0-9]*"):
        pid = left.name.removeprefix(_SCRATCH).partition("-")[0]
        if pid.isdigit() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(left, ignore_errors=True)


def _sing(
    paths: Paths, embedder: Embedder | None, stopping: threading.Event, *, with_chroma: bool
) -> PartReport:
    paths.create()
    store = Store(paths.database)
    store.open()
    try:
        _store_known(store)
        loaded = load(paths, Settings(semantic=embedder is not None), store, embedder=embedder)
        try:
            loaded.start()
            faults = _wait(loaded, stopping, with_chroma=with_chroma)
            took = {
                way: _seconds_to_find(loaded.service.search, query, id_)
                for way, query, id_ in _QUESTIONS
                if embedder or way != "by meaning"
            }
        finally:
            loaded.stop()
    finally:
        store.close()
    missed = [way for way, seconds in took.items() if seconds is None]
    if missed:
        faults = [f"A known memory is not found {', nor '.join(missed)}.", *faults]
    if faults:
        return degraded("canary", f"In a scratch index: {' '.join(faults)}", _REINSTALL)
    ways = ", ".join(f"{way} in {1000 * (took[way] or 0):.0f} ms" for way in took)
    return ok("canary", f"A known memory is found {ways}.")


def _store_known(store: Store) -> None:
    with store.atomic() as connection:
        for title, text in _KNOWN:
            memory = NewMemory(text, title, "canary", "discovery", (), ())
            save(connection, memory, now=int(time.time() * 1000))


def _wait(loaded: Loaded, stopping: threading.Event, *, with_chroma: bool) -> list[str]:
    """Wait until the scratch index is built; return what of it does not come to be."""
    wanted = {"keyword", "vectors", "chroma"} - (set() if with_chroma else {"chroma"})
    deadline = time.monotonic() + BUILD_SECONDS
    while time.monotonic() < deadline and not stopping.wait(_POLL_SECONDS):
        reports = [part for part in loaded.sync.reports() if part.part in wanted]
        if all(part.state in (PartState.OK, PartState.OFF, *FAULTY) for part in reports) and all(
            part.done == part.total for part in reports if part.state is PartState.OK
        ):
            break
    return [
        f"{part.part} is {part.state} ({part.cause})"
        for part in reports
        if part.state not in (PartState.OK, PartState.OFF)
    ]


def _seconds_to_find(search: Search, query: str, id_: int) -> float | None:
    """Return how long it took until a memory was found as the best; None where it was not."""
    began = time.perf_counter()
    found = search(SearchRequest(query=query, format="json"))
    seconds = time.perf_counter() - began
    return seconds if found.items and found.items[0].id == id_ else None


def check_newest(store: Store, search: Search, stopping: threading.Event) -> PartReport:
    """Look whether the newest memory is found, in the index in use, by words of its own."""
    deadline = time.monotonic() + INDEX_SECONDS
    while not stopping.is_set():
        record, words = _newest(store)
        if record is None or _has(search, record, words):
            return ok("canary")
        if time.monotonic() > deadline:
            return degraded(
                "canary",
                f"{record.ref}, the newest memory, is not found by words of its own.",
                REINDEX,
            )
        stopping.wait(0.5)  # it may have come in a moment ago
    return ok("canary")


def _newest(store: Store) -> tuple[Record | None, Sequence[str]]:
    """Return the newest record that has words, and the longest of them."""
    heads = store.select(Filters(), ascending=False, limit=_NEWEST)
    records = store.records([head.ref for head in heads])
    for record in (records[head.ref] for head in heads if head.ref in records):
        for _, value in record.fields:
            text = value if isinstance(value, str) else "\n".join(value)
            if words := sorted(set(_words(text)), key=lambda word: (-len(word), word)):
                return record, words[:_WORDS]
    return None, ()


def _words(text: str) -> Iterable[str]:
    for token in analyze(text).tokens:
        word = text[token.start : token.end]
        if len(word) > 1 and not is_stop_word(token.term):
            yield word


def _has(search: Search, record: Record, words: Sequence[str]) -> bool:
    query = " AND ".join(f'"{word}"' for word in words)
    request = SearchRequest(query=query, order_by=OrderBy.DATE_DESC, limit=MAX_LIMIT)
    return any(item.ref == str(record.ref) for item in search(request).items)
