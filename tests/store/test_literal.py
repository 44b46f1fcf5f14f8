"""The search without an index finds every row by its own text, and nothing by that of JSON."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.rows import MARCH, insert, plain, plant
from worker.shared.refs import Kind, Ref
from worker.store.filters import Filters
from worker.store.layout import TABLES
from worker.store.records import FIELDS, LIST_FIELDS
from worker.store.store import Store

# SQLite's LIKE ends at NUL; lone surrogates cannot be stored.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


def find(store: Store, *words: str, filters: Filters | None = None) -> list[str]:
    heads = store.find_literal(words, filters or Filters(), limit=50, seconds=30)
    return [str(head.ref) for head in heads]


@settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(data=st.data(), kind=st.sampled_from(list(Kind)), text=TEXT, escaped=st.booleans())
def test_a_row_is_found_by_any_part_of_its_text(
    store: Store, data: st.DataObject, kind: Kind, text: str, escaped: bool
) -> None:
    parts = text.split()
    if not parts:
        return
    name = data.draw(st.sampled_from(FIELDS[kind]))
    word = data.draw(st.sampled_from(parts))
    start = data.draw(st.integers(0, len(word) - 1))
    end = data.draw(st.integers(start + 1, len(word)))
    value = json.dumps(["first", text], ensure_ascii=escaped) if name in LIST_FIELDS else text
    with plain(store.path) as connection:
        for table in TABLES.values():
            connection.execute(f"DELETE FROM {table}")
        id_ = insert(connection, TABLES[kind], **{name: value})
    found = store.find_literal([word[start:end]], Filters(), limit=5, seconds=30)
    assert [head.ref for head in found] == [Ref(kind, id_)]


def test_every_word_must_be_there_in_any_column(store: Store) -> None:
    plant(store.path, "observations", title="Pool", narrative="of Threads", facts='["size 4"]')
    assert find(store, "pool", "THREADS", "ize", "4") == ["#1"]
    assert find(store, "pool", "absent") == []
    assert find(store, *["pool"] * 3_000) == ["#1"]


@pytest.mark.parametrize("word", ["%", "_", "\\", "a%c", "a_c", "%_\\", "\\%"])
def test_signs_of_like_stand_for_themselves(word: str, store: Store) -> None:
    plant(store.path, "observations", title="abc")
    plant(store.path, "observations", title=f"x{word}y")
    assert find(store, word) == ["#2"]


@pytest.mark.parametrize("word", ["[", '"', '","', "[]", "u00fc", "u00FC"])
def test_the_signs_of_json_are_not_text(word: str, store: Store) -> None:
    plant(store.path, "observations", facts=json.dumps(["für", "b\\c"]), concepts="[]")
    assert find(store, word) == []
    assert find(store, "ür") == find(store, "b\\c") == ["#1"]


def test_an_odd_row_is_found(store: Store) -> None:
    plant(store.path, "observations", title=b"blob \xff", facts='["torn', created_at_epoch=0)
    assert find(store, "blob", '["torn') == ["#1"]


def test_hits_come_newest_first_and_pass_the_filters(store: Store) -> None:
    for step in (1, 3, 2):
        plant(store.path, "observations", title="hit", created_at_epoch=MARCH + step)
    plant(store.path, "session_summaries", learned="hit", created_at_epoch=MARCH + 2, project="q")
    plant(store.path, "user_prompts", prompt_text="hit", created_at_epoch=MARCH // 1000)
    assert find(store, "hit") == ["#2", "#S1", "#3", "#1", "#P1"]
    assert find(store, "hit", filters=Filters(project="q")) == ["#S1"]
    newest = store.find_literal(["hit"], Filters(), limit=2, seconds=30)
    assert [str(head.ref) for head in newest] == ["#2", "#S1"]


def test_a_very_long_word_is_no_error(store: Store) -> None:
    plant(store.path, "user_prompts", prompt_text="%" * 100_000)
    assert find(store, "%" * 100_000) == ["#P1"]
    assert find(store, "悬" * 100_000) == []


def test_time_out_gives_what_was_found(generated: Store) -> None:
    assert generated.find_literal(["nowhere to be found"], Filters(), limit=5, seconds=0) == []
    assert generated.find_literal(["the"], Filters(), limit=5, seconds=30) != []
