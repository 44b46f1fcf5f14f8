"""Memories as the worker answers them."""

from worker.shared.contract import SingleReply
from worker.shared.refs import LETTER, Kind

Fields = dict[str, str | list[str]]


def record(
    fields: Fields,
    *,
    number: int = 12,
    kind: Kind = Kind.OBSERVATION,
    marks: dict[str, list[list[tuple[int, int]]]] | None = None,
) -> SingleReply:
    """Return a memory with these fields; its title is the first of them."""
    first = next(iter(fields.values()), "")
    title = first if isinstance(first, str) else first[0]
    return SingleReply(
        id=number,
        ref=f"#{LETTER[kind]}{number}",
        kind=kind,
        type="bugfix" if kind is Kind.OBSERVATION else str(kind),
        project="shop",
        title=" ".join(title.split()) or "(untitled)",
        created_at="2026-03-14T09:30:00+01:00",
        created_at_epoch=1_773_477_000_000,
        fields=fields,
        marks=marks or {},
    )
