"""The summary of a session, out of what its turns came to."""

import re

from worker.ingest.transcripts.outcome import Outcome
from worker.ingest.transcripts.tools import PLANNING
from worker.ingest.transcripts.turns import Conversation, Turn
from worker.ingest.transcripts.wording import first_line, plain, shortened

_NEXT = re.compile(
    r"^#{1,4}\s*(?:next steps?|todo|remaining(?: work)?|what's next|下一步|次のステップ)[^\n]*\n"
    r"(.*?)(?=^#{1,4}\s|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


def summary_of(conversation: Conversation, outcomes: list[Outcome]) -> dict[str, str | None]:
    """Return the texts of a summary, by their columns; None for what there is nothing of."""
    told = [outcome for outcome in outcomes if outcome.turn.texts]
    done = [o.title for o in told if o.work.changed or o.work.facts]
    learned = [o.title for o in told if not (o.work.changed or o.work.facts)]
    read = dict.fromkeys(path for outcome in outcomes for path in outcome.work.read)
    compacted = conversation.compacted[-1].text if conversation.compacted else ""
    return {
        "request": shortened(conversation.title or _first_question(outcomes), 300),
        "investigated": shortened(", ".join(read), 1_000) or None,
        "learned": bullets(learned) or None,
        "completed": bullets(done) or None,
        "next_steps": _next_steps(outcomes[-1].turn) or None,
        "notes": shortened(compacted, 6_000) or None,
    }


def _first_question(outcomes: list[Outcome]) -> str:
    prompts = (outcome.turn.prompt.text for outcome in outcomes)
    return first_line(next((prompt for prompt in prompts if prompt), ""))


def _next_steps(turn: Turn) -> str:
    """Return what the last answer leaves to do, else what its list of tasks leaves."""
    for text in reversed(turn.texts):
        if left := next_steps_in(text):
            return left
    for use in reversed(turn.uses):
        todos = use.given.get("todos") if use.name == PLANNING else None
        if isinstance(todos, list):
            return bullets([text for todo in todos if (text := _open_text(todo))])
    return ""


def _open_text(todo: object) -> str:
    if not isinstance(todo, dict) or todo.get("status") == "completed":
        return ""
    text = todo.get("content")
    return text if isinstance(text, str) else ""


def next_steps_in(text: str) -> str:
    """Return what an answer leaves to do below a heading that says so; "" for nothing."""
    found = _NEXT.search(text)
    return shortened(found[1].strip(), 1_500) if found else ""


def bullets(lines: list[str]) -> str:
    """Return each line once, as a list."""
    return shortened("\n".join(f"- {plain(line)}" for line in dict.fromkeys(lines)), 3_000)
