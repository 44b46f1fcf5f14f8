"""Words of rows that are gone, taken out of what keeps them still."""

from collections.abc import Callable
from pathlib import Path

from worker.shared.errors import MemtrayError
from worker.state.database import shrink_log
from worker.store import cleaning
from worker.store.compacting import empty_log
from worker.store.store import Store


class Traces:
    """What former rows have left in the files of one memory."""

    def __init__(self, store: Store, state: Path, *, anew: Callable[[], None]) -> None:
        """`state` is state.db; `anew` has the keyword index made anew."""
        self._store = store
        self._state = state
        self._anew = anew

    def remove(self) -> list[str]:
        """Remove them, and return what could not be done; raise StateUnavailableError."""
        notes = []
        try:
            with self._store.atomic() as connection:
                connection.execute("PRAGMA secure_delete = ON")
                cleaning.forget_terms(connection)
        except MemtrayError as exc:
            notes.append(f"claude-mem's own full-text tables may still hold words: {exc.detail}")
        self._anew()
        if not empty_log(self._store.path):
            notes.append(
                f"{self._store.path.name}-wal is being read by another program and holds the old "
                "text until that has ended"
            )
        if self._state.exists():
            shrink_log(self._state)
        return notes
