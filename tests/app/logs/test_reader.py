"""What has been read is given once, however it came and whatever is selected meanwhile."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.logs import reader as reading
from app.logs.reader import Page, Reader
from app.logs.selection import Selection
from tests.app.logs.lines import line, write


def messages(page: Page) -> list[str]:
    return [entry.message for entry in page.entries]


def test_app_worker_and_mcp_server_come_in_the_order_of_time(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", line("a", 1), line("d", 4))
    write(tmp_path / "mcp-2.jsonl", line("b", 2, component="mcp_server.server"))
    write(tmp_path / "app-3.jsonl", line("c", 3, component="app.tray"))

    page = Reader(tmp_path).begin()

    assert messages(page) == ["a", "b", "c", "d"]
    assert page.components == ("app.tray", "mcp_server.server", "worker.run")
    assert (page.anew, page.total, page.has_older) == (True, 4, False)


def test_what_follows_is_selected_as_what_was_there(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", line("a cat"), line("a dog", 1))
    reader = Reader(tmp_path)
    reader.begin()

    assert messages(reader.select(Selection(text="cat"))) == ["a cat"]
    write(tmp_path / "worker-1.jsonl", line("another cat", 2), line("another dog", 3))
    assert messages(reader.more()) == ["another cat"]
    assert messages(reader.select(Selection(text="dog"))) == ["a dog", "another dog"]


def test_a_bad_expression_leaves_what_is_shown(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", line("a"))
    reader = Reader(tmp_path)
    reader.begin()

    page = reader.select(Selection(text="[", is_regex=True))

    assert page.problem.startswith("Not a regular expression")
    assert (page.entries, page.anew) == ((), False)
    assert reader.more().problem == page.problem
    assert reader.select(Selection()).problem == ""


def test_a_cleared_view_shows_only_what_follows_until_older_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "worker-1.jsonl", line("old"))
    reader = Reader(tmp_path)
    reader.begin()

    assert reader.clear().total == 0
    write(tmp_path / "worker-1.jsonl", line("new", 1))
    assert messages(reader.more()) == ["new"]
    assert messages(reader.older()) == ["old", "new"]
    assert (tmp_path / "worker-1.jsonl").read_bytes() == line("old") + line("new", 1)


def test_older_entries_come_on_demand_and_memory_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "FIRST", 10)
    monkeypatch.setattr(reading, "MOST", 25)
    write(tmp_path / "worker-1.jsonl", *(line(f"{n}", n) for n in range(100)))
    reader = Reader(tmp_path)

    pages = [reader.begin(), reader.older(), reader.older()]

    assert [(len(page.entries), page.has_older) for page in pages] == [
        (10, True),
        (20, True),
        (25, False),
    ]
    assert not pages[-1].is_whole
    write(tmp_path / "worker-1.jsonl", line("100", 100))
    assert reader.more().total == 25
    assert messages(reader.select(Selection()))[-1] == "100"


@given(
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), max_size=8),
    junk=st.binary(max_size=30),
    cuts=st.sets(st.integers(0, 900), max_size=20),
)
def test_any_cutting_of_the_bytes_gives_the_same_entries(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], junk: bytes, cuts: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    exception = "Traceback\n  File"
    lines = [line(text, n, exception=exception) for n, text in enumerate(texts)]
    whole = b"".join([*lines[:3], junk + b"\n", *lines[3:]])
    reader = Reader(folder)
    found = list(reader.begin().entries)
    places = sorted({0, len(whole), *(cut for cut in cuts if cut < len(whole))})
    for start, end in itertools.pairwise(places):
        write(folder / "worker-1.jsonl", whole[start:end])
        found += reader.more().entries

    assert found == list(Reader(folder).begin().entries)
    assert len([entry for entry in found if entry.exception]) == len(texts)
