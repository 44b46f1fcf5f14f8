"""Whole records made in a line, as the store would return them."""

from worker.shared.refs import Kind, Ref
from worker.store.records import FIELDS, Record

MARCH = 1_772_323_200_000  # 2026-03-01T00:00:00Z
HOUR = 3_600_000

Value = str | tuple[str, ...]


def observation(id_: int, title: str = "", **given: object) -> Record:
    """Return an observation; what is no column of content is an attribute of the record."""
    return _record(Ref(Kind.OBSERVATION, id_), {"title": title} | given, type_="bugfix")


def session(id_: int, request: str = "", **given: object) -> Record:
    """Return a session summary."""
    return _record(Ref(Kind.SESSION, id_), {"request": request} | given, type_="session")


def prompt(id_: int, text: str = "", **given: object) -> Record:
    """Return a prompt."""
    return _record(Ref(Kind.PROMPT, id_), {"prompt_text": text} | given, type_="prompt")


def _record(ref: Ref, given: dict[str, object], *, type_: str) -> Record:
    merged = given.get("merged")
    epoch = given.get("epoch", MARCH + ref.id * HOUR)
    assert isinstance(epoch, int)
    return Record(
        ref=ref,
        project=str(given.get("project", "p")),
        merged_into_project=None if merged is None else str(merged),
        type=str(given.get("type", type_)),
        created_at_epoch=epoch,
        session="",
        prompt_number=None,
        fields=tuple((name, _value(given[name])) for name in FIELDS[ref.kind] if given.get(name)),
    )


def _value(value: object) -> Value:
    if isinstance(value, str):
        return value
    assert isinstance(value, list | tuple)
    return tuple(map(str, value))
