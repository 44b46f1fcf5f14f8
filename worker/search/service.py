"""The whole search, readable top to bottom."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from worker.index.catalog import Mask, Snapshot
from worker.index.keys import Keys, to_ref
from worker.index.keyword import IndexDamagedError, KeywordIndex
from worker.search import fusion, keyword_leg
from worker.search.answer import folded_text, head_item
from worker.search.details import details, record
from worker.search.facets import facets_of
from worker.search.marking import Marker, by_terms, field_marks, literally
from worker.search.meaning_leg import Meaning, MeaningLeg
from worker.search.nothing import reasons
from worker.search.page import Leg, Page, Row
from worker.search.query import ParsedQuery, parse
from worker.search.row_by_row import page_of_signs, page_of_store, typed_words
from worker.search.scope import allowed, filters_of
from worker.search.snippet import mark_items
from worker.search.sources import Sources
from worker.search.timeline import timeline
from worker.search.weak import weak
from worker.shared.contract import (
    MAX_LIMIT,
    BatchReply,
    BatchRequest,
    Degraded,
    Facets,
    Mode,
    OrderBy,
    SearchReply,
    SearchRequest,
    SingleReply,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.readiness import PartReport, PartState
from worker.shared.refs import Ref
from worker.store.filters import Filters
from worker.store.store import Store

log = logging.getLogger(__name__)

RANKED = 300  # keyword matches that are fused with meaning; the rest follow by their words alone
MOST_TYPED = 50  # rows, the youngest, that are compared with the query letter by letter


@dataclass(frozen=True, slots=True)
class Parts:
    """What the service asks; `reports` tells how the parts are, without blocking."""

    store: Store
    keyword: KeywordIndex
    meaning: MeaningLeg
    reports: Callable[[], Sequence[PartReport]]
    on_damage: Callable[[], None]  # told once a query finds the keyword index damaged
    sources: Sources


@dataclass(frozen=True, slots=True)
class _Search:
    """A request, understood."""

    request: SearchRequest
    query: ParsedQuery
    filters: Filters
    lines: Snapshot
    passing: Mask = field(repr=False)
    reports: Sequence[PartReport]
    sources: Sources

    def facets(self, found: Mask) -> Facets:
        """Count the found lines."""
        source = self.sources.counts(self.lines, found)
        return facets_of(self.lines, found).model_copy(update={"source": source})

    @property
    def page(self) -> slice:
        return slice(self.request.offset, self.request.offset + self.request.limit)


@dataclass(frozen=True, slots=True, eq=False)
class _Fused:
    """Some lines, scored by both legs."""

    lines: Keys
    keys: Keys
    scores: fusion.Floats
    weak: Mask

    def rows(self, places: Keys, words: keyword_leg.Matches, near: Mask) -> list[Row]:
        """Return those at these places of the arrays, in this order."""
        lines = self.lines[places]
        by_words, by_meaning = words.matched[lines].tolist(), near[lines].tolist()
        numbers = (self.keys[places].tolist(), self.scores[places].tolist())
        legs = map(_leg, by_words, by_meaning)
        found = zip(*numbers, legs, self.weak[places].tolist(), strict=True)
        return [Row(key, score, leg, is_weak) for key, score, leg, is_weak in found]


class SearchService:
    """Answers requests of the contract; any thread may call it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def search(self, request: SearchRequest) -> SearchReply:
        """Return one page of what was asked for."""
        notes = []
        if request.limit > MAX_LIMIT:
            notes.append(f"limit was reduced to {MAX_LIMIT}, the most rows of one page.")
            request = request.model_copy(update={"limit": MAX_LIMIT})
        query = parse(request.query)
        notes += query.notes
        try:
            page = self._indexed_page(request, query)
        except IndexDamagedError as exc:
            log.warning("keyword index: %s", exc.detail)
            self._parts.on_damage()
            why = Degraded(part="keyword", reason=exc.detail, remedy="It is being built anew.")
            page = self._page_without_words(request, query, why)
        if not page.total:
            notes += reasons(request, self._parts.store.project_names)
        by_index = all(each.part != "keyword" for each in page.degraded)
        if request.query and by_index and not page.total:
            notes += self._waiting()
        return self._reply(request, page, notes)

    def timeline(self, request: TimelineRequest) -> TimelineReply:
        """Return what happened before and after an anchor, in time order."""
        whole = not _keyword_missing(self._parts.reports())
        lines = self._parts.keyword.catalog.snapshot if whole else None
        return timeline(self._parts.store, lines, request, self.search)

    def details(self, request: BatchRequest) -> BatchReply:
        """Return whole records, in the order asked for."""
        return details(self._parts.store, request)

    def record(self, ref: Ref, query: str = "") -> SingleReply:
        """Return one whole record, and where the query stands in it.

        Raises NotFoundError naming the ids there are.
        """
        found = record(self._parts.store, ref)
        parsed = parse(query)
        marks = field_marks(found.fields, self._marker(parsed)) if parsed.text else {}
        return SingleReply(**dict(found), marks=marks, notes=list(parsed.notes))

    def _marker(self, query: ParsedQuery) -> Marker:
        """Return what marks as the search for this query does."""
        index = self._parts.keyword
        with suppress(IndexDamagedError):  # the next search heals it
            if query.clauses and not _keyword_missing(self._parts.reports()):
                return by_terms(query, keyword_leg.pieces(index, query))
        return literally(typed_words(query))

    def _waiting(self) -> list[str]:
        """Say what was written a moment ago and may be what was not found."""
        rows = sum(self._parts.store.counts().values())
        waiting = rows - self._parts.keyword.catalog.snapshot.rows
        if waiting <= 0:
            return []
        return [f"New memories are still being indexed: {waiting}. Ask again in a second."]

    def _page_without_words(
        self, request: SearchRequest, query: ParsedQuery, why: Degraded
    ) -> Page:
        """Look through the store row by row; what meaning finds by itself follows."""
        page = page_of_store(self._parts.store, request, query=query, why=why)
        by_words = query.strict or request.mode is Mode.KEYWORD
        if not query.clauses or by_words or request.filtered or request.offset:
            return page
        meaning = self._parts.meaning.nearest(query.text, None)
        near = meaning.near(sentence=query.is_sentence).tolist()
        seen = {row.key for row in page.rows}
        more = [Row(key, leg="meaning") for key in near if key not in seen]
        rows = [*page.rows, *more][: request.limit]
        return replace(page, rows=rows, total=page.total + len(more))

    # ------------------------------------------------------------------ with the indexes
    def _indexed_page(self, request: SearchRequest, query: ParsedQuery) -> Page:
        reports = self._parts.reports()
        missing = _keyword_missing(reports)
        if missing:
            return self._page_without_words(request, query, missing)
        index = self._parts.keyword
        lines = index.catalog.snapshot
        filters, notes = filters_of(request, lambda: lines.observation_types)
        if filters is None:  # a type that does not exist: nothing can match
            return Page([], 0, notes=tuple(notes))
        passing = allowed(index, lines, filters)
        if filters.sources or filters.not_sources:
            passing &= self._parts.sources.passing(lines, filters)
        search = _Search(request, query, filters, lines, passing, reports, self._parts.sources)
        if not request.query:
            page = _newest(search)
        elif not query.clauses:
            page = page_of_signs(self._parts.store, request, filters=filters)
        else:
            page = self._fused_page(search)
        return replace(page, notes=(*notes, *page.notes))

    def _fused_page(self, search: _Search) -> Page:
        lines, query = search.lines, search.query
        words = keyword_leg.match(self._parts.keyword, lines, query, search.passing)
        if query.excludes:
            words = replace(words, matched=words.matched | self._as_typed(search, words.exact))
        among = None if search.filters.empty else lines.keys[search.passing]
        mode = search.request.mode
        by_words_alone = mode is Mode.KEYWORD
        meaning = Meaning() if by_words_alone else self._parts.meaning.nearest(query.text, among)
        near_keys = meaning.near(sentence=query.is_sentence)
        near = lines.mask(self._parts.keyword.catalog.ordinals(near_keys)) & search.passing
        if query.strict:  # what was required or excluded holds for meaning too
            near &= words.matched
        if mode is Mode.MEANING:
            words = replace(words, matched=words.matched & near)
        found = words.matched | near
        rows = (
            self._by_relevance(search, words, meaning, near)
            if search.request.order_by is OrderBy.RELEVANCE
            else self._by_date(search, words, meaning, near)
        )
        return Page(
            rows,
            int(np.count_nonzero(found)),
            lambda: search.facets(found),
            _told(meaning.degraded, _impaired(search.reports)),
            marker=by_terms(query, words.pieces),
        )

    def _as_typed(self, search: _Search, exact: Mask) -> Mask:
        """Return the lines whose text holds the query letter by letter.

        `rm -rf` excludes rf, but pasted text must find the row that it came from.
        """
        lines = np.flatnonzero(exact).astype(np.int32)
        youngest = lines[np.argsort(search.lines.keys[lines])[-MOST_TYPED:]]
        refs = {to_ref(int(search.lines.keys[line])): line for line in youngest}
        wanted = " ".join(search.query.text.casefold().split())
        records = self._parts.store.records(list(refs))
        held = [refs[ref] for ref, found in records.items() if wanted in folded_text(found)]
        return search.lines.mask(np.array(held, dtype=np.int32))

    def _by_relevance(
        self, search: _Search, words: keyword_leg.Matches, meaning: Meaning, near: Mask
    ) -> list[Row]:
        """Fuse the best of both legs; what the words found beyond them follows."""
        best = _best(words, search.lines.keys, limit=RANKED)
        beyond_words = np.flatnonzero(near & ~words.matched)
        found = self._fused(search, words, meaning, np.concatenate([best, beyond_words]))
        order = fusion.best_first(found.scores, search.lines.keys[found.lines])
        rows = found.rows(order[search.page], words, near)
        missing = search.request.limit - len(rows)
        if missing and len(best) == RANKED:
            start = max(0, search.request.offset - len(order))
            rest = _best(words, search.lines.keys)[RANKED:][start : start + missing]
            deeper = self._fused(search, words, meaning, rest)
            rows += deeper.rows(np.arange(len(rest)), words, near)
        return rows

    def _by_date(
        self, search: _Search, words: keyword_leg.Matches, meaning: Meaning, near: Mask
    ) -> list[Row]:
        page = _dated(search, words.matched | near)[search.page]
        return self._fused(search, words, meaning, page).rows(np.arange(len(page)), words, near)

    def _fused(
        self, search: _Search, words: keyword_leg.Matches, meaning: Meaning, lines: Keys
    ) -> "_Fused":
        """Score some lines by both legs."""
        keys = search.lines.keys[lines]
        keyword = np.where(words.matched[lines], words.score[lines], np.float32(0))
        cosines = self._parts.meaning.cosines(search.query.text, keys)
        scores = fusion.fuse(keyword, cosines, meaning.background)
        sentence = search.query.is_sentence
        return _Fused(
            lines, keys, scores, weak(scores, cosines, words.whole[lines], sentence=sentence)
        )

    # ------------------------------------------------------------------ replies
    def _reply(self, request: SearchRequest, page: Page, notes: list[str]) -> SearchReply:
        refs = [to_ref(row.key) for row in page.rows]
        heads = self._parts.store.heads(refs)
        items = [
            head_item(heads[ref], leg=row.leg, score=row.score, weak=row.weak)
            for ref, row in zip(refs, page.rows, strict=True)
            if ref in heads  # else it was deleted a moment ago
        ]
        facets = Facets()
        if request.format == "json":
            items = mark_items(items, self._parts.store.records(refs), page.marker)
            facets = page.facets()
        return SearchReply(
            items=items,
            total=page.total,
            limit=request.limit,
            offset=request.offset,
            outcome="hits" if items else "none",
            notes=[*notes, *page.notes],
            degraded=list(page.degraded),
            facets=facets,
        )


def _keyword_missing(reports: Sequence[PartReport]) -> Degraded | None:
    """Return why the keyword index cannot answer for all rows, or None."""
    for report in reports:
        if report.part == "keyword" and report.state in (PartState.BUILDING, PartState.DOWN):
            remedy = report.remedy or (
                "Until it is ready, rows are searched one by one, newest first: totals are lower"
                " bounds, and accents and word endings count."
            )
            return Degraded(part="keyword", reason=report.cause, remedy=remedy)
    return None


def _impaired(reports: Sequence[PartReport]) -> tuple[Degraded, ...]:
    """Return the parts that a search stands on and that are not whole."""
    return tuple(
        Degraded(part=report.part, reason=report.cause, remedy=report.remedy)
        for report in reports
        if report.part in ("store", "keyword", "vectors", "chroma")
        and report.state not in (PartState.OK, PartState.OFF)
    )


def _told(meaning: Sequence[Degraded], parts: Sequence[Degraded]) -> tuple[Degraded, ...]:
    """Return why there is less than there could be: of one leg the reason that it gave itself."""
    if not meaning:
        return tuple(parts)
    return (*meaning, *(each for each in parts if each.part in ("store", "keyword")))


def _newest(search: _Search) -> Page:
    """Answer filters without a query: by date."""
    ordered = _dated(search, search.passing)
    rows = [Row(int(search.lines.keys[o])) for o in ordered[search.page]]
    return Page(rows, len(ordered), lambda: search.facets(search.passing))


def _dated(search: _Search, found: Mask) -> Keys:
    """Return the found lines by date, newest first unless asked otherwise."""
    order = search.lines.by_date[found[search.lines.by_date]]
    return order if search.request.order_by is OrderBy.DATE_ASC else order[::-1]


def _best(words: keyword_leg.Matches, keys: Keys, *, limit: int | None = None) -> Keys:
    """Return the best lines by words, best first; equal ones by key, as `best_first` does."""
    found = np.flatnonzero(words.matched)
    scores = words.score[found]
    if limit is not None and len(found) > limit:
        worst = np.partition(scores, -limit)[-limit]
        found, scores = found[scores >= worst], scores[scores >= worst]
    return found[fusion.best_first(scores, keys[found])][:limit]


def _leg(by_words: object, by_meaning: object) -> Leg:
    if by_words:
        return "both" if by_meaning else "keyword"
    return "meaning"
