"""Recent and saved queries: the newest first, clearable, and nothing on the disk when off."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.search.queries import MOST, Queries, QueryShelf, read_queries


@given(st.lists(st.text(max_size=20), max_size=40))
def test_the_newest_come_first_and_each_once(texts: list[str]) -> None:
    queries = Queries()
    for text in texts:
        queries = queries.used(text)

    expected = list(dict.fromkeys(text for text in reversed(texts) if text))
    assert list(queries.recent) == expected[:MOST]


def test_saved_ones_stay_until_they_are_dropped() -> None:
    queries = Queries().kept("a").kept("b").used("c")

    assert queries.saved == ("b", "a")
    assert queries.dropped("a") == Queries(recent=("c",), saved=("b",))


def test_pasted_text_is_no_query_to_keep() -> None:
    assert Queries().used("x" * 501) == Queries()


def test_they_are_read_back(tmp_path: Path) -> None:
    file = tmp_path / "queries.json"
    queries = Queries(("project:web 连接池",), ("b",))
    file.write_text(queries.to_json(), encoding="utf-8")

    assert read_queries(file) == queries


@pytest.mark.parametrize("content", ["", "{", "[]", '{"recent": 3}', '{"recent": [1, "a"]}', "\0"])
def test_a_broken_file_is_passed_over(tmp_path: Path, content: str) -> None:
    file = tmp_path / "queries.json"
    file.write_text(content, encoding="utf-8")

    assert set(read_queries(file).recent) <= {"a"}


def test_they_are_written_for_the_user_alone_and_removed_when_off(
    tmp_path: Path, qtbot: QtBot
) -> None:
    file, owner = tmp_path / "own" / "queries.json", QObject()
    shelf = QueryShelf(file, owner, on_disk=True)

    shelf.keep(shelf.queries.used("pool"))
    qtbot.waitUntil(file.exists)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    shelf.allow(False)
    qtbot.waitUntil(lambda: not file.exists())
    shelf.keep(shelf.queries.used("pool"))

    assert shelf.queries == Queries()


def test_what_is_there_from_before_goes_when_it_is_off_at_the_start(
    tmp_path: Path, qtbot: QtBot
) -> None:
    file, owner = tmp_path / "queries.json", QObject()
    file.write_text(Queries(("pool",)).to_json(), encoding="utf-8")

    shelf = QueryShelf(file, owner, on_disk=False)

    assert shelf.queries == Queries()
    qtbot.waitUntil(lambda: not file.exists())
