"""Exports as claude.ai gives them, made for a test."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ANSWER = "The pool was exhausted because every retry kept one more connection open for good."


def said(name: str, sender: str, text: str, after: str = "", minute: int = 0) -> dict[str, Any]:
    """A message of text."""
    moment = f"2026-03-01T10:{minute:02}:00.000000Z"
    return {
        "uuid": name,
        "sender": sender,
        "text": text,
        "content": [{"type": "text", "text": text}],
        "created_at": moment,
        "attachments": [],
        "parent_message_uuid": after,
    }


def talk(name: str, *messages: Mapping[str, Any], title: str = "A talk") -> dict[str, Any]:
    """A conversation."""
    return {
        "uuid": name,
        "name": title,
        "summary": "",
        "created_at": "2026-03-01T10:00:00.000000Z",
        "updated_at": "2026-03-01T11:00:00.000000Z",
        "chat_messages": list(messages),
    }


def pool() -> dict[str, Any]:
    """A conversation of one question and its answer."""
    return talk(
        "c1",
        said("m1", "human", "Why does the pool run dry at night?"),
        said("m2", "assistant", ANSWER, "m1", 1),
        title="Dry pool",
    )


def zipped(path: Path, files: Mapping[str, Any]) -> Path:
    """Write a ZIP of JSON files; bytes are written as they are."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


def written(path: Path, elements: Sequence[Any]) -> Path:
    """Write a bare JSON file, in one line as claude.ai does."""
    path.write_text(json.dumps(elements), encoding="utf-8")
    return path
