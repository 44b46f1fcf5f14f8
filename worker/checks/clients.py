"""Whether Claude finds us: what its config files name."""

from worker.checks.report import degraded, off, ok
from worker.shared.clients import code, desktop
from worker.shared.clients.entry import CannotConnectError, Entry, System, entry_for
from worker.shared.clients.state import ClientState
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport

_WRONG = (ClientState.OTHER_PLACE, ClientState.NAME_TAKEN, ClientState.BROKEN)


def check_clients(paths: Paths, system: System) -> PartReport:
    """Read the config files of Claude Desktop and Claude Code; nothing is started."""
    entry = _entry(paths, system)
    found = [client.report(system, entry) for client in (desktop, code)]
    for report in found:
        if report.state in _WRONG:
            return degraded("clients", f"{report.client}: {report.cause}", report.remedy)
    connected = [report.client for report in found if report.state is ClientState.CONNECTED]
    if connected:
        return ok("clients", f"Connected: {', '.join(connected)}.")
    return off("clients", "None is connected. To connect one: memtray-worker connect CLIENT")


def _entry(paths: Paths, system: System) -> Entry | None:
    """Return what a client should start; None where our script is not installed."""
    try:
        return entry_for(paths, system)
    except CannotConnectError:
        return None
