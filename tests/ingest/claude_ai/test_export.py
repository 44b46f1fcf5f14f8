"""What an export of claude.ai becomes, whatever its layout and state."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.material import SHARED
from tests.ingest.claude_ai.exports import ANSWER, pool, said, talk, written, zipped
from worker.ingest.claude_ai.conversation import conversation_of
from worker.ingest.claude_ai.export import is_export, read_export
from worker.ingest.readers import reader_of
from worker.ingest.transcripts.lines import Reading
from worker.shared.portable import Row

COLLECTED = SHARED / "data" / "claude_export"
PROJECT = {
    "uuid": "p1",
    "name": "Shop",
    "description": "",
    "prompt_template": "Answer briefly.",
    "created_at": "2026-02-01T00:00:00+00:00",
    "docs": [
        {"uuid": "d1", "filename": "style.md", "content": "Plain prose.", "created_at": "oops"}
    ],
}
MEMORIES = {
    "conversations_memory": "Likes short answers.",
    "project_memories": {"p1": "Prices are in cents."},
    "memory_files": [{"path": "/areas/running.md", "content": "Runs on Mondays."}],
    "account_uuid": "a1",
}


def rows(path: Path, reading: Reading | None = None) -> list[Row]:
    return [row for each in read_export(path, reading or Reading()) for row in each]


def texts(path: Path, table: str, column: str) -> list[str]:
    return [row[column] for row in rows(path) if row["table"] == table]


def test_a_conversation_becomes_question_answer_and_summary(tmp_path: Path) -> None:
    export = written(tmp_path / "conversations.json", [pool()])

    assert is_export(export)
    assert texts(export, "user_prompts", "prompt_text") == ["Why does the pool run dry at night?"]
    assert texts(export, "observations", "narrative") == [ANSWER]
    assert texts(export, "session_summaries", "request") == ["Dry pool"]
    assert {row["project"] for row in rows(export)} == {"claude.ai"}


@pytest.mark.parametrize(
    "names",
    [
        ("conversations.json", "projects.json", "memories.json"),
        ("conversations.json", "projects/p1.json", "memories/a1.json"),
        ("data/conversations-000.json", "data/projects.json", "data/memories-000.json"),
    ],
    ids=["old", "new", "parts"],
)
def test_each_layout_of_a_zip_is_read(tmp_path: Path, names: tuple[str, str, str]) -> None:
    talks, projects, memories = names
    files = {
        talks: [pool()],
        "__MACOSX/._conversations.json": b"\0\5\x16",
        "users.json": [{"uuid": "a1", "full_name": "Alex"}],
        "../conversations/evil.json": [],
        projects: PROJECT if "/p1" in projects else [PROJECT],
        memories: MEMORIES if "/a1" in memories else [MEMORIES],
    }
    export = zipped(tmp_path / "data-2026-06-03-batch-0000.zip", files)
    reading = Reading()

    found = {(row["project"], row.get("title")): row for row in rows(export, reading)}

    assert not reading.failed
    assert found["Shop", "style.md"]["narrative"] == "Plain prose."
    assert found["Shop", "Instructions of the project Shop"]["narrative"] == "Answer briefly."
    assert found["Shop", "What Claude remembers of Shop"]["narrative"] == "Prices are in cents."
    assert found["claude.ai", "What Claude remembers"]["narrative"] == "Likes short answers."
    assert ("claude.ai", "What Claude remembers: /areas/running.md") in found
    assert ANSWER in [row.get("narrative") for row in found.values()]
    assert reading.size == export.stat().st_size


def test_each_branch_of_an_edited_conversation_is_told_once() -> None:
    found = conversation_of(
        talk(
            "c",
            said("q1", "human", "How?"),
            said("a1", "assistant", "One way.", "q1", 1),
            said("a1b", "assistant", "Another way.", "q1", 2),
            said("q2", "human", "And then?", "a1", 3),
            said("q2b", "human", "And when?", "a1b", 4),
            said("a2", "assistant", "Then.", "q2", 5),
            said("a2b", "assistant", "When.", "q2b", 6),
        )
    )

    assert found
    assert [(turn.prompt.text, turn.texts) for turn in found.turns] == [
        ("How?", ["One way.", "Another way."]),
        ("And then?", ["Then."]),
        ("And when?", ["When."]),
    ]


def test_blocks_attachments_and_silence() -> None:
    asked = said("q", "human", "Look")
    asked["attachments"] = [{"file_name": "notes.txt", "extracted_content": "bm25 weights"}]
    answer = said("a", "assistant", "", "q")
    answer["content"] = [
        {"type": "thinking", "thinking": "a secret thought"},
        {"type": "tool_use", "name": "web_search", "input": {"query": "plumbing"}},
        {"type": "text", "text": "Use bm25."},
        {"type": "token_budget"},
    ]

    found = conversation_of(talk("c", asked, answer, said("e", "human", "", "a")))

    assert found
    (turn,) = found.turns
    assert turn.prompt.text == "Look\n\n[notes.txt]\nbm25 weights"
    assert turn.texts == ["Use bm25."]
    assert conversation_of(talk("empty")) is None


def test_a_torn_export_keeps_all_before_the_tear_and_tells_of_it(tmp_path: Path) -> None:
    export = written(tmp_path / "conversations.json", [pool(), talk("c2", said("m", "human", "x"))])
    whole = export.read_bytes()
    export.write_bytes(whole[: len(whole) - 40])
    reading = Reading()

    found = rows(export, reading)

    assert ANSWER in [row.get("narrative") for row in found]
    ((number, why),) = reading.failed
    assert number == 2
    assert "element 2: not readable from here on" in why


def test_a_damaged_zip_is_named_and_its_other_files_are_read(tmp_path: Path) -> None:
    files = {"conversations.json": [pool()], "projects.json": [PROJECT] * 50}
    export = zipped(tmp_path / "export.zip", files)
    data = bytearray(export.read_bytes())
    at = data.index(b"projects.json") + len("projects.json") + 20
    data[at : at + 8] = b"\xff" * 8
    export.write_bytes(bytes(data))
    reading = Reading()

    found = rows(export, reading)

    assert ANSWER in [row.get("narrative") for row in found]
    assert "projects.json" in str(reading.failed)


def test_other_files_are_no_exports(tmp_path: Path) -> None:
    line = json.dumps({"type": "user", "sessionId": "s", "message": {"content": "hello"}})
    for name, text in {
        "a.json": line,
        "b.json": "[1, 2, 3]",
        "c.txt": "plain",
        "d.json": "",
        "e.json": '[{"broken": ',
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert not is_export(tmp_path / name), name
    zipped(tmp_path / "other.zip", {"readme.json": {}})
    assert not is_export(tmp_path / "other.zip")
    transcript = tmp_path / "session.jsonl"
    transcript.write_text(f"{line}\n", encoding="utf-8")
    assert reader_of(transcript) is None


def test_a_long_document_becomes_several_rows(tmp_path: Path) -> None:
    project = {**PROJECT, "docs": [{"filename": "long.md", "content": "word " * 8_000}]}
    export = written(tmp_path / "projects.json", [project])

    titles = texts(export, "observations", "title")

    assert titles[1:] == ["long.md (1 of 3)", "long.md (2 of 3)", "long.md (3 of 3)"]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
KEYS = ("uuid", "text", "content", "sender", "created_at", "attachments", "parent_message_uuid")
messages = st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, anything)), max_size=4)


@given(said=messages | anything, more=anything)
def test_no_shape_of_a_conversation_raises(
    said: Any,  # noqa: ANN401 - any JSON
    more: Any,  # noqa: ANN401
) -> None:
    conversation_of({"uuid": "c", "name": more, "summary": more, "chat_messages": said})


@pytest.mark.skipif(not COLLECTED.exists(), reason="the collected exports are not here")
def test_every_collected_export_is_read() -> None:
    read = 0
    for file in sorted(COLLECTED.rglob("*")):
        if file.suffix in (".json", ".zip") and is_export(file):
            reading = Reading()
            read += bool(rows(file, reading))
            assert not reading.failed, file
    assert read >= 8
