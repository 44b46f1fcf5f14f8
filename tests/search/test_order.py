"""What comes first, what is found by meaning, in other scripts, and between two dates."""

import datetime as dt
import time
from collections.abc import Iterator

import pytest

from tests.index.records import HOUR, MARCH
from tests.search.conftest import Searching, remember
from tests.store.rows import plain


def test_a_query_without_words_is_looked_for_as_it_stands(searching: Searching) -> None:
    searching.remember(title="why is it", narrative="a ->> b")
    searching.remember(title="100 %", narrative="of it")
    searching.start()

    assert searching.hits("->>") == ["#1"]
    assert searching.hits("%") == ["#2"]
    for query in ("***", '"', "_ _"):
        reply = searching.search(query)
        assert (reply.items, reply.outcome) == ([], "none")
        assert "no searchable words" in reply.notes[0]


# ---------------------------------------------------------------------- what comes first
def test_a_rare_token_among_many_rows_comes_first(searching: Searching) -> None:
    with plain(searching.store.path) as db:
        for i in range(500):
            rare = "see E1234-XQ" if i == 250 else "see E9999"
            remember(db, title=f"error {i} in the pool", narrative=f"{rare} and E1234 or XQ")
    searching.start()

    for query in ("E1234-XQ", "error E1234-XQ in the pool", "e1234-xq", '"E1234-XQ"'):
        assert searching.hits(query)[0] == "#251"


def test_an_exact_old_row_comes_before_new_vague_ones(searching: Searching) -> None:
    searching.remember(title="phobos", narrative="the moon", created_at_epoch=MARCH)
    for i in range(50):
        searching.remember(title=f"moons {i}", narrative="phobos " if i == 7 else "of mars " * 30)
    searching.start()

    assert searching.hits("phobos moon")[0] == "#1"


def test_rows_are_found_by_meaning_alone(searching: Searching) -> None:
    searching.remember(title="automobile repair")
    searching.remember(title="garden work")
    searching.start()

    (item,) = searching.search("car").items

    assert (item.ref, item.leg) == ("#1", "meaning")
    assert searching.hits("zxqv plugh") == []


def test_a_project_is_kept_apart_in_both_legs(searching: Searching) -> None:
    searching.remember(title="automobile repair", project="a")
    searching.remember(title="automobile wash", project="b")
    searching.remember(title="a car", project="a")
    searching.remember(title="the car", project="b")
    searching.start()

    assert set(searching.hits("car", project="a")) == {"#1", "#3"}
    assert set(searching.hits("car", project="b")) == {"#2", "#4"}
    assert len(searching.hits("car")) == 4


def test_what_must_or_must_not_be_there_holds_for_meaning_too(searching: Searching) -> None:
    searching.remember(title="automobile repair")
    searching.remember(title="car repair")
    searching.remember(title="car wash")
    searching.start()

    assert searching.hits("car AND repair") == ["#2"]
    assert searching.hits("car -repair") == ["#3"]
    assert searching.hits('"car wash"') == ["#3"]


def test_all_the_nearest_by_meaning_are_in_the_order_by_date(searching: Searching) -> None:
    with plain(searching.store.path) as db:
        for i in range(30):
            word = "car" if i % 2 else "automobile"
            remember(db, title=f"{word} {i}", created_at_epoch=MARCH - i * HOUR)
    searching.start()

    assert searching.hits("car", limit=5, orderBy="date_desc") == ["#1", "#2", "#3", "#4", "#5"]
    assert searching.search("car").total == 30


def test_short_words_without_blanks_around_them_are_found(searching: Searching) -> None:
    searching.remember(title="步2 重跑gen-itgc后50条悬空引用清零")
    searching.remember(title="空的数组")
    searching.remember(title="参数太多", narrative="计数")
    searching.remember(title="データベースの接続")
    searching.remember(title="데이터베이스 연결")
    searching.start()

    for query, expected in [
        ("悬空", {"#1"}),
        ("引用", {"#1"}),
        ("空", {"#1", "#2"}),
        ("数", {"#2", "#3"}),
        ("データ", {"#4"}),
        ("연결", {"#5"}),
        ("步2", {"#1"}),
    ]:
        assert set(searching.hits(query)) == expected, query


def test_a_prefix_finds_all_words_that_begin_so(searching: Searching) -> None:
    for title in ("migrations", "migrated", "migrant birds", "emigrate"):
        searching.remember(title=title)
    searching.start()

    assert set(searching.hits("migrat*")) == {"#1", "#2"}
    assert set(searching.hits("migr*")) == {"#1", "#2", "#3"}


# ---------------------------------------------------------------------- dates
@pytest.fixture
def kolkata(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A zone whose midnight is no whole hour of UTC."""
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("kolkata")
def test_dates_are_whole_local_days_and_inclusive(searching: Searching) -> None:
    day = [int(dt.datetime(2026, 3, d).astimezone().timestamp() * 1000) for d in (10, 11, 12)]
    for epoch in (day[0] - 1, day[0], day[1] - 1, day[1], day[2] - 1, day[2]):
        searching.remember(title="pool of the day", created_at_epoch=epoch)
    searching.start()

    for query in ("pool", "", "pool AND day"):
        for start, end, expected in [
            ("2026-03-10", "2026-03-10", "#2 #3"),
            ("2026-03-10", "2026-03-11", "#2 #3 #4 #5"),
            ("2026-03-12", None, "#6"),
            (None, "2026-03-09", "#1"),
            ("2026-03", "2026-03", "#1 #2 #3 #4 #5 #6"),
            ("2026-03-11T00:00", "2026-03-11T23:59:59.998+05:30", "#4"),
            ("2026-03-12", "2026-03-10", ""),
        ]:
            refs = searching.hits(query, dateStart=start, dateEnd=end)
            assert sorted(refs) == expected.split(), (query, start, end)


def test_memories_of_all_ages_are_found_without_a_range(searching: Searching) -> None:
    now = int(time.time() * 1000)
    for days in (1, 100, 400, 4_000):
        searching.remember(title="pool", created_at_epoch=now - days * 24 * HOUR)
    searching.start()

    assert len(searching.hits("pool")) == len(searching.hits()) == 4
