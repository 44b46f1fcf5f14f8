"""Rows that leave one database and enter another: all of them, once, as they were."""

import itertools
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.rows import DATA, MARCH, insert, loosen, plain, plant
from worker.shared.errors import ReadOnlyError, RefusedError
from worker.shared.portable import MAX_ROW, TABLES, Row, check_row
from worker.shared.refs import Kind
from worker.store.entering import Entered, enter
from worker.store.leaving import PAGE_BYTES, PAGE_ROWS, Page, read_place
from worker.store.store import Store
from worker.store.writing import NewMemory, save


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    store = Store(path)
    store.open()
    try:
        yield store
    finally:
        store.close()


def pages(store: Store, project: str | None = None) -> Iterator[Page]:
    """Ask page after page, with the place as it travels."""
    page = store.page(None, project)
    yield page
    while page.next is not None:
        page = store.page(read_place(str(page.next)), project)
        yield page


def leave(path: Path, project: str | None = None) -> list[Row]:
    """Return all rows, as an export file would hold them."""
    with opened(path) as store:
        rows = [row for page in pages(store, project) for row in page.rows]
    return [check_row(row) for row in json.loads(json.dumps(rows))]


def arrive(path: Path, rows: Sequence[Row]) -> Entered:
    """Add rows in one transaction."""
    with opened(path) as store, store.atomic() as connection:
        return enter(connection, rows)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A new database."""
    path = tmp_path / "other.db"
    with opened(path):
        return path


@pytest.fixture
def path(store: Store) -> Path:
    return store.path


# ---------------------------------------------------------------------- there and back
def test_every_row_of_each_claude_mem_arrives_as_it_was(claude_mem: Path, other: Path) -> None:
    rows = leave(claude_mem)

    entered = arrive(other, rows)

    arrived = leave(other)
    assert len(arrived) == len(rows)
    for here, there in zip(arrived, rows, strict=True):
        assert here | there == here  # newer columns have their defaults
    assert entered.added == {
        "sdk_sessions": 3, "observations": 40, "session_summaries": 3, "user_prompts": 8,
    }  # fmt: skip
    assert entered.known == 0
    with plain(other) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        fts = "SELECT count(*) FROM observations_fts WHERE observations_fts MATCH 'zorblatt'"
        assert connection.execute(fts).fetchone() > (0,)


def test_the_latest_rows_fit_into_each_older_database(claude_mem: Path, tmp_path: Path) -> None:
    latest = DATA / "claude-mem-v13.25.3.db"
    newest = tmp_path / "newest.db"
    shutil.copyfile(latest, newest)
    with opened(newest) as store, store.atomic() as connection:
        memory = NewMemory("A note", "Title", "shop", "bugfix", (), ())
        save(connection, memory, now=MARCH)
    rows = leave(newest)

    entered = arrive(claude_mem, rows)

    assert entered.added == {"sdk_sessions": 1, "observations": 1}
    assert entered.known == len(rows) - 2
    assert arrive(claude_mem, rows) == Entered({}, len(rows))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NULLABLE = st.none() | TEXTS
OBSERVATIONS = st.fixed_dictionaries(
    {"type": TEXTS, "title": NULLABLE, "narrative": NULLABLE, "text": NULLABLE},
    optional={
        "facts": NULLABLE, "metadata": NULLABLE, "prompt_number": st.integers(-9, 9),
        "discovery_tokens": st.integers(-(2**63), 2**63 - 1), "merged_into_project": NULLABLE,
        "content_hash": NULLABLE, "created_at": TEXTS,
    },
)  # fmt: skip
PROMPTS = st.fixed_dictionaries({"prompt_text": TEXTS, "prompt_number": st.integers(0, 9)})
TIMES = st.sampled_from(
    [int, float, lambda number: number + 0.5, lambda number: f"on day {number}"]
)
SUMMARIES = st.fixed_dictionaries({"request": NULLABLE, "learned": NULLABLE, "notes": NULLABLE})
LINKS = st.sampled_from(["s1", "s2", "连接"])
Made = tuple[str, str, dict[str, object], Callable[[int], object]]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "claude-mem.db"
    with opened(path):
        return path


def fill(path: Path, made: Sequence[Made]) -> None:
    """Write rows as another program would, each at a time of its own."""
    with plain(path) as connection:
        for number, link in enumerate(("s1", "s2", "连接")):
            insert(connection, "sdk_sessions", content_session_id=f"c-{link}",
                   memory_session_id=link, project=f"p{number}")  # fmt: skip
        for number, (table, link, values, time) in enumerate(made):
            row = {**values, "created_at_epoch": time(number)}
            if table == "user_prompts":
                row["content_session_id"] = f"c-{link}"
            else:
                row |= {"memory_session_id": link, "project": f"p{number % 2}"}
            if row.get("content_hash") is not None:
                row["content_hash"] = f"{row['content_hash']} {number}"  # unique in a session
            insert(connection, table, **row)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    made=st.lists(
        st.tuples(st.just("observations"), LINKS, OBSERVATIONS, TIMES)
        | st.tuples(st.just("session_summaries"), LINKS, SUMMARIES, TIMES)
        | st.tuples(st.just("user_prompts"), LINKS, PROMPTS, TIMES),
        max_size=8,
    )
)
def test_an_export_of_an_import_of_an_export_has_equal_rows(
    empty: Path, tmp_path: Path, made: list[Made]
) -> None:
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    for path in (first, second):
        for leftover in tmp_path.glob(f"{path.name}*"):
            leftover.unlink()
        shutil.copyfile(empty, path)
    fill(first, made)
    rows = leave(first)

    arrive(second, rows)

    assert leave(second) == rows
    assert arrive(second, rows).added == {}
    assert arrive(first, rows).added == {}


def test_rows_that_differ_in_nothing_are_kept_once(path: Path, other: Path) -> None:
    for _ in range(2):
        observe(path, "twice")

    assert arrive(other, leave(path)).added == {"sdk_sessions": 1, "observations": 1}


# ---------------------------------------------------------------------- merging
def observe(path: Path, title: str, *, session: str = "m", at: int = MARCH) -> int:
    """Add an observation in a session, which is made where missing."""
    with plain(path) as connection:
        known = "SELECT 1 FROM sdk_sessions WHERE memory_session_id = ?"
        if not connection.execute(known, (session,)).fetchone():
            insert(connection, "sdk_sessions", content_session_id=f"content of {session}",
                   memory_session_id=session, project="p")  # fmt: skip
        return insert(connection, "observations", memory_session_id=session, title=title,
                      created_at_epoch=at)  # fmt: skip


def titles(path: Path) -> dict[int, str]:
    with plain(path) as connection:
        return dict(connection.execute("SELECT id, title FROM observations ORDER BY id"))


@pytest.mark.parametrize("order", list(itertools.permutations("abc")))
def test_merging_never_doubles_whatever_the_order(tmp_path: Path, order: tuple[str, ...]) -> None:
    exports = {}
    for name, shared in (("a", "both"), ("b", "both"), ("c", "alone")):
        path = tmp_path / f"{name}.db"
        with opened(path):
            pass
        observe(path, shared)
        observe(path, f"only {name}", at=MARCH + 1)
        exports[name] = leave(path)
    target = tmp_path / "target.db"
    with opened(target):
        pass

    for name in (*order, *order):
        arrive(target, exports[name])

    assert sorted(titles(target).values()) == ["alone", "both", "only a", "only b", "only c"]


def test_an_id_is_kept_where_it_was_never_used_and_new_where_it_was(
    path: Path, other: Path
) -> None:
    for title in ("one", "two", "three"):
        observe(path, title)
    observe(other, "mine")
    observe(other, "deleted later")
    with plain(other) as connection:
        connection.execute("DELETE FROM observations WHERE id = 2")

    arrive(other, leave(path))

    assert titles(other) == {1: "mine", 3: "one", 4: "two", 5: "three"}


def test_a_number_that_other_tables_use_is_kept(path: Path, other: Path) -> None:
    observe(path, "one")
    plant(path, "observations", id=500, title="far")

    arrive(other, leave(path))

    assert titles(other) == {1: "one", 500: "far"}


def test_two_memories_with_one_mark_of_claude_mems_are_both_kept(path: Path, other: Path) -> None:
    loosen(path, "observations")  # as a version without that constraint left them
    for at in (MARCH, MARCH + 1):
        plant(path, "observations", title="same", content_hash="mark", created_at_epoch=at)
    rows = leave(path)

    assert arrive(other, rows).added["observations"] == 2
    assert arrive(other, rows).added == {}
    assert len(titles(other)) == 2


def test_a_record_without_its_session_gets_one(path: Path, other: Path) -> None:
    loosen(path, "observations", "session_summaries")
    plant(path, "observations", memory_session_id="lost", title="orphan", project="shop")
    rows = [row for row in leave(path) if row["table"] != "sdk_sessions"]

    assert arrive(other, rows).added == {"observations": 1}
    assert arrive(other, rows).known == 1
    with plain(other) as connection:
        found = connection.execute("SELECT memory_session_id, project, status FROM sdk_sessions")
        assert found.fetchall() == [("lost", "shop", "completed")]


def test_a_session_whose_name_is_another_s_here_is_kept_apart(path: Path, other: Path) -> None:
    observe(path, "theirs", session="memory-1")
    plant(other, "sdk_sessions", content_session_id="content of memory-1", project="p")  # no memory
    rows = leave(path)

    assert arrive(other, rows).added == {"sdk_sessions": 1, "observations": 1}
    assert arrive(other, rows).added == {}
    with plain(other) as connection:
        found = connection.execute("SELECT content_session_id, memory_session_id FROM sdk_sessions")
        assert found.fetchall() == [
            ("content of memory-1", None),
            ("imported-memory-1", "memory-1"),
        ]


def test_a_prompt_is_tied_to_its_session_of_the_same_platform(path: Path, other: Path) -> None:
    for number, platform in enumerate(("claude", "cursor"), start=1):
        session = plant(path, "sdk_sessions", content_session_id="c", platform_source=platform,
                        project=platform, memory_session_id=platform)  # fmt: skip
        plant(path, "user_prompts", session_db_id=session, content_session_id="c",
              prompt_text=platform, prompt_number=number)  # fmt: skip
    plant(other, "sdk_sessions", content_session_id="x", project="p")  # so that ids differ

    arrive(other, leave(path))

    with plain(other) as connection:
        tied = (
            "SELECT prompt_text, project FROM user_prompts p"
            " JOIN sdk_sessions s ON s.id = session_db_id ORDER BY p.id"
        )
        assert connection.execute(tied).fetchall() == [("claude", "claude"), ("cursor", "cursor")]


def test_one_row_that_is_refused_takes_all_of_its_part_with_it(path: Path, other: Path) -> None:
    observe(path, "fine")
    with plain(other) as connection:
        connection.execute("CREATE UNIQUE INDEX strict ON observations(title)")
    rows = leave(path)
    again = {**rows[-1], "id": 9, "created_at_epoch": 5}

    with pytest.raises(RefusedError, match="UNIQUE"):
        arrive(other, [*rows, again])

    assert leave(other) == []


def test_a_column_that_demands_what_no_row_has_makes_it_read_only(path: Path, other: Path) -> None:
    observe(path, "fine")
    with plain(other) as connection:
        connection.execute("DROP TABLE sdk_sessions")
        connection.execute(
            "CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, memory_session_id TEXT UNIQUE,"
            " content_session_id TEXT, owner TEXT NOT NULL)"
        )

    with pytest.raises(ReadOnlyError, match=r"sdk_sessions\.owner"):
        arrive(other, leave(path))


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
