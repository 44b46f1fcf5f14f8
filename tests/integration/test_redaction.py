"""No secret reaches the disk: database, journal, indexes, logs, export and backup are read."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.planted import PLANTED
from tests.integration.answers import until_whole
from tests.integration.memories import new_database, some
from tests.integration.processes import Worker, command, environment, running
from tests.integration.saving import save
from worker.shared.paths import Paths


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    data_dir = tmp_path_factory.mktemp("data")
    new_database(Paths(data_dir).database, some())
    with running(data_dir) as started:
        until_whole(started)
        yield started


def run(data_dir: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    return command(*args, "--data-dir", str(data_dir), environ=environment(data_dir))


def holding(folder: Path, secret: str) -> list[Path]:
    """Return the files below a folder in which a secret stands."""
    wanted = [secret.encode(), secret.encode("utf-16-le")]
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and any(each in path.read_bytes() for each in wanted)
    ]


def test_no_file_holds_a_secret_that_was_saved(worker: Worker, tmp_path: Path) -> None:
    for number, text in enumerate(PLANTED):
        saved = save(worker, f"Note {number}: {text}", title=f"About {text}"[:500], files=[text])
        assert "Secrets were left out" in saved["notes"][0]
    until_whole(worker)

    for line in (["export", str(tmp_path / "all.jsonl")], ["backup", str(tmp_path / "all.db")]):
        assert run(worker.data_dir, *line).returncode == 0

    for folder in (worker.data_dir, tmp_path):
        found = {secret: holding(folder, secret) for secret in PLANTED.values()}
        assert not {secret: paths for secret, paths in found.items() if paths}


def test_what_stood_around_a_secret_is_found(worker: Worker) -> None:
    saved = save(worker, "The staging box: DB_PASSWORD=hunter2222 for kingfisher")

    worker.until(
        "/api/search?query=kingfisher&format=json",
        lambda _, body: [item["id"] for item in body["items"]] == [saved["id"]],
    )


def test_rows_of_an_export_lose_their_secrets(worker: Worker, tmp_path: Path) -> None:
    source = tmp_path / "from.jsonl"
    assert run(worker.data_dir, "export", str(source)).returncode == 0
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("kingfisher", "DB_PASSWORD=halcyon77"), encoding="utf-8")
    other = tmp_path / "other"
    with running(other):
        done = run(other, "import", str(source))

        assert done.returncode == 0
        assert "Secrets left out: " in done.stdout
    assert not holding(other, "halcyon77")
