"""Marks by which rows are known again, and from which nothing can be read."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from worker.store.layout import former_name
from worker.store.writing import OBSERVATIONS, PROMPTS, SESSIONS, SUMMARIES, UNDATED

# What makes two rows of the same time and session the same.
CONTENT = {
    OBSERVATIONS: (
        "type", "title", "subtitle", "narrative", "text", "facts", "concepts", "files_read",
        "files_modified",
    ),
    SUMMARIES: (
        "request", "investigated", "learned", "completed", "next_steps", "notes", "files_read",
        "files_edited",
    ),
    PROMPTS: ("prompt_number", "prompt_text"),
}  # fmt: skip
# By what a row is known again when it comes back by an import.
_WORDS = {
    OBSERVATIONS: ("title", "narrative", "text"),
    SUMMARIES: ("request", "completed", "learned"),
    PROMPTS: ("prompt_text",),
}
_NAMES = {SESSIONS: ("content_session_id", "memory_session_id")}


def mark_of(table: str, row: Mapping[str, Any]) -> bytes | None:
    """Return 16 bytes by which a row is known again, whatever its session.

    None for rows that are known otherwise, such as sessions.
    """
    if table not in _WORDS or row.get("created_at_epoch") is None:
        return None
    undated = str(row.get("memory_session_id")).startswith(UNDATED)
    names = (name for name in _WORDS[table] if not (undated and name == "title"))
    words = (str(row.get(name) or "") for name in names)
    return _digest((table, "" if undated else str(row["created_at_epoch"]), *words))


def is_marked(table: str) -> bool:
    """Say whether rows of a table have a content mark."""
    return table in CONTENT or table in _NAMES


def content_mark(table: str, row: Mapping[str, Any]) -> bytes:
    """Return 16 bytes that change when somebody changes what a stored row tells."""
    names = _NAMES.get(table) or ("created_at_epoch", *CONTENT[table])
    return _digest((table, *(str(_value(row, name)) for name in names)))


def _value(row: Mapping[str, Any], name: str) -> object:
    """Return a value by its present name, or the one that it has in an older file."""
    return row.get(name, row.get(former_name(name) or ""))


def _digest(words: Iterable[str]) -> bytes:
    text = "\0".join(words)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
