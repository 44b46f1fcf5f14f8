"""What odd rows hold, made regular: texts, JSON lists and times, none of which ever raise."""

import datetime as dt
import json
import math
import re
import sqlite3
from collections.abc import Iterator
from functools import lru_cache

from worker.store.filters import file_matches

# Epochs inside this range are milliseconds (1973 to 5138); a smaller one counts seconds, a
# larger one microseconds or finer.
EPOCH_MIN, EPOCH_MAX = 10**11, 10**14

_JSON = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)


def as_text(value: object) -> str:
    """Return any SQLite value as text that can be encoded; "" for NULL."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def as_list(value: object) -> tuple[str, ...]:
    """Return the texts of a JSON list, nested ones flattened; what is no JSON is one text."""
    text = as_text(value).strip()
    try:
        return tuple(_leaves(_JSON.decode(text)))
    except (ValueError, RecursionError):
        return (text,) if text else ()


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        text = value.encode("utf-8", "replace").decode().strip()  # "\ud800" is valid JSON
        if text:
            yield text
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _leaves(part)
    elif value is not None:
        yield str(value).lower()


def as_ms(epoch: object, created_at: object) -> int:
    """Return epoch milliseconds from `epoch` in any unit, else from the ISO text, else 0."""
    number = _number(epoch)
    if number <= 0:
        return _iso_ms(as_text(created_at))
    if number < EPOCH_MIN:
        number *= 1000
    while number >= EPOCH_MAX:
        number /= 1000
    return int(number)


def _number(value: object) -> float:
    try:
        number = value if isinstance(value, int | float) else float(as_text(value))
    except ValueError:
        return 0
    return number if math.isfinite(number) else 0


def _iso_ms(text: str) -> int:
    try:
        moment = dt.datetime.fromisoformat(text.strip())
    except ValueError:
        return 0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)  # as claude-mem and SQLite write it
    return max(0, round(moment.timestamp() * 1000))


def register(connection: sqlite3.Connection) -> None:
    """Add our SQL functions. They take texts as BLOBs, for SQLite passes on only valid UTF-8."""
    for name, arguments, function in (
        ("memtray_ms", 2, as_ms),
        ("memtray_list", 1, lambda value: "\n".join(as_list(value))),
        ("memtray_any_of", 2, _any_of),
        ("memtray_any_file", 2, _any_file),
    ):
        connection.create_function(name, arguments, function, deterministic=True)


@lru_cache(maxsize=64)
def _wanted(texts: str) -> tuple[str, ...]:
    return as_list(texts)


@lru_cache(maxsize=64)
def _last_parts(files: str) -> tuple[str, ...]:
    return tuple(re.split(r"[/\\]", file.strip("/\\").casefold())[-1] for file in as_list(files))


def _may_hold(text: str, needles: tuple[str, ...]) -> bool:
    """Spare most rows the decoding: only a backslash can make JSON differ from what it says."""
    return "\\" in text or any(needle in text for needle in needles)


def _any_of(column: bytes | None, wanted: str) -> bool:
    texts = _wanted(wanted)
    return _may_hold(as_text(column), texts) and any(text in texts for text in as_list(column))


def _any_file(column: bytes | None, wanted: str) -> bool:
    return _may_hold(as_text(column).casefold(), _last_parts(wanted)) and any(
        file_matches(path, want) for path in as_list(column) for want in _wanted(wanted)
    )
