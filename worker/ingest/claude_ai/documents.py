"""What claude.ai keeps beside conversations: documents of projects, and what Claude remembers."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from worker.ingest.claude_ai.conversation import PROJECT
from worker.ingest.transcripts.content import mappings, text_at, time_of
from worker.ingest.transcripts.memories import memory_session
from worker.ingest.transcripts.wording import first_line, shortened
from worker.shared.portable import Row
from worker.store.writing import PLATFORM, content_hash, iso

MAX_PART = 16_000  # characters; a longer document becomes several rows
_MAX_TITLE = 110


def project_rows(project: Mapping[str, Any], at: int) -> Sequence[Row]:
    """Return the instructions and documents of a project; `at` where it tells no time."""
    name = text_at(project, "name").strip() or PROJECT
    at = time_of(project.get("created_at")) or at
    texts = [
        (f"Instructions of the project {name}", text_at(project, "prompt_template"), at),
        (f"About the project {name}", text_at(project, "description"), at),
    ]
    for document in mappings(project.get("docs")):
        title = text_at(document, "filename") or f"Document of {name}"
        texts.append((title, text_at(document, "content"), time_of(document.get("created_at"))))
    return _rows(f"project-{text_at(project, 'uuid')}", name, texts, at)


def memory_rows(
    memories: Mapping[str, Any], names: Mapping[str, str], at: int
) -> Iterator[Sequence[Row]]:
    """Give what Claude remembers of a person and of each project, by its name where it is known."""
    account = text_at(memories, "account_uuid")
    general = [("What Claude remembers", text_at(memories, "conversations_memory"), at)]
    for file in mappings(memories.get("memory_files")):
        path = text_at(file, "path") or "memory"
        general.append((f"What Claude remembers: {path}", text_at(file, "content"), at))
    yield _rows(f"memory-{account}", PROJECT, general, at)
    of_projects = memories.get("project_memories")
    for id_, text in of_projects.items() if isinstance(of_projects, dict) else ():
        name = names.get(id_, PROJECT)
        said = text if isinstance(text, str) else ""
        yield _rows(f"memory-{id_}", name, [(f"What Claude remembers of {name}", said, at)], at)


def _rows(what: str, project: str, texts: Sequence[tuple[str, str, int]], at: int) -> Sequence[Row]:
    session = f"claude-ai-{what}"
    rows = [
        _observation(session, project, title, part, moment or at)
        for whole, text, moment in texts
        for title, part in _parts(whole, text.strip())
    ]
    return [_session(session, project, at), *rows] if rows else []


def _parts(title: str, text: str) -> Iterator[tuple[str, str]]:
    pieces = [text[begin : begin + MAX_PART] for begin in range(0, len(text), MAX_PART)]
    for number, piece in enumerate(pieces, 1):
        of_several = f" ({number} of {len(pieces)})" if len(pieces) > 1 else ""
        yield shortened(title, _MAX_TITLE) + of_several, piece


def _session(session: str, project: str, at: int) -> Row:
    return {
        "table": "sdk_sessions",
        "memory_session_id": memory_session(session),
        "content_session_id": session,
        "project": project,
        "platform_source": PLATFORM,
        "started_at": iso(at),
        "started_at_epoch": at,
        "status": "completed",
    }


def _observation(session: str, project: str, title: str, text: str, at: int) -> Row:
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return {
        "table": "observations",
        "id": 1,  # the database gives the real one
        "memory_session_id": memory_session(session),
        "project": project,
        "type": "discovery",
        "title": title,
        "subtitle": shortened(first_line(text), 160),
        "narrative": text,
        "concepts": json.dumps(["how-it-works"]),
        "content_hash": content_hash(memory_session(session), title, text),
        "metadata": json.dumps({"source": "claude.ai", "sha256": digest}),
        "created_at": iso(at),
        "created_at_epoch": at,
    }
