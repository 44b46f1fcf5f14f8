"""The rows of the store as frozen dataclasses, one class for each kind of record."""

from collections.abc import Iterator
from dataclasses import dataclass

from worker.shared.refs import Kind, Ref


@dataclass(frozen=True, slots=True)
class Head:
    """What a row of a list needs: nothing that is long."""

    ref: Ref
    project: str
    type: str  # the observation's type; "session" or "prompt" for the others
    title: str
    created_at_epoch: int  # milliseconds


@dataclass(frozen=True, slots=True)
class Record:
    """One whole record. `fields` holds (column name, text or list) in reading order, no empties.

    For an observation: title, subtitle, narrative, text, facts, concepts, files_read,
    files_modified. For a session summary: request, investigated, learned, completed, next_steps,
    notes, files_read, files_edited. For a prompt: prompt_text.
    """

    ref: Ref
    project: str
    merged_into_project: str | None
    type: str
    created_at_epoch: int  # milliseconds
    session: str  # the memory session id; "" where the store has none
    prompt_number: int | None
    fields: tuple[tuple[str, str | tuple[str, ...]], ...]

    def get(self, name: str) -> str:
        """Return one field as text, lists joined by newlines; "" where it is empty."""
        for key, value in self.fields:
            if key == name:
                return value if isinstance(value, str) else "\n".join(value)
        return ""

    def items(self, name: str) -> tuple[str, ...]:
        """Return one list field; a text counts as a list of one."""
        for key, value in self.fields:
            if key == name:
                return (value,) if isinstance(value, str) else value
        return ()

    @property
    def title(self) -> str:
        """The line that stands for the record in a list, on one line, never empty."""
        return next(self._titles(), "(untitled)")

    def _titles(self) -> Iterator[str]:
        names = {
            Kind.OBSERVATION: ("title", "subtitle", "narrative", "text"),
            Kind.SESSION: ("request", "completed", "learned", "investigated", "notes"),
            Kind.PROMPT: ("prompt_text",),
        }[self.ref.kind]
        for name in names:
            text = " ".join(self.get(name).split())
            if text:
                yield text
