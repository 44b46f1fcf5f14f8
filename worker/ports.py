"""Which port to listen on: the one asked for, but never one that claude-mem's own worker claims.

Its hooks would take our health answer for their worker and lose what they meant to store.
"""

import errno
import json
import logging
import socket
import sys
from collections.abc import Mapping, Set
from pathlib import Path

import psutil

from worker.shared.errors import MemtrayError

HOST = "127.0.0.1"
_CLAUDE_MEM_PORT = "CLAUDE_MEM_WORKER_PORT"

_TRIES = 100

log = logging.getLogger(__name__)


class PortUnavailableError(MemtrayError):
    """The port cannot be had; the message says who has it, as far as the system tells."""

    title = "The port is not free"
    code = "port_unavailable"
    status = 503


def claimed_ports(data_dir: Path, environ: Mapping[str, str], uid: int | None) -> frozenset[int]:
    """Return the ports that claude-mem's worker has, or will have at its next start.

    `uid` is None where the system has no user numbers (Windows).
    """
    settings = _object(data_dir / "settings.json")
    default = 37777 if uid is None else 37700 + uid % 100
    chosen = environ.get(_CLAUDE_MEM_PORT) or settings.get(_CLAUDE_MEM_PORT) or default
    running = _object(data_dir / "worker.pid").get("port")
    return frozenset(port for port in map(_port, (chosen, running)) if port)


def listen(wanted: int, claimed: Set[int]) -> socket.socket:
    """Return a listening socket on the wanted port or, where that is claimed, on the next free one.

    Raises PortUnavailableError when another program has the wanted port.
    """
    if wanted not in claimed:
        return bind(wanted)
    for port in range(wanted + 1, min(wanted + _TRIES, 65_536)):
        try:
            listener = bind(port) if port not in claimed else None
        except PortUnavailableError:
            continue
        if listener:
            log.warning("port %d belongs to claude-mem's worker: %d is used", wanted, port)
            return listener
    raise PortUnavailableError(f"no port is free from {wanted} on; choose another with --port")


def bind(port: int) -> socket.socket:
    """Return a socket that listens on 127.0.0.1 alone; port 0 takes any free one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":  # there SO_REUSEADDR would let others in beside us
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as exc:
        listener.close()
        raise PortUnavailableError(_why(exc, port)) from exc
    return listener


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


def _why(exc: OSError, port: int) -> str:
    remedy = "choose another with --port, MEMTRAY_PORT or the setting `port`"
    if exc.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} is reserved by the system; {remedy}"
    if exc.errno == errno.EADDRINUSE:
        return f"port {port} is taken by {_owner(port)}; stop that, or {remedy}"
    return f"port {port} cannot be opened ({exc.strerror}); {remedy}"


def _owner(port: int) -> str:
    """Name the process that listens on a port, where the system lets us see it."""
    try:
        for connection in psutil.net_connections("tcp"):
            if connection.status != psutil.CONN_LISTEN or not connection.laddr:
                continue
            if connection.laddr.port == port and connection.pid:
                return f"{psutil.Process(connection.pid).name()} (pid {connection.pid})"
    except psutil.Error:
        pass  # another user's process: its name is not for us
    return "another program"
