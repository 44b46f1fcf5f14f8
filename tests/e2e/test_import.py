"""A home with only transcripts in it: imported, found, deleted, and back, by the keyboard."""

from pathlib import Path

from tests.e2e.running_app import prepare, running_app
from tests.e2e.screen import Screen, until
from tests.ingest.transcripts.made import pool_talk

TOLD = "Deleted 1 memory. 0 left. Summaries that told of it went, too: 1."


def test_sessions_on_the_disk_become_memories_that_come_and_go(
    desktop: Screen, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    paths = prepare(home, welcomed=False)
    pool_talk().write(home / ".claude" / "projects")

    with running_app(desktop, paths) as app:
        until(
            lambda: app.shows("welcome", "✓ Sessions of Claude Code: 1", "✓ The worker runs"),
            seconds=30,
            what="what was found",
        )
        until(lambda: app.is_active("welcome"), seconds=20, what="the window before all others")
        desktop.press("alt+i")
        until(lambda: app.shows("welcome", "✓ Imported"), seconds=20, what="the import")
        desktop.shot("imported")

        desktop.press("alt+m")
        until(lambda: app.is_active("search"), seconds=20, what="the search window")
        desktop.type("deadlocks kind:observations ")
        until(lambda: app.shows("search", "1 found in"), seconds=20, what="the memory")
        desktop.press("Down", "Delete")
        until(lambda: app.is_active("delete"), seconds=20, what="the question")
        desktop.shot("delete")
        desktop.press("Return")
        until(lambda: app.shows("search", TOLD), seconds=15, what="its end")
        desktop.shot("deleted")
        until(lambda: app.shows("search", "Nothing was found."), seconds=20, what="an empty list")

        desktop.press("alt+u")
        until(
            lambda: app.shows("search", "Undone: 2 memories are back."), seconds=15, what="the undo"
        )
        until(lambda: app.shows("search", "1 found in"), seconds=20, what="the memory again")
