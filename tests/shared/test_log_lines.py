"""What was logged is read back whole and in order, however it was written and renamed."""

import itertools
import json
import logging
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.shared.log_lines import LogFiles


def line(message: str, second: int = 0, **more: str) -> bytes:
    entry = {
        "time": f"2026-05-28T12:00:{second:02}.000+02:00",
        "level": "INFO",
        "component": "worker.run",
        "message": message,
        **more,
    }
    return json.dumps(entry, ensure_ascii=False).encode() + b"\n"


def write(path: Path, *lines: bytes) -> None:
    with path.open("ab") as file:
        file.write(b"".join(lines))


def messages(entries: Iterable[object]) -> list[str]:
    return [str(entry).partition(": ")[2] for entry in entries]


def test_lines_of_all_processes_come_in_the_order_of_time(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", line("a", 1), line("c", 3))
    write(tmp_path / "mcp-2.jsonl", line("b", 2), line("d", 4))

    assert messages(LogFiles(tmp_path).newest(3)) == ["b", "c", "d"]
    assert messages(LogFiles(tmp_path).newest(99)) == ["a", "b", "c", "d"]
    assert LogFiles(tmp_path).newest(0) == []


def test_a_line_reads_as_time_level_component_and_message(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", line("hello", 7, exception="Trace\n  File"))

    (entry,) = LogFiles(tmp_path).newest(10)

    assert str(entry) == "2026-05-28 12:00:07 INFO worker.run: hello\n    Trace\n      File"


def test_nothing_that_is_logged_steers_the_terminal(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", line("\x1b[2J\rgone 死锁", exception="\x07"))

    (entry,) = LogFiles(tmp_path).newest(10)

    assert "\\x1b[2J\\rgone 死锁" in str(entry)
    assert "\x1b" not in str(entry)
    assert "\x07" not in str(entry)


def test_many_lines_are_read_from_the_end(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", *(line(f"{n} " + "x" * 200) for n in range(5000)))

    found = LogFiles(tmp_path).newest(1000)

    assert [message.split()[0] for message in messages(found)] == [
        str(n) for n in range(4000, 5000)
    ]


def test_what_follows_is_read_across_a_rotation_and_in_new_files(tmp_path: Path) -> None:
    path = tmp_path / "worker-1.jsonl"
    write(path, line("old"))
    files = LogFiles(tmp_path)
    assert messages(files.newest(10)) == ["old"]
    assert files.more() == []

    write(path, line("before", 1))
    path.rename(tmp_path / "worker-1.jsonl.1")
    write(path, line("after", 2))
    write(tmp_path / "mcp-9.jsonl", line("another", 3))

    assert messages(files.more()) == ["before", "after", "another"]
    assert files.more() == []


def test_what_is_no_line_of_ours_is_shown_as_it_is(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", line("a", 1), b"{torn\n", b"\xff\n", b"[]\n", line("b", 2))

    assert messages(LogFiles(tmp_path).newest(10)) == ["a", "{torn", "\ufffd", "[]", "b"]


@given(texts=st.lists(st.text(max_size=20), max_size=8), cuts=st.lists(st.integers(0, 900)))
def test_however_the_bytes_arrive_the_lines_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], cuts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    whole = b"".join(
        line(text.encode("utf-8", "replace").decode(), n) for n, text in enumerate(texts)
    )
    files = LogFiles(folder)
    found = files.newest(5)
    places = sorted({0, len(whole), *(cut for cut in cuts if cut < len(whole))})
    for start, end in itertools.pairwise(places):
        write(folder / "worker-1.jsonl", whole[start:end])
        found += files.more()

    assert found == LogFiles(folder).newest(len(texts) + 1)


def test_what_our_own_logging_writes_is_read(tmp_path: Path) -> None:
    from worker.shared.logs import setup_logging

    root = logging.getLogger()
    before = list(root.handlers), root.level
    try:
        setup_logging(tmp_path, "worker")
        logging.getLogger("worker.test").warning("a %s", "word")
        (entry,) = LogFiles(tmp_path).newest(10)
    finally:
        for handler in set(root.handlers) - set(before[0]):
            root.removeHandler(handler)
            handler.close()
        root.setLevel(before[1])
    assert str(entry).endswith("WARNING worker.test: a word")


@pytest.mark.skipif(sys.platform != "linux", reason="counts the bytes as Linux tells them")
def test_of_a_huge_file_only_the_end_is_read(tmp_path: Path) -> None:
    with (tmp_path / "worker-1.jsonl").open("wb") as file:
        file.truncate(500 * 2**20)
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + b"".join(line(f"line {n}") for n in range(100)))
    files = LogFiles(tmp_path)
    before = psutil.Process().io_counters().read_chars

    assert messages(files.newest(1000)) == [f"line {n}" for n in range(100)]
    assert files.more() == []
    assert psutil.Process().io_counters().read_chars - before < 16 * 2**20


def test_a_huge_file_that_is_new_comes_in_pieces(tmp_path: Path) -> None:
    files = LogFiles(tmp_path)
    assert files.newest(10) == []
    filler = "x" * 4096
    write(tmp_path / "worker-1.jsonl", *(line(f"{n}", filler=filler) for n in range(3000)))

    first, second = files.more(), files.more()

    assert len(first) < 3000
    assert messages(first + second) == [str(n) for n in range(3000)]


def test_a_file_that_is_made_anew_at_its_place_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "worker-1.jsonl"
    write(path, line("old", 1))
    files = LogFiles(tmp_path)
    files.newest(10)

    path.write_bytes(line("new", 2) + line("longer than what was there before", 3))

    assert messages(files.more()) == ["new", "longer than what was there before"]


def test_files_that_were_left_long_ago_are_not_read_for_the_newest_lines(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", line("of another day"))
    os.utime(tmp_path / "worker-1.jsonl", (1_000_000_000, 1_000_000_000))
    write(tmp_path / "worker-2.jsonl", line("a", 1), line("b", 2))
    files = LogFiles(tmp_path)

    assert messages(files.newest(2)) == ["a", "b"]
    assert not files.is_whole
    assert messages(files.newest(3)) == ["of another day", "a", "b"]
    assert files.is_whole
    write(tmp_path / "worker-1.jsonl", line("and goes on", 3))
    assert messages(files.more()) == ["and goes on"]


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "worker-1.jsonl").mkdir()
    write(tmp_path / "worker-2.jsonl", line("a"))
    files = LogFiles(tmp_path)

    assert messages(files.newest(5)) == ["a"]
    assert files.unread == ("worker-1.jsonl: Is a directory",)
