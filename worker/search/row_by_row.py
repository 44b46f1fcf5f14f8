"""Answers without the keyword index: the store is searched row by row, newest first."""

from collections.abc import Sequence
from dataclasses import replace

from worker.index.keys import to_key
from worker.search.answer import folded_text
from worker.search.marking import literally
from worker.search.page import Page, Row
from worker.search.query import ParsedQuery, Unit
from worker.search.scope import filters_of
from worker.shared.contract import Degraded, OrderBy, SearchRequest
from worker.store.filters import Filters
from worker.store.store import Store

SECONDS = 2.0  # how long a search may take
MOST = 1_000  # rows that are looked at for words that must not occur


def page_of_store(
    store: Store, request: SearchRequest, *, query: ParsedQuery, why: Degraded
) -> Page:
    """Return the rows with all words, or else with the longest; `why` the index cannot answer."""
    filters, notes = filters_of(request, lambda: list(store.stats()["types"]))
    if filters is None:
        page = Page([], 0)
    elif not request.query:
        page = _newest(store, request, filters)
    else:
        words = typed_words(query)
        without = [_typed(query, unit) for clause in query.clauses for unit in clause.excluded]
        page = literal_page(store, request, filters=filters, words=words, without=without)
        if not page.rows and len(words) > 1:
            longest = [max(words, key=len)]
            page = literal_page(store, request, filters=filters, words=longest, without=without)
    return replace(page, degraded=(why,), notes=tuple(notes))


def page_of_signs(store: Store, request: SearchRequest, *, filters: Filters) -> Page:
    """Answer a query of punctuation alone: rows that hold it letter by letter."""
    page = literal_page(store, request, filters=filters, words=[request.query])
    note = "The query has no searchable words; rows that hold it as it stands are shown."
    if not page.rows:
        note = "The query has no searchable words, and no memory holds it as it stands."
    return replace(page, notes=(note,))


def literal_page(
    store: Store,
    request: SearchRequest,
    *,
    filters: Filters,
    words: Sequence[str],
    without: Sequence[str] = (),
) -> Page:
    """Return the newest rows that hold all words and none of the others, as they were typed."""
    end = request.offset + request.limit
    limit = max(MOST, end + 1) if without else end + 1
    heads = store.find_literal(words, filters, limit=limit, seconds=SECONDS)
    if without:
        unwanted = [word.casefold() for word in without]
        records = store.records([head.ref for head in heads])
        texts = {ref: folded_text(found) for ref, found in records.items()}
        heads = [h for h in heads if not any(w in texts.get(h.ref, "") for w in unwanted)]
    rows = [Row(to_key(head.ref), leg="keyword") for head in heads[request.offset : end]]
    return Page(rows, len(heads), marker=literally(words))


def typed_words(query: ParsedQuery) -> list[str]:
    """Return what is looked for, letter by letter."""
    return [_typed(query, unit) for unit in query.units] or [query.text]


def _newest(store: Store, request: SearchRequest, filters: Filters) -> Page:
    heads = store.select(
        filters,
        ascending=request.order_by is OrderBy.DATE_ASC,
        limit=request.limit,
        offset=request.offset,
    )
    return Page([Row(to_key(head.ref)) for head in heads], store.count(filters))


def _typed(query: ParsedQuery, unit: Unit) -> str:
    """Return the unit as it stands in the query, without what is no part of its words."""
    text = query.text[unit.start : unit.end].removeprefix("-")
    if unit.column:
        text = text.partition(":")[2]
    return text.strip('"*')
