"""What excludes and pauses say; no widget is needed to know it."""

import datetime as dt
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale

from worker.shared.capture import CaptureReply, KnownPlace, TestReply

NAMED = 8  # projects that are listed

translate = QCoreApplication.translate


def paused_line(state: CaptureReply | None, now: dt.datetime) -> str:
    """Return that capture is paused, and until when; "" where it is not."""
    if state is None or not state.paused:
        return ""
    if state.until is None:
        return translate("Excludes", "Capture is paused")
    end = dt.datetime.fromisoformat(state.until).astimezone()
    short = f"{end:%H:%M}" if end.date() == now.astimezone().date() else f"{end:%Y-%m-%d %H:%M}"
    return translate("Excludes", "Capture is paused until {time}").format(time=short)


def minutes_left(now: dt.datetime) -> int:
    """Return how many minutes this day has left, at least one."""
    local = now.astimezone()
    tomorrow = (local + dt.timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return max(1, round((tomorrow - local).total_seconds() / 60))


def tested_line(reply: TestReply) -> str:
    """Return what a pattern would keep out."""
    if not reply.known:
        return translate("Excludes", "No project is known yet; it holds for those to come.")
    if not reply.matches:
        return translate("Excludes", "It matches none of the {n} known projects.").format(
            n=_number(reply.known)
        )
    text = translate("Excludes", "It matches {found} of {n} known projects:")
    lines = [text.format(found=_number(len(reply.matches)), n=_number(reply.known))]
    return "\n".join([*lines, *places(reply.matches)])


def places(matches: Sequence[KnownPlace]) -> list[str]:
    """Return a line for each project: its name, how many memories it has, where it is."""
    lines = []
    for place in matches[:NAMED]:
        count = translate("Excludes", "{n} memories").format(n=_number(place.memories))
        lines.append("  ·  ".join(filter(None, (f"•  {place.project}", count, place.folder))))
    if (more := len(matches) - NAMED) > 0:
        lines.append(translate("Excludes", "… and {n} more").format(n=_number(more)))
    return lines


def stored_line(matches: Sequence[KnownPlace]) -> str:
    """Return what is stored of an excluded project; "" for nothing."""
    stored = [place for place in matches if place.memories]
    if not stored:
        return ""
    count = sum(place.memories for place in stored)
    names = ", ".join(place.project for place in stored[:NAMED])
    if len(stored) > NAMED:
        names += "…"
    return translate(
        "Excludes", "{n} memories of {names} are stored. They stay and are found."
    ).format(n=_number(count), names=names)


def _number(value: int) -> str:
    return QLocale().toString(value)
