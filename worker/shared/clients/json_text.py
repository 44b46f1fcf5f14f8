"""Edits of one entry in a JSON text that leave every other byte as it is."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from worker.shared.errors import MemtrayError

_BLANKS = " \t\n\r"
_BLANK = re.compile(rf"[{_BLANKS}]*")


class BrokenJsonError(MemtrayError):
    """A text is not the JSON object that it should be."""

    title = "The config file cannot be read"
    code = "config_broken"
    status = 409


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object, and where it stands in the text."""

    key: str
    value: Any
    start: int  # of the key
    value_start: int
    end: int  # of the value


@dataclass(frozen=True, slots=True)
class Object:
    """One object in a text: from its `{` to behind its `}`."""

    text: str
    members: tuple[Member, ...]
    start: int
    end: int

    def get(self, key: str) -> Member | None:
        """Return a member; raise BrokenJsonError where it is there twice, since readers differ."""
        found = [member for member in self.members if member.key == key]
        if len(found) > 1:
            line = self.text.count("\n", 0, found[1].start) + 1
            raise BrokenJsonError(f"line {line}: {key!r} is there once more; remove one of them")
        return found[0] if found else None


def parse(text: str) -> Object:
    """Return the object that a whole text is, as strictly as Claude reads it.

    Raises BrokenJsonError with line and column.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as exc:
        raise BrokenJsonError(f"line {exc.lineno}, column {exc.colno}: {_in_words(exc)}") from exc
    except RecursionError as exc:
        raise BrokenJsonError("it is nested too deeply") from exc
    except ValueError as exc:
        raise _refused(text, str(exc)) from exc
    if not isinstance(value, dict):
        raise BrokenJsonError(f"it must be an object in braces, and is {kind_of(value)}")
    return object_at(text, _skip(text, 0))


def object_at(text: str, start: int) -> Object:
    """Return the object whose `{` is at `start`, in a text that is sound."""
    members = []
    at = _skip(text, start + 1)
    while text[at] != "}":
        key, behind = _DECODER.raw_decode(text, at)
        value_start = _skip(text, _skip(text, behind) + 1)
        value, end = _DECODER.raw_decode(text, value_start)
        members.append(Member(key, value, at, value_start, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Object(text, tuple(members), start, at + 1)


def object_in(text: str, *keys: str) -> Object:
    """Return the object that these keys lead to; raise BrokenJsonError where there is none."""
    found = parse(text)
    for key in keys:
        member = found.get(key)
        if member is None or not isinstance(member.value, dict):
            raise BrokenJsonError(f"{key!r} is no object in braces")
        found = object_at(text, member.value_start)
    return found


def set_member(into: Object, key: str, value: Any) -> str:  # noqa: ANN401 - JSON
    """Return the whole text with one member replaced or added, written as its neighbours are."""
    text = into.text
    known = into.get(key)
    if known:
        written = _written(text, value, indent=_indent_before(text, known.start))
        return text[: known.value_start] + written + text[known.end :]
    if into.members:
        last = into.members[-1]
        indent = _indent_before(text, last.start)
        gap = " " if indent is None else _newline(text) + indent
        return text[: last.end] + f",{gap}" + _member(text, key, value, indent) + text[last.end :]
    return _filled(into, key, value)


def remove_member(of: Object, key: str) -> str:
    """Return the whole text without one member, and without the comma that parted it."""
    text, member = of.text, of.get(key)
    if member is None:
        return text
    number = of.members.index(member)
    if number:
        return text[: of.members[number - 1].end] + text[member.end :]
    if len(of.members) > 1:
        return text[: member.start] + text[of.members[1].start :]
    return text[: of.start + 1] + text[of.end - 1 :]


def kind_of(value: object) -> str:
    """Return what people call a JSON value."""
    names: Mapping[type, str] = {list: "a list", str: "a text", bool: "true or false", dict: "{}"}
    return "null" if value is None else names.get(type(value), "a number")


def _filled(empty: Object, key: str, value: Any) -> str:  # noqa: ANN401 - JSON
    """Return the whole text with the first member of an object."""
    text = empty.text
    inside = text[empty.start + 1 : empty.end - 1]
    if "\n" not in text:
        member = _member(text, key, value, None)
        return text[: empty.start + 1] + member + text[empty.end - 1 :]
    outer = _line_indent(text, empty.start)
    indent = outer + _unit(text)
    newline = _newline(text)
    tail = inside if "\n" in inside else newline + outer
    member = newline + indent + _member(text, key, value, indent) + tail
    return text[: empty.start + 1] + member + text[empty.end - 1 :]


def _member(text: str, key: str, value: Any, indent: str | None) -> str:  # noqa: ANN401 - JSON
    return f"{json.dumps(key, ensure_ascii=False)}: {_written(text, value, indent=indent)}"


def _written(text: str, value: Any, *, indent: str | None) -> str:  # noqa: ANN401 - JSON
    """Return a value in one line, or, below a line with this indent, in several."""
    if indent is None:
        return json.dumps(value, ensure_ascii=False)
    written = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return written.replace("\n", _newline(text) + indent)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    """Return what one level is indented by: as the first indented line is, or two blanks."""
    found = re.search(r"\n([ \t]+)[^\s]", text)
    return found[1] if found else "  "


def _indent_before(text: str, at: int) -> str | None:
    """Return the blanks before `at` where it is the first on its line, else None."""
    line = text.rfind("\n", 0, at) + 1
    return text[line:at] if line and not text[line:at].strip(_BLANKS) else None


def _line_indent(text: str, at: int) -> str:
    """Return the blanks that the line of `at` begins with."""
    line = text.rfind("\n", 0, at) + 1
    return text[line : _skip(text, line)] if _skip(text, line) <= at else ""


def _skip(text: str, at: int) -> int:
    """Return where the blanks from `at` on end."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _in_words(exc: json.JSONDecodeError) -> str:
    """Say what is wrong as somebody who looks at the file sees it."""
    rest, before = exc.doc[exc.pos :].lstrip(), exc.doc[: exc.pos].rstrip()
    if rest.startswith(("//", "/*", "#")):
        return "a comment, which JSON does not have; remove it"
    if rest[:1] == ",":  # where Python 3.13 points to
        rest, before = rest[1:].lstrip(), ","
    if before.endswith(",") and rest[:1] in ("}", "]"):
        return "a comma with nothing behind it; remove the comma"
    if not rest or exc.msg.startswith("Unterminated"):
        return "the text ends in the middle; the file may have been cut off"
    if exc.msg.startswith("Extra data"):
        missing = "" if before.startswith("{") else "; the braces around the whole are missing"
        return f"something behind the end{missing}"
    return exc.msg


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _refused(text: str, name: str) -> BrokenJsonError:
    """Return the error for a NaN or Infinity, outside of all strings, which Claude refuses."""
    tokens = re.finditer(rf'"(?:[^"\\]|\\.)*"|(?P<name>{re.escape(name)})', text)
    at = next(token.start() for token in tokens if token["name"])
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return BrokenJsonError(f"line {line}, column {column}: {name} is no JSON; remove it")


_DECODER = json.JSONDecoder(parse_int=float, parse_constant=_refuse_constant)
