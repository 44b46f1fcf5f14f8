"""The rows of the store as frozen dataclasses, one class for each kind of record."""

from dataclasses import dataclass

from worker.shared.refs import Kind, Ref

# The content columns of each kind, in reading order.
FIELDS = {
    Kind.OBSERVATION: (
        "title", "subtitle", "narrative", "text", "facts", "concepts", "files_read",
        "files_modified",
    ),
    Kind.SESSION: (
        "request", "investigated", "learned", "completed", "next_steps", "notes", "files_read",
        "files_edited",
    ),
    Kind.PROMPT: ("prompt_text",),
}  # fmt: skip
LIST_FIELDS = frozenset({"facts", "concepts", "files_read", "files_modified", "files_edited"})
FILE_FIELDS = frozenset({"files_read", "files_modified", "files_edited"})
# The first of these that is not blank stands for the record in a list.
TITLE_FIELDS = {
    Kind.OBSERVATION: ("title", "subtitle", "narrative", "text"),
    Kind.SESSION: ("request", "completed", "learned", "investigated", "notes"),
    Kind.PROMPT: ("prompt_text",),
}
UNTITLED = "(untitled)"


def one_line(text: str) -> str:
    """Return the text with every run of white space as one blank."""
    return " ".join(text.split())


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
    """One whole record. `fields` holds (column name, text or list) as FIELDS says, no empties."""

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
        texts = (one_line(self.get(name)) for name in TITLE_FIELDS[self.ref.kind])
        return next(filter(None, texts), UNTITLED)
