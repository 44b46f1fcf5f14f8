"""The room that the memories take."""

from worker.checks.report import off, ok
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport
from worker.store.compacting import size_of

_WORTH = 20 * 1024 * 1024  # bytes unused, and a quarter of all, from which compacting is named


def check_size(paths: Paths) -> PartReport:
    """Say how large the database is and how much of it is unused; no size is a fault."""
    if not paths.database.exists():
        return off("size", "There is no database.")
    try:
        size = size_of(paths.database)
    except MemtrayError as exc:
        return off("size", f"It cannot be told: {exc.detail}")
    cause = f"{size.whole / 1e6:,.1f} MB, {size.unused / 1e6:,.1f} MB of them unused."
    if size.unused > max(_WORTH, size.whole // 4):
        return ok("size", f"{cause} To give that back to the disk: memtray-worker compact")
    return ok("size", cause)
