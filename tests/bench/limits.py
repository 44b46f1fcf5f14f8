"""What the machine allows: the bare FTS5 query, an exact scan, an empty round trip.

`python -m tests.bench.limits DATABASE QUERIES ROWS` prints the first two as JSON: a process of
its own, in which one BLAS thread can be asked for before numpy is loaded.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.bench.api import Api
from tests.bench.databases import Corpus, count_rows, reading
from tests.bench.measure import milliseconds, percentile
from tests.bench.table import Group, Row

DIMENSIONS = 512
NEWEST = 100
_SCANS = 50
_ROUND_TRIPS = 300


@dataclass(frozen=True, slots=True)
class Spread:
    """Milliseconds."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Three things that no search through HTTP can do without, each alone."""

    fts: Spread
    scan: Spread
    health: Spread

    @property
    def together(self) -> Spread:
        """One after the other."""
        parts = (self.fts, self.scan, self.health)
        return Spread(sum(p.p50 for p in parts), sum(p.p95 for p in parts))


def measure(corpus: Corpus, port: int) -> Limits:
    """Measure all three while the worker of `corpus` stands idle."""
    arguments = [str(corpus.database), str(corpus.queries), str(count_rows(corpus.database))]
    done = subprocess.run(
        [sys.executable, "-m", __name__, *arguments],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        check=True,
        stdout=subprocess.PIPE,
    )
    alone = json.loads(done.stdout)
    with Api(port) as api:
        trips = [milliseconds(lambda: api.get("/health")) for _ in range(_ROUND_TRIPS)]
    return Limits(fts=Spread(**alone["fts"]), scan=Spread(**alone["scan"]), health=_spread(trips))


def group(size: int, limits: Limits) -> Group:
    """Return the limits as a table of their own."""
    named = {
        f"bare FTS5 query, newest {NEWEST}": limits.fts,
        f"exact scan, {DIMENSIONS}-d float32, one thread": limits.scan,
        "empty /health round trip": limits.health,
        "the three together": limits.together,
    }
    return Group(
        f"Limits of this machine, {size:,} observations",
        tuple(
            Row(f"{name}, {share}", None, limit=value, note="ms")
            for name, spread in named.items()
            for share, value in asdict(spread).items()
        ),
    )


def bare_match(query: str) -> str:
    """Return `query` for MATCH with each of its words quoted; "" where it has none."""
    return " ".join(f'"{word}"' for word in re.findall(r"[^\W_]+", query))


def _spread(values: Sequence[float]) -> Spread:
    return Spread(percentile(values, 0.5), percentile(values, 0.95))


def _fts(database: Path, queries: Sequence[str]) -> Spread:
    sql = f"SELECT rowid FROM observations_fts WHERE observations_fts MATCH ? ORDER BY rowid DESC LIMIT {NEWEST}"  # noqa: E501
    with reading(database) as connection:

        def ask(match: str) -> None:
            connection.execute(sql, (match,)).fetchall()

        matches = [match for query in queries if (match := bare_match(query))]
        for match in matches:
            ask(match)  # as warm as the worker is after its first round
        return _spread([milliseconds(lambda m=match: ask(m)) for match in matches])  # type: ignore[misc]


def _scan(rows: int) -> Spread:
    import numpy as np  # here, so that only the child loads it

    chance = np.random.default_rng(7)
    matrix = chance.standard_normal((rows, DIMENSIONS), dtype=np.float32)
    query = matrix[0].copy()
    best = min(NEWEST, rows - 1)
    return _spread(
        [milliseconds(lambda: np.argpartition(matrix @ query, -best)) for _ in range(_SCANS)]
    )


def main() -> None:
    """Print the figures that need no worker."""
    database, queries, rows = sys.argv[1:]
    asked = json.loads(Path(queries).read_text(encoding="utf-8"))["queries"]
    texts = [q["params"]["query"] for q in asked if "query" in q["params"]]
    figures = {"fts": asdict(_fts(Path(database), texts)), "scan": asdict(_scan(int(rows)))}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
