"""Where a memory says what was looked for: a piece of it, with the matched words marked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from worker.index.analyze import Token
from worker.index.keyword_rows import FILE_FIELDS
from worker.search.marking import Marker, Stretch, marks_in, merged
from worker.shared.contract import Item, Snippet
from worker.shared.refs import Ref
from worker.store.records import Record
from worker.store.writing import SUBTITLE

LENGTH = 180  # characters

_HEADS = ("title", "request")


class _Field(NamedTuple):
    """A field in one line, and where in it most different words match: so many."""

    name: str
    text: str
    found: list[Token]
    start: int
    words: int


def mark_items(items: Sequence[Item], records: Mapping[Ref, Record], marker: Marker) -> list[Item]:
    """Return the items with their marks and snippets."""
    out = []
    for item in items:
        record = records.get(Ref(item.kind, item.id))
        marked = {
            "title_marks": marks_in(item.title, marker),
            "snippet": snippet_of(record, marker) if record else None,
        }
        out.append(item.model_copy(update=marked))
    return out


def snippet_of(record: Record, marker: Marker) -> Snippet | None:
    """Return the best piece of the record: where most different words match, else its beginning.

    Names of files are shown only where they match more than the title and each text.
    """
    fields = [_field(name, value, marker) for name, value in record.fields if value != SUBTITLE]
    heads = [field.words for field in fields if field.name in _HEADS]
    texts = [field for field in fields if field.name not in (*_HEADS, *FILE_FIELDS)]
    best = max(texts, key=_words, default=None)
    said = max([*heads, best.words if best else 0])
    files = [field for field in fields if field.name in FILE_FIELDS and field.words > said]
    best = max(files, key=_words, default=best)
    return _cut(best) if best else None


def _field(name: str, value: str | tuple[str, ...], marker: Marker) -> _Field:
    text = " ".join((value if isinstance(value, str) else " · ".join(value)).split())
    found = marker(text)
    return _Field(name, text, found, *_densest(found))


def _words(field: _Field) -> int:
    return field.words


def _densest(tokens: Sequence[Token]) -> tuple[int, int]:
    """Return where the window with the most different matched terms begins, and how many."""
    best = (0, 0)
    terms: Counter[str] = Counter()
    end = 0
    for first in tokens:
        while end < len(tokens) and tokens[end].end <= first.start + LENGTH:
            terms[tokens[end].term] += 1
            end += 1
        if len(terms) > best[1]:
            best = (first.start, len(terms))
        terms[first.term] -= 1
        if not terms[first.term]:
            del terms[first.term]
    return best


def _cut(field: _Field) -> Snippet:
    text, begin = field.text, 0
    if len(text) > LENGTH:
        begin = max(0, min(field.start - LENGTH // 4, len(text) - LENGTH))
        if begin:  # at a word's beginning
            begin = min(text.find(" ", begin, begin + 30) + 1 or begin, field.start)
    piece = text[begin : begin + LENGTH].rstrip()
    before, after = "…" if begin else "", "…" if begin + LENGTH < len(text) else ""
    marks = _within(merged(field.found), begin, begin + len(piece), shift=len(before) - begin)
    return Snippet(field=field.name, text=before + piece + after, marks=marks)


def _within(marks: Sequence[Stretch], start: int, end: int, *, shift: int) -> list[Stretch]:
    """Return what of the marks lies in [start, end), shifted."""
    return [(max(a, start) + shift, min(b, end) + shift) for a, b in marks if a < end and start < b]
