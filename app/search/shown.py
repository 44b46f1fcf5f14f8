"""All that the search window shows, apart from its widgets: what follows from what."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QCoreApplication

from app.search.banner import Warned, warning_of
from app.search.facets import Value, values_of
from app.search.nothing import Nothing, not_answered, nothing_found, number
from app.search.request import Group, Left, Query
from app.search.searcher import Answer, Wider
from app.status import AppStatus

translate = QCoreApplication.translate


def is_back(before: AppStatus | None, now: AppStatus) -> bool:
    """Say whether the worker answers that did not before, or another one in its place."""
    return now.answers and not (before and before.answers and _who(before) == _who(now))


def _who(status: AppStatus) -> str:
    health = status.worker.health if status.worker else None
    return health.instance if health else ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A query, the last answer (perhaps to the query before), and how the worker is."""

    query: Query = field(default_factory=Query)
    answer: Answer | None = None
    wider: Mapping[Left, Wider] = field(default_factory=dict)
    status: AppStatus | None = None
    failure: str = ""  # why the query was not answered
    pending: bool = False
    whole: frozenset[tuple[str, str]] = frozenset()  # parts, when the query was asked
    sessions: int = 0  # of Claude Code, that could be imported

    def asking(self, query: Query) -> "Shown":
        whole = self.status.whole if self.status else frozenset[tuple[str, str]]()
        return replace(self, query=query, pending=True, whole=whole)

    def answered(self, answer: Answer) -> "Shown":
        return replace(self, answer=answer, wider={}, failure="", pending=False)

    def widened(self, wider: Wider) -> "Shown":
        return replace(self, wider={**self.wider, wider.left: wider})

    def failed(self, failure: str) -> "Shown":
        return replace(self, failure=failure, pending=False)

    def is_to_be_asked_again(self, now: AppStatus) -> bool:
        """Say whether the worker could not answer, or not with all its parts, and now can."""
        if self.failure:
            return is_back(self.status, now)
        if self.pending or self.answer is None:
            return False
        missed = {each.part for each in self.answer.reply.degraded}
        return any(part in missed for _, part in now.whole - self.whole)

    @property
    def warning(self) -> Warned | None:
        return warning_of(self.status, self.failure)

    @property
    def facets(self) -> dict[Group, list[Value]] | None:
        """Return the facets; None while those of the query have not come."""
        if self.answer is None:
            return None
        wider = {left: each.facets for left, each in self.wider.items() if isinstance(left, Group)}
        return values_of(self.answer.query, self.answer.reply.facets, wider)

    @property
    def nothing(self) -> Nothing | None:
        """Return what stands in place of the hits; None where there are some."""
        if self.answer is None:
            return not_answered(self.failure) if self.failure else None
        if self.answer.total:
            return None
        return nothing_found(self.answer, self.wider, self.status, self.sessions)

    @property
    def summary(self) -> str:
        """Return the status line: how many hits, how quickly, and what the worker remarked."""
        if self.pending:
            return translate("Summary", "Searching…")
        if self.answer is None:
            return ""
        template = translate("Summary", "{n} found in {ms} ms")
        if self.answer.query.is_empty:
            template = translate("Summary", "{n} memories, newest first")
        line = template.format(n=number(self.answer.total), ms=self.answer.milliseconds)
        reply = self.answer.reply
        notes = [*reply.notes, *(degraded.reason for degraded in reply.degraded)]
        return " · ".join([line, *(" ".join(note.split()) for note in dict.fromkeys(notes))])
