"""What imports say on the screen; no widget is needed to know it."""

import datetime as dt
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QLocale

from app.importing.found import KEPT_DAYS, Found
from worker.shared.jobs import ROWS, JobReply, JobState

STEPS = 1000  # of the bar
_SESSIONS = "sdk_sessions"  # of the tables, the only one that is no memory

translate = QCoreApplication.translate


def found_line(found: Found) -> str:
    """Return how much there is, and where."""
    if not found.sessions:
        text = translate("Import", "There are no sessions of Claude Code in {folder}.")
        return text.format(folder=found.folder)
    text = translate("Import", "{sessions}, {size}, in {folder}")
    return text.format(
        sessions=sessions(found.sessions), size=size(found.bytes), folder=found.folder
    )


def expiry_line(found: Found) -> str:
    """Return when Claude Code deletes the oldest session; nothing where that is far off."""
    if found.days_left is None or found.days_left > KEPT_DAYS:
        return ""
    if found.days_left == 0:
        return translate("Import", "Claude Code deletes the oldest of them today.")
    return translate(
        "Import", "Claude Code deletes the oldest of them in %n days.", "", found.days_left
    )


def added_of(job: JobReply) -> int:
    """Return how many memories are new."""
    return sum(count for table, count in job.added.items() if table != _SESSIONS)


def step_of(job: JobReply) -> int | None:
    """Return how far the bar is, of STEPS; None while the files are being counted."""
    if not job.bytes:
        return None
    return min(STEPS, STEPS * job.bytes_done // job.bytes)


def headline_of(job: JobReply) -> str:
    """Return how a job is, in one line."""
    match job.state:
        case JobState.RUNNING if not job.files:
            return translate("Import", "Looking for sessions…")
        case JobState.RUNNING:
            text = translate("Import", "Importing: {done} of {all} files")
            return text.format(done=number(job.files_done), all=number(job.files))
        case JobState.PAUSED:
            text = translate("Import", "Paused: {done} of {all} files")
            return text.format(done=number(job.files_done), all=number(job.files))
        case JobState.UNDONE:
            return translate("Import", "Undone")
        case JobState.DONE if added_of(job):
            return translate("Import", "✓ Imported")
        case JobState.DONE if is_unread(job):
            return translate("Import", "✕ Nothing of it could be read")
        case JobState.DONE if not job.known and not job.recorded:
            return translate("Import", "Nothing in it became a memory")
        case JobState.DONE:
            return translate("Import", "✓ Nothing new: all of it was there already")
        case JobState.CANCELLED:
            return translate(
                "Import", "Cancelled. What was added stays; import again, and it goes on."
            )
        case JobState.FAILED:
            return translate("Import", "✕ The import failed: {cause}").format(cause=job.cause)


def is_unread(job: JobReply) -> bool:
    """Say whether an import has met nothing but what cannot be read."""
    return bool(job.failures) and not (added_of(job) or job.known or job.recorded)


def progress_line(job: JobReply) -> str:
    """Return what a running job has done, how fast it is, and how long it will take."""
    parts = [translate("Import", "Memories added: {n}").format(n=number(added_of(job)))]
    if job.bytes:
        text = translate("Import", "{done} of {all}")
        parts.append(text.format(done=size(job.bytes_done), all=size(job.bytes)))
    if job.rate is not None:
        parts.append(translate("Import", "{size}/s").format(size=size(round(job.rate))))
    if job.left is not None:
        parts.append(translate("Import", "{time} left").format(time=duration(job.left)))
    return " · ".join(parts)


def result_lines(job: JobReply) -> Iterator[str]:
    """Yield what an import came to, once it has ended."""
    if job.kind == ROWS:
        text = translate("Import", "Memories added: {added}. There already: {known}.")
    else:
        text = translate(
            "Import",
            "Memories added: {added}. There already: {known}. Files read: {files}, in {time}.",
        )
    yield text.format(
        added=number(added_of(job)),
        known=number(job.known),
        files=number(job.files_done),
        time=duration(job.seconds),
    )
    if job.recorded:
        yield translate("Import", "Sessions left out, as claude-mem has recorded them: {n}").format(
            n=number(job.recorded)
        )
    if job.excluded:
        text = translate("Import", "Sessions left out, as they are excluded or were paused: {n}")
        yield text.format(n=number(job.excluded))
    if job.secrets:
        listed = ", ".join(f"{number(n)} {kind}" for kind, n in sorted(job.secrets.items()))
        yield translate("Import", "Secrets left out: {secrets}").format(secrets=listed)
    if job.failures:
        text = translate("Import", "Lines and files that could not be read: {n}")
        yield text.format(n=number(job.failures))


def failed_lines(job: JobReply) -> str:
    """Return what could not be read, a line each."""
    with_line = translate("Import", "{file}, line {line}: {why}")
    whole = translate("Import", "{file}: {why}")
    lines = [
        (with_line if failed.line else whole).format(
            file=failed.file, line=failed.line, why=failed.why
        )
        for failed in job.failed
    ]
    if more := job.failures - len(lines):
        lines.append(translate("Import", "… and {n} more").format(n=number(more)))
    return "\n".join(lines)


def undo_question(job: JobReply) -> str:
    """Return what is asked before an import is undone."""
    text = translate(
        "Import",
        "Undo the import of {time}? The {n} memories that it added are removed, and nothing else. "
        "Importing the same files again brings them back.",
    )
    begun = dt.datetime.fromisoformat(job.started).astimezone()
    return text.format(time=f"{begun:%H:%M}", n=number(added_of(job)))


def sessions(count: int) -> str:
    """Return a number of sessions."""
    if count == 1:
        return translate("Import", "1 session")
    return translate("Import", "{n} sessions").format(n=number(count))


def number(value: int) -> str:
    """Return a number as the user's language writes it."""
    return QLocale().toString(value)


def size(value: int) -> str:
    """Return bytes as a person reads them."""
    return QLocale().formattedDataSize(value, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def duration(seconds: float) -> str:
    """Return a time as seconds, minutes or hours, whatever it is nearest to."""
    if seconds < 90:
        text, value = translate("Import", "{n} s"), max(1, round(seconds))
    elif seconds < 5400:
        text, value = translate("Import", "{n} min"), round(seconds / 60)
    else:
        text, value = translate("Import", "{n} h"), round(seconds / 3600)
    return text.format(n=number(value))
