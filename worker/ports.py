"""Which port to listen on: the one asked for, but never one that claude-mem's own worker claims.

Its hooks would take our health answer for their worker and lose what they meant to store.
"""

import errno
import logging
import socket
from collections.abc import Set

from worker.shared.errors import MemtrayError
from worker.shared.ports import HOST, only_user, port_owner

_TRIES = 100

log = logging.getLogger(__name__)


class PortUnavailableError(MemtrayError):
    """The port cannot be had; the message says who has it, as far as the system tells."""

    title = "The port is not free"
    code = "port_unavailable"
    status = 503


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
        only_user(listener)
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as exc:
        listener.close()
        raise PortUnavailableError(_why(exc, port)) from exc
    return listener


def _why(exc: OSError, port: int) -> str:
    remedy = "choose another with --port, MEMTRAY_PORT or the setting `port`"
    if exc.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} is reserved by the system; {remedy}"
    if exc.errno == errno.EADDRINUSE:
        owner = port_owner(port) or "another program"
        return f"port {port} is taken by {owner}; stop that, or {remedy}"
    return f"port {port} cannot be opened ({exc.strerror}); {remedy}"
