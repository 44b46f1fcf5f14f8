"""Where a memory says what was looked for: a piece of it, with the matched words marked."""

from collections.abc import Mapping, Sequence

from worker.index.analyze import Finder, Token
from worker.search.query import ParsedQuery
from worker.shared.contract import Item, Snippet
from worker.shared.refs import Ref
from worker.store.records import Record
from worker.store.writing import SUBTITLE

LENGTH = 180  # characters

_SKIPPED = ("title", "request", "files_read", "files_modified", "files_edited")


def finder_of(query: ParsedQuery) -> Finder:
    """Return what finds the terms of a query."""
    terms = frozenset(t for u in query.units if not u.prefix for t in (*u.tokens, *u.extras))
    prefixes = tuple(u.tokens[-1] for u in query.units if u.prefix)
    if not prefixes:
        return Finder(terms.__contains__)
    return Finder(lambda term: term in terms or term.startswith(prefixes))


def marks_in(text: str, wanted: Finder) -> list[tuple[int, int]]:
    """Return the stretches [start, end) of the text that match, ascending, none overlapping."""
    found = wanted.find(text)
    return _merged([*found.tokens, *found.extras])


def field_marks(
    fields: Mapping[str, str | list[str]], query: ParsedQuery
) -> dict[str, list[list[tuple[int, int]]]]:
    """Return the stretches in each text of each field; fields without any are left out."""
    wanted = finder_of(query)
    found = {
        name: [marks_in(text, wanted) for text in ([value] if isinstance(value, str) else value)]
        for name, value in fields.items()
    }
    return {name: marks for name, marks in found.items() if any(marks)}


def snippet_of(record: Record, wanted: Finder) -> Snippet | None:
    """Return the best piece of the record: where most different words match, else its beginning."""
    best: tuple[int, str, str, int] | None = None
    for name, value in record.fields:
        if name in _SKIPPED or value == SUBTITLE:  # which each memory saved by hand has
            continue
        text = " ".join((value if isinstance(value, str) else " · ".join(value)).split())
        start, count = _densest(wanted.find(text).tokens)
        if best is None or count > best[0]:
            best = count, name, text, start
    return _cut(*best[1:], wanted) if best else None


def mark_items(
    items: Sequence[Item], records: Mapping[Ref, Record], query: ParsedQuery
) -> list[Item]:
    """Return the items with their marks and snippets."""
    wanted = finder_of(query)
    out = []
    for item in items:
        record = records.get(Ref(item.kind, item.id))
        marked = {
            "title_marks": marks_in(item.title, wanted),
            "snippet": snippet_of(record, wanted) if record else None,
        }
        out.append(item.model_copy(update=marked))
    return out


def _densest(tokens: Sequence[Token]) -> tuple[int, int]:
    """Return where the window with the most different matched terms begins, and how many."""
    best = (0, 0)
    for i, first in enumerate(tokens):
        terms = set()
        for token in tokens[i:]:
            if token.end > first.start + LENGTH:
                break
            terms.add(token.term)
        if len(terms) > best[1]:
            best = (first.start, len(terms))
    return best


def _cut(name: str, text: str, start: int, wanted: Finder) -> Snippet:
    if len(text) <= LENGTH:
        return Snippet(field=name, text=text, marks=marks_in(text, wanted))
    begin = max(0, min(start - LENGTH // 4, len(text) - LENGTH))
    if begin:  # at a word's beginning
        begin = min(text.find(" ", begin, begin + 30) + 1 or begin, start)
    piece = text[begin : begin + LENGTH].rstrip()
    piece = ("…" if begin else "") + piece + ("…" if begin + LENGTH < len(text) else "")
    return Snippet(field=name, text=piece, marks=marks_in(piece, wanted))


def _merged(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for _, start, end in sorted(tokens, key=lambda token: (token.start, -token.end)):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out
