"""A search service that finds one memory, so that the routes can be tested without indexes."""

from worker.search.marking import by_terms, field_marks
from worker.search.query import parse
from worker.shared.contract import (
    BatchReply,
    BatchRequest,
    Item,
    RecordReply,
    SearchReply,
    SearchRequest,
    SingleReply,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.errors import BadRequestError, NotFoundError
from worker.shared.refs import Kind, Ref
from worker.shared.upkeep import Index, ReindexReply, RepairReply

TITLE = "Pool 连接池 exhausted | retry 🎉"


class OneMemory:
    """Knows observation #1 only; keeps the last request it was given."""

    def __init__(self) -> None:
        self.asked: SearchRequest | TimelineRequest | BatchRequest | Ref | None = None

    def search(self, request: SearchRequest) -> SearchReply:
        self.asked = request
        return SearchReply(
            items=[_item()],
            total=1,
            limit=request.limit,
            offset=request.offset,
            outcome="hits",
            notes=["A note of the search itself."],
        )

    def timeline(self, request: TimelineRequest) -> TimelineReply:
        self.asked = request
        if request.anchor is None and not request.query:
            raise BadRequestError("anchor: give an anchor or a query", field="anchor")
        return TimelineReply(anchor="#1", project="demo", items=[_item()])

    def details(self, request: BatchRequest) -> BatchReply:
        self.asked = request
        missing = [str(ref) for ref in request.ids if ref != Ref(Kind.OBSERVATION, 1)]
        return BatchReply(items=[_record()], not_found=missing)

    def record(self, ref: Ref, query: str = "") -> SingleReply:
        self.asked = ref
        if ref.id != 1:
            raise NotFoundError(f"{ref} does not exist; the ids run from #1 to #1")
        found = _record()
        marks = field_marks(found.fields, by_terms(parse(query)))
        return SingleReply(**dict(found), marks=marks)


class NothingToMend:
    """Begins what it is asked to, and finds all well."""

    def reindex(self, what: Index | None) -> ReindexReply:
        return ReindexReply(begun=[what or Index.KEYWORD], notes=["A note of its own."])

    def repair(self) -> RepairReply:
        return RepairReply(mended=[])


def _item() -> Item:
    return Item(
        id=1,
        ref="#1",
        kind=Kind.OBSERVATION,
        type="bugfix",
        title=TITLE,
        project="demo",
        created_at="2026-03-14T09:30:00+01:00",
        created_at_epoch=1_773_477_000_000,
    )


def _record() -> RecordReply:
    return RecordReply(
        id=1,
        ref="#1",
        kind=Kind.OBSERVATION,
        type="bugfix",
        project="demo",
        title=TITLE,
        created_at="2026-03-14T09:30:00+01:00",
        created_at_epoch=1_773_477_000_000,
        fields={"title": TITLE, "facts": ["one", "two"]},
    )
