"""How long to wait before a worker that crashed is started again, and when to give up."""

from dataclasses import dataclass

LONGEST_PAUSE = 60.0  # seconds
TOO_MANY = 5  # crashes in the window
WINDOW = 600.0  # seconds; as many healthy ones wipe the slate


@dataclass(frozen=True, slots=True)
class Crashes:
    """The crashes since the worker was last healthy for ten minutes; times are monotonic."""

    in_a_row: int = 0
    recent: tuple[float, ...] = ()  # those of the last ten minutes

    def and_one(self, now: float) -> "Crashes":
        """Return them with the one of now."""
        recent = tuple(time for time in self.recent if now - time < WINDOW)
        return Crashes(self.in_a_row + 1, (*recent, now))

    @property
    def pause(self) -> float:
        """Seconds to wait before the next start: 1, 2, 4, up to 60."""
        return min(LONGEST_PAUSE, 2.0 ** min(self.in_a_row - 1, 10)) if self.in_a_row else 0.0

    @property
    def are_too_many(self) -> bool:
        """True when one more start would only hide what is wrong."""
        return len(self.recent) >= TOO_MANY
