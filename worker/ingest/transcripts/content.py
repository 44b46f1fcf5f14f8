"""The parts that records of any shape are made of: texts, blocks and times."""

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any


def blocks_of(content: object) -> list[dict[str, Any]]:
    """Return content as a list of blocks: it may be a text, a list of both, or nothing."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [
        {"type": "text", "text": block} if isinstance(block, str) else block
        for block in content
        if isinstance(block, str | dict)
    ]


def joined(blocks: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of blocks, a paragraph each."""
    texts = (text_at(block, "text") for block in blocks if block.get("type") == "text")
    return "\n\n".join(text.strip() for text in texts if text.strip())


def text_at(record: Mapping[str, Any], key: str) -> str:
    """Return a text of a record; "" for what is none."""
    value = record.get(key)
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def mappings(value: object) -> list[Mapping[str, Any]]:
    """Return the objects of a list; none of what is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def time_of(value: object) -> int:
    """Return milliseconds since the epoch; 0 for what is no time."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e14:
        return int(value if value > 1e11 else value * 1000)
    if not isinstance(value, str):
        return 0
    try:
        moment = dt.datetime.fromisoformat(value)
    except ValueError:
        return 0
    return int((moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp() * 1000)
