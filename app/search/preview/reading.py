"""A memory as lines to show, with its hits numbered in reading order."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from app.search.preview import markdown
from app.search.preview.markdown import Style
from worker.shared.contract import SingleReply

Marks = Sequence[tuple[int, int]]

LONGEST_TITLE = 300  # characters; what is longer is a text with a heading of its own

_TITLES = ("title", "request")
_FILES = ("files_read", "files_modified", "files_edited")
_PATH = re.compile(r"(?:~?/|[A-Za-z]:[/\\])[^\s*?<>|]+\Z")  # from a root on, without blanks
_UNNAMED = ("subtitle", "narrative", "text", "prompt_text")  # need no label
# What a text must not do in a document: end a block, stand for an object, be half a character.
_UNFIT = dict.fromkeys((*range(9), *range(11, 32), 127, 0xFDD0, 0xFDD1, 0xFFFC), "\ufffd")
_UNFIT |= dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_UNFIT |= dict.fromkeys((0x0A, 0x0D, 0x2028, 0x2029), " ")


class Shape(Enum):
    """What a line is, and so how it looks."""

    TITLE = auto()
    SUBTITLE = auto()
    LABEL = auto()
    TEXT = auto()
    HEADING = auto()
    ITEM = auto()
    CODE_HEAD = auto()
    CODE = auto()


class Act(Enum):
    """What a click does."""

    OPEN = auto()  # a file
    COPY = auto()


@dataclass(frozen=True, slots=True)
class Link:
    """What a click on a span does, and with what."""

    act: Act
    target: str


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line in one format; `hit` counts from 0."""

    text: str
    style: Style = Style.PLAIN
    hit: int | None = None
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line; a label holds the field's name, a head of code only the link that copies it."""

    shape: Shape
    spans: tuple[Span, ...]
    begins: bool = False  # leaves a gap above
    bullet: str = ""
    depth: int = 0


_SHAPES = {
    markdown.Shape.TEXT: Shape.TEXT,
    markdown.Shape.HEADING: Shape.HEADING,
    markdown.Shape.ITEM: Shape.ITEM,
    markdown.Shape.CODE: Shape.CODE,
    markdown.Shape.CODE_HEAD: Shape.CODE_HEAD,
}


def lines_of(record: SingleReply) -> Iterator[Line]:
    """Yield the whole memory; a title that is a long text stands below a label instead."""
    hits = _Hits()
    named = next((name for name in _TITLES if _is_title(record, name)), None)
    if named:
        spans = hits.spans(str(record.fields[named]), _marks(record, named, 0))
        yield Line(Shape.TITLE, tuple(spans))
    for name, value in record.fields.items():
        if name != named:
            yield from _field(record, name, value, hits)


def shown(text: str) -> str:
    """Return the text as a document can hold it, character for character as long as it was."""
    return text.translate(_UNFIT)


def _is_title(record: SingleReply, name: str) -> bool:
    value = record.fields.get(name)
    return isinstance(value, str) and len(value) <= LONGEST_TITLE and "\n" not in value


def _marks(record: SingleReply, name: str, index: int) -> Marks:
    """Return the stretches in one text of a field; none where the worker tells of none."""
    found = record.marks.get(name, [])
    return found[index] if index < len(found) else ()


def _field(record: SingleReply, name: str, value: str | list[str], hits: "_Hits") -> Iterator[Line]:
    texts = [value] if isinstance(value, str) else value
    if name not in _UNNAMED:
        yield Line(Shape.LABEL, (Span(name),), begins=True)
    for index, text in enumerate(texts):
        marks = _marks(record, name, index)
        if name in _FILES:
            link = Link(Act.OPEN, text)
            yield Line(Shape.ITEM, tuple(hits.spans(text, marks, link=link)), bullet="•")
        elif isinstance(value, list):
            yield from _entry(text, marks, hits)
        elif name == "subtitle":
            yield Line(Shape.SUBTITLE, tuple(hits.spans(text, marks)))
        else:
            yield from _text(text, marks, hits)


def _entry(text: str, marks: Marks, hits: "_Hits") -> Iterator[Line]:
    """Yield one entry of a list: an item, whatever its lines look like."""
    bullet = "•"
    for line in _text(text, marks, hits):
        if line.shape is Shape.TEXT:
            line = Line(Shape.ITEM, line.spans, bullet=bullet)
        yield line
        bullet = ""


def _text(text: str, marks: Marks, hits: "_Hits") -> Iterator[Line]:
    for line in markdown.lines_of(text):
        shape = _SHAPES[line.shape]
        if shape is Shape.CODE_HEAD:
            (block,) = line.stretches
            link = Link(Act.COPY, text[block.start : block.end])
            yield Line(shape, (Span("", link=link),), begins=True)
            continue
        spans = [
            span
            for part in line.stretches
            for span in hits.spans(text, marks, part, link=_copying(text, part, shape))
        ]
        yield Line(shape, tuple(spans), line.begins, line.bullet, line.depth)


def _copying(text: str, part: markdown.Stretch, shape: Shape) -> Link | None:
    """Return what a click on inline code does; a block of code has its own link."""
    if part.style is not Style.CODE or shape is Shape.CODE:
        return None
    code = text[part.start : part.end]
    return Link(Act.OPEN if _PATH.match(code) else Act.COPY, code)


class _Hits:
    """Counts the marks that are shown: one that a sign of Markdown cuts in two counts once."""

    def __init__(self) -> None:
        self._next = 0
        self._last: tuple[Marks, int] | None = None  # the mark that was counted last

    def spans(
        self,
        text: str,
        marks: Marks,
        part: markdown.Stretch | None = None,
        *,
        link: Link | None = None,
    ) -> Iterator[Span]:
        """Yield the part (all, unless given) of the text, cut at the marks in it."""
        part = part or markdown.Stretch(0, len(text))
        at = part.start
        index = bisect_right(marks, at, key=lambda mark: mark[1])
        while index < len(marks) and marks[index][0] < part.end:
            start, end = max(marks[index][0], part.start), min(marks[index][1], part.end)
            if at < start:
                yield Span(shown(text[at:start]), part.style, link=link)
            yield Span(shown(text[start:end]), part.style, self._number(marks, index), link)
            at, index = end, index + 1
        if at < part.end:
            yield Span(shown(text[at : part.end]), part.style, link=link)

    def _number(self, marks: Marks, index: int) -> int:
        if self._last is None or self._last[0] is not marks or self._last[1] != index:
            self._last = (marks, index)
            self._next += 1
        return self._next - 1
