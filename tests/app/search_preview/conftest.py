"""A preview over a real worker that holds a few memories."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.search.preview.preview import Preview
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.integration.memories import MINUTE, NOON, new_database, some, without_meaning
from tests.integration.processes import running
from tests.store.rows import insert, plain
from worker.shared.paths import Paths

NARRATIVE = """The **pool** in `src/db/pool.py` deadlocked: each retry held its connection.
Then 连接池 was exhausted 🎉 while pooling.

- raised `max_size` to 8
- retried less

```sh
make test
memtray-worker doctor
```
After that no pool was exhausted."""
POOL, SUMMARY, PROMPT = "#61", "#S1", "#P1"


@pytest.fixture(scope="session")
def memory_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder whose worker runs: 60 memories, and after them one with everything in it."""
    folder = tmp_path_factory.mktemp("previewed")
    new_database(folder / "claude-mem.db", some(60))
    with plain(folder / "claude-mem.db") as db:
        whole = {
            "type": "bugfix",
            "title": "Connection pool exhausted by retries",
            "subtitle": "The retry loop never gave a connection back",
            "narrative": NARRATIVE,
            "facts": json.dumps(["max_size was 1", "the pool is in `src/db/pool.py`"]),
            "concepts": json.dumps(["gotcha", "pooling"]),
            "files_read": json.dumps(["/nowhere/src/db/pool.py"]),
            "files_modified": json.dumps([str(folder / "notes.md"), "src/retry.py"]),
        }
        at = {"project": "garden", "created_at_epoch": NOON + 60 * MINUTE}
        insert(db, "observations", **whole, **at)
        insert(db, "session_summaries", request="Mend the pool", learned="Pools run dry.", **at)
        insert(
            db,
            "user_prompts",
            prompt_text="Why is the pool empty?",
            **{"created_at_epoch": at["created_at_epoch"]},
        )
    (folder / "notes.md").write_text("Notes.", encoding="utf-8")
    without_meaning(folder)
    with running(folder):
        yield folder


@pytest.fixture
def client(memory_folder: Path, qapp: QApplication) -> Iterator[WorkerClient]:
    asking = WorkerClient(Paths(memory_folder), environ={})
    yield asking
    asking.deleteLater()


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp)


@pytest.fixture
def preview(qtbot: QtBot, client: WorkerClient, theme: Theme) -> Preview:
    shown = Preview(client, theme)
    qtbot.addWidget(shown)
    shown.resize(640, 760)
    shown.show()
    return shown
