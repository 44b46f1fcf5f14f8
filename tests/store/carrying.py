"""Ways out of one database and into another."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.store.rows import MARCH, insert, plain
from worker.shared.portable import Row, check_row
from worker.store.entering import Entered, enter
from worker.store.leaving import Page, read_place
from worker.store.store import Store


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    store = Store(path)
    store.open()
    try:
        yield store
    finally:
        store.close()


def pages(store: Store, project: str | None = None) -> Iterator[Page]:
    """Ask page after page, with the place as it travels."""
    page = store.page(None, project)
    yield page
    while page.next is not None:
        page = store.page(read_place(str(page.next)), project)
        yield page


def leave(path: Path, project: str | None = None) -> list[Row]:
    """Return all rows, as an export file would hold them."""
    with opened(path) as store:
        rows = [row for page in pages(store, project) for row in page.rows]
    return [check_row(row) for row in json.loads(json.dumps(rows))]


def arrive(path: Path, rows: Sequence[Row]) -> Entered:
    """Add rows in one transaction."""
    with opened(path) as store, store.atomic() as connection:
        return enter(connection, rows)


# ---------------------------------------------------------------------- merging
def observe(path: Path, title: str, *, session: str = "m", at: int = MARCH) -> int:
    """Add an observation in a session, which is made where missing."""
    with plain(path) as connection:
        known = "SELECT 1 FROM sdk_sessions WHERE memory_session_id = ?"
        if not connection.execute(known, (session,)).fetchone():
            insert(connection, "sdk_sessions", content_session_id=f"content of {session}",
                   memory_session_id=session, project="p")  # fmt: skip
        return insert(connection, "observations", memory_session_id=session, title=title,
                      created_at_epoch=at)  # fmt: skip
