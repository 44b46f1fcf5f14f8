"""How a client of ours is: what doctor, health panel and the commands say about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from worker.shared.clients.entry import NAME, Entry, is_ours
from worker.shared.clients.files import ConfigError, read, text_of
from worker.shared.clients.json_text import BrokenJsonError, Object, kind_of, object_at, parse

SERVERS = "mcpServers"
OTHER = "mcp-search"  # claude-mem's own server

_FRESH = "{\n}\n"


class ClientState(StrEnum):
    """Whether a client starts our MCP server."""

    NOT_INSTALLED = "not installed"
    NOT_CONNECTED = "not connected"
    CONNECTED = "connected"
    OTHER_PLACE = "points to another place"
    NAME_TAKEN = "name taken by another server"
    BROKEN = "config file broken"


@dataclass(frozen=True, slots=True)
class ClientReport:
    """The state of one client, why, and what helps."""

    client: str
    state: ClientState
    path: Path | None
    cause: str = ""
    remedy: str = ""
    notes: tuple[str, ...] = ()

    def as_json(self) -> Mapping[str, object]:
        return {
            "client": self.client,
            "state": str(self.state),
            "path": str(self.path) if self.path else None,
            "cause": self.cause,
            "remedy": self.remedy,
            "notes": list(self.notes),
        }


def servers_in(text: str) -> Object | None:
    """Return the servers of a config; None where it names none. Raises BrokenJsonError."""
    config = config_in(text)
    member = config.get(SERVERS)
    if member is None or member.value is None:
        return None
    if not isinstance(member.value, dict):
        line = config.text.count("\n", 0, member.value_start) + 1
        wrong = kind_of(member.value)
        raise BrokenJsonError(f"line {line}: {SERVERS} must be an object in braces, and is {wrong}")
    return object_at(config.text, member.value_start)


def command_in(path: Path) -> str:
    """Return the program that our entry in a config starts; "" where there is none."""
    servers = servers_in(text_of(read(path))[0])
    member = servers.get(NAME) if servers else None
    return str(member.value.get("command")) if member and is_ours(member.value) else ""


def config_in(text: str) -> Object:
    """Return the whole config; of a text without a word, a new and empty one."""
    return parse(text if text.strip(" \t\r\n") else _FRESH)


def report_on(client: str, path: Path, entry: Entry | None) -> ClientReport:
    """Return what a config file says, compared with the entry that we would write."""
    try:
        servers = servers_in(text_of(read(path))[0])
        member = servers.get(NAME) if servers else None
    except (BrokenJsonError, ConfigError) as exc:
        remedy = "Mend it, or restore a backup of it; Memtray does not touch a file like this."
        cause = f"{path}: {exc.detail}"
        return ClientReport(client, ClientState.BROKEN, path, cause, remedy)
    notes = notes_on(servers)
    connect = f"memtray-worker connect {client}"
    if member is None:
        cause, remedy = f"{path} does not name {NAME}.", f"To connect it: {connect}"
        return ClientReport(client, ClientState.NOT_CONNECTED, path, cause, remedy, notes)
    if not is_ours(member.value):
        cause = f"{path} names another server {NAME}."
        remedy = "Give that one another name, then connect again."
        return ClientReport(client, ClientState.NAME_TAKEN, path, cause, remedy, notes)
    cause = difference(member.value, entry)
    if cause:
        return ClientReport(client, ClientState.OTHER_PLACE, path, cause, f"Run: {connect}", notes)
    return ClientReport(client, ClientState.CONNECTED, path, notes=notes)


def notes_on(servers: Object | None) -> tuple[str, ...]:
    """Return what a person should know about the entries besides."""
    notes = []
    if servers and servers.get(OTHER):
        notes.append(f"claude-mem's own server {OTHER} is there as well, and is left as it is.")
    member = servers.get(NAME) if servers else None
    if member and isinstance(member.value, dict) and member.value.get("disabled"):
        notes.append(f"The entry {NAME} is marked as disabled.")
    return tuple(notes)


def difference(value: Mapping[str, object], entry: Entry | None) -> str:
    """Return in which way an entry of ours is not the one that we would write; "" if it is."""
    command, args = str(value.get("command")), value.get("args") or []
    if not Path(command).is_file():
        return f"It starts {command}, which is not there."
    if entry is None:
        return ""
    if command != entry.command:
        return f"It starts {command}, and this Memtray is {entry.command}."
    if args != list(entry.args):
        return f"It starts {command} with {args}, and this Memtray would with {list(entry.args)}."
    return ""
