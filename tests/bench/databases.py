"""Scratch databases in a cache folder, so that a second run finds them filled and indexed."""

import hashlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.material import ROOT, Material, run_tool
from tests.bench.workers import Worker, running
from worker.shared.paths import Paths
from worker.store.store import Store

SEED = 7
_KINDS = ("observations", "session_summaries", "user_prompts")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A filled database in a data folder of its own."""

    name: str
    data_dir: Path

    @property
    def database(self) -> Path:
        return Paths(self.data_dir).database

    @property
    def queries(self) -> Path:
        """What bench_http asks; for generated databases."""
        return self.data_dir / "queries.json"

    @property
    def map(self) -> Path:
        """Row id to document id; for retrieval sets."""
        return self.data_dir / "map.json"

    def texts(self) -> list[str]:
        """Return the distinct texts that are searched, of each kind in turn."""
        asked = json.loads(self.queries.read_text(encoding="utf-8"))["queries"]
        found = (q["params"].get("query") for q in asked)
        return list(dict.fromkeys(str(text) for text in found if text))

    @property
    def built(self) -> Path:
        """Seconds and rows of the first start, when the indexes were built."""
        return self.data_dir / "built.json"


def generated(cache: Path, material: Material, size: int) -> Corpus:
    """Return a database of `size` made observations with its query list."""

    def fill(corpus: Corpus) -> None:
        run_tool(
            material.gen_db, corpus.database, size, "--seed", SEED, "--queries", corpus.queries
        )

    return _cached(cache, f"made-{size}", [material.gen_db], fill)


def retrieval_set(cache: Path, material: Material, name: str) -> Corpus:
    """Return a database that holds the documents of one retrieval set."""

    def fill(corpus: Corpus) -> None:
        folder = material.sets / name
        run_tool(material.retrieval_http, "load", folder, corpus.database, "--map", corpus.map)

    return _cached(
        cache, name, [material.retrieval_http, material.sets / name / "corpus.jsonl"], fill
    )


@contextmanager
def worker_on(corpus: Corpus) -> Iterator[Worker]:
    """Run a worker once its indexes are complete; the figures of a first start are kept."""
    first = not Paths(corpus.data_dir).index.exists()
    with running(corpus.data_dir) as worker:
        if first:
            figures = {"seconds": worker.ready_seconds, "rows": count_rows(corpus.database)}
            corpus.built.write_text(json.dumps(figures), encoding="utf-8")
        yield worker


def count_rows(database: Path) -> int:
    """Return the number of records of all three kinds."""
    with reading(database) as connection:
        counts = (connection.execute(f"SELECT count(*) FROM {kind}").fetchone() for kind in _KINDS)
        return sum(int(count) for (count,) in counts)


@contextmanager
def reading(database: Path) -> Iterator[sqlite3.Connection]:
    """Open a database that others may be writing to, to read only."""
    connection = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    try:
        yield connection
    finally:
        connection.close()


def _cached(
    cache: Path, name: str, made_from: list[Path], fill: Callable[[Corpus], None]
) -> Corpus:
    """Return `name` from the cache, or fill it anew and drop what older tools had filled.

    Where the code of the indexes has changed since, the words are indexed anew; vectors stay, since
    the worker itself knows by fingerprint which are still of their texts.
    """
    key = _digest(made_from)
    corpus = Corpus(name, cache / f"{name}@{key}")
    done = corpus.data_dir / "filled"
    if not done.exists():
        for old in cache.glob(f"{name}@*"):
            shutil.rmtree(old)
        corpus.data_dir.mkdir(parents=True)
        _new_database(corpus.database)
        fill(corpus)
        done.touch()
    code = _digest(sorted((ROOT / "worker" / "index").glob("*.py")))
    if done.read_text(encoding="utf-8") != code:
        for file in Paths(corpus.data_dir).index.glob("keyword.db*"):
            file.unlink()
        done.write_text(code, encoding="utf-8")
    return corpus


def _new_database(path: Path) -> None:
    store = Store(path)
    store.open()
    store.close()


def _digest(files: list[Path]) -> str:
    """Return a name for the contents of `files` and the schema of a new database."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "fresh.db"
        _new_database(fresh)
        with reading(fresh) as connection:
            for (sql,) in connection.execute("SELECT sql FROM sqlite_master ORDER BY name"):
                digest.update(str(sql).encode())
    return digest.hexdigest()[:12]
