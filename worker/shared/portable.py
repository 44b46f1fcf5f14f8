"""What travels from one database to another: rows as they are stored, by their columns' names."""

import math
import re
from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]  # "table", the id of a record, and each column that is not empty

_SESSION = ("memory_session_id", "project")
_TIME = ("created_at", "created_at_epoch")
# In the order in which they travel: a record comes after its session.
TABLES: Mapping[str, tuple[str, ...]] = {
    "sdk_sessions": (
        "content_session_id", *_SESSION, "platform_source", "user_prompt", "started_at",
        "started_at_epoch", "completed_at", "completed_at_epoch", "status", "prompt_counter",
        "custom_title", "observed_model", "observed_billing",
    ),
    "observations": (
        *_SESSION, "text", "type", "title", "subtitle", "facts", "narrative", "concepts",
        "files_read", "files_modified", "prompt_number", *_TIME, "discovery_tokens",
        "content_hash", "generated_by_model", "relevance_count", "merged_into_project",
        "agent_type", "agent_id", "metadata",
    ),
    "session_summaries": (
        *_SESSION, "request", "investigated", "learned", "completed", "next_steps", "files_read",
        "files_edited", "notes", "prompt_number", *_TIME, "discovery_tokens",
        "merged_into_project",
    ),
    "user_prompts": (
        "content_session_id", "project", "platform_source", "prompt_number", "prompt_text", *_TIME,
    ),
}  # fmt: skip
_NEEDED = {
    "sdk_sessions": ("content_session_id",),
    "observations": ("id", "memory_session_id"),
    "session_summaries": ("id", "memory_session_id"),
    "user_prompts": ("id", "content_session_id"),
}
_HALF = re.compile("[\ud800-\udfff]")
MAX_ID = 2**53
MAX_ROW = 1024 * 1024  # bytes of its JSON


def check_row(row: object) -> Row:
    """Return the row without what we do not know; raise ValueError saying what is wrong."""
    if not isinstance(row, dict) or row.get("table") not in list(TABLES):  # it may be unhashable
        raise ValueError(f"a row must be an object whose table is one of {', '.join(TABLES)}")
    table = row["table"]
    kept = {name: row[name] for name in ("table", "id", *TABLES[table]) if name in row}
    for name in _NEEDED[table]:
        if kept.get(name) is None:
            raise ValueError(f"a row of {table} must have {name}")
    for name, value in kept.items():
        _check_value(name, value)
    return kept


def _check_value(name: str, value: object) -> None:
    if isinstance(value, str) and name != "id":
        if not value.isascii() and _HALF.search(value):
            raise ValueError(f"{name} holds half a character")
    elif name == "id":
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= MAX_ID:
            raise ValueError(f"id must be a whole number from 1 to {MAX_ID}")
    elif value is None:
        pass
    elif name.endswith("_session_id"):
        raise ValueError(f"{name} must be a text")
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} must be a text or a number")
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number")
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"{name} must be a number of 64 bits")
