"""Who has a port, and which ones claude-mem's own worker claims."""

import errno
import json
import os
import socket
import sys
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path

import psutil

HOST = "127.0.0.1"

_CLAUDE_MEM_PORT = "CLAUDE_MEM_WORKER_PORT"
_CLAUDE_MEM_WORKER = "/worker-service."  # in its command line: the script that it runs
_CONNECT_SECONDS = 1.0
_TRIES = 100


@dataclass(frozen=True, slots=True)
class PortOwner:
    """The process that listens on a port."""

    name: str
    pid: int
    is_claude_mem: bool  # claude-mem's own worker


def claimed_ports(data_dir: Path, environ: Mapping[str, str], uid: int | None) -> frozenset[int]:
    """Return the ports that claude-mem's worker has, or will have at its next start.

    `uid` is None where the system has no user numbers (Windows).
    """
    settings = _object(data_dir / "settings.json")
    default = 37777 if uid is None else 37700 + uid % 100
    chosen = environ.get(_CLAUDE_MEM_PORT) or settings.get(_CLAUDE_MEM_PORT) or default
    running = _object(data_dir / "worker.pid").get("port")
    return frozenset(port for port in map(_port, (chosen, running)) if port)


def user_number() -> int | None:
    """Return the number of this process's user, None where the system has none (Windows)."""
    return os.getuid() if hasattr(os, "getuid") else None


def is_taken(port: int) -> bool:
    """Say whether anybody listens on a port of this machine."""
    try:
        socket.create_connection((HOST, port), timeout=_CONNECT_SECONDS).close()
    except OSError:
        return False
    return True


def is_reserved(port: int) -> bool:
    """Say whether the system keeps a port from its users, as Windows does with whole ranges."""
    return _bind_error(port) in (errno.EACCES, errno.EPERM)


def is_held(port: int) -> bool:
    """Say whether nobody may listen on a port, though nobody does.

    A connection has it: systems give such ports to connections too, and keep them a minute longer.
    """
    return _bind_error(port) == errno.EADDRINUSE


def next_free_port(after: int, claimed: Set[int]) -> int | None:
    """Return the first port above `after` that a worker could have, near it."""
    for port in range(after + 1, min(after + 1 + _TRIES, 65_536)):
        if port not in claimed and _bind_error(port) is None:
            return port
    return None


def port_owner(port: int) -> str | None:
    """Name the process that listens on a port, where the system lets us see it."""
    owner = owner_of(port)
    return f"{owner.name} (pid {owner.pid})" if owner else None


def owner_of(port: int) -> PortOwner | None:
    """Return who listens on a port, where the system lets us see it."""
    try:
        for connection in psutil.net_connections("tcp"):
            if connection.status != psutil.CONN_LISTEN or not connection.laddr:
                continue
            if connection.laddr.port == port and connection.pid:
                process = psutil.Process(connection.pid)
                command = " ".join(process.cmdline()).replace("\\", "/")
                return PortOwner(process.name(), process.pid, _CLAUDE_MEM_WORKER in command)
    except psutil.Error:
        pass  # another user's process: its name is not for us
    return None


def only_user(listener: socket.socket) -> None:
    """Let a socket have its port alone, but also one that another has just left."""
    if sys.platform == "win32":  # there SO_REUSEADDR would let others in beside us
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def _bind_error(port: int) -> int | None:
    """Return the error number of an attempt to have a port; None where it succeeds."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as attempt:
        try:
            only_user(attempt)
            attempt.bind((HOST, port))
        except OSError as exc:
            return exc.errno
    return None


def _object(path: Path) -> dict[str, object]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}  # their file, their format: without it nothing is claimed
    return value if isinstance(value, dict) else {}


def _port(value: object) -> int | None:
    try:
        return int(str(value))
    except ValueError:
        return None
