"""JSON of any length, an element at a time: an export is often one line of 200 MB."""

import codecs
import json
import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import IO, Any

MAX_ELEMENT = 64 * 1024 * 1024  # characters; what is longer is not read
_CHUNK = 1024 * 1024  # bytes
_NEAR = 32  # characters before the end, where an error may only mean that more is to come
_DECODER = json.JSONDecoder()
_MEANT = re.compile(r"[^ \t\r\n,]")
_CUT_OFF = "the file was cut off"
_NO_JSON = "no JSON"


class TornError(ValueError):
    """The text is no JSON from here on."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an array begins: at `rest`, behind which the file goes on at `offset`."""

    rest: str
    offset: int
    state: tuple[bytes, int]  # of the decoder there


Begun = Callable[[str, Callable[[], Place]], None]


def ignore(_name: str, _place: Callable[[], Place]) -> None:
    """Take no note of an array that begins."""


def elements(file: IO[bytes]) -> Generator[Any, None, None]:
    """Give the elements of an array, or the one value that a file holds instead.

    In memory are an element and a megabyte. Raises TornError where the text breaks off or is no
    JSON, after what stands before that; OSError and what unpacking raises.
    """
    window = _Window(file)
    if window.first() == "[":
        for _, element in window.array():
            yield element
    else:
        while window.first():
            yield window.value()


def members(file: IO[bytes], begun: Begun = ignore) -> Generator[tuple[str, int, Any], None, None]:
    """Give what an object holds: the elements of its arrays, each with its name and number.

    A value that is no array has the number 0. `begun` gets the name of each array, and what tells
    its place, before its elements. Raises as `elements` does.
    """
    window = _Window(file)
    window.need("{")
    while window.first() != "}":
        name = window.value()
        if not isinstance(name, str):
            raise TornError(_NO_JSON)
        window.need(":")
        if window.first() == "[":
            begun(name, window.place)
            for number, element in window.array():
                yield name, number, element
        else:
            yield name, 0, window.value()
    window.need("}")
    if window.first():
        raise TornError(_NO_JSON)


def array_at(file: IO[bytes], place: Place) -> Iterator[tuple[int, Any]]:
    """Give the elements of the array that begins there, numbered; raises as `elements` does."""
    return _Window(file, place).array()


class _Window:
    """The part of a text that is looked at."""

    def __init__(self, file: IO[bytes], place: Place | None = None) -> None:
        """Begin at a place that another window on such a file told, or where the file is."""
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._text = ""
        self._at = 0
        self._ended = False
        if place:
            file.seek(place.offset)
            self._decoder.setstate(place.state)
            self._text = place.rest

    def place(self) -> Place:
        """Return where it is."""
        return Place(self._text[self._at :], self._file.tell(), self._decoder.getstate())

    def first(self) -> str:
        """Return the next character that means something; "" at the end."""
        while True:
            if found := _MEANT.search(self._text, self._at):
                self._at = found.start()
                return found.group()
            if self._ended:
                return ""
            self._at = len(self._text)
            self._more(_CHUNK)

    def need(self, character: str) -> None:
        """Go past this character."""
        if self.first() != character:
            raise TornError(_CUT_OFF if not self.first() else _NO_JSON)
        self._at += 1

    def array(self) -> Iterator[tuple[int, Any]]:
        """Give the elements of the array that begins here, numbered from 1."""
        self.need("[")
        number = 0
        while self.first() != "]":
            number += 1
            yield number, self.value()
        self.need("]")

    def value(self) -> Any:  # noqa: ANN401 - JSON
        """Return the value that begins here; each attempt looks at twice as much."""
        if not self.first():
            raise TornError(_CUT_OFF)
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except (json.JSONDecodeError, RecursionError) as exc:
                if self._ended or not self._may_go_on(exc):
                    raise TornError(_why(exc)) from exc
                self._more(max(_CHUNK, len(self._text) - self._at))
                continue
            may_go_on = isinstance(value, int | float) and end > len(self._text) - _NEAR
            if may_go_on and not self._ended:  # a number may have more digits
                self._more(_CHUNK)
                continue
            self._at = end
            return value

    def _may_go_on(self, exc: Exception) -> bool:
        if not isinstance(exc, json.JSONDecodeError) or len(self._text) - self._at > MAX_ELEMENT:
            return False
        return (
            exc.msg.startswith(("Unterminated", "Invalid \\")) or exc.pos > len(self._text) - _NEAR
        )

    def _more(self, size: int) -> None:
        raw = self._file.read(size)
        self._ended = not raw
        self._text = self._text[self._at :] + self._decoder.decode(raw, self._ended)
        self._at = 0


def _why(exc: Exception) -> str:
    return exc.msg if isinstance(exc, json.JSONDecodeError) else "nested too deeply"
