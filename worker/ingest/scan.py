"""Secrets in what is stored already: looked for, told by kind and place, and taken out."""

import json
import logging
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from worker.backup.service import Backups
from worker.errand import Errand
from worker.ingest.redact import Report, redact
from worker.ingest.traces import Traces
from worker.shared.keeping import FoundSecret, RedactReply, RedactRequest
from worker.shared.refs import Ref
from worker.state import cleaning as state_cleaning
from worker.store import cleaning
from worker.store.layout import TABLES
from worker.store.store import Store

NAMED = 1000  # places

Row = dict[str, Any]

log = logging.getLogger(__name__)

_KINDS = {table: kind for kind, table in TABLES.items()}
TEXTS = {**cleaning.TEXTS, **state_cleaning.TEXTS}


class Scan:
    """Goes over all that is stored, once for each time it is asked to."""

    def __init__(self, store: Store, state: Path, *, backups: Backups, traces: Traces) -> None:
        """`state` is state.db."""
        self._store = store
        self._state = state
        self._backups = backups
        self._traces = traces
        self._errand = Errand("redact")
        self._found = _Found()
        self._reply = RedactReply(state=None)

    def report(self) -> RedactReply:
        """Return how far it is, and what was found."""
        found = self._found
        return self._reply.model_copy(
            update={
                "state": self._errand.state,
                "cause": self._errand.cause,
                "done": found.rows,
                "found": dict(found.kinds),
                "places": found.places[:NAMED],
                "more": max(0, len(found.places) - NAMED),
            }
        )

    def begin(self, request: RedactRequest) -> RedactReply:
        """Begin to look and, if that is asked for, to replace; raise UnderWayError."""

        def work(stopping: threading.Event) -> None:
            self._found = _Found()
            self._reply = RedactReply(state=None, total=cleaning.count(self._store.read()))
            self._look(stopping)
            if request.apply and self._found.places and not stopping.is_set():
                self._apply(stopping)
            if request.drop_backups and not stopping.is_set():
                self._drop_backups()

        self._errand.begin(work)
        return self.report()

    def is_running(self) -> bool:
        """Say whether it is under way."""
        return self._errand.is_running()

    def stop(self) -> None:
        """Break it off; what was replaced stays so."""
        self._errand.stop()

    def _look(self, stopping: threading.Event) -> None:
        for table, rows in cleaning.pages(self._store.read()):
            if stopping.is_set():
                return
            for row in rows:
                self._found.add(table, row)
        state_cleaning.look(self._state, self._found.add)

    def _apply(self, stopping: threading.Event) -> None:
        self._become(backup=self._backups.make().path)
        for table, rows in cleaning.pages(self._store.read()):
            if stopping.is_set():
                return
            if ids := [row["id"] for row in rows if _clean(table, row) != row]:
                self._replace(table, ids)
        state_cleaning.replace(self._state, _clean)
        self._become(notes=self._traces.remove())
        self._become(applied=True, backups=list(self._backups.names()))
        log.info("redacted %d secrets", self._found.kinds.total())

    def _drop_backups(self) -> None:
        """Delete all backups, once there is one without any secret."""
        older = self._backups.names()
        clean = self._backups.make()
        for name in older:
            self._backups.drop(name)
        self._become(applied=True, backup=clean.path, backups=[])

    def _replace(self, table: str, ids: list[int]) -> None:
        with self._store.atomic() as connection:
            connection.execute("PRAGMA secure_delete = ON")
            for old in cleaning.whole_rows(connection, table, ids):
                new = _clean(table, old)
                cleaning.replace(connection, table, old, new)
                state_cleaning.follow_words(self._state, table, old, new)

    def _become(self, **news: object) -> None:
        self._reply = self._reply.model_copy(update=news)


class _Found:
    def __init__(self) -> None:
        self.rows = 0
        self.kinds: Counter[str] = Counter()
        self.places: list[FoundSecret] = []

    def add(self, table: str, row: Row) -> None:
        """Look at one row."""
        self.rows += 1
        for name in TEXTS[table]:
            report = Report()
            _cleaned(row.get(name), report)
            if report.found:
                self.kinds += report.found
                kinds = dict(report.found)
                self.places.append(FoundSecret(where=_where(table, row), field=name, kinds=kinds))


def _clean(table: str, row: Row) -> Row:
    """Return a row without secrets."""
    texts = TEXTS[table]
    return {name: _cleaned(value, Report()) if name in texts else value
            for name, value in row.items()}  # fmt: skip


def _cleaned(value: object, report: Report) -> object:
    """Return a value without secrets; a list or an object as JSON stays one."""
    if not isinstance(value, str):
        return value
    clean = redact(value, report)
    if clean == value or not value.startswith(("[", "{")):
        return clean
    try:
        whole = json.loads(value)
    except ValueError:
        return clean
    try:
        json.loads(clean)
    except ValueError:
        return json.dumps(_each(whole), ensure_ascii=False, separators=(",", ":"))
    return clean


def _each(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, list):
        return [_each(part) for part in value]
    if isinstance(value, dict):
        return {name: _each(part) for name, part in value.items()}
    return redact(value, Report()) if isinstance(value, str) else value


def _where(table: str, row: Row) -> str:
    kind = _KINDS.get(table)
    where = str(Ref(kind, row["id"])) if kind else f"{table} {row['id']}"
    return f"{where}, deleted" if state_cleaning.TRASH in row else where
