"""From rows of the store to the items of a reply."""

import datetime as dt
from typing import Literal

from worker.shared.contract import Item, RecordReply
from worker.store.records import Head, Record


def local_time(epoch_ms: int) -> dt.datetime:
    """Return the local time of epoch milliseconds; what no calendar holds becomes 1970."""
    try:
        return dt.datetime.fromtimestamp(epoch_ms / 1000, dt.UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        return dt.datetime.fromtimestamp(0, dt.UTC).astimezone()


def head_item(
    head: Head,
    *,
    leg: Literal["keyword", "meaning", "both", "filter"] = "filter",
    score: float = 0.0,
) -> Item:
    """Return a list row without a snippet; its values are ours and need no validation."""
    return Item.model_construct(
        id=head.ref.id,
        ref=str(head.ref),
        kind=head.ref.kind,
        type=head.type,
        title=head.title,
        title_marks=[],  # as by default, which model_construct would copy, field by field
        project=head.project,
        created_at=local_time(head.created_at_epoch).isoformat(timespec="seconds"),
        created_at_epoch=head.created_at_epoch,
        snippet=None,
        leg=leg,
        score=round(score, 4),
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
        created_at=local_time(record.created_at_epoch).isoformat(timespec="seconds"),
        created_at_epoch=record.created_at_epoch,
        fields={
            name: value if isinstance(value, str) else list(value) for name, value in record.fields
        },
    )


def folded_text(record: Record) -> str:
    """Return all of a record's text in small letters, each blank one space."""
    return " ".join(" ".join(record.get(name) for name, _ in record.fields).casefold().split())
