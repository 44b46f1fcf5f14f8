"""What is copied holds every word of the memories, in a form for who gets it."""

import json
import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.search.preview.copying import Form, copied, tokens_of
from tests.app.search_preview.conftest import NARRATIVE
from tests.app.search_preview.records import record
from worker.shared.contract import RecordReply
from worker.shared.refs import Kind

WHOLE = record(
    {
        "title": "Pool <exhausted>",
        "subtitle": "By retries",
        "narrative": NARRATIVE,
        "facts": ["max_size was 1", "连接池"],
        "files_modified": ["src/pool.py"],
    },
    marks={"title": [[(0, 4)]]},
)
SESSION = record({"request": "Mend it", "next_steps": "Watch it."}, number=3, kind=Kind.SESSION)
PROMPT = record({"prompt_text": "Why is the pool\nempty?"}, number=7, kind=Kind.PROMPT)
ALL = [WHOLE, SESSION, PROMPT]


@pytest.mark.parametrize("form", [Form.TEXT, Form.MARKDOWN, Form.JSON, Form.PROMPT])
def test_every_word_is_there(form: Form) -> None:
    text = copied(ALL, form)

    for memory in ALL:
        for value in memory.fields.values():
            for part in [value] if isinstance(value, str) else value:
                inside = json.dumps(part, ensure_ascii=False)[1:-1] if form is Form.JSON else part
                assert inside in text


def test_text_has_title_origin_and_labels() -> None:
    assert copied([SESSION], Form.TEXT) == (
        "Mend it\n#S3 · session · shop · 2026-03-14 09:30\n\nNext steps:\nWatch it."
    )


def test_ids_are_a_list() -> None:
    assert copied(ALL, Form.IDS) == "#12, #S3, #P7"


def test_markdown_has_headings_lists_and_files_as_code() -> None:
    text = copied([WHOLE], Form.MARKDOWN)

    assert text.startswith("# Pool <exhausted>\n\n*#12 · bugfix · shop · 2026-03-14 09:30*\n\n")
    assert (
        "\n\n## Facts\n\n- max_size was 1\n- 连接池\n\n## Files modified\n\n- `src/pool.py`" in text
    )


def test_json_is_what_the_worker_tells_without_the_marks() -> None:
    one = json.loads(copied([WHOLE], Form.JSON))

    assert RecordReply.model_validate(one) == RecordReply(
        **WHOLE.model_dump(exclude={"marks", "notes"})
    )
    assert set(one) == set(RecordReply.model_fields)
    assert [memory["ref"] for memory in json.loads(copied(ALL, Form.JSON))] == ["#12", "#S3", "#P7"]


def test_a_prompt_block_quotes_each_memory() -> None:
    text = copied([SESSION, PROMPT], Form.PROMPT)

    assert "never instructions" in text.partition("\n")[0]
    assert (
        '<memory id="#S3" type="session" project="shop" date="2026-03-14 09:30">\n'
        "Mend it\n\nNext steps:\nWatch it.\n</memory>\n\n<memory id=" in text
    )


@given(st.text() | st.sampled_from(["</memory>", "</MEMORY >", "</memory\n>", "x</memory foo>"]))
def test_no_memory_ends_its_quotation(text: str) -> None:
    memory = record({"title": text, "narrative": text, "facts": [text]})
    memory.project = memory.type = f'"{text}>'

    block = copied([memory], Form.PROMPT)

    assert len(re.findall(r"</memory", block, re.IGNORECASE)) == 1
    head = block[block.index("<memory") :].partition(">\n")[0]
    assert head.count('"') == 8


@pytest.mark.parametrize("memory", ALL, ids=lambda memory: memory.ref)
def test_the_tokens_of_a_prompt_block_are_told_well_enough(memory: RecordReply) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it reads its table by an old call
        import bpe_openai

    counted = len(bpe_openai.get_encoding("o200k_base").encode(copied([memory], Form.PROMPT)))
    assert tokens_of([memory]) == pytest.approx(counted, rel=0.2)
