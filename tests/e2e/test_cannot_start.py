"""A start that cannot use its data folder ends with a window, since an icon shows no terminal."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.running_app import COMMAND
from tests.e2e.screen import Screen, until
from tests.integration.processes import ROOT
from tests.nobody import as_nobody
from worker.shared.paths import Paths


@pytest.fixture
def closed() -> Iterator[Path]:
    """A data folder that was used, of which the user nobody may only read."""
    as_nobody()  # or it is skipped
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        home.chmod(0o755)
        paths = Paths(home / ".claude-mem")
        paths.create()
        for folder in (paths.data_dir, paths.own, paths.index, paths.logs):
            folder.chmod(0o755)
        yield home


@pytest.mark.parametrize(
    ("language", "title"),
    [("C.UTF-8", "Memtray cannot start"), ("zh_CN.UTF-8", "Memtray 无法启动")],
)
def test_a_folder_that_may_not_be_written_is_told_in_a_window(
    desktop: Screen, closed: Path, language: str, title: str
) -> None:
    with subprocess.Popen(
        [*as_nobody(), *COMMAND],
        cwd=ROOT,
        env=desktop.environ | {"HOME": str(closed), "LC_ALL": language},
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as app:
        try:
            until(lambda: desktop.has_active(title), seconds=30, what="the window")
            desktop.shot("cannot-start")
            desktop.press("Escape")
            _, err = app.communicate(timeout=30)
        finally:
            app.kill()

    assert app.returncode == 1
    assert f"The data folder cannot be used: {closed}/.claude-mem/memtray" in err
    assert "Traceback" not in err
