"""Layer three: whole records by id."""

from worker.search.answer import record_reply
from worker.shared.contract import MAX_BATCH, BatchReply, BatchRequest, OrderBy, RecordReply
from worker.shared.errors import NotFoundError
from worker.shared.refs import Kind, Ref
from worker.store.records import Record
from worker.store.store import Store


def details(store: Store, request: BatchRequest) -> BatchReply:
    """Return whole records, in the order asked for; what was not found is named."""
    notes = []
    refs = request.ids
    if len(refs) > MAX_BATCH:
        notes.append(f"Only the first {MAX_BATCH} of {len(refs)} ids were read.")
        refs = refs[:MAX_BATCH]
    found = store.records(refs)
    records = [found[ref] for ref in refs if ref in found]
    kept = [record for record in records if _in_project(record, request.project)]
    if len(kept) < len(records):
        left = ", ".join(str(r.ref) for r in records if r not in kept)
        notes.append(f"Of another project than {request.project}, left out: {left}.")
    if request.order_by in (OrderBy.DATE_DESC, OrderBy.DATE_ASC):
        kept.sort(
            key=lambda record: (record.created_at_epoch, record.ref.id),
            reverse=request.order_by is OrderBy.DATE_DESC,
        )
    missing = [str(ref) for ref in refs if ref not in found]
    if missing:
        notes.append(id_ranges(store))
    items = [record_reply(record) for record in kept[: request.limit]]
    return BatchReply(items=items, not_found=missing, notes=notes)


def record(store: Store, ref: Ref) -> RecordReply:
    """Return one whole record; raise NotFoundError naming the ids there are."""
    found = store.records([ref]).get(ref)
    if found is None:
        raise NotFoundError(f"There is no {ref.kind} {ref}. {id_ranges(store)}")
    return record_reply(found)


def id_ranges(store: Store) -> str:
    """Return a sentence that says which ids exist."""
    spans = {kind: span for kind in Kind if (span := store.id_range(kind))}
    ranges = [f"{k}s {Ref(k, first)} to {Ref(k, last)}" for k, (first, last) in spans.items()]
    return f"There are {', '.join(ranges)}." if ranges else "The memory is empty so far."


def _in_project(record: Record, project: str | None) -> bool:
    return not project or project in (record.project, record.merged_into_project)
