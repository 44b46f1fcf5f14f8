"""The worker among other programs: its process, its port, and the clients that look for it."""

from collections.abc import Mapping

from worker import __version__
from worker.checks.report import degraded, down, off, ok
from worker.shared.paths import Paths
from worker.shared.ports import claimed_ports, user_number
from worker.shared.readiness import PartReport, PartState
from worker.shared.state import State, WorkerState


def check_worker(found: WorkerState) -> PartReport:
    """Say whether a worker runs, and whether it is of our version."""
    if found.health is None:
        return _absent_worker(found)
    who = f"It runs as pid {found.pid} on port {found.port}, version {found.health.version}"
    if found.health.version != __version__:
        return degraded("worker", f"{who}; this is {__version__}.", "memtray-worker restart")
    return ok("worker", f"{who}.")


def _absent_worker(found: WorkerState) -> PartReport:
    if found.state is State.HANGING:
        return down("worker", f"{found.cause} (pid {found.pid or 'unknown'}).", found.remedy)
    if found.state is State.STARTING:
        return PartReport(part="worker", state=PartState.BUILDING, cause="It is starting.")
    stopped = " It was stopped by the user." if found.state is State.STOPPED else ""
    return off("worker", f"No worker runs.{stopped} To start it: memtray-worker start")


def check_free_port(paths: Paths, found: WorkerState, environ: Mapping[str, str]) -> PartReport:
    """Say whether a worker that is started now gets its port."""
    if found.state is State.PORT_TAKEN:
        return down("port", f"{found.cause}.", f"{found.remedy}.")
    return check_port(paths, found.port, environ, runs=found.health is not None)


def check_port(
    paths: Paths, port: int, environ: Mapping[str, str], *, runs: bool = True
) -> PartReport:
    """Say whether claude-mem's own worker claims the port of ours."""
    if port not in claimed_ports(paths.data_dir, environ, user_number()):
        return ok("port", f"It is {port}.")
    claimed = f"Port {port} belongs to claude-mem's own worker"
    if not runs:
        return ok("port", f"{claimed}; ours takes the next free one.")
    return degraded(
        "port",
        f"{claimed}, whose hooks take our answers for its own and lose memories.",
        "Move to the next free port: memtray-worker restart",
    )
