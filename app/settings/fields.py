"""The settings as a person sees them: pages, names, what each means, and what may be entered."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from worker.shared.settings import Settings, fits

translate = QCoreApplication.translate


class Kind(StrEnum):
    """How a setting is changed."""

    SWITCH = "switch"
    CHOICE = "choice"
    TEXT = "text"
    NUMBER = "number"


class Restart(StrEnum):
    """Who has to start anew before a change holds."""

    NONE = ""
    WORKER = "worker"
    APP = "app"
    CLIENT = "client"


@dataclass(frozen=True, slots=True)
class Field:
    """One setting. `name` is its key; an empty text stands for None where that fits."""

    name: str
    kind: Kind
    label: str
    hint: str = ""
    reason: str = ""  # what may be entered, said when something else was
    choices: tuple[tuple[str, str], ...] = ()  # value and name
    restart: Restart = Restart.NONE

    def value_of(self, text: str) -> object:
        """Return what a text means for this setting; what it does not fit stays a text."""
        text = text.strip()
        if self.kind is Kind.NUMBER and text.isdecimal() and len(text) < 10:
            return int(text)
        return text or (None if fits(self.name, None) else "")


@dataclass(frozen=True, slots=True)
class Page:
    """What stands together; `key` names it for those who open it."""

    key: str
    title: str
    fields: tuple[Field, ...] = ()

    @property
    def defaults(self) -> dict[str, object]:
        """The default of each setting that the page shows."""
        return {field.name: getattr(Settings(), field.name) for field in self.fields}


def pages() -> tuple[Page, ...]:
    """Return all pages in their order."""
    return (
        Page("general", translate("Settings", "General"), (*_looks(), _start_worker())),
        Page("worker", translate("Settings", "Worker"), tuple(_worker())),
        Page("sources", translate("Settings", "Sources and excludes"), (_watch(),)),
        Page("search", translate("Settings", "Search"), (_semantic(), _keep_queries())),
        Page("clients", translate("Settings", "Clients")),
        Page("privacy", translate("Settings", "Privacy"), (_recalls(), _keep_queries())),
        Page("notifications", translate("Settings", "Notifications"), tuple(_notices())),
        Page("advanced", translate("Settings", "Advanced"), tuple(_advanced())),
    )


def all_defaults() -> dict[str, object]:
    """Return the default of every setting; that the first run is over is none to go back on."""
    shown = (page.defaults for page in pages())
    return {name: value for defaults in shown for name, value in defaults.items()}


def _looks() -> Iterator[Field]:
    system = translate("Settings", "As the system has it")
    yield Field(
        "language",
        Kind.CHOICE,
        translate("Settings", "&Language"),
        choices=(("auto", system), ("en", "English"), ("zh_CN", "简体中文")),
        restart=Restart.APP,
    )
    yield Field(
        "theme",
        Kind.CHOICE,
        translate("Settings", "&Theme"),
        choices=(
            ("auto", system),
            ("light", translate("Settings", "Light")),
            ("dark", translate("Settings", "Dark")),
        ),
    )


def _start_worker() -> Field:
    return Field(
        "start_worker",
        Kind.SWITCH,
        translate("Settings", "Start the &worker with the app"),
        translate(
            "Settings",
            "The worker answers searches, also those of Claude. Without this it starts when you "
            "or Claude ask for it.",
        ),
    )


def _worker() -> Iterator[Field]:
    yield Field(
        "port",
        Kind.NUMBER,
        translate("Settings", "&Port"),
        translate("Settings", "Where the worker listens, on this machine alone."),
        translate("Settings", "A port is a whole number from 1 to 65535."),
        restart=Restart.WORKER,
    )
    yield Field(
        "log_level",
        Kind.CHOICE,
        translate("Settings", "&Log"),
        translate("Settings", "What is written into the log files, which stay on this machine."),
        choices=(
            ("ERROR", translate("Settings", "Errors only")),
            ("WARNING", translate("Settings", "Errors and warnings")),
            ("INFO", translate("Settings", "What is done (usual)")),
            ("DEBUG", translate("Settings", "Everything, queries too")),
        ),
        restart=Restart.WORKER,
    )
    yield Field(
        "require_token",
        Kind.SWITCH,
        translate("Settings", "Reading needs the &token"),
        translate(
            "Settings",
            "For machines with several users: without it every program on this machine may read "
            "your memories. Memtray and Claude know the token, curl then needs it.",
        ),
        restart=Restart.WORKER,
    )


def _semantic() -> Field:
    return Field(
        "semantic",
        Kind.SWITCH,
        translate("Settings", "Search by &meaning too"),
        translate(
            "Settings",
            "Finds memories in other words than yours. It needs about 300 MB of memory; without "
            "it words alone are searched.",
        ),
        restart=Restart.WORKER,
    )


def _keep_queries() -> Field:
    return Field(
        "keep_queries",
        Kind.SWITCH,
        translate("Settings", "Keep recent &searches"),
        translate("Settings", "Of the search window. Without this none is on the disk."),
    )


def _watch() -> Field:
    return Field(
        "watch_transcripts",
        Kind.SWITCH,
        translate("Settings", "Take in what Claude Code &writes"),
        translate(
            "Settings",
            "Its transcripts become memories some seconds after each answer, without any model. "
            "Sessions that claude-mem records itself are left to it.",
        ),
    )


def _recalls() -> Field:
    return Field(
        "record_recalls",
        Kind.SWITCH,
        translate("Settings", "&Record what Claude asks for"),
        translate(
            "Settings",
            "What Claude asked and which memories it saw is kept for 30 days on this machine. "
            "Switched off, it ends at once.",
        ),
    )


def _notices() -> Iterator[Field]:
    for name, label in (
        ("notify_errors", translate("Settings", "An &error")),
        ("notify_gave_up", translate("Settings", "The worker &keeps ending")),
        ("notify_imports", translate("Settings", "A long &import is done")),
        ("notify_clients", translate("Settings", "&Claude's entry for Memtray is gone")),
    ):
        yield Field(name, Kind.SWITCH, label)


def _advanced() -> Iterator[Field]:
    yield Field(
        "chroma_server",
        Kind.TEXT,
        translate("Settings", "&Chroma server"),
        translate(
            "Settings", "The address of one of your own. Empty: Memtray brings what it needs."
        ),
        translate(
            "Settings", "An address looks like http://127.0.0.1:8000, with nothing behind the port."
        ),
        restart=Restart.WORKER,
    )
    yield Field(
        "important_tool_name",
        Kind.TEXT,
        translate("Settings", "Name of the tool __&IMPORTANT"),
        translate("Settings", "For clients that refuse a name which begins with underscores."),
        translate("Settings", "A name has 1 to 64 letters, digits, underscores or dashes."),
        restart=Restart.CLIENT,
    )
