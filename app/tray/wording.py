"""What the icon and its menu say about a status; no widget is needed to know it."""

import datetime as dt
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from app.status import AppStatus, Impairment
from worker.shared.recalls_contract import RecallsReply

translate = QCoreApplication.translate

TITLE_CHARACTERS = 60  # of a memory, in a menu


def tooltip(status: AppStatus, paused: str = "") -> str:
    """Return "Memtray – state" and, on lines of their own, a detail and that capture is paused."""
    first = translate("Tray", "Memtray – {state}").format(state=_small(status.headline))
    return "\n".join(filter(None, (first, status.detail, paused)))


def status_line(status: AppStatus) -> str:
    """Return the state and its detail in one line of a menu."""
    line = f"{status.headline} – {status.detail}" if status.detail else status.headline
    return in_menu(line, characters=2 * TITLE_CHARACTERS)


def cause_line(impairment: Impairment) -> str:
    """Return what is wrong with one part."""
    text = translate("Tray", "{part}: {cause}").format(
        part=impairment.label, cause=impairment.cause
    )
    return in_menu(text, characters=2 * TITLE_CHARACTERS)


def recalls_of(reply: RecallsReply, day: dt.date) -> Iterator[str]:
    """Yield a line for each call of that day: when, and what was asked."""
    for recall in reply.recalls:
        at = dt.datetime.fromisoformat(recall.at)
        if at.date() == day:
            yield in_menu(f"{at:%H:%M} {recall.asked or recall.tool}")


def quit_line(status: AppStatus) -> str:
    """Return what the last line of the menu does."""
    if status.can_stop and not status.quit_stops_worker:
        return translate("Tray", "&Quit Memtray (worker keeps running)")
    return translate("Tray", "&Quit")


def in_menu(text: str, *, characters: int = TITLE_CHARACTERS) -> str:
    """Return foreign text as one line that a menu shows as it is, cut where it is too long."""
    line = " ".join(text.split())
    if len(line) > characters:
        line = line[: characters - 1].rstrip() + "…"
    return line.replace("&", "&&")


def _small(headline: str) -> str:
    return headline[:1].lower() + headline[1:]
