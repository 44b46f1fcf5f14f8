"""A conversation as rows of the memory database: prompts, observations, and one summary."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from worker.ingest.transcripts.kinds import concepts_of, type_of
from worker.ingest.transcripts.messages import MAX_PROMPT
from worker.ingest.transcripts.outcome import Outcome
from worker.ingest.transcripts.summary import summary_of
from worker.ingest.transcripts.turns import Conversation, Turn
from worker.ingest.transcripts.wording import first_line, narrative_of, shortened
from worker.ingest.transcripts.work import committed, work_of
from worker.shared.portable import Row
from worker.store.writing import IMPORTED, PLATFORM, content_hash, iso

_ANY_ID = 1  # the database gives the real one


def rows_of(conversation: Conversation, source: Path, *, settled: bool) -> Iterator[Row]:
    """Give the rows of a conversation, its session first.

    A last turn that has not ended is left for the next time unless `settled`.
    """
    turns = [turn for turn in conversation.turns if turn.ended or settled]
    if not turns or not conversation.started_at:
        return
    yield _session(conversation)
    outcomes = [Outcome(turn, work_of(turn, conversation.cwd)) for turn in turns]
    for number, outcome in enumerate(outcomes, 1):
        if outcome.turn.prompt.text:
            yield _prompt(conversation, outcome.turn, number)
        if outcome.is_worth_a_row:
            yield _observation(conversation, outcome, number, source)
    if not conversation.sidechain:
        yield _summary(conversation, outcomes)


def memory_session(session: str) -> str:
    """Return what an imported session is called in the memory database."""
    return f"{IMPORTED}{session}"


def _session(conversation: Conversation) -> Row:
    return {
        "table": "sdk_sessions",
        **_common(conversation),
        "content_session_id": conversation.session,
        "platform_source": PLATFORM,
        "user_prompt": shortened(conversation.turns[0].prompt.text, MAX_PROMPT),
        "custom_title": conversation.title or None,
        "started_at": iso(conversation.started_at),
        "started_at_epoch": conversation.started_at,
        "status": "completed",
    }


def _prompt(conversation: Conversation, turn: Turn, number: int) -> Row:
    at = turn.prompt.at or conversation.started_at
    return {
        "table": "user_prompts",
        "id": _ANY_ID,
        "content_session_id": conversation.session,
        "project": conversation.project,
        "platform_source": PLATFORM,
        "prompt_number": number,
        "prompt_text": shortened(turn.prompt.text, MAX_PROMPT),
        "created_at": iso(at),
        "created_at_epoch": at,
    }


def _observation(conversation: Conversation, outcome: Outcome, number: int, source: Path) -> Row:
    turn, work, title = outcome.turn, outcome.work, outcome.title
    narrative = narrative_of(turn.texts)
    ended = turn.ended_at or turn.prompt.at or conversation.started_at
    return {
        "table": "observations",
        "id": _ANY_ID,
        **_common(conversation),
        "type": type_of(outcome),
        "title": title,
        "subtitle": _asked(turn),
        "narrative": narrative,
        "facts": _listed(tuple(fact for fact in work.facts if fact != committed(work.committed))),
        "concepts": _listed(concepts_of(outcome)),
        "files_read": _listed(work.read[:50]),
        "files_modified": _listed(work.changed[:50]),
        "prompt_number": number,
        "content_hash": content_hash(memory_session(conversation.session), title, narrative),
        "metadata": json.dumps(
            {"source": str(source), "lines": [turn.prompt.line, turn.last_line],
             "uuid": turn.prompt.uuid, "branch": turn.prompt.branch},
            ensure_ascii=False,
        ),
        "created_at": iso(ended),
        "created_at_epoch": ended,
    }  # fmt: skip


def _asked(turn: Turn) -> str | None:
    return f"Asked: {shortened(first_line(turn.prompt.text), 160)}" if turn.prompt.text else None


def _summary(conversation: Conversation, outcomes: list[Outcome]) -> Row:
    works = [outcome.work for outcome in outcomes]
    ended = max(outcome.turn.ended_at for outcome in outcomes) or conversation.started_at
    return {
        "table": "session_summaries",
        "id": _ANY_ID,
        **_common(conversation),
        **summary_of(conversation, outcomes),
        "files_read": _listed(_each(path for work in works for path in work.read)),
        "files_edited": _listed(_each(path for work in works for path in work.changed)),
        "prompt_number": len(outcomes),
        "created_at": iso(ended),
        "created_at_epoch": ended,
    }


def _common(conversation: Conversation) -> Row:
    return {
        "memory_session_id": memory_session(conversation.session),
        "project": conversation.project,
    }


def _each(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))[:100]


def _listed(texts: tuple[str, ...]) -> str:
    return json.dumps(texts, ensure_ascii=False)
