"""What the parts of a memory are called for a person."""

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

translate = QCoreApplication.translate

MINUTE, HOUR, DAY = 60, 3_600, 86_400  # seconds


def field_name(name: str) -> str:
    """Return the label of a field; one that is not known yet keeps its name."""
    return {
        "facts": translate("Preview", "Facts"),
        "concepts": translate("Preview", "Concepts"),
        "files_read": translate("Preview", "Files read"),
        "files_modified": translate("Preview", "Files modified"),
        "files_edited": translate("Preview", "Files edited"),
        "request": translate("Preview", "Request"),
        "investigated": translate("Preview", "Investigated"),
        "learned": translate("Preview", "Learned"),
        "completed": translate("Preview", "Completed"),
        "next_steps": translate("Preview", "Next steps"),
        "notes": translate("Preview", "Notes"),
    }.get(name, name.replace("_", " ").capitalize())


def moment(epoch_ms: int) -> str:
    """Return date and time of epoch milliseconds, local in zone and in spelling."""
    when, locale = QDateTime.fromMSecsSinceEpoch(epoch_ms), QLocale()
    date = locale.toString(when.date(), QLocale.FormatType.LongFormat)
    time = locale.toString(when.time(), QLocale.FormatType.ShortFormat)
    return translate("Preview", "{date}, {time}").format(date=date, time=time)


def ago(epoch_ms: int, now_ms: int) -> str:
    """Return how long ago that was, in one unit; clocks may differ by a little."""
    seconds = (now_ms - epoch_ms) // 1000
    if seconds < MINUTE:
        return (
            translate("Preview", "just now")
            if seconds > -HOUR
            else translate("Preview", "in the future")
        )
    years, months, days = seconds // (365 * DAY), seconds // (30 * DAY), seconds // DAY
    if years:
        return (
            translate("Preview", "a year ago")
            if years == 1
            else translate("Preview", "%n years ago", "", years)
        )
    if months:
        return (
            translate("Preview", "a month ago")
            if months == 1
            else translate("Preview", "%n months ago", "", months)
        )
    if days:
        return (
            translate("Preview", "a day ago")
            if days == 1
            else translate("Preview", "%n days ago", "", days)
        )
    if hours := seconds // HOUR:
        return (
            translate("Preview", "an hour ago")
            if hours == 1
            else translate("Preview", "%n hours ago", "", hours)
        )
    minutes = seconds // MINUTE
    return (
        translate("Preview", "a minute ago")
        if minutes == 1
        else translate("Preview", "%n minutes ago", "", minutes)
    )
