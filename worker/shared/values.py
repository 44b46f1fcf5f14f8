"""Values as clients and language models really send them, read into what they mean."""

import datetime as dt
import json
import math
import re
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from worker.shared.portable import Row, check_row
from worker.shared.refs import Ref, parse_ref

# Control characters but for tab, line feed and carriage return; halves of a pair.
_UNFIT = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def clean_text(value: object) -> object:
    """Make any string storable and encodable: no lone surrogates, no NUL, no outer blanks."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode().replace("\0", " ").strip()
    return value


def kept_text(value: object) -> object:
    """Return a text that is to be kept without its outer blanks; it must be fit to be stored."""
    if not isinstance(value, str):
        raise ValueError("must be a text")  # noqa: TRY004 - pydantic reports ValueErrors
    for place, character in enumerate(value):
        if _UNFIT.match(character):
            kind = "half a character" if character >= "\ud800" else "the control character"
            raise ValueError(
                f"holds {kind} U+{ord(character):04X} at position {place}; leave it out"
            )
    return value.strip()


def _kept_texts(value: object) -> object:
    """Read a list of texts as clients send it, each fit to be stored."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or any(not isinstance(text, str) for text in texts):
        raise ValueError("must be a list of texts")
    for text in texts:
        kept_text(text)
    return _names(value)


def _rows(value: object) -> object:
    """Check each row, and name by its number the first that cannot be stored."""
    if not isinstance(value, list | tuple):
        raise ValueError("must be a list of rows")  # noqa: TRY004
    rows = []
    for number, row in enumerate(value, start=1):
        try:
            rows.append(check_row(row))
        except ValueError as exc:
            raise ValueError(f"number {number}: {exc}") from None
    return tuple(rows)


def _empty_is_none(value: object) -> object:
    value = clean_text(value)
    return None if value in ("", "null", "None", "undefined") else value


def _number(value: object) -> object:
    """Accept 5, "5", 5.0 and "5.0", as language models send them."""
    value = clean_text(value)
    if isinstance(value, bool):
        raise ValueError("must be a whole number")  # noqa: TRY004 - pydantic reports ValueErrors
    if isinstance(value, str):
        text = value
        try:
            value = float(text) if "." in text else int(text)
        except ValueError:
            raise ValueError(f"must be a whole number, not {text[:40]!r}") from None
    if isinstance(value, float):
        if not math.isfinite(value) or not value.is_integer():
            raise ValueError("must be a whole number")
        value = int(value)
    return value


def _names(value: object) -> object:
    """Accept `a,b`, `["a","b"]`, a list, or one JSON list in a string."""
    if isinstance(value, str):
        text = str(clean_text(value))
        if text.startswith("["):
            try:
                return _names(json.loads(text))
            except ValueError:
                pass  # not a list after all: a name that begins with a bracket
        value = text.split(",")
    if isinstance(value, list | tuple):
        cleaned = (clean_text(v if isinstance(v, str) else str(v)) for v in value)
        return tuple(v for v in cleaned if v)
    return value


def _day_or_time(value: object) -> object:
    """Check an ISO date or time; what it means depends on which end of the range it is."""
    value = _empty_is_none(value)
    if isinstance(value, str):
        parse_when(value)
    return value


def parse_when(text: str, *, end: bool = False) -> int:
    """Return epoch milliseconds of an ISO date (local day, its last ms with `end`) or time."""
    text = text.strip()
    try:
        if len(text) <= 10:
            parts = text.split("-")
            if len(parts) == 2:  # a month
                first = dt.date(int(parts[0]), int(parts[1]), 1)
                after = (first + dt.timedelta(days=32)).replace(day=1)
            else:
                first = dt.date.fromisoformat(text)
                after = first + dt.timedelta(days=1)
            day = after if end else first
            local = dt.datetime(day.year, day.month, day.day).astimezone()
            return int(local.timestamp() * 1000) - (1 if end else 0)
        moment = dt.datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.astimezone()
        return int(moment.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise ValueError(
            f"{text[:40]!r} is not a date; write 2026-03-14 or 2026-03-14T09:30"
        ) from None


def _anchor(value: object) -> object:
    value = _empty_is_none(value)
    return None if value is None else parse_ref(value)


def _ids(value: object) -> object:
    """Read ids as clients send them: [1,2], ["1"], "1,2", "[1,2]", 5, "S3", "#P7"."""
    if isinstance(value, str):
        text = str(clean_text(value)).strip("[](){} ")
        value = [part.strip("\"'") for part in re.split(r"[\s,;]+", text)]
    elif not isinstance(value, list | tuple):
        value = [value]
    out = []
    for part in value:
        if isinstance(part, list | tuple):
            raise ValueError("must be a flat list of ids")  # noqa: TRY004
        if part != "" and part is not None:
            out.append(parse_ref(part))
    return tuple(dict.fromkeys(out))


Rows = Annotated[
    tuple[Row, ...],
    BeforeValidator(_rows),
    WithJsonSchema({"type": "array", "items": {"type": "object"}}),
]
KeptText = Annotated[str, BeforeValidator(kept_text)]
KeptTexts = Annotated[tuple[str, ...], BeforeValidator(_kept_texts)]
Text = Annotated[str, BeforeValidator(clean_text)]
Name = Annotated[str | None, BeforeValidator(_empty_is_none)]
Names = Annotated[tuple[str, ...], BeforeValidator(_names)]
When = Annotated[str | None, BeforeValidator(_day_or_time)]
Whole = Annotated[int, BeforeValidator(_number)]
Anchor = Annotated[
    Ref | None, BeforeValidator(_anchor), WithJsonSchema({"type": ["integer", "string"]})
]
Ids = Annotated[
    tuple[Ref, ...],
    BeforeValidator(_ids),
    WithJsonSchema({"type": "array", "items": {"type": ["integer", "string"]}}),
]
