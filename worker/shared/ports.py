"""Who has a port, and which ones claude-mem's own worker claims."""

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path

import psutil

HOST = "127.0.0.1"

_CLAUDE_MEM_PORT = "CLAUDE_MEM_WORKER_PORT"
_CONNECT_SECONDS = 1.0


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


def port_owner(port: int) -> str | None:
    """Name the process that listens on a port, where the system lets us see it."""
    try:
        for connection in psutil.net_connections("tcp"):
            if connection.status != psutil.CONN_LISTEN or not connection.laddr:
                continue
            if connection.laddr.port == port and connection.pid:
                return f"{psutil.Process(connection.pid).name()} (pid {connection.pid})"
    except psutil.Error:
        pass  # another user's process: its name is not for us
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
