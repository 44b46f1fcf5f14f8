"""Rows that leave one database and enter another: all of them, once, as they were."""

import itertools
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.carrying import arrive, leave, observe, opened
from tests.store.rows import DATA, MARCH, insert, loosen, plain, plant
from worker.shared.errors import ReadOnlyError, RefusedError
from worker.store.entering import Entered
from worker.store.writing import NewMemory, save


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
