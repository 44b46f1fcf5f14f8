"""Why nothing was found, with numbers, and what to do about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication, QLocale

from app.search.request import Beyond, Group, Left, Query
from app.search.searcher import Answer, Wider
from app.status import AppStatus
from worker.shared.contract import Mode
from worker.shared.readiness import PartReport, PartState

translate = QCoreApplication.translate

_INDEXES = ("keyword", "vectors")
_MEANING = ("vectors", "chroma", "model")


class Does(StrEnum):
    """What a step does."""

    REMOVE = "remove"  # filters
    BOTH_LEGS = "both"
    HEALTH = "health"
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Step:
    """A button."""

    does: Does
    text: str
    left: Left | None = None  # what to remove
    part: str = ""


@dataclass(frozen=True, slots=True)
class Nothing:
    """What an empty list shows."""

    title: str
    lines: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


def nothing_found(
    answer: Answer, wider: Mapping[Left, Wider], status: AppStatus | None, sessions: int = 0
) -> Nothing:
    """Return the reasons that are known, the likeliest first; `sessions` could be imported."""
    query = answer.query
    all_of_them = wider.get(Beyond.WORDS)
    everything = answer.total if query.is_empty else all_of_them.total if all_of_them else None
    parts = status.worker.ready.parts if status and status.worker and status.worker.ready else []
    if everything == 0:
        title = translate("Nothing", "Nothing is stored yet.")
        hint = translate(
            "Nothing", "Memories appear here once claude-mem has recorded a session with Claude."
        )
        return Nothing(title, (hint, *_behind(parts)), (_import(sessions),))
    steps = [*_removals(query, wider), *_other_legs(query), *_to_health(parts)]
    lines = [*answer.reply.notes, *_behind(parts), *_meaning_off(parts)]
    if everything is not None:
        searched = translate("Nothing", "{n} memories were searched.").format(n=number(everything))
        lines.insert(0, searched)
    if not steps:
        lines.append(translate("Nothing", "Try fewer or other words."))
    return Nothing(
        translate("Nothing", "Nothing was found."), tuple(dict.fromkeys(lines)), tuple(steps)
    )


def not_answered(detail: str) -> Nothing:
    """Return what is shown where nothing was on the screen and the worker has not answered."""
    return Nothing(translate("Nothing", "The search was not answered."), (detail,))


def number(value: int) -> str:
    """Return a number as the user's language writes it."""
    return QLocale().toString(value)


def _import(sessions: int) -> Step:
    if not sessions:
        text = translate("Nothing", "Import an export of claude.ai, or other files…")
    elif sessions == 1:
        text = translate("Nothing", "Import what Claude Code has kept (1 session)…")
    else:
        text = translate("Nothing", "Import what Claude Code has kept ({n} sessions)…")
    return Step(Does.IMPORT, text.format(n=number(sessions)))


def _removals(query: Query, wider: Mapping[Left, Wider]) -> Iterator[Step]:
    """Offer to remove a facet's filters where that helps, the most helpful first; else all."""
    helpful = sorted((each for each in wider.values() if each.total), key=lambda one: -one.total)
    facets = [each for each in helpful if isinstance(each.left, Group)]
    for each in facets or [one for one in helpful if one.left is Beyond.FILTERS]:
        chips = query.of_group(each.left) if isinstance(each.left, Group) else query.chips
        one = translate("Nothing", "Remove the filter {filters} ({n} found without it)")
        several = translate("Nothing", "Remove the filters {filters} ({n} found without them)")
        text = (one if len(chips) == 1 else several).format(
            filters=" ".join(chip.text for chip in chips), n=number(each.total)
        )
        yield Step(Does.REMOVE, text, left=each.left)


def _other_legs(query: Query) -> Iterator[Step]:
    if query.words and query.mode is Mode.KEYWORD:
        yield Step(Does.BOTH_LEGS, translate("Nothing", "Search by meaning too"))
    elif query.words and query.mode is Mode.MEANING:
        yield Step(Does.BOTH_LEGS, translate("Nothing", "Search by words too"))


def _to_health(parts: list[PartReport]) -> Iterator[Step]:
    for part in parts:
        if part.part in (*_INDEXES, *_MEANING) and _is_ill(part):
            yield Step(
                Does.HEALTH, translate("Nothing", "What is wrong with search…"), part=part.part
            )
            return


def _behind(parts: list[PartReport]) -> Iterator[str]:
    names = {
        "keyword": translate(
            "Nothing", "The keyword index is not complete: {done} of {total} memories are in it."
        ),
        "vectors": translate(
            "Nothing", "Search by meaning is not complete: it knows {done} of {total} memories."
        ),
    }
    for part in parts:
        if part.part in names and part.done is not None and part.done < (part.total or 0):
            yield names[part.part].format(done=number(part.done), total=number(part.total or 0))


def _meaning_off(parts: list[PartReport]) -> Iterator[str]:
    for part in parts:
        if part.part in _MEANING and part.state is PartState.OFF and part.part != "chroma":
            yield translate("Nothing", "Search by meaning is off: only words are looked for.")
            return
    for part in parts:
        if part.part in _MEANING and _is_ill(part):
            yield translate("Nothing", "Search by meaning is impaired: {cause}").format(
                cause=part.cause
            )
            return


def _is_ill(part: PartReport) -> bool:
    return part.state in (PartState.DEGRADED, PartState.DOWN)
