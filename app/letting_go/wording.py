"""What deleting says, before and after; no widget is needed to know it."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale

from worker.shared.contract import Item
from worker.shared.trash_contract import DeleteReply

NAMED = 5  # memories whose titles are shown before they go
_TITLE_CHARACTERS = 90
_SESSIONS = "sdk_sessions"  # of the tables, the only one that is no memory

translate = QCoreApplication.translate


def question(count: int) -> str:
    """Return what is asked."""
    if count == 1:
        return translate("LettingGo", "Delete this memory?")
    return translate("LettingGo", "Delete these {n} memories?").format(n=_number(count))


def names(items: Sequence[Item]) -> str:
    """Return the titles of what will go, a line each, at most NAMED of them."""
    lines = [f"•  {_short(item.title)}  ·  {item.project}" for item in items[:NAMED]]
    if more := len(items) - NAMED:
        lines += [translate("LettingGo", "… and {n} more").format(n=_number(more))] * (more > 0)
    return "\n".join(lines)


def deleted_line(reply: DeleteReply) -> str:
    """Return what went, and how many of them a search still finds."""
    count = sum(n for table, n in reply.deleted.items() if table != _SESSIONS) - reply.summaries
    text = translate("LettingGo", "Deleted {n} memories. {left} left.")
    if count == 1:
        text = translate("LettingGo", "Deleted {n} memory. {left} left.")
    told = text.format(n=_number(count), left=_number(reply.left))
    if not reply.summaries:
        return told
    also = translate("LettingGo", "Summaries that told of it went, too: {n}.")
    return f"{told} {also.format(n=_number(reply.summaries))}"


def restored_line(count: int) -> str:
    """Return what is said once they are back."""
    text = translate("LettingGo", "Undone: {n} memories are back.")
    if count == 1:
        text = translate("LettingGo", "Undone: {n} memory is back.")
    return text.format(n=_number(count))


def _short(title: str) -> str:
    line = " ".join(title.split())
    cut = line if len(line) <= _TITLE_CHARACTERS else f"{line[: _TITLE_CHARACTERS - 1].rstrip()}…"
    return cut or translate("LettingGo", "(no title)")


def _number(value: int) -> str:
    return QLocale().toString(value)
