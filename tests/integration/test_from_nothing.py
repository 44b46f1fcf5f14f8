"""Somebody who never had claude-mem: only what Claude Code has kept, and Claude that asks."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.ingest.transcripts.made import pool_talk
from tests.integration.processes import Worker, command, environment, running
from tests.mcp_server import program
from tests.mcp_server.program import Program
from worker.shared.paths import Paths
from worker.shared.settings import save_settings

ANSWER = "Twenty connections are enough, because the disk of the quokka machine is the limit."


def run(worker: Worker, *args: str) -> str:
    environ = environment(worker.data_dir)
    done = command(*args, "--data-dir", str(worker.data_dir), environ=environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


def until_says(claude: Program, query: str, holds: Callable[[str], bool]) -> str:
    """Let Claude search until the answer is as wanted."""
    for _ in range(200):
        text, failed = claude.call("search", {"query": query})
        if not failed and holds(text):
            return text
    raise AssertionError(text)


def tables_with(worker: Worker, word: str) -> set[str]:
    """Return the tables of the memories in which a word stands."""
    with closing(sqlite3.connect(Paths(worker.data_dir).database)) as connection:
        names = ("observations", "user_prompts", "session_summaries")
        return {name for name in names
                if word in str(connection.execute(f"SELECT * FROM {name}").fetchall())}  # fmt: skip


def test_from_transcripts_alone_to_what_claude_reads_and_what_it_must_forget(
    tmp_path: Path,
) -> None:
    data_dir = tmp_path / "home"
    talk = pool_talk()
    file = talk.write(data_dir / ".claude" / "projects")
    with running(data_dir) as worker, program.running(data_dir) as claude:
        run(worker, "import", str(data_dir / ".claude" / "projects"))
        claude.open()

        index = until_says(claude, "deadlocks", lambda text: "#1 " in text)
        around, _ = claude.call("timeline", {"anchor": 1})
        whole, _ = claude.call("get_observations", {"ids": [1]})
        assert "deadlocks" in index
        assert "#1" in around
        assert "max_size" in whole

        save_settings(Paths(data_dir).settings, {"watch_transcripts": True})
        talk.asks("Which size?").says(ANSWER)
        with file.open("a", encoding="utf-8") as more:
            more.write("".join(talk.text().splitlines(keepends=True)[-2:]))
        found = until_says(claude, "quokka", lambda text: "quokka" in text and "#" in text)
        number = int(next(iter(re.findall(r"#(\d+)", found))))

        deleted = json.loads(run(worker, "delete", str(number), "--yes", "--json"))
        assert (deleted["deleted"]["observations"], deleted["summaries"]) == (1, 1)
        assert deleted["left"] == 0
        export = tmp_path / "export.jsonl"
        until_says(claude, "quokka", lambda text: f"#{number} " not in text)
        run(worker, "export", str(export))
        assert "observations" not in tables_with(worker, "quokka")
        assert ANSWER not in export.read_text(encoding="utf-8")
        assert ANSWER not in claude.call("get_observations", {"ids": [number]})[0]
        again = json.loads(run(worker, "import", str(file), "--json"))
        assert "observations" not in again["added"]

        run(worker, "undo")
        until_says(claude, "quokka", lambda text: f"#{number} " in text)
        assert ANSWER in claude.call("get_observations", {"ids": [number]})[0]
