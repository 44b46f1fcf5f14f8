"""When a worker that nobody uses any more leaves by itself."""

import time
from collections.abc import Callable


class Idle:
    """Counts the time without use; sleep and changes of the wall clock do not count."""

    def __init__(
        self, seconds: float | None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`seconds` without use are enough; None is never."""
        self._seconds = seconds
        self._clock = clock
        self._used = clock()

    def touch(self) -> None:
        """Begin to count anew; may be called from any thread."""
        self._used = self._clock()

    def is_over(self, busy: Callable[[], bool]) -> bool:
        """Say whether it is time to leave; work that goes on without requests is use as well."""
        if self._seconds is None or self._clock() - self._used < self._seconds:
            return False
        if busy():
            self.touch()
            return False
        return True
