"""What backups say; no widget is needed to know it."""

import datetime as dt

from PySide6.QtCore import QCoreApplication, QLocale

from worker.shared.upkeep import BackupReply, BackupsReply, MemoriesIn, RestoreReply

_KINDS = ("daily", "before-restore")

translate = QCoreApplication.translate


def kind_name(kind: str) -> str:
    """Return why a backup was made."""
    return {
        "daily": translate("Backups", "Daily"),
        "manual": translate("Backups", "By hand"),
        "before-restore": translate("Backups", "Before a restore"),
    }.get(kind, kind)


def when(made: str, now: dt.datetime) -> str:
    """Return day and time of a backup, and how old it is."""
    moment = dt.datetime.fromisoformat(made).astimezone()
    days = (now.astimezone().date() - moment.date()).days
    ages = {0: translate("Backups", "today"), 1: translate("Backups", "yesterday")}
    age = ages.get(days) or translate("Backups", "{n} days ago").format(n=days)
    return f"{moment:%Y-%m-%d %H:%M} ({age})"


def counted(memories: MemoriesIn | None) -> str:
    """Return how many memories there are, by kind."""
    if memories is None:
        return translate("Backups", "cannot be read")
    text = translate("Backups", "{memories} observations, {sessions} summaries, {prompts} prompts")
    return text.format(
        memories=_number(memories.observations),
        sessions=_number(memories.sessions),
        prompts=_number(memories.prompts),
    )


def size_text(size: int) -> str:
    """Return bytes as a person reads them."""
    return QLocale().formattedDataSize(size, 1)


def kept_line(reply: BackupsReply) -> str:
    """Return how many there are, and which of them stay."""
    daily, before = (reply.kept.get(kind, 0) for kind in _KINDS)
    return translate(
        "Backups",
        "The worker makes one a day and keeps {daily} of those, and {before} from before a "
        "restore. What you make by hand stays until you delete the file.",
    ).format(daily=_number(daily), before=_number(before))


def question(backup: BackupReply, now: dt.datetime) -> str:
    """Return what is asked before a backup takes the place of the memories."""
    return translate("Backups", "Go back to the memories of {when}?").format(
        when=when(backup.made, now)
    )


def question_detail(backup: BackupReply) -> str:
    """Return what that would mean."""
    return translate(
        "Backups",
        "The backup holds {counts}. What is there now is kept as a backup of its own first, so "
        "that you can come back.",
    ).format(counts=counted(backup.memories))


def made_line(backup: BackupReply) -> str:
    """Return what is said once a backup is made."""
    return translate("Backups", "Backed up and checked: {counts}.").format(
        counts=counted(backup.memories)
    )


def restored_line(reply: RestoreReply) -> str:
    """Return what is said once a backup is back."""
    return translate("Backups", "Restored: {counts}. What was there before is kept.").format(
        counts=counted(reply.memories)
    )


def _number(value: int) -> str:
    return QLocale().toString(value)
