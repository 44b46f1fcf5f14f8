"""What of a changing status is shown, so that the icon never flickers."""

from dataclasses import dataclass, replace

from app.status import AppStatus, Look

WORK_SECONDS = 2.0  # shorter work is not shown
STILL_SECONDS = 2.0  # between two visible changes


@dataclass(frozen=True, slots=True)
class Shown:
    """What is on the screen, and what would replace it; times are monotonic."""

    status: AppStatus
    changed: float = float("-inf")
    busy_since: float | None = None

    def settled(self, wanted: AppStatus, now: float) -> "Shown":
        """Return what to show now of `wanted`.

        What can be done, and figures of the same look, follow at once; the look waits its time.
        """
        busy_since = None
        if wanted.look is Look.BUSY:
            busy_since = now if self.busy_since is None else self.busy_since
        if wanted.look is self.status.look:
            return Shown(wanted, self.changed, busy_since)
        if now < self._due(wanted, busy_since):
            return Shown(self._with_means(wanted), self.changed, busy_since)
        return Shown(wanted, now, busy_since)

    def wait(self, wanted: AppStatus, now: float) -> float | None:
        """Return the seconds after which `wanted` is to be settled again; None for never."""
        if wanted.look is self.status.look:
            return None
        return max(0.0, self._due(wanted, self.busy_since) - now)

    def _due(self, wanted: AppStatus, busy_since: float | None) -> float:
        still = self.changed + STILL_SECONDS
        if wanted.look is not Look.BUSY or busy_since is None:
            return still
        return max(still, busy_since + WORK_SECONDS)

    def _with_means(self, wanted: AppStatus) -> AppStatus:
        return replace(
            self.status,
            can_start=wanted.can_start,
            can_stop=wanted.can_stop,
            quit_stops_worker=wanted.quit_stops_worker,
            worker=wanted.worker,
        )
