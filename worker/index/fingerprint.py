"""What of a record is embedded, and eight bytes that change when it does."""

import hashlib

from worker.shared.refs import Kind
from worker.store.records import Record

EMBEDDED_WORDS = 200  # measured in docs/SEARCH.md

_EMBEDDED = {
    Kind.OBSERVATION: ("title", "subtitle", "narrative", "text", "facts"),
    Kind.SESSION: ("request", "completed", "learned", "investigated", "next_steps", "notes"),
    Kind.PROMPT: ("prompt_text",),
}


def embedded_text(record: Record) -> str:
    """Return what stands for the record in the meaning leg: its first words, title first.

    A title that is only the beginning of the text says nothing more, and is left out.
    """
    parts = [part for name in _EMBEDDED[record.ref.kind] if (part := record.get(name))]
    told = [p for i, p in enumerate(parts) if not any(q.startswith(p) for q in parts[i + 1 :])]
    text = "\n".join(told)
    words = text.split(" ", EMBEDDED_WORDS)
    return " ".join(words[:EMBEDDED_WORDS])[: EMBEDDED_WORDS * 12]


def text_fingerprint(text: str) -> bytes:
    """Return 8 bytes that stand for an embedded text."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
