"""The report holds what helps, and nothing that is private."""

import zipfile
from datetime import UTC, datetime
from pathlib import Path

from app.health.diagnostics import Facts, report, save_zip, versions, without_values
from app.health.redaction import Private
from tests.app.health.samples import BROKEN, BUILDING, running
from worker import __version__
from worker.shared.log_lines import Entry

ANN = Private(Path("/home/ann"), "ann", ("the-token",))
MEMORY = "We chose Postgres because Oracle was too dear"
TRACE = f"""Traceback (most recent call last):
  File "/home/ann/memtray/worker/store.py", line 3, in save
    raise ValueError(text)
    ^^^^^^^^^^^^^^^^^^^^^^
ValueError: {MEMORY}
{MEMORY}
  {MEMORY} [input_value='{MEMORY}']

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/home/ann/memtray/worker/run.py", line 9, in main
    save()
{MEMORY}"""


def entry(message: str, level: str = "INFO", exception: str = "") -> Entry:
    at = datetime(2026, 5, 28, 12, tzinfo=UTC)
    return Entry(time=at, level=level, component="worker.run", message=message, exception=exception)


def facts(*log: Entry, output: str = "") -> Facts:
    status = running()
    assert status.worker
    return Facts(
        at=datetime(2026, 5, 28, 12, tzinfo=UTC),
        worker=status.worker.model_copy(update={"data_dir": "/home/ann/.claude-mem"}),
        parts=[BROKEN, BUILDING],
        versions={"memtray": __version__},
        system={"system": "Linux-6.1"},
        sizes={"/home/ann/.claude-mem/claude-mem.db": 1_234_567, "/home/ann/x": None},
        free=5_000,
        settings={"port": 37777},
        counts={"observations": 812, "projects": 3},
        log=log,
        output=output,
        troubles=["stats did not answer"],
    )


def test_it_tells_versions_system_paths_port_health_counts_and_lag() -> None:
    text = report(facts(entry("listening")), ANN)

    for told in (
        f"memtray {__version__}",
        "system: Linux-6.1",
        "data folder: ~/.claude-mem",
        "port: 37777",
        "process: 4711",
        "keyword: degraded\n    It holds rows that no memory has.",
        "vectors: building, 30 of 120, lag 90",
        "observations: 812",
        "~/.claude-mem/claude-mem.db: 1,234,567 bytes",
        "~/x: not there",
        "free on that disk: 5,000 bytes",
        "2026-05-28 12:00:00 INFO worker.run: listening",
        "stats did not answer",
    ):
        assert told in text


def test_where_an_error_happened_stays_and_what_it_quotes_goes() -> None:
    text = report(facts(entry("it broke", "ERROR", TRACE), output=TRACE), ANN)

    assert MEMORY not in text
    assert text.count('File "~/memtray/worker/store.py", line 3, in save') == 2
    assert text.count("raise ValueError(text)") == 2
    assert text.count("ValueError: …") == 2


def test_lines_that_may_hold_memories_or_cannot_be_read_are_left_out() -> None:
    text = report(facts(entry(MEMORY, "DEBUG"), entry(MEMORY, "-"), entry("kept")), ANN)

    assert MEMORY not in text
    assert "kept" in text


def test_the_output_of_the_worker_stays_where_it_is_no_traceback() -> None:
    output = f"could not start\n{TRACE}\n2026-05-28 12:00:00 WARNING worker: port taken"

    lines = list(without_values(output, inside=False))

    assert lines[0] == "could not start"
    assert lines[-1].endswith("port taken")
    assert MEMORY not in "\n".join(lines)


def test_tokens_in_messages_go() -> None:
    text = report(facts(entry("got the-token and Bearer abcdefgh from ann")), ANN)

    assert "got (removed) and Bearer (removed) from ***" in text


def test_the_zip_holds_what_was_shown_and_nothing_else(tmp_path: Path) -> None:
    save_zip(tmp_path / "d.zip", "shown 死锁\n")

    with zipfile.ZipFile(tmp_path / "d.zip") as file:
        assert file.namelist() == ["memtray-diagnostics.txt"]
        assert file.read("memtray-diagnostics.txt").decode() == "shown 死锁\n"


def test_the_versions_of_what_it_is_built_on_are_found() -> None:
    found = versions()

    assert found["memtray"] == __version__
    assert found["pyside6-essentials"].startswith("6.")
