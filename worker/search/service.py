"""The whole search, readable top to bottom."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from worker.index.keys import Keys, to_key, to_ref
from worker.index.keyword import IndexDamagedError, KeywordIndex
from worker.search import fusion, keyword_leg
from worker.search.answer import head_item
from worker.search.details import details, record
from worker.search.facets import facets_of
from worker.search.meaning_leg import FLOOR, FLOOR_BESIDE_KEYWORDS, Meaning, MeaningLeg
from worker.search.query import ParsedQuery, parse
from worker.search.scope import scope_of
from worker.search.snippet import mark_items
from worker.search.timeline import timeline
from worker.shared.contract import (
    MAX_LIMIT,
    BatchReply,
    BatchRequest,
    Degraded,
    Facets,
    Item,
    OrderBy,
    PartReport,
    PartState,
    RecordReply,
    SearchReply,
    SearchRequest,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.refs import Ref
from worker.store.filters import Filters
from worker.store.store import Store

log = logging.getLogger(__name__)

RANKED = 300  # keyword matches of each kind that are fused with meaning; the rest follow by bm25
LITERAL_SECONDS = 2.0  # how long the store is searched word by word while the index is missing


@dataclass(frozen=True, slots=True)
class Parts:
    """What the service asks; `state` tells how far the indexes are, without blocking."""

    store: Store
    keyword: KeywordIndex
    meaning: MeaningLeg
    state: Callable[[], Sequence[PartReport]]
    on_damage: Callable[[], None]  # told once a query finds the keyword index damaged


@dataclass(frozen=True, slots=True)
class _Page:
    """One page of keys, best first, with what is known of the whole match set."""

    rows: list[fusion.Ranked]
    total: int
    facets: Callable[[], Facets]
    degraded: tuple[Degraded, ...] = ()
    notes: tuple[str, ...] = ()


class SearchService:
    """Answers requests of the contract; any thread may call it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    # ------------------------------------------------------------------ search
    def search(self, request: SearchRequest) -> SearchReply:
        """Return one page of what was asked for."""
        notes = []
        if request.limit > MAX_LIMIT:
            notes.append(f"limit was reduced to {MAX_LIMIT}, the most rows of one page.")
        request = request.model_copy(update={"limit": min(request.limit, MAX_LIMIT)})
        query = parse(request.query)
        filters, scope_notes = scope_of(request, self._types)
        notes += [*scope_notes, *query.notes]
        if filters is None:  # a type that does not exist: nothing can match
            return _reply(request, [], _Page([], 0, Facets), notes)
        page = self._page(request, query, filters)
        heads = self._parts.store.heads([to_ref(row.key) for row in page.rows])
        items = [
            head_item(head, leg=row.leg if request.query else "filter", score=row.score)
            for row in page.rows
            if (head := heads.get(to_ref(row.key)))
        ]
        if request.format == "json" and items:
            records = self._parts.store.records([Ref(item.kind, item.id) for item in items])
            items = mark_items(items, records, query)
        return _reply(request, items, page, [*notes, *page.notes])

    def _page(self, request: SearchRequest, query: ParsedQuery, filters: Filters) -> _Page:
        try:
            missing = self._keyword_missing()
            if missing:
                return self._literal_page(request, query, filters, missing)
            if not request.query:
                return self._newest_page(request, filters)
            if not query.clauses:
                return self._sign_page(request, filters)
            return self._hybrid_page(request, query, filters)
        except IndexDamagedError as exc:
            log.warning("keyword index: %s", exc.detail)
            self._parts.on_damage()
            problem = Degraded(
                part="keyword", reason=exc.detail, remedy="It is being rebuilt by itself."
            )
            return self._literal_page(request, query, filters, problem)

    def _hybrid_page(self, request: SearchRequest, query: ParsedQuery, filters: Filters) -> _Page:
        index = self._parts.keyword
        words = keyword_leg.match(index, query, filters, limit=RANKED)
        among = None if filters.empty else index.keys(filters)
        meaning = self._parts.meaning.nearest(query.text, among)
        near = meaning.near(FLOOR_BESIDE_KEYWORDS if words.scores else FLOOR)
        matched = keyword_leg.all_keys(index, words, filters)
        if query.strict:
            near &= set(matched.tolist())
        only_near = np.setdiff1d(np.fromiter(near, np.int64, len(near)), matched)
        total = len(matched) + len(only_near)
        facets = facets_of(index, words.expressions, filters, only_near)
        degraded = self._meaning_degraded(meaning)
        if request.order_by is not OrderBy.RELEVANCE:
            rows = self._by_date(request, words, filters, only_near)
        else:
            rows = self._by_relevance(request, query, words, meaning, near)
            rows += self._further(request, words, filters, rows)
            rows = rows[request.offset : request.offset + request.limit]
        return _Page(rows, total, facets, degraded)

    def _by_relevance(
        self,
        request: SearchRequest,
        query: ParsedQuery,
        words: keyword_leg.Matches,
        meaning: Meaning,
        near: set[int],
    ) -> list[fusion.Ranked]:
        unseen = [key for key in words.scores if key not in meaning.cosines]
        more = self._parts.meaning.cosines(query.text, np.array(unseen, dtype=np.int64))
        cosines = {**meaning.cosines, **more}
        return fusion.fuse(words.scores, cosines, meaning.background, near=near, exact=words.exact)

    def _further(
        self,
        request: SearchRequest,
        words: keyword_leg.Matches,
        filters: Filters,
        fused: list[fusion.Ranked],
    ) -> list[fusion.Ranked]:
        """Return what follows the fused rows on pages deep down: by bm25 alone."""
        end = request.offset + request.limit
        if end <= len(fused) or len(words.scores) < RANKED:
            return []
        seen = {row.key for row in fused}
        deeper = keyword_leg.deeper(self._parts.keyword, words, filters, limit=end + len(seen))
        return [fusion.Ranked(key, 0.0, "keyword") for key in deeper if key not in seen]

    def _by_date(
        self, request: SearchRequest, words: keyword_leg.Matches, filters: Filters, only_near: Keys
    ) -> list[fusion.Ranked]:
        index = self._parts.keyword
        ascending = request.order_by is OrderBy.DATE_ASC
        end = request.offset + request.limit
        dated = [(epoch, key) for key, _, _, epoch in index.describe(only_near)]
        for kind, expression in words.expressions.items():
            rows = index.dated(kind, expression, filters, ascending=ascending, limit=end)
            dated += [(epoch, key) for key, epoch in rows]
        dated.sort(reverse=not ascending)
        meant = set(only_near.tolist())
        return [
            fusion.Ranked(key, words.scores.get(key, 0.0), "meaning" if key in meant else "keyword")
            for _, key in dated[request.offset : end]
        ]

    def _newest_page(self, request: SearchRequest, filters: Filters) -> _Page:
        index = self._parts.keyword
        keys = index.newest(
            filters,
            ascending=request.order_by is OrderBy.DATE_ASC,
            limit=request.limit,
            offset=request.offset,
        )
        rows = [fusion.Ranked(key, 0.0, "keyword") for key in keys]
        facets = facets_of(index, None, filters, np.array([], dtype=np.int64))
        return _Page(rows, index.count_all(filters), facets)

    def _sign_page(self, request: SearchRequest, filters: Filters) -> _Page:
        """Answer a query of punctuation alone: rows that hold it letter by letter."""
        page = self._literal_rows(request, [request.query], filters)
        note = "The query has no searchable words; rows that hold it as it stands are shown."
        if not page.rows:
            note = "The query has no searchable words, and no memory holds it as it stands."
        return replace(page, notes=(note,))

    def _literal_page(
        self, request: SearchRequest, query: ParsedQuery, filters: Filters, why: Degraded
    ) -> _Page:
        """Answer without the keyword index: LIKE over the store, and meaning where there is one."""
        if not request.query:
            order = request.order_by is OrderBy.DATE_ASC
            store = self._parts.store
            heads = store.select(
                filters, ascending=order, limit=request.limit, offset=request.offset
            )
            rows = [fusion.Ranked(to_key(head.ref), 0.0, "keyword") for head in heads]
            return _Page(rows, store.count(filters), Facets, (why,))
        found = [unit for unit in query.units if unit.tokens]
        words = [request.query[unit.start : unit.end].strip('"*') for unit in found]
        page = self._literal_rows(request, words or [request.query], filters)
        if not page.rows and len(words) > 1:
            page = self._literal_rows(request, [max(words, key=len)], filters)
        return replace(page, degraded=(why,))

    def _literal_rows(
        self, request: SearchRequest, words: Sequence[str], filters: Filters
    ) -> _Page:
        end = request.offset + request.limit
        heads = self._parts.store.find_literal(
            words, filters, limit=end + 1, seconds=LITERAL_SECONDS
        )
        rows = [fusion.Ranked(to_key(head.ref), 0.0, "keyword") for head in heads]
        return _Page(rows[request.offset : end], len(heads), Facets)

    # ------------------------------------------------------------------ states
    def _keyword_missing(self) -> Degraded | None:
        """Return why the keyword index cannot answer for all rows, or None."""
        for report in self._parts.state():
            if report.part == "keyword" and report.state in (PartState.BUILDING, PartState.DOWN):
                return Degraded(
                    part="keyword",
                    reason=report.cause or "The keyword index is being built.",
                    remedy=report.remedy or "Until then, words are looked up one by one.",
                )
        return None

    def _meaning_degraded(self, meaning: Meaning) -> tuple[Degraded, ...]:
        """Return what impairs the meaning leg, as it said itself or as its state shows."""
        if meaning.degraded:
            return meaning.degraded
        return tuple(
            Degraded(part=report.part, reason=report.cause, remedy=report.remedy)
            for report in self._parts.state()
            if report.part in ("vectors", "model")
            and report.state not in (PartState.OK, PartState.OFF)
        )

    def _types(self) -> list[str]:
        try:
            return self._parts.keyword.types()
        except IndexDamagedError:
            return sorted(self._parts.store.stats()["types"])

    # ------------------------------------------------------------------ timeline and details
    def timeline(self, request: TimelineRequest) -> TimelineReply:
        """Return what happened before and after an anchor, in time order."""
        return timeline(self._parts.store, request, self.search)

    def details(self, request: BatchRequest) -> BatchReply:
        """Return whole records, in the order asked for."""
        return details(self._parts.store, request)

    def record(self, ref: Ref) -> RecordReply:
        """Return one whole record; raise NotFoundError naming the ids there are."""
        return record(self._parts.store, ref)


def _reply(
    request: SearchRequest, items: list[Item], page: _Page, notes: Sequence[str]
) -> SearchReply:
    return SearchReply(
        items=items,
        total=page.total,
        limit=request.limit,
        offset=request.offset,
        outcome="hits" if items else "none",
        notes=list(notes),
        degraded=list(page.degraded),
        facets=page.facets() if request.format == "json" else Facets(),
    )
