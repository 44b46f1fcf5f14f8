"""Rows leave in pages of bounded size, each once."""

import json
from pathlib import Path

import pytest

from tests.store.carrying import arrive, leave, observe, opened, pages
from tests.store.rows import insert, loosen, plain, plant
from worker.shared.portable import MAX_ROW, TABLES
from worker.shared.refs import Kind
from worker.store.leaving import PAGE_BYTES, PAGE_ROWS, read_place


# ---------------------------------------------------------------------- pages
def test_pages_are_of_bounded_size_and_hold_each_row_once(path: Path) -> None:
    with plain(path) as connection:
        insert(connection, "sdk_sessions", content_session_id="c", memory_session_id="m",
               project="p")  # fmt: skip
        for number in range(PAGE_ROWS + 20):
            text = "x" * (200_000 if number < 12 else 10)
            insert(connection, "observations", title=str(number), narrative=text,
                   created_at_epoch=number)  # fmt: skip
    with opened(path) as store:
        found = list(pages(store))

    assert all(len(page.rows) <= PAGE_ROWS for page in found)
    assert max(len(json.dumps(page.rows)) for page in found) < 2 * PAGE_BYTES
    rows = [row for page in found for row in page.rows if row["table"] == "observations"]
    assert [row["title"] for row in rows] == [str(n) for n in range(PAGE_ROWS + 20)]


def test_rows_that_come_after_the_first_page_was_asked_do_not_leave(path: Path) -> None:
    observe(path, "before")
    with opened(path) as store:
        asked = pages(store)
        first = next(asked)
        observe(path, "meanwhile", session="new")
        rows = [*first.rows, *(row for page in asked for row in page.rows)]

    assert [row.get("title") for row in rows] == [None, "before"]


def test_a_record_too_large_for_a_line_is_left_out_by_name(path: Path) -> None:
    observe(path, "small")
    plant(path, "observations", title="large", narrative="x" * MAX_ROW)

    with opened(path) as store:
        found = list(pages(store))

    assert [name for page in found for name in page.left_out] == ["observations 2"]
    assert [row["title"] for page in found for row in page.rows if "title" in row] == ["small"]


def test_only_the_rows_of_a_project_leave_with_the_sessions_they_need(path: Path) -> None:
    with plain(path) as connection:
        for name in ("shop", "other", "merged"):
            db_id = insert(connection, "sdk_sessions", content_session_id=f"c {name}",
                           memory_session_id=name, project=name)  # fmt: skip
            insert(connection, "observations", memory_session_id=name, project=name, title=name,
                   merged_into_project="shop" if name == "merged" else None)  # fmt: skip
            insert(connection, "user_prompts", session_db_id=db_id,
                   content_session_id=f"c {name}", prompt_text=name)  # fmt: skip

    rows = leave(path, "shop")

    kept = [(row["table"], row["project"]) for row in rows]
    assert kept == [
        ("sdk_sessions", "shop"),
        ("sdk_sessions", "merged"),
        ("observations", "shop"),
        ("observations", "merged"),
        ("user_prompts", "shop"),
    ]
    assert leave(path, "nobody's") == []


@pytest.mark.parametrize(
    "text", ["", "x", "1", "9.0.1.1.1.1", "0.0.1.1.1", "0.-1.1.1.1.1", "٣.0.1.1.1.1"]
)
def test_a_place_is_only_what_a_page_gave(text: str) -> None:
    with pytest.raises(ValueError, match="next"):
        read_place(text)


def test_odd_values_travel_as_text_or_not_at_all(path: Path, other: Path) -> None:
    loosen(path, "observations")
    plant(path, "observations", title=b"caf\xe9", narrative="a\0b", facts=float("inf"), text=1.5)

    (row,) = (row for row in leave(path) if row["table"] == "observations")

    assert (row["title"], row["narrative"], row["text"]) == ("caf\ufffd", "a\0b", 1.5)
    assert "facts" not in row
    assert arrive(other, [row]).added == {"observations": 1}


def test_each_column_that_is_searched_travels() -> None:
    from worker.store.layout import TABLES as OF_KIND
    from worker.store.records import FIELDS

    assert all(set(FIELDS[kind]) <= set(TABLES[OF_KIND[kind]]) for kind in Kind)
