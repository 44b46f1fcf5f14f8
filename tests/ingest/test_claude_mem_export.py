"""What claude-mem's own export script wrote comes in as rows, or nothing of it."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from worker.ingest import json_stream
from worker.ingest.claude_mem_export import ClaudeMemExport, is_claude_mem_export
from worker.ingest.export_file import BadFileError
from worker.ingest.transcripts.lines import Reading
from worker.shared.portable import Row

SESSION = {
    "id": 1,
    "content_session_id": "c1",
    "memory_session_id": "m1",
    "project": "shop",
    "status": "completed",
}
OBSERVATION = {
    "id": 7,
    "memory_session_id": "m1",
    "project": "shop",
    "type": "bugfix",
    "title": "The pool no longer runs dry",
    "facts": ["one", "two"],
    "a_column_of_tomorrow": 1,
    "text": None,
    "created_at": "2026-03-01T10:00:00Z",
    "created_at_epoch": 1_772_359_200_000,
}
EXPORT: dict[str, Any] = {
    "exportedAt": "2026-03-02T00:00:00Z",
    "exportedAtEpoch": 1,
    "query": "*",
    "totalObservations": 1,
    "observations": [OBSERVATION],
    "sessions": [SESSION],
    "summaries": [],
    "prompts": [{"id": 3, "content_session_id": "c1", "prompt_text": "Why?", "prompt_number": 1}],
}


def written(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return path


def read(path: Path) -> list[Row]:
    """Return the rows as an import gets them."""
    export = ClaudeMemExport(path)
    checked = [row for row, _ in export.check(Reading())]
    rows = [row for row, _ in export.rows(Reading())]
    assert sorted(checked, key=repr) == sorted(rows, key=repr)
    return rows


def test_each_record_becomes_a_row_sessions_first(tmp_path: Path) -> None:
    export = written(tmp_path / "memories.json", EXPORT)

    assert is_claude_mem_export(export)
    rows = read(export)
    assert [row["table"] for row in rows] == ["sdk_sessions", "observations", "user_prompts"]
    assert rows[1]["facts"] == '["one", "two"]'
    assert "a_column_of_tomorrow" not in rows[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"observations": "none"}, "observations is no list"),
        ({"observations": [OBSERVATION, {"id": 8}]}, "observations, record 2: a row of"),
        ({"sessions": [3]}, "sessions, record 1: it is no JSON object"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    export = written(tmp_path / "memories.json", EXPORT | change)

    with pytest.raises(BadFileError, match=said):
        read(export)


def test_a_list_that_is_there_twice_is_told(tmp_path: Path) -> None:
    export = written(tmp_path / "memories.json", EXPORT)
    text = export.read_text(encoding="utf-8")
    export.write_text(f'{text.rstrip("}")}, "sessions": []}}', encoding="utf-8")

    with pytest.raises(BadFileError, match="sessions is there twice"):
        read(export)


@pytest.mark.parametrize("chunk", [*range(1, 40), 1000, 10_000])
def test_sessions_are_found_again_wherever_the_file_is_cut_into_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(json_stream, "_CHUNK", chunk)
    named = {"id": 1, "content_session_id": "连接池 🎉", "memory_session_id": "m"}
    export = tmp_path / "memories.json"
    lists = EXPORT | {"sessions": [SESSION, named]}
    export.write_bytes(b"\xef\xbb\xbf" + json.dumps(lists, ensure_ascii=False).encode())

    assert [row["content_session_id"] for row in read(export)[:2]] == ["c1", "连接池 🎉"]


def test_a_file_that_was_cut_off_is_told(tmp_path: Path) -> None:
    export = written(tmp_path / "memories.json", EXPORT)
    export.write_bytes(export.read_bytes()[:-30])

    assert is_claude_mem_export(export)
    with pytest.raises(BadFileError, match="no whole JSON"):
        read(export)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(records=anything | st.lists(anything, max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_shape_is_read_or_refused(tmp_path: Path, records: object) -> None:
    export = written(tmp_path / "memories.json", EXPORT | {"observations": records})
    with suppress(BadFileError):
        read(export)
