"""How calls, sums and times are told to a person."""

import datetime as dt

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QTime

from worker.shared.recalls_contract import Recall, RecallsReply, Tally

_KNOWN = {"claude-ai": "Claude Desktop", "claude-code": "Claude Code"}


def headline(today: Tally) -> str:
    """Return the sum of today."""
    if not today.recalls:
        return QCoreApplication.translate("Recalls", "No recalls today")
    if today.recalls == 1:
        text = QCoreApplication.translate("Recalls", "1 recall today, about {tokens} tokens")
    else:
        text = QCoreApplication.translate(
            "Recalls", "%n recalls today, about {tokens} tokens", "", today.recalls
        )
    return text.format(tokens=short(today.tokens))


def month_line(reply: RecallsReply) -> str:
    """Return the sum of all days that are kept."""
    recalls = sum(day.recalls for day in reply.days)
    tokens = sum(day.tokens for day in reply.days)
    text = QCoreApplication.translate(
        "Recalls", "{recalls} in the last {days} days, about {tokens} tokens"
    )
    return text.format(recalls=recalls, days=len(reply.days), tokens=short(tokens))


def short(number: int) -> str:
    """Return a number with at most three digits that count: 950, 2.1k, 3.4M."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= size - size // 2000:
            shown = number / size
            return f"{QLocale().toString(shown, 'f', 1 if shown < 99.95 else 0)}{letter}"
    return str(number)


def client_name(client: str) -> str:
    """Return the name of an MCP client as its users know it."""
    return _KNOWN.get(client, client) or QCoreApplication.translate("Recalls", "unknown")


def tool_name(tool: str) -> str:
    """Return what a tool does, in a word."""
    return {
        "search": QCoreApplication.translate("Recalls", "Search"),
        "timeline": QCoreApplication.translate("Recalls", "Timeline"),
        "get_observations": QCoreApplication.translate("Recalls", "Details"),
    }.get(tool, tool)


def asked_text(recall: Recall) -> str:
    """Return what was asked for, in one line, with what narrowed it."""
    asked = recall.asked or QCoreApplication.translate("Recalls", "(no words)")
    return f"{asked}  ·  {recall.filters}" if recall.filters else asked


def hits_text(recall: Recall) -> str:
    """Return how many memories were shown."""
    if recall.outcome == "failed":
        return QCoreApplication.translate("Recalls", "failed")
    return str(len(recall.seen))


def moment_text(recall: Recall, today: dt.date) -> str:
    """Return the local time, with the day unless it is today."""
    moment = dt.datetime.fromtimestamp(recall.at_epoch / 1000, dt.UTC).astimezone()
    locale = QLocale()
    clock = locale.toString(QTime(moment.hour, moment.minute), QLocale.FormatType.ShortFormat)
    return clock if moment.date() == today else f"{day_text(moment.date())} {clock}"


def full_moment(recall: Recall) -> str:
    """Return day and time to the second."""
    moment = QDateTime.fromMSecsSinceEpoch(recall.at_epoch)
    return QLocale().toString(moment, QLocale.FormatType.LongFormat)


def day_text(day: dt.date) -> str:
    """Return a day without its year, in the language of the app."""
    shape = QCoreApplication.translate("Recalls", "d MMM")
    return QLocale().toString(QDate(day.year, day.month, day.day), shape)
