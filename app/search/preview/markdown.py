"""The light Markdown that memories are written in, as stretches of the text as it stands.

Nothing is fetched, run or taken for HTML: a link, an image or a tag is shown letter by letter.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

LONGEST = 1_500  # characters; a longer line is cut, since one line is laid out in one go

_LINE = re.compile(r"([^\r\n\u2028\u2029]*)(\r\n|[\r\n\u2028\u2029]|\Z)")
_HEADING = re.compile(r"#{1,6} +(?=\S)")
_ITEM = re.compile(r"([ \t]*)([-*+•]|\d{1,4}[.)])[ \t]+(?=\S)")
_INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")
_FENCE = re.compile(r"\s*```+\s*([\w+#.-]*)\s*\Z")  # with the name of a language


class Shape(Enum):
    """What a line is."""

    TEXT = auto()
    HEADING = auto()
    ITEM = auto()
    CODE = auto()
    CODE_HEAD = auto()  # what stands above a block of code; its only stretch is the whole block


class Style(Enum):
    """How a stretch of a line is set."""

    PLAIN = auto()
    STRONG = auto()
    CODE = auto()


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part [start, end) of the text."""

    start: int
    end: int
    style: Style = Style.PLAIN


@dataclass(frozen=True, slots=True)
class Line:
    """One line to show; the signs of Markdown are in none of its stretches."""

    shape: Shape
    stretches: tuple[Stretch, ...]
    begins: bool = False  # a paragraph, a list or a block of code
    bullet: str = ""
    depth: int = 0  # of an item in its list


def lines_of(text: str) -> Iterator[Line]:
    """Yield the lines of a text, in time that grows with its length alone."""
    before: Shape | None = None
    found = _LINE.finditer(text)
    for match in found:
        if _FENCE.match(match[1]):
            yield from _code(text, match.end(), found)
            before = None
        elif not match[1].strip():
            before = None
        else:
            for line in _lines(text, *match.span(1), before):
                yield line
                before = line.shape


def _code(text: str, start: int, lines: Iterator[re.Match[str]]) -> Iterator[Line]:
    """Yield a block of code up to its closing fence, or to the end of the text."""
    inside = []
    for match in lines:
        fence = _FENCE.match(match[1])
        if fence and not fence[1]:
            break
        if match[0]:
            inside.append(match.span(1))
    if not any(end > begin for begin, end in inside):
        return
    yield Line(Shape.CODE_HEAD, (Stretch(start, inside[-1][1], Style.CODE),), begins=True)
    for begin, end in inside:
        for piece in _pieces(text, begin, end):
            yield Line(Shape.CODE, (Stretch(*piece, Style.CODE),))


def _lines(text: str, start: int, end: int, before: Shape | None) -> Iterator[Line]:
    """Yield one line or, where it is too long, its pieces."""
    first, bullet, depth = Shape.TEXT, "", 0
    if heading := _HEADING.match(text, start, end):
        first, start = Shape.HEADING, heading.end()
    elif item := _ITEM.match(text, start, end):
        first, start = Shape.ITEM, item.end()
        bullet = item[2] if item[2][0].isdigit() else "•"
        depth = min(4, len(item[1].expandtabs(4)) // 2)
    for piece in _pieces(text, start, end):
        inline = tuple(_inline(text, *piece))
        if first is Shape.HEADING:
            inline = (Stretch(*piece, Style.STRONG),)
        yield Line(first, inline, before is not first, bullet, depth)
        before, bullet = first, ""


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a stretch in pieces, which end with a blank where there is one."""
    while end - start > LONGEST:
        blank = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
        at = blank + 1 or start + LONGEST
        yield start, at
        start = at
    yield start, end


def _inline(text: str, start: int, end: int) -> Iterator[Stretch]:
    at = start
    for match in _INLINE.finditer(text, start, end):
        if at < match.start():
            yield Stretch(at, match.start())
        code = match[1] is not None
        yield Stretch(*match.span(1 if code else 2), Style.CODE if code else Style.STRONG)
        at = match.end()
    if at < end:
        yield Stretch(at, end)
