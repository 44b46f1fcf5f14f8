"""Rows to heads and whole records, however odd the rows are."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from worker.shared.refs import Kind, Ref
from worker.store.layout import View, read_platforms
from worker.store.listing import Position
from worker.store.records import LIST_FIELDS, UNTITLED, Head, Record, one_line
from worker.store.values import as_list, as_ms, as_text
from worker.store.writing import PLATFORM

_SEPARATOR = "\x1f"


def ids(view: View, kind: Kind) -> list[int]:
    """Return all ids of a kind, the highest first."""
    if kind not in view.sources:
        return []
    # Unsorted, SQLite reads the smallest index instead of all the content.
    rows = view.connection.execute(f"SELECT id FROM {view.sources[kind].table}")
    return sorted((id_ for (id_,) in rows), reverse=True)


def latest_summaries(view: View, count: int) -> list[int]:
    """Return the ids of the session summaries that tell of the latest times."""
    if Kind.SESSION not in view.sources:
        return []
    source = view.sources[Kind.SESSION]
    sql = f"SELECT t.id FROM {source.table} t ORDER BY {source.epoch} DESC LIMIT ?"
    return [id_ for (id_,) in view.connection.execute(sql, (count,))]


def id_range(view: View, kind: Kind) -> tuple[int, int] | None:
    """Return the lowest and the highest id, None where there is no record of this kind."""
    if kind not in view.sources:
        return None
    sql = "SELECT (SELECT min(id) FROM {0}), (SELECT max(id) FROM {0})"
    low, high = view.connection.execute(sql.format(view.sources[kind].table)).fetchone()
    return None if low is None else (low, high)


def heads(view: View, refs: Iterable[Ref]) -> dict[Ref, Head]:
    """Return the heads of the records that exist, in no order."""
    return {
        ref: Head(
            ref=ref,
            project=as_text(row[1]),
            type=as_text(row[2]),
            created_at_epoch=as_ms(row[3], row[4]),
            title=one_line(as_text(row[5])) or UNTITLED,
        )
        for ref, row in _rows(view, refs, ("title",))
    }


def ordered_heads(view: View, places: Sequence[Position]) -> list[Head]:
    """Return the heads in the order of `places`, without those that are gone meanwhile."""
    found = heads(view, [place.ref for place in places])
    return [found[place.ref] for place in places if place.ref in found]


def records(view: View, refs: Iterable[Ref]) -> dict[Ref, Record]:
    """Return the whole records that exist, in no order."""
    found = {}
    for ref, row in _rows(view, refs, ("merged", "session", "number"), content=True):
        merged, session, number, *content = row[5:]
        found[ref] = Record(
            ref=ref,
            project=as_text(row[1]),
            merged_into_project=as_text(merged) or None,
            type=as_text(row[2]),
            created_at_epoch=as_ms(row[3], row[4]),
            session=as_text(session),
            prompt_number=number if isinstance(number, int) else None,
            fields=tuple(_fields(view.sources[ref.kind].fields, content)),
        )
    return found


def sources(view: View, kind: Kind, ids: Sequence[int]) -> list[str]:
    """Return for each record, in order, the program of its session; the default if unknown."""
    if kind not in view.sources or not set(read_platforms(view.connection)) - {PLATFORM}:
        return [PLATFORM] * len(ids)
    source = view.sources[kind]
    sql = f"SELECT t.id, {source.platform} FROM {source.table} t WHERE t.id IN"
    rows = view.connection.execute(f"{sql} (SELECT value FROM json_each(?))", (json.dumps(ids),))
    found = dict(rows)
    return [as_text(found.get(id_)) or PLATFORM for id_ in ids]


def prints(view: View, refs: Iterable[Ref]) -> dict[Ref, bytes]:
    """Return eight bytes for each record that exists, which change when its content does."""
    found = {}
    for kind, ids in _by_kind(refs).items():
        if kind in view.sources:
            source = view.sources[kind]
            columns = [source.project, source.merged, source.type, source.epoch, source.created]
            columns += [f"t.{name}" for name in source.fields]
            # joined and handed over as bytes: no text is decoded, no value read one by one
            whole = f" || '{_SEPARATOR}' || ".join(f"COALESCE({name}, '')" for name in columns)
            sql = (
                f"SELECT t.id, CAST({whole} AS BLOB) FROM {source.table} t "
                "WHERE t.id IN (SELECT value FROM json_each(?))"
            )
            for id_, content in view.connection.execute(sql, (json.dumps(ids),)):
                found[Ref(kind, id_)] = hashlib.blake2b(content, digest_size=8).digest()
    return found


def _rows(
    view: View, refs: Iterable[Ref], extra: Sequence[str], *, content: bool = False
) -> Iterator[tuple[Ref, tuple[Any, ...]]]:
    """Yield id, project, type, epoch, ISO time, then what `extra` names, then the content."""
    for kind, ids in _by_kind(refs).items():
        if kind in view.sources:
            source = view.sources[kind]
            columns = [source.project, source.type, source.epoch, source.created]
            columns += [getattr(source, name) for name in extra]
            columns += [f"t.{name}" for name in source.fields] if content else []
            # One JSON text instead of a mark an id: no limit to their number, one statement.
            sql = (
                f"SELECT t.id, {', '.join(columns)} FROM {source.table} t "
                "WHERE t.id IN (SELECT value FROM json_each(?))"
            )
            for row in view.connection.execute(sql, (json.dumps(ids),)):
                yield Ref(kind, row[0]), row


def _by_kind(refs: Iterable[Ref]) -> dict[Kind, list[int]]:
    wanted: dict[Kind, list[int]] = {}
    for ref in refs:
        wanted.setdefault(ref.kind, []).append(ref.id)
    return wanted


def _fields(
    names: Sequence[str], content: Sequence[object]
) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    for name, value in zip(names, content, strict=True):
        if name in LIST_FIELDS:
            if parts := as_list(value):
                yield name, parts
        elif (text := as_text(value)).strip():
            yield name, text
