"""Marks count characters as Python does; Qt counts halves of those beyond the first plane."""

from collections.abc import Sequence

Spans = Sequence[tuple[int, int]]

_BREAKS = dict.fromkeys((*range(32), 0x85, 0x2028, 0x2029), " ")


def one_line(text: str) -> str:
    """Return a text that Qt draws in one line; each character stays in its place."""
    return text.translate(_BREAKS)


def in_qt(text: str, marks: Spans) -> list[tuple[int, int]]:
    """Return the start and the length of each stretch [start, end), as Qt counts."""
    if text.isascii():
        return [(start, end - start) for start, end in marks]
    return [(_units(text[:start]), _units(text[start:end])) for start, end in marks]


def cut(text: str, units: int) -> str:
    """Return the beginning of a text that has so many of Qt's characters."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore")


def matched_words(text: str, marks: Spans) -> list[str]:
    """Return what is marked, each once, in the order of the text."""
    return list(dict.fromkeys(text[start:end] for start, end in marks))


def _units(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)
