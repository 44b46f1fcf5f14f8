"""Shows what was recorded: a page of calls, and sums by day."""

import datetime as dt
import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress

from worker.recalls.recorder import Recorder
from worker.shared.errors import MemtrayError
from worker.shared.local_time import local_iso
from worker.shared.recalls_contract import (
    KEPT_DAYS,
    DayTally,
    Recall,
    RecallsReply,
    RecallsRequest,
    Seen,
    Tally,
)
from worker.shared.refs import Ref, parse_ref
from worker.state.database import StateDamagedError, reading
from worker.store.store import Store

_DAY = "date(at / 1000, 'unixepoch', 'localtime')"


class Recalls:
    """What the routes ask."""

    def __init__(
        self, recorder: Recorder, store: Store, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._recorder = recorder
        self._store = store
        self._clock = clock

    def clear(self) -> int:
        """Forget all calls and return how many; raise StateUnavailableError."""
        return self._recorder.clear()

    def listed(self, request: RecallsRequest) -> RecallsReply:
        """Return a page of calls and the sums of each day; raise StateUnavailableError.

        `client` narrows everything, `since` and `before` only the page.
        """
        today = dt.datetime.fromtimestamp(self._clock(), dt.UTC).astimezone().date()
        try:
            with reading(self._recorder.path) as connection:
                rows = _page(connection, request) if connection else []
                sums = _sums(connection, request.client) if connection else {}
                clients = _clients(connection) if connection else []
        except StateDamagedError:
            self._recorder.doubt()
            raise
        more = len(rows) > request.limit
        recalls = self._recalls(rows[: request.limit])
        days = [today - dt.timedelta(days=back) for back in reversed(range(KEPT_DAYS))]
        tallies = [
            DayTally(day=str(day), **sums.get(str(day), Tally()).model_dump()) for day in days
        ]
        return RecallsReply(
            recalls=recalls,
            next=recalls[-1].id if more else None,
            today=Tally(recalls=tallies[-1].recalls, tokens=tallies[-1].tokens),
            days=tallies,
            clients=clients,
            recording=self._recorder.is_wanted(),
        )

    def _recalls(self, rows: list[sqlite3.Row]) -> list[Recall]:
        refs = {row["id"]: json.loads(row["refs"]) for row in rows}
        seen = self._seen({ref for listed in refs.values() for ref in listed})
        return [
            Recall(
                at=local_iso(row["at"]),
                at_epoch=row["at"],
                seen=[seen[ref] for ref in refs[row["id"]]],
                **{name: row[name] for name in row.keys() if name not in ("at", "refs")},  # noqa: SIM118
            )
            for row in rows
        ]

    def _seen(self, names: set[str]) -> dict[str, Seen]:
        """Return type and title of each memory as they are now: none that was deleted."""
        seen = {name: Seen(ref=name) for name in names}
        parsed: list[Ref] = [parse_ref(name) for name in names]
        with suppress(MemtrayError):  # without the store the ids have to do
            for ref, head in self._store.heads(parsed).items():
                seen[str(ref)] = Seen(ref=str(ref), type=head.type, title=head.title)
        return seen


def _page(connection: sqlite3.Connection, request: RecallsRequest) -> list[sqlite3.Row]:
    """Return one row more than the page holds, if there is one."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(
        "SELECT * FROM recalls WHERE at >= :since AND (:before IS NULL OR id < :before)"
        " AND (:client IS NULL OR client = :client) ORDER BY id DESC LIMIT :limit",
        {
            "since": request.since_ms,
            "before": request.before,
            "client": request.client,
            "limit": request.limit + 1,
        },
    ).fetchall()


def _sums(connection: sqlite3.Connection, client: str | None) -> dict[str, Tally]:
    rows = connection.execute(
        f"SELECT {_DAY}, count(*), sum(tokens) FROM recalls"
        " WHERE :client IS NULL OR client = :client GROUP BY 1",
        {"client": client},
    )
    return {day: Tally(recalls=recalls, tokens=tokens) for day, recalls, tokens in rows}


def _clients(connection: sqlite3.Connection) -> list[str]:
    return [
        name for (name,) in connection.execute("SELECT DISTINCT client FROM recalls ORDER BY 1")
    ]
