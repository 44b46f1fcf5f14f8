"""Which tests prove that what users of programs like this one reported cannot happen here."""

from collections.abc import Mapping

from tests.user_reports import app, clients, search, worker

ROWS: Mapping[str, tuple[str, ...]] = {**worker.ROWS, **search.ROWS, **clients.ROWS, **app.ROWS}
