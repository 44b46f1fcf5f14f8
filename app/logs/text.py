"""What the log window says in words."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.logs.model import level_name, local_time
from app.logs.reader import Page
from worker.shared.log_lines import Entry

translate = QCoreApplication.translate

_LONG = 100_000  # characters of one entry that are shown


def details(entry: Entry) -> str:
    """Return a whole entry with its traceback."""
    head = f"{local_time(entry.time, exact=True)}  {level_name(entry.level)}  {entry.component}"
    text = "\n\n".join(part for part in (head, entry.message, entry.exception) if part)
    return text if len(text) <= _LONG else f"{text[:_LONG]} …"


def saved(path: Path, entries: Sequence[Entry]) -> str:
    """Write the entries, a line each, and return what to say; raise OSError."""
    path.write_text("".join(f"{entry}\n" for entry in entries), encoding="utf-8")
    return translate("Logs", "Saved as {path}").format(path=path)


def spoken(page: Page, shown: int, folder: Path, *, following: bool) -> str:
    """Return how much there is and how much of it is shown."""
    if not page.total:
        return translate("Logs", "Nothing new has been logged in {folder}.").format(folder=folder)
    texts = [
        translate("Logs", "{shown} of {total} lines").format(
            shown=f"{shown:,}", total=f"{page.total:,}"
        )
    ]
    if following:
        texts.append(translate("Logs", "following"))
    if not page.is_whole and not page.has_older:
        texts.append(translate("Logs", "older lines are in {folder}").format(folder=folder))
    if page.unread:
        unread = "; ".join(page.unread)
        texts.append(translate("Logs", "cannot be read: {files}").format(files=unread))
    return " · ".join(texts)
