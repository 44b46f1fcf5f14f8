"""The file of an export appears whole or not at all, and only a whole one is read."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from worker.ingest.export_file import (
    CHUNK_BYTES,
    CHUNK_ROWS,
    BadFileError,
    FileExistsAlreadyError,
    chunks,
    read,
    writing,
)
from worker.ingest.transcripts.lines import Reading
from worker.shared.portable import MAX_ROW, Row


def row(number: int, **more: object) -> Row:
    return {"table": "observations", "id": number, "memory_session_id": "m", **more}


def export(path: Path, *rows: Row) -> Path:
    with writing(path, {}, replace=True) as file:
        file.add(rows)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "Ä b" / "memories.jsonl"


@pytest.fixture(autouse=True)
def _folder(path: Path) -> None:
    path.parent.mkdir()


def left(path: Path) -> list[str]:
    return [each.name for each in path.parent.iterdir()]


# ---------------------------------------------------------------------- writing
def test_it_is_for_the_user_alone_and_says_what_it_is(path: Path) -> None:
    export(path, row(1, title="连接\n🎉"))

    lines = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {"memtray_export": 1}
    assert json.loads(lines[1]) == row(1, title="连接\n🎉")
    assert json.loads(lines[2])["end"]["observations"] == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert left(path) == [path.name]


def test_a_file_that_exists_stays_unless_told(path: Path) -> None:
    path.write_text("mine", encoding="utf-8")

    with pytest.raises(FileExistsAlreadyError, match="--force"), writing(path, {}, replace=False):
        pass
    assert path.read_text(encoding="utf-8") == "mine"

    export(path, row(1))
    assert len(list(read(path, Reading()))) == 1


def test_a_file_that_appears_meanwhile_stays_too(path: Path) -> None:
    with pytest.raises(FileExistsAlreadyError), writing(path, {}, replace=False):
        path.write_text("mine", encoding="utf-8")

    assert path.read_text(encoding="utf-8") == "mine"
    assert left(path) == [path.name]


def test_a_folder_is_no_file(path: Path) -> None:
    with pytest.raises(FileExistsAlreadyError, match="is a folder"):
        export(path.parent)


def test_what_breaks_off_leaves_what_was_there(path: Path) -> None:
    export(path, row(1))
    before = path.read_bytes()

    with pytest.raises(TypeError, match="JSON"), writing(path, {}, replace=True) as file:
        file.add([row(2), row(3, title=b"no JSON")])

    assert path.read_bytes() == before
    assert left(path) == [path.name]


# ---------------------------------------------------------------------- reading
HEADER = b'{"memtray_export": 1}\n'
END = (
    b'{"end": {"sdk_sessions": 0, "observations": 1, "session_summaries": 0, "user_prompts": 0}}\n'
)
ROW = b'{"table": "observations", "id": 1, "memory_session_id": "m"}\n'


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"", None, "is empty"),
        (b"\n", 1, "no export of Memtray"),
        (b"{}", 1, "no export of Memtray"),
        (b"[1]\n", 1, "no export of Memtray"),
        (b"SQLite format 3\0\xff", 1, "no export of Memtray"),
        (b'{"type":"user","sessionId":"s"}\n', 1, "memtray-worker export"),
        (HEADER.decode().encode("utf-16"), 1, "no export of Memtray"),
        (b"[" * 100_000 + b"\n", 1, "no export of Memtray"),
        (b'{"memtray_export": 2}\n', 1, "update Memtray"),
        (b'{"memtray_export": null}\n', 1, "update Memtray"),
        (HEADER, 1, "ends here without its last line"),
        (HEADER + ROW, 2, "ends here without its last line"),
        (HEADER + ROW[:-9], 2, "cut off"),
        (HEADER + ROW + END[:30], 3, "cut off"),
        (HEADER + b"\n" + ROW + END, 2, "no whole JSON object"),
        (HEADER + ROW + b"\xff\n" + END, 3, "no whole JSON object"),
        (HEADER + b"[" * 100_000 + b"\n" + END, 2, "no whole JSON object"),
        (HEADER + b'{"table": "schema_versions"}\n' + END, 2, "table is one of"),
        (HEADER + b'{"table": ["observations"]}\n' + END, 2, "table is one of"),
        (HEADER + ROW.replace(b"1,", b"0,") + END, 2, "id must be"),
        (HEADER + ROW.replace(b"1,", b"true,") + END, 2, "id must be"),
        (HEADER + ROW.replace(b"1,", b"9007199254740993,") + END, 2, "id must be"),
        (HEADER + ROW.replace(b'"m"', b"5") + END, 2, "memory_session_id must be a text"),
        (HEADER + ROW.replace(b'"m"', b"null") + END, 2, "must have memory_session_id"),
        (HEADER + ROW.replace(b'"m"', b'"m", "title": {}') + END, 2, "title must be a text"),
        (HEADER + ROW.replace(b'"m"', b'"m", "title": true') + END, 2, "title must be a text"),
        (HEADER + ROW.replace(b'"m"', b'"m", "title": "\\ud800"') + END, 2, "half a character"),
        (HEADER + ROW.replace(b'"m"', b'"m", "facts": NaN') + END, 2, "finite"),
        (HEADER + ROW.replace(b'"m"', b'"m", "facts": ' + b"9" * 40) + END, 2, "64 bits"),
        (HEADER + ROW + ROW.replace(b"1,", b"2,") + END, 4, "promises"),
        (HEADER + END, 2, "promises"),
        (HEADER + ROW + END + ROW, 4, "more after the last line"),
        (HEADER + b'{"end": null}\n', 2, "promises"),
        (HEADER + b" " * MAX_ROW + ROW + END, 2, f"longer than {MAX_ROW} bytes"),
        (b" " * (MAX_ROW + 5), 1, "no export of Memtray"),
    ],
)
def test_a_file_that_is_no_whole_export_is_named_with_its_line(
    path: Path, content: bytes, line: int | None, said: str
) -> None:
    path.write_bytes(content)

    with pytest.raises(BadFileError) as refused:
        list(chunks(read(path, Reading())))

    assert str(path) in refused.value.detail
    assert said in refused.value.detail
    assert line is None or f"line {line}: " in refused.value.detail


@pytest.mark.parametrize("end", range(0, len(HEADER + ROW + END), 7))
def test_wherever_it_was_cut_off_nothing_passes(path: Path, end: int) -> None:
    path.write_bytes((HEADER + ROW + END)[:end])

    with pytest.raises(BadFileError):
        list(read(path, Reading()))


def test_what_is_no_ordinary_file_is_refused(path: Path) -> None:
    with pytest.raises(BadFileError, match="no ordinary file"):
        list(read(path.parent, Reading()))
    with pytest.raises(FileNotFoundError):
        list(read(path, Reading()))


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=st.binary() | st.builds(lambda tail: HEADER + tail, st.binary()))
def test_no_bytes_whatever_cause_any_other_error(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(BadFileError):
        list(read(path, Reading()))


@pytest.mark.parametrize(
    "text", [lambda n: "x" * n, lambda n: "连" * (n // 3), lambda n: "🎉" * (n // 4)]
)
def test_every_chunk_is_small(path: Path, text: Callable[[int], str]) -> None:
    sizes = (10, MAX_ROW - 200, 300_000, 300_000, 300_000, 300_000, 50)
    rows = [row(number, title=text(size)) for number, size in enumerate(sizes, start=1)]
    export(path, *rows, *(row(number) for number in range(50, 50 + 2 * CHUNK_ROWS)))

    parts = list(chunks(read(path, Reading())))

    assert [each for part in parts for each in part][: len(rows)] == rows
    assert all(len(part) <= CHUNK_ROWS for part in parts)
    lengths = [len(json.dumps(part, ensure_ascii=False).encode()) for part in parts]
    assert max(lengths) < CHUNK_BYTES + MAX_ROW
