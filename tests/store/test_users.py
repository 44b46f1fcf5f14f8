"""Who has a file open is told by name and number, where that can be told."""

import subprocess
import sys
from pathlib import Path

import pytest

from worker.store.users import NAMED, users_of

HOLDER = "import sys; file = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


@pytest.mark.parametrize(("holders", "more"), [(1, ""), (NAMED + 2, " and 2 more")])
def test_programs_that_have_it_open_are_named(tmp_path: Path, holders: int, more: str) -> None:
    path = tmp_path / "Ä b.db"
    path.touch()
    with path.open("rb"):  # we ourselves are no news
        assert users_of(path) == ""
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", HOLDER, str(path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            for _ in range(holders)
        ]
        try:
            for process in processes:
                assert process.stdout
                process.stdout.readline()
            named = users_of(path)
        finally:
            for process in processes:
                process.communicate(b"", timeout=15)

    numbers = {str(process.pid) for process in processes}
    assert sum(f"(pid {number})" in named for number in numbers) == min(holders, NAMED)
    assert named.endswith(more)


@pytest.mark.parametrize(
    ("platform", "told"), [("linux", True), ("darwin", True), ("win32", False)]
)
def test_where_asking_may_take_for_ever_nobody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, told: bool
) -> None:
    asked: list[object] = []

    def no_processes(names: list[str]) -> tuple[()]:
        asked.append(names)
        return ()

    monkeypatch.setattr("psutil.process_iter", no_processes)

    assert users_of(tmp_path, platform=platform) == ""
    assert bool(asked) is told
