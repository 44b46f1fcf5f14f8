"""The first screen in words: what was found, and honestly what that means; pure."""

import datetime as dt
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QLocale

from app.welcome.findings import Findings
from worker.shared.contract import StatsReply
from worker.shared.state import State

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was found, or not."""

    title: str
    text: str
    kind: str = ""


def lines(found: Findings) -> tuple[Line, Line, Line]:
    """Return what to say about memories, sessions and the worker."""
    return _memories(found), _sessions(found), _worker(found)


def _memories(found: Findings) -> Line:
    if found.stats is not None and (all_kinds := _count(found.stats)):
        title = translate("Welcome", "✓ Memories: {count}")
        count = QLocale().toString(all_kinds)
        return Line(title.format(count=count), _extent(found, found.stats), "good")
    if not found.exists:
        text = translate(
            "Welcome",
            "There is no {file}. The worker makes an empty one, which claude-mem can use later.",
        )
        title = translate("Welcome", "○ No memories of claude-mem here")
        return Line(title, _with_elsewhere(text.format(file=found.database), found))
    if found.stats is None:
        text = translate("Welcome", "They are in {file}, and are counted once the worker answers.")
        title = translate("Welcome", "… The database of claude-mem is here")
        return Line(title, text.format(file=found.database))
    text = translate(
        "Welcome",
        "{file} is empty, so a search finds nothing yet. claude-mem fills it while you work with "
        "Claude Code; you can also save memories yourself.",
    )
    title = translate("Welcome", "○ No memories yet")
    return Line(title, _with_elsewhere(text.format(file=found.database), found))


def _count(stats: StatsReply) -> int:
    """Return how many memories there are of all kinds, which is what a search can find."""
    return stats.observations + stats.sessions + stats.prompts


def _extent(found: Findings, stats: StatsReply) -> str:
    text = translate(
        "Welcome", "Projects: {projects}. From {oldest} to {newest}. They stay in {file}."
    )
    return text.format(
        projects=QLocale().toString(len(stats.projects)),
        oldest=_day(stats.oldest),
        newest=_day(stats.newest),
        file=found.database,
    )


def _with_elsewhere(text: str, found: Findings) -> str:
    return f"{text} {found.elsewhere}".strip()


def _sessions(found: Findings) -> Line:
    if not found.sessions:
        title = translate("Welcome", "○ No sessions of Claude Code")
        text = translate("Welcome", "There are none in {folder}.").format(folder=found.transcripts)
        return Line(title, text)
    title = translate("Welcome", "✓ Sessions of Claude Code: {count}")
    count = QLocale().toString(found.sessions)
    text = translate(
        "Welcome",
        "They are in {folder}. claude-mem makes memories while you work; of a session that it has "
        "not seen nothing is found until you import it, now or at any time from the menu.",
    )
    shown = text.format(folder=found.transcripts)
    return Line(title.format(count=count), shown, "good")


def _worker(found: Findings) -> Line:
    worker = found.worker
    cause = f"{worker.cause[:1].upper()}{worker.cause[1:]}." if worker.cause else ""
    match worker.state:
        case State.RUNNING | State.DEGRADED:
            title = translate("Welcome", "✓ The worker runs on port {port}")
            text = translate("Welcome", "It answers searches, on this machine alone.")
            return Line(title.format(port=worker.port), text, "good")
        case State.STARTING:
            title = translate("Welcome", "… The worker is starting on port {port}")
            return Line(title.format(port=worker.port), cause)
        case State.PORT_TAKEN:
            title = translate("Welcome", "✕ Port {port} is taken")
            text = translate("Welcome", "The menu of the icon starts the worker on another port.")
            return Line(title.format(port=worker.port), f"{cause} {text}".strip(), "error")
        case State.HANGING | State.STOPPED | State.NOT_RUNNING:
            title = translate("Welcome", "○ The worker does not run")
            if worker.state is State.HANGING:
                title = translate("Welcome", "✕ The worker does not answer")
            text = translate(
                "Welcome", "Without it nothing is found. The menu of the icon starts it."
            )
            return Line(title, f"{cause} {text}".strip())


def _day(iso: str | None) -> str:
    """Return a day as the search window shows it and filters take it."""
    if iso is None:
        return "–"
    return dt.datetime.fromisoformat(iso).astimezone().date().isoformat()
