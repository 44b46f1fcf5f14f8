"""How a part is, in words, figures and a shape."""

from PySide6.QtCore import QCoreApplication, QLocale

from app.health.findings import Findings, Verdict
from app.health.remedies import Remedy
from app.parts import part_name
from app.theme import Colours
from worker.shared.readiness import PartReport, PartState
from worker.shared.upkeep import ReindexReply, RepairReply

translate = QCoreApplication.translate

SHAPES = {
    PartState.OK: "✔",
    PartState.BUILDING: "◐",
    PartState.DEGRADED: "▲",
    PartState.DOWN: "✖",
    PartState.OFF: "○",
}


def state_word(state: PartState) -> str:
    """Return a state for a person."""
    return {
        PartState.OK: translate("Health", "works"),
        PartState.BUILDING: translate("Health", "being built"),
        PartState.DEGRADED: translate("Health", "limited"),
        PartState.DOWN: translate("Health", "down"),
        PartState.OFF: translate("Health", "not in use"),
    }[state]


def colour_of(state: PartState, colours: Colours) -> str:
    """Return the colour that goes with the word and the shape."""
    return {
        PartState.OK: colours.good,
        PartState.BUILDING: colours.busy,
        PartState.DEGRADED: colours.warning,
        PartState.DOWN: colours.error,
        PartState.OFF: colours.muted,
    }[state]


def about(part: str) -> str:
    """Return what a part is for; "" for one that is not known here."""
    return {
        "worker": translate("Health", "answers the app and Claude"),
        "store": translate("Health", "the database of claude-mem"),
        "keyword": translate("Health", "finds words"),
        "vectors": translate("Health", "what memories mean, kept in a file"),
        "chroma": translate("Health", "finds what is near in meaning"),
        "model": translate("Health", "turns text into vectors"),
        "canary": translate("Health", "looks for memories that must be found"),
        "port": translate("Health", "where the worker listens"),
        "clients": translate("Health", "the entries in Claude's config files"),
        "mcp": translate("Health", "what Claude asks through"),
        "recalls": translate("Health", "what Claude asked for and saw"),
        "paths": translate("Health", "rights, and room on the disk"),
        "backup": translate("Health", "a copy of all memories each day"),
    }.get(part, "")


def figures(report: PartReport, elapsed: float) -> str:
    """Return counts and age in one line; `elapsed` are the seconds since the report came."""
    return " · ".join(text for text in (_count(report), age(report, elapsed)) if text)


def age(report: PartReport, elapsed: float) -> str:
    """Return when the part was looked at."""
    seconds = int((report.age_seconds or 0.0) + elapsed)
    if seconds < 2:
        return translate("Health", "looked at just now")
    if seconds < 120:
        return translate("Health", "looked at %n s ago", "", seconds)
    if seconds < 7200:
        return translate("Health", "looked at %n min ago", "", seconds // 60)
    return translate("Health", "looked at %n h ago", "", seconds // 3600)


def headline(found: Findings) -> tuple[str, PartState]:
    """Return what to say first, and the state whose shape and colour go with it."""
    match found.verdict:
        case Verdict.WORKS:
            return translate("Health", "Everything was seen to work"), PartState.OK
        case Verdict.FAULTY:
            worst = PartState.DOWN if _any_down(found) else PartState.DEGRADED
            return _attention(len(found.faulty)), worst
        case Verdict.BUILDING:
            return translate("Health", "Indexes are being built; search works"), PartState.BUILDING
        case Verdict.ABSENT:
            return translate("Health", "The worker does not run"), PartState.OFF
        case Verdict.UNPROVED:
            return translate("Health", "No fault is known; not tried yet"), PartState.BUILDING
        case Verdict.UNKNOWN:
            return translate("Health", "Looking…"), PartState.BUILDING


def button_text(remedy: Remedy) -> str:
    """Return what stands on the button."""
    return {
        Remedy.START: translate("Health", "Start worker"),
        Remedy.RESTART: translate("Health", "Restart worker"),
        Remedy.REPAIR: translate("Health", "Check and repair"),
        Remedy.KEYWORD: translate("Health", "Rebuild index"),
        Remedy.VECTORS: translate("Health", "Rebuild vectors"),
        Remedy.CHROMA: translate("Health", "Rebuild index"),
        Remedy.CLIENTS: translate("Health", "Connect…"),
        Remedy.FOLDER: translate("Health", "Open folder"),
        Remedy.LOGS: translate("Health", "Open logs"),
    }[remedy]


def repaired(reply: RepairReply) -> str:
    """Return what a repair did, a line for each part."""
    if not reply.mended:
        return translate("Health", "All parts were checked. Nothing had to be mended.")
    return "\n".join(f"{part_name(each.part)}: {each.did}" for each in reply.mended)


def begun(reply: ReindexReply) -> str:
    """Return which indexes are being made anew."""
    names = ", ".join(part_name(index) for index in reply.begun)
    first = [translate("Health", "Being made anew: {names}. Search goes on.").format(names=names)]
    return "\n".join((first if reply.begun else []) + reply.notes)


def _count(report: PartReport) -> str:
    if report.done is None:
        return ""
    locale = QLocale()
    done = locale.toString(report.done)
    if report.total is None or report.total == report.done:
        return done
    return translate("Health", "{done} of {total}").format(
        done=done, total=locale.toString(report.total)
    )


def _attention(count: int) -> str:
    if count == 1:
        return translate("Health", "One part needs attention")
    return translate("Health", "%n parts need attention", "", count)


def _any_down(found: Findings) -> bool:
    return any(part.state is PartState.DOWN for part in found.parts)
