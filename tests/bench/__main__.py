"""`python -m tests.bench`: every figure beside its target and its limit, in one command."""

import argparse
import datetime as dt
import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.bench import (
    handshake,
    importing,
    latency,
    lifetime,
    limits,
    made_up,
    nearness,
    retrieval,
    tokens,
)
from tests.bench.databases import Corpus, generated, retrieval_set, worker_on
from tests.bench.material import Material, find_material
from tests.bench.table import Group, Row, markdown
from tests.bench.workers import Worker

PARTS = (
    "latency",
    "retrieval",
    "tokens",
    "mcp",
    "made_up",
    "limits",
    "import",
    "worker",
    "window",
    "logs",
    "app",
)
MAIN_SIZE = 10_000  # the size at which tokens and made-up queries are measured


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure, and where scratch files go."""

    sizes: tuple[int, ...]
    parts: frozenset[str]
    quick: bool
    cache: Path
    megabytes: int  # of transcripts that are imported

    @property
    def main_size(self) -> int:
        return MAIN_SIZE if MAIN_SIZE in self.sizes else max(self.sizes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, save the figures; 1 when one misses its target."""
    options = parse(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that workers are stopped too
    try:
        material = find_material()
        groups = list(_printed(measure(options, material)))
    except (FileNotFoundError, RuntimeError) as exc:
        print(exc, file=sys.stderr)
        return 2
    load = f"{os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"
    print(f"Saved in {save(groups, options.cache)}. Load of the last five minutes: {load}.")
    missed = [row.name for group in groups for row in group.rows if row.verdict == "NO"]
    print(f"Not reached: {'; '.join(missed)}" if missed else "Every figure is reached.")
    return 1 if missed else 0


def parse(arguments: Sequence[str] | None) -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="1,000 rows, fewer repeats")
    parser.add_argument("--sizes", type=_sizes, help="observations: 1000,10000[,100000]")
    parser.add_argument("--only", type=_parts, default=frozenset(PARTS), help=",".join(PARTS))
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(tempfile.gettempdir()) / "memtray-bench",
        help="folder for scratch databases and results (%(default)s)",
    )
    parser.add_argument(
        "--megabytes",
        type=int,
        default=importing.MEGABYTES,
        help=f"of transcripts to import, %(default)s; all that is asked for: {importing.FULL}",
    )
    given = parser.parse_args(arguments)
    sizes = given.sizes or ((1000,) if given.quick else (1000, MAIN_SIZE))
    return Options(
        sizes,
        given.only,
        quick=given.quick,
        cache=given.cache.absolute(),
        megabytes=given.megabytes,
    )


def measure(options: Options, material: Material) -> Iterator[Group]:
    """Yield each table when its figures are there."""
    options.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    honest: list[Row] = []
    if options.parts & {"latency", "limits", "tokens", "made_up", "window", "worker"}:
        for size in _wanted_sizes(options):
            corpus = generated(options.cache, material, size)
            with worker_on(corpus) as worker:
                yield building(corpus, worker)
                yield from _on_generated(options, material, size, corpus, worker)
                if "made_up" in options.parts and size == options.main_size:
                    honest.append(made_up.measure(corpus, worker.port))
            if "worker" in options.parts:
                yield nearness.measure(corpus, size=size)
                yield lifetime.measure(corpus, material, size=size, quick=options.quick)
    if options.parts & {"retrieval", "made_up"}:
        scores = _on_retrieval_sets(options, material, honest)
        if scores:
            yield retrieval.group(scores)
    if honest:
        yield made_up.group(honest)
    if "mcp" in options.parts:
        yield handshake.measure(runs=3 if options.quick else handshake.RUNS)
    if "import" in options.parts:
        yield from importing.measure(options.cache, options.megabytes)
    if "logs" in options.parts:
        from tests.bench import log_window  # Qt is loaded only for it

        yield log_window.measure()
    if "app" in options.parts:
        from tests.bench import idle_app  # Qt is loaded only for it

        if desktop := idle_app.measure(seconds=10 if options.quick else 60):
            yield desktop


def building(corpus: Corpus, worker: Worker) -> Group:
    """Return how long this start took, and the first one, which built the indexes."""
    rows = [Row("this start until every part is ok", worker.ready_seconds, "s")]
    if corpus.built.exists():
        first = json.loads(corpus.built.read_text(encoding="utf-8"))
        rows.append(Row("first start until every part is ok", first["seconds"], "s"))
        rows.append(Row("records indexed by it", first["rows"] / first["seconds"], "rows/s"))
    return Group(f"Index of {corpus.name}", tuple(rows))


def save(groups: Sequence[Group], cache: Path) -> Path:
    """Write the figures as JSON and return where."""
    now = dt.datetime.now().astimezone()
    path = cache / f"results-{now:%Y%m%d-%H%M%S}.json"
    figures = {"at": now.isoformat(), "load": os.getloadavg(), "groups": [*map(asdict, groups)]}
    path.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def _wanted_sizes(options: Options) -> tuple[int, ...]:
    """Return every size for the parts that grow with it, else the one that is needed."""
    grows = options.parts & {"latency", "limits", "window", "worker"}
    return options.sizes if grows else (options.main_size,)


def _on_generated(
    options: Options, material: Material, size: int, corpus: Corpus, worker: Worker
) -> Iterator[Group]:
    if options.parts & {"latency", "limits"}:
        least = limits.measure(corpus, worker.port)
        yield limits.group(size, least)
        if "latency" in options.parts:
            yield from latency.measure(
                corpus, material, worker.url, size=size, limits=least, quick=options.quick
            )
    if "tokens" in options.parts and size == options.main_size:
        yield tokens.measure(corpus, worker.port, samples=10 if options.quick else 60)
    if "window" in options.parts:
        from tests.bench import search_window  # Qt is loaded only for it

        yield search_window.measure(corpus, queries=20 if options.quick else 100)


def _on_retrieval_sets(options: Options, material: Material, honest: list[Row]) -> list[Row]:
    """Return the scores of all trials; append to `honest` how made-up queries are answered."""
    scores: list[Row] = []
    for trial in retrieval.TRIALS:
        corpus = retrieval_set(options.cache, material, trial.documents)
        with worker_on(corpus) as worker:
            if "retrieval" in options.parts:
                asked = 60 if options.quick else retrieval.QUERIES
                scores += retrieval.measure(trial, corpus, material, worker.url, queries=asked)
            if "made_up" in options.parts:
                honest.append(made_up.measure(corpus, worker.port))
    return scores


def _printed(groups: Iterator[Group]) -> Iterator[Group]:
    """Print each table as soon as it is there."""
    for group in groups:
        print(f"{markdown(group)}\n", flush=True)
        yield group


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _parts(text: str) -> frozenset[str]:
    parts = frozenset(text.split(","))
    if parts - set(PARTS):
        raise argparse.ArgumentTypeError(f"{text}: choose among {', '.join(PARTS)}")
    return parts


if __name__ == "__main__":
    sys.exit(main())
