"""From filters to SQL over the keyword index: FTS5 filters what it can, `docs` the rest."""

from collections.abc import Iterable

from worker.index.keys import CODE
from worker.index.keyword_rows import TABLES, quote, scope_token, slashed
from worker.shared.refs import Kind
from worker.store.filters import Filters


def match_source(
    kind: Kind, match: str, filters: Filters, *, dated: bool = False
) -> tuple[str, str, list[object]]:
    """Return FROM, WHERE and parameters of a match: FTS5 filters what it can, `docs` the rest."""
    table = TABLES[kind]
    scope = []
    if filters.project is not None:
        scope.append(quote(scope_token("p", filters.project)))
    if filters.types:
        scope.append("(" + " OR ".join(quote(scope_token("t", t)) for t in filters.types) + ")")
    if scope:
        match = f"({match}) AND scope : ({' AND '.join(scope)})"
    rest = Filters(
        concepts=filters.concepts,
        files=filters.files,
        start_ms=filters.start_ms,
        end_ms=filters.end_ms,
    )
    parameters: list[object] = [match]
    if rest.empty and not dated:
        return table, f"{table} MATCH ?", parameters
    condition, more = docs_condition(rest)
    source = f"{table} CROSS JOIN docs ON docs.key = {table}.rowid * 4 + {CODE[kind]}"
    return source, f"{table} MATCH ? AND {condition}", parameters + more


def docs_condition(filters: Filters) -> tuple[str, list[object]]:
    """Return a WHERE clause over `docs` and its parameters."""
    parts: list[str] = []
    values: list[object] = []
    if filters.kinds != frozenset(Kind):
        codes = ", ".join(str(CODE[kind]) for kind in sorted(filters.kinds)) or "-1"
        parts.append(f"docs.key & 3 IN ({codes})")
    if filters.project is not None:
        parts.append("(docs.project = ? OR docs.merged = ?)")
        values += [filters.project, filters.project]
    if filters.types:
        parts.append(f"docs.key & 3 = 0 AND docs.type IN ({_marks(filters.types)})")
        values += sorted(filters.types)
    if filters.concepts:
        parts.append(
            f"docs.key IN (SELECT key FROM concepts WHERE value IN ({_marks(filters.concepts)}))"
        )
        values += [concept.casefold() for concept in filters.concepts]
    if filters.files:
        tests = " OR ".join("instr(path, ?)" for _ in filters.files)
        parts.append(f"docs.key IN (SELECT key FROM files WHERE {tests})")
        values += [slashed(path) for path in filters.files]
    if filters.start_ms is not None:
        parts.append("docs.epoch >= ?")
        values.append(filters.start_ms)
    if filters.end_ms is not None:
        parts.append("docs.epoch <= ?")
        values.append(filters.end_ms)
    return " AND ".join(parts) or "1", values


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
