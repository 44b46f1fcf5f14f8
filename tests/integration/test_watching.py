"""What Claude Code writes comes in by itself, once that is wanted."""

import json
from pathlib import Path

from tests.ingest.transcripts.made import Talk, pool_talk
from tests.integration.importing import old, stored
from tests.integration.processes import running
from worker.shared.paths import Paths
from worker.shared.settings import save_settings

OTHER = "99999999-2222-4333-8444-555555555555"


def test_what_claude_code_writes_is_found_by_itself_once_that_is_wanted(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"  # and the home
    talk = pool_talk()
    file = talk.write(data_dir / ".claude" / "projects")
    with running(data_dir) as worker:
        worker.until("/api/stats", lambda status, _: status == 200)
        save_settings(Paths(data_dir).settings, {"watch_transcripts": True})
        worker.until(
            "/api/search?query=deadlocks&format=json",
            lambda _, body: [item["ref"] for item in body["items"]][:1] == ["#1"],
        )
        talk.asks("Which size?").says(
            "Twenty connections are enough, because the disk of the quokka machine is the limit."
        )
        with file.open("a", encoding="utf-8") as more:
            more.write("".join(talk.text().splitlines(keepends=True)[-2:]))

        worker.until(
            "/api/search?query=quokka&format=json",
            lambda _, body: len(body["items"]) > 0,
            seconds=20,
        )
        assert stored(worker, "SELECT count(*) FROM observations") == [(3,)]


def test_the_watch_reads_no_file_again_that_has_not_changed_and_no_export(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"  # and the home
    projects = data_dir / ".claude" / "projects"
    talk = pool_talk()
    still = old(talk.write(projects))
    export = [
        {"memtray_export": 1},
        {"table": "user_prompts", "id": 1, "content_session_id": "c", "prompt_text": "Exported?"},
        {"end": {"sdk_sessions": 0, "observations": 0, "session_summaries": 0, "user_prompts": 1}},
    ]
    (projects / "memories.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in export))
    with running(data_dir) as worker:
        worker.until("/api/stats", lambda status, _: status == 200)
        save_settings(Paths(data_dir).settings, {"watch_transcripts": True})
        worker.until("/api/search?query=deadlocks&format=json", lambda _, body: body["items"])
        aside = tmp_path / "aside"
        aside.write_text(talk.text().replace("09:00:", "08:00:"), encoding="utf-8")
        old(aside).replace(still)  # as large and as old as before, so that only a reader can tell
        later = Talk(session=OTHER, cwd="/home/mia/code/web")
        old(later.asks("Which port does the quokka have?").write(projects / "behind"))

        worker.until("/api/search?query=quokka&format=json", lambda _, body: body["items"])
        assert stored(worker, "SELECT count(*) FROM observations") == [(2,)]
        assert stored(worker, "SELECT count(*) FROM user_prompts") == [(3,)]
