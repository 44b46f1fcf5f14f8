"""How fast each kind of request is answered, and how often it finds the row it was drawn from."""

import json
from collections.abc import Mapping
from typing import Any

from tests.bench.ceiling import ceilings
from tests.bench.databases import Corpus, reading
from tests.bench.limits import Limits
from tests.bench.material import Material, run_tool
from tests.bench.table import Group, Row
from tests.bench.targets import row

CLIENTS = 8


def measure(
    corpus: Corpus, material: Material, url: str, *, size: int, limits: Limits, quick: bool
) -> list[Group]:
    """Time the whole query mix with one client, then with eight."""
    tool = (material.bench_http, url, "--queries", corpus.queries)
    one = json.loads(run_tool(*tool, "--repeat", 2 if quick else 5, "--warm", 1))
    many = json.loads(run_tool(*tool, "--clients", CLIENTS, "--seconds", 3 if quick else 10))
    queries = json.loads(corpus.queries.read_text(encoding="utf-8"))["queries"]
    with reading(corpus.database) as connection:
        ceiling = ceilings(connection, queries)
    return [
        time_group(one, many["results"][0], size=size, limits=limits),
        found_group(one["kinds"], ceiling, size=size),
    ]


def time_group(
    one: Mapping[str, Any], many: Mapping[str, Any], *, size: int, limits: Limits
) -> Group:
    """Return p50 and p95 of the mix and of each kind, then the throughput."""
    rows: list[Row] = []
    for kind, figures in {"all": one["all"], **one["kinds"]}.items():
        together = limits.together
        for share, limit in (("p50", together.p50), ("p95", together.p95)):
            rows.append(
                row(
                    f"latency {size} {kind} {share}",
                    f"{'whole mix' if kind == 'all' else kind}, {share}",
                    figures[share],
                    unit="ms",
                    limit=limit if kind == "all" else None,
                    note=failures(figures["status"]),
                )
            )
    errors = f"{many['errors']} failed" if many["errors"] else ""
    name = f"{CLIENTS} clients"
    rows.append(row(f"clients {size}", name, many["rps"], unit="requests/s", note=errors))
    rows.append(Row(f"{CLIENTS} clients, p95", many["p95"], "ms"))
    return Group(f"Latency, {size:,} observations", tuple(rows))


def found_group(kinds: Mapping[str, Any], ceiling: Mapping[str, float], *, size: int) -> Group:
    """Return how often the source row is on the first page, beside what chance allows."""
    rows = (
        row(
            f"found {size} {kind}",
            kind,
            figures["expected_found"],
            limit=ceiling.get(kind),
            note="limit: by chance among the rows that match in full" if kind in ceiling else "",
        )
        for kind, figures in kinds.items()
        if "expected_found" in figures
    )
    return Group(f"The source row is on the first page, {size:,} observations", tuple(rows))


def failures(statuses: Mapping[str, int]) -> str:
    """Return the answers that were not 200, as a note."""
    return ", ".join(f"{count}x {status}" for status, count in statuses.items() if status != "200")
