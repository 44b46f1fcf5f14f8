"""The keyword leg: a parsed query becomes FTS5 expressions, their bm25 becomes a share of 1."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from worker.index.keys import Keys
from worker.index.keyword import KeywordIndex
from worker.index.keyword_rows import COLUMNS, EVERY_ROW, quote
from worker.search.query import Clause, ParsedQuery, Unit
from worker.shared.refs import Kind
from worker.store.filters import Filters

BM25_CEILING = 2.2  # k1 + 1: what FTS5's bm25 of one term approaches, in units of its idf
COMMON_SHARE = 0.2  # a word in more of the rows than this does not widen a search

# A short prompt that holds a word is rarely what was looked for; the work done with it is.
KIND_WEIGHT = {Kind.OBSERVATION: 1.0, Kind.SESSION: 0.9, Kind.PROMPT: 0.8}

# A prefix that is longer than the stem it asks for: `migrati*` must find `migrat`.
_ENDINGS = ("ation", "ations", "ing", "ings", "ions", "ies", "ers", "ment", "ness", "able", "ally")


@dataclass(frozen=True, slots=True)
class Matches:
    """What the keyword leg knows about a query."""

    expressions: dict[Kind, str] = field(default_factory=dict)
    scores: dict[int, float] = field(
        default_factory=dict
    )  # key -> share of the best possible, 0..1
    exact: frozenset[int] = frozenset()  # keys of rows that hold the query as it stands


def expressions(index: KeywordIndex, query: ParsedQuery, kinds: Iterable[Kind]) -> dict[Kind, str]:
    """Return an FTS5 expression for each kind in which the query can match at all."""
    found = {kind: _expression(index, kind, query) for kind in sorted(kinds)}
    return {kind: expression for kind, expression in found.items() if expression}


def match(index: KeywordIndex, query: ParsedQuery, filters: Filters, *, limit: int) -> Matches:
    """Return the best `limit` rows of each kind, and those that hold the query as it stands."""
    wanted = expressions(index, query, filters.kinds)
    scores: dict[int, float] = {}
    exact: set[int] = set()
    for kind, expression in wanted.items():
        ceiling = BM25_CEILING * sum(idf(index, kind, term) for term in _scored(query))
        for hit in index.ranked(kind, expression, filters, limit=limit):
            scores[hit.key] = KIND_WEIGHT[kind] * min(hit.score / ceiling, 1.0) if ceiling else 0.0
        if query.literal:
            phrase = quote(" ".join(query.literal))
            exact.update(hit.key for hit in index.ranked(kind, phrase, filters, limit=limit))
    for key in exact:
        scores.setdefault(key, 0.0)
    return Matches(wanted, scores, frozenset(exact))


def all_keys(index: KeywordIndex, matches: Matches, filters: Filters) -> Keys:
    """Return the keys of the whole match set of this leg."""
    found = [index.matching(kind, text, filters) for kind, text in matches.expressions.items()]
    exact = np.fromiter(matches.exact, dtype=np.int64, count=len(matches.exact))
    return np.unique(np.concatenate([*found, exact]))


def deeper(index: KeywordIndex, matches: Matches, filters: Filters, *, limit: int) -> list[int]:
    """Return keys far down the ranking, by bm25 alone."""
    hits: list[tuple[float, int]] = []
    for kind, expression in matches.expressions.items():
        ranked = index.ranked(kind, expression, filters, limit=limit)
        hits += [(-KIND_WEIGHT[kind] * hit.score, -hit.key) for hit in ranked]
    return [-key for _, key in sorted(hits)]


def idf(index: KeywordIndex, kind: Kind, term: str) -> float:
    """Return the inverse document frequency as FTS5's bm25 counts it (never below 1e-6)."""
    rows, having = index.rows(kind), index.frequency(kind, term)
    return max(1e-6, math.log((rows - having + 0.5) / (having + 0.5)))


def _scored(query: ParsedQuery) -> list[str]:
    return list(dict.fromkeys(term for unit in query.units for term in _terms(unit)))


def _terms(unit: Unit) -> tuple[str, ...]:
    """Return the terms that count for the unit: its tokens and the whole identifier."""
    wholes = tuple(extra for extra in unit.extras if not extra.isalnum())
    return unit.tokens + wholes


def _expression(index: KeywordIndex, kind: Kind, query: ParsedQuery) -> str | None:
    parts = [_clause(index, kind, clause) for clause in query.clauses]
    found = [part for part in parts if part]
    if query.strict and query.literal:  # the text as it stands is what was meant, too
        found.append(quote(" ".join(query.literal)))
    return " OR ".join(f"({part})" for part in found) or None


def _clause(index: KeywordIndex, kind: Kind, clause: Clause) -> str | None:
    required = [_exactly(kind, unit) for unit in clause.required]
    if None in required:
        return None  # a column that this kind of record does not have
    optional = _any_of(index, kind, clause.optional)
    if required:
        parts = [part for part in required if part]
        if optional:
            parts.append(f"({optional} OR {quote(EVERY_ROW)})")
        wanted = " AND ".join(parts)
    elif optional:
        wanted = optional
    else:
        return None
    excluded = [part for unit in clause.excluded if (part := _exactly(kind, unit))]
    return f"({wanted}) NOT ({' OR '.join(excluded)})" if excluded else wanted


def _exactly(kind: Kind, unit: Unit) -> str | None:
    """Return the unit as one thing: its tokens in a row, or the whole identifier."""
    phrase = quote(" ".join(unit.tokens)) + (" *" if unit.prefix else "")
    if unit.column:
        return f"{unit.column} : {phrase}" if unit.column in COLUMNS[kind] else None
    return f"({phrase} OR {_stems(unit)})" if unit.prefix and _stems(unit) else phrase


def _any_of(index: KeywordIndex, kind: Kind, units: tuple[Unit, ...]) -> str | None:
    """Return the units' terms joined by OR; very common ones only add to the score."""
    prefixes = [part for unit in units if unit.prefix and (part := _exactly(kind, unit))]
    terms = dict.fromkeys(t for unit in units if not unit.prefix for t in _terms(unit))
    counted = {term: index.frequency(kind, term) for term in terms}
    known = {term: count for term, count in counted.items() if count}
    if not known and not prefixes:
        humps = dict.fromkeys(e for unit in units for e in unit.extras if e.isalnum())
        known = {hump: count for hump in humps if (count := index.frequency(kind, hump))}
    if not known:
        return " OR ".join(prefixes) or None
    most = COMMON_SHARE * index.rows(kind)
    rarest = min(known.values())
    telling = [term for term, count in known.items() if count <= max(most, 4 * rarest)]
    common = [term for term in known if term not in telling]
    wanted = " OR ".join([*prefixes, *map(quote, telling)])
    if common:
        return f"(({wanted}) AND ({' OR '.join(map(quote, [*common, EVERY_ROW]))}))"
    return f"({wanted})"


def _stems(unit: Unit) -> str:
    """Return the stems that the typed prefix may have outgrown, joined by OR; or nothing."""
    prefix = unit.tokens[-1]
    if len(unit.tokens) > 1 or not (prefix.isascii() and prefix.isalpha()):
        return ""
    cuts = (
        prefix[:-n]
        for n in range(1, min(6, len(prefix) - 3))
        if any(ending.startswith(prefix[-n:]) for ending in _ENDINGS)
    )
    return " OR ".join(quote(cut) for cut in cuts)
