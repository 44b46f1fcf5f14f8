"""Files in any state are read as far as they can be."""

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.ingest.tally import Tally
from worker.ingest.transcripts.lines import Reading, read_lines
from worker.ingest.transcripts.messages import messages

RECORD = {"type": "user", "message": {"content": "数据库 🚀"}}
LINE = json.dumps(RECORD, ensure_ascii=False)


def read(path: Path) -> tuple[list[object], Reading]:
    reading = Reading()
    return [line.record for line in read_lines(path, reading)], reading


def written(folder: Path, content: bytes) -> Path:
    path = folder / "a.jsonl"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_encoding_gives_the_same(tmp_path: Path, encoding: str, end: str) -> None:
    records, reading = read(written(tmp_path, (LINE + end + LINE + end).encode(encoding)))

    assert records == [RECORD, RECORD]
    assert not reading.failed


def test_a_torn_line_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    records, reading = read(written(tmp_path, f"{LINE}\n{LINE[:20]}\n{LINE}\n".encode()))

    assert len(records) == 2
    assert reading.failed == [(2, "no JSON: cut off or garbled")]


def test_a_last_line_that_is_being_written_is_no_failure(tmp_path: Path) -> None:
    records, reading = read(written(tmp_path, f"{LINE}\n{LINE[:20]}".encode()))

    assert len(records) == 1
    assert not reading.failed


def test_two_records_on_one_line_are_both_read(tmp_path: Path) -> None:
    records, reading = read(written(tmp_path, f"{LINE}{LINE}\n".encode()))

    assert records == [RECORD, RECORD]
    assert reading.repaired == 1


def test_nul_characters_are_passed_over(tmp_path: Path) -> None:
    records, reading = read(written(tmp_path, f"{LINE}\n\0\0\0\0{LINE}\n\0\0\0".encode()))

    assert records == [RECORD, RECORD]
    assert reading.repaired == 1


def test_what_is_no_object_is_named(tmp_path: Path) -> None:
    records, reading = read(written(tmp_path, f'[1]\n"x"\n{LINE}\nnull\n'.encode()))

    assert records == [RECORD]
    assert [number for number, _ in reading.failed] == [1, 2, 4]


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    records, reading = read(written(tmp_path, b""))

    assert (records, reading.failed, reading.lines) == ([], [], 0)


@given(st.binary(max_size=400))
def test_no_bytes_raise(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    read(written(tmp_path_factory.mktemp("any"), content))


def test_a_long_line_is_let_go_before_the_next_is_read(tmp_path: Path) -> None:
    size = 4_000_000
    line = json.dumps({"type": "progress", "data": "x" * size}) + "\n"
    path = written(tmp_path, (line * 4).encode())
    tally = Tally("job")
    tracemalloc.start()
    try:
        found = list(messages(tally.each(read_lines(path, Reading()))))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert not found
    assert most < 2.5 * size
