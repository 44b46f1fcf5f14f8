"""Whether Claude really reaches its memory: only a question that came proves it."""

import datetime as dt

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from worker.shared.readiness import PartReport, PartState
from worker.shared.recalls_contract import Recall, RecallsReply

translate = QCoreApplication.translate


def mcp_report(reply: RecallsReply) -> PartReport:
    """Return how the MCP servers are, told by what was asked through them last."""
    newest = next(iter(reply.recalls), None)
    if newest is None:
        cause = (
            translate("Health", "Claude has not asked anything yet.")
            if reply.recording
            else translate("Health", "What Claude asks is not recorded (Settings, Privacy).")
        )
        return PartReport(part="mcp", state=PartState.OFF, cause=cause)
    if newest.outcome == "failed":
        # that it came proves the way; what the worker lacks is told by the part that it is about
        cause = translate("Health", "The last question, at {time}, was refused: {problem}")
        told = cause.format(time=_local(newest.at), problem=newest.problem)
        return PartReport(part="mcp", state=PartState.OK, cause=told)
    return PartReport(part="mcp", state=PartState.OK, cause=_told(newest))


def _told(newest: Recall) -> str:
    return translate("Health", "{client} asked last at {time}, answered in {ms} ms.").format(
        client=newest.client, time=_local(newest.at), ms=newest.ms
    )


def _local(iso: str) -> str:
    when = dt.datetime.fromisoformat(iso)
    moment = QDateTime.fromSecsSinceEpoch(int(when.timestamp()))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)
