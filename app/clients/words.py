"""How a client is, in words and with a shape; pure."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.clients.kept import Kept
from app.clients.wiring import Outcome
from app.spoken import said
from worker.shared.clients import code, desktop
from worker.shared.clients.state import ClientReport, ClientState

translate = QCoreApplication.translate

_SHORT = {"claude-ai": desktop.CLIENT}  # as MCP clients call themselves


@dataclass(frozen=True, slots=True)
class Standing:
    """What the row of a client says; `kind` colours what `shape` and `words` tell already."""

    shape: str
    words: str
    kind: str = "muted"
    remedy: str = ""


def name_of(client: str) -> str:
    """Return what people call a client, also one that is not ours to connect."""
    names = {desktop.CLIENT: "Claude Desktop", code.CLIENT: "Claude Code"}
    return names.get(_SHORT.get(client, client), client)


def standing(report: ClientReport, kept: Kept) -> Standing:
    """Return how a client is, for a person."""
    match report.state:
        case ClientState.CONNECTED:
            return Standing("✓", translate("Clients", "Connected"), "good")
        case ClientState.NOT_CONNECTED if kept.missing:
            remedy = translate(
                "Clients", "Claude may have written its file anew. Quit Claude, then add it again."
            )
            return Standing(
                "!", translate("Clients", "Its entry for Memtray is gone"), "error", remedy
            )
        case ClientState.NOT_CONNECTED:
            return Standing("○", translate("Clients", "Not connected"))
        case ClientState.NOT_INSTALLED:
            return Standing(
                "–",
                translate("Clients", "Not installed"),
                remedy=translate("Clients", "Install it and start it once."),
            )
        case ClientState.OTHER_PLACE:
            remedy = translate("Clients", "Connect it again, and it starts this Memtray.")
            return Standing("!", translate("Clients", "Points to another place"), "error", remedy)
        case ClientState.NAME_TAKEN:
            return Standing(
                "✕",
                translate("Clients", "Another server has our name"),
                "error",
                said(report.remedy),
            )
        case ClientState.BROKEN:
            return Standing(
                "✕", translate("Clients", "Its config file is broken"), "error", said(report.remedy)
            )


def advice_before(client: str) -> str:
    """Return what to do before a change; empty for nothing."""
    if client != desktop.CLIENT:
        return ""
    return translate(
        "Clients",
        "Quit Claude Desktop first: while it runs it may write this file anew, without the entry.",
    )


def said_of(done: Outcome) -> str:
    """Return what was done and what comes next."""
    if not done.changed:
        return translate("Clients", "All was as wanted already.")
    if done.client == desktop.CLIENT:
        text = translate(
            "Clients",
            "Done. Quit Claude Desktop and start it again; closing its window is not enough.",
        )
    else:
        text = translate(
            "Clients", "Done. Sessions of Claude Code that run already see it after a restart."
        )
    if done.backup:
        text += " " + translate("Clients", "What was in the file before is in {file}.").format(
            file=done.backup
        )
    return text


def question() -> str:
    """Return a sentence upon which Claude calls our tools."""
    return translate(
        "Clients", "Search my memory with memtray: what did we work on last, and what was decided?"
    )
