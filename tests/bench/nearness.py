"""How many of the nearest vectors Chroma finds, beside an exact scan of all.

`python -m tests.bench.nearness DATA_DIR` prints the figures as JSON, in a process of its
own that opens the indexes of a stopped worker as a worker does.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.databases import Corpus
from tests.bench.measure import percentile
from tests.bench.table import Group, Row
from tests.bench.targets import row

if TYPE_CHECKING:
    from worker.index.embedder import Matrix
    from worker.index.vectors import VectorIndex

WANTED = 20  # a page
ASKED = 300
_SHARES = ("near", "shown", "same", "ties")  # of which the mean is told
_TIMES = ("chroma", "scan")  # the median
EQUAL = 1e-4  # of a cosine; the vectors are kept to three digits


@dataclass(frozen=True, slots=True)
class Recall:
    """Shares of the nearest, and milliseconds a query."""

    near: float  # a hit as near as the last of the exact ones counts
    shown: float  # the same, of those near enough to be shown; 1 where none is
    same: float  # only the same rows count
    ties: float  # how many rows lie as near as the last of the exact ones, beyond those wanted
    chroma: float
    scan: float


def measure(corpus: Corpus, *, size: int) -> Group:
    """Compare both for the queries of `corpus` and for vectors of its rows; no worker may run."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, str(corpus.data_dir)],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        check=True,
        stdout=subprocess.PIPE,
    )
    rows: list[Row] = []
    for what, figures in json.loads(done.stdout).items():
        recall = Recall(**figures)
        rows += [
            row(f"recall {what}", f"{what}, as near", recall.near, limit=1),
            Row(f"{what}, as near, of what is shown", recall.shown, limit=1),
            Row(
                f"{what}, the same rows",
                recall.same,
                limit=1,
                note=f"{recall.ties:.1f} more rows are as near as the last",
            ),
            Row(f"{what}, a query", recall.chroma, "ms", limit=recall.scan),
        ]
    title = f"Chroma's {WANTED} nearest and those of an exact scan, {size:,} observations"
    return Group(title, tuple(rows))


def compare(index: "VectorIndex", queries: "Matrix", floors: Sequence[float]) -> Recall:
    """Ask both for the nearest of each query, as a search does; `floors` are cosines."""
    from worker.search.meaning_leg import NEAREST

    figures: list[Recall] = []
    for query, floor in zip(queries, floors, strict=True):
        began = time.perf_counter()
        found = index.nearest(query, NEAREST)
        between = time.perf_counter()
        keys, cosines = index.kept.nearest(query, NEAREST)
        ended = time.perf_counter()
        if found.source != "chroma":
            raise RuntimeError(f"Chroma does not answer: {found.impairment}")
        least = cosines[WANTED - 1] - EQUAL
        wanted = int((cosines[:WANTED] >= floor).sum())
        shown = int((found.cosines[:WANTED] >= max(least, floor)).sum())
        figures.append(
            Recall(
                near=float((found.cosines[:WANTED] >= least).mean()),
                shown=min(shown, wanted) / wanted if wanted else 1.0,
                same=len(set(found.keys[:WANTED].tolist()) & set(keys[:WANTED].tolist())) / WANTED,
                ties=float((cosines[WANTED:] >= least).sum()),
                chroma=(between - began) * 1000,
                scan=(ended - between) * 1000,
            )
        )
    shares = {name: _mean([getattr(each, name) for each in figures]) for name in _SHARES}
    times = {name: percentile([getattr(each, name) for each in figures], 0.5) for name in _TIMES}
    return Recall(**shares, **times)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def main() -> None:
    """Print the figures for both kinds of queries."""
    from worker.compose import vector_index
    from worker.index.embedder import UniversalSentenceEncoder
    from worker.search.meaning_leg import FLOOR, FLOOR_SENTENCE
    from worker.search.query import parse
    from worker.shared.paths import Paths
    from worker.shared.settings import Settings

    corpus = Corpus("", Path(sys.argv[1]))
    texts = corpus.texts()
    floors = [FLOOR_SENTENCE if parse(text).is_sentence else FLOOR for text in texts]
    index = vector_index(Paths(corpus.data_dir), Settings())
    index.open()
    try:
        index.catch_up()
        rows = index.kept.vectors()
        sample = rows[:: len(rows) // ASKED + 1]
        figures = {
            "queries": compare(index, UniversalSentenceEncoder().encode(texts), floors),
            "vectors of rows": compare(index, sample, [FLOOR] * len(sample)),
        }
    finally:
        index.close()
    print(json.dumps({what: asdict(recall) for what, recall in figures.items()}))


if __name__ == "__main__":
    main()
