"""From rows of the store to the items of a reply."""

from typing import Literal

from worker.shared.contract import Item, RecordReply
from worker.shared.local_time import local_iso
from worker.store.records import Head, Record


def head_item(
    head: Head,
    *,
    leg: Literal["keyword", "meaning", "both", "filter"] = "filter",
    score: float = 0.0,
    weak: bool = False,
) -> Item:
    """Return a list row without a snippet."""
    return Item(
        id=head.ref.id,
        ref=str(head.ref),
        kind=head.ref.kind,
        type=head.type,
        title=head.title,
        project=head.project,
        created_at=local_iso(head.created_at_epoch),
        created_at_epoch=head.created_at_epoch,
        leg=leg,
        score=round(score, 4),
        weak=weak,
    )


def record_reply(record: Record) -> RecordReply:
    """Return a record with every word of its content."""
    return RecordReply(
        id=record.ref.id,
        ref=str(record.ref),
        kind=record.ref.kind,
        type=record.type,
        project=record.project,
        title=record.title,
        created_at=local_iso(record.created_at_epoch),
        created_at_epoch=record.created_at_epoch,
        fields={
            name: value if isinstance(value, str) else list(value) for name, value in record.fields
        },
    )


def folded_text(record: Record) -> str:
    """Return all of a record's text in small letters, each blank one space."""
    return " ".join(" ".join(record.get(name) for name, _ in record.fields).casefold().split())
