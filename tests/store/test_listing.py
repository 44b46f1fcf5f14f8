"""Lists and counts are what Python makes of the same records, in every filter and order."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.oracle import everything, selected
from tests.store.rows import MARCH, insert, loosen, plain, plant
from worker.shared.refs import Kind, Ref
from worker.store.filters import Filters
from worker.store.store import Store

O, S, P = Kind.OBSERVATION, Kind.SESSION, Kind.PROMPT  # noqa: E741 - as in #12, #S3, #P7
HOUR = 3_600_000
PROJECTS = ["main", "branch", "web/ü", None, ""]
EPOCHS = [0, None, MARCH // 1000, "soon", MARCH * 1000, MARCH + 0.5, str(MARCH), b"1772323200"]


def fill(path: Path) -> None:
    """120 observations, 40 sessions, 40 prompts; many at the same moment, some at odd ones."""
    loosen(path, "observations", "session_summaries", "user_prompts")
    with plain(path) as connection:
        for table in ("observations", "session_summaries", "user_prompts"):
            connection.execute(f"CREATE INDEX at_{table} ON {table}(created_at_epoch DESC)")
        for n, project in enumerate(PROJECTS[:3]):
            insert(connection, "sdk_sessions", content_session_id=f"c{n}", project=project)
        for n in range(200):
            table, values = odd_row(n)
            insert(connection, table, **times(n), **values)


def times(n: int) -> dict[str, object]:
    epoch = EPOCHS[n // 11 % len(EPOCHS)] if n % 11 == 0 else MARCH + n * 7 % 40 // 4 * HOUR
    return {"created_at_epoch": epoch, "created_at": "2026-03-15T13:00:00Z" if n % 2 else ""}


def odd_row(n: int) -> tuple[str, dict[str, object]]:
    files = json.dumps([f"src/db/pool{n % 4}.py", f"docs\\Größe {n % 3}.md"])
    merged = "main" if n % 15 == 1 else None
    project: dict[str, object] = {"project": PROJECTS[n % 5], "merged_into_project": merged}
    if n % 5 < 3:
        concepts = json.dumps([f"c{n % 6}", 'say "hi"', "größe"], ensure_ascii=n % 2 == 0)
        type_ = ["bugfix", "feature", None][n % 3]
        return "observations", project | {"concepts": concepts, "files_read": files, "type": type_}
    if n % 5 == 3:
        return "session_summaries", project | {"files_edited": files}
    session = {"session_db_id": n % 4 or None, "content_session_id": f"c{n % 3}"}
    return "user_prompts", {"prompt_text": "why", **session}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store(tmp_path_factory.mktemp("odd") / "claude-mem.db")
    store.open()
    fill(store.path)
    yield store
    store.close()


FILTERS = [
    Filters(),
    Filters(project="main"),
    Filters(project="web/ü"),
    Filters(project="nowhere"),
    Filters(kinds=frozenset({S, P})),
    Filters(kinds=frozenset()),
    Filters(types=frozenset({"bugfix"})),
    Filters(types=frozenset({"bugfix", "feature"}), project="branch"),
    Filters(types=frozenset({"bugfix"}), kinds=frozenset({S})),
    Filters(projects=frozenset({"main", "web/ü"})),
    Filters(not_projects=frozenset({"main"}), not_types=frozenset({"bugfix", "nobody's"})),
    Filters(projects=frozenset({"branch", "web/ü"}), not_projects=frozenset({"main"})),
    Filters(concepts=("c1", "c5")),
    Filters(concepts=('say "hi"',), project="main"),
    Filters(concepts=("größe",)),
    Filters(concepts=("c",)),
    Filters(files=("pool1.py",)),
    Filters(files=("DB",), kinds=frozenset({S})),
    Filters(files=("docs/größe 2.md", "pool3.py"), types=frozenset({"feature"})),
    Filters(files=("größe 1.md", "/")),
    Filters(files=("ool1.py",)),
    Filters(start_ms=MARCH + 3 * HOUR, end_ms=MARCH + 5 * HOUR),
    Filters(start_ms=MARCH + HOUR, project="main"),
    Filters(end_ms=0),
    Filters(start_ms=1, end_ms=MARCH, concepts=("c2",), files=("src",), project="web/ü"),
    Filters(start_ms=10**13, end_ms=-5),
]


@pytest.mark.parametrize("filters", FILTERS)
def test_filters_hold_for_every_row_however_odd(filters: Filters, odd: Store) -> None:
    expected = selected(everything(odd).values(), filters)
    oldest_first = odd.select(filters, ascending=True, limit=1000, offset=0)
    newest_first = odd.select(filters, ascending=False, limit=1000, offset=0)
    times = [head.created_at_epoch for head in oldest_first]
    assert times == sorted(times)
    assert newest_first == oldest_first[::-1]
    assert sorted(head.ref for head in oldest_first) == sorted(expected)
    assert odd.count(filters) == len(expected)


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(project="atlas-api"),
        Filters(project="planted"),
        Filters(types=frozenset({"bugfix", "decision"})),
        Filters(types=frozenset({"bugfix"}), project="ops-infra"),
        Filters(concepts=("planted-concept",)),
        Filters(files=("PlantedUniqueFile.tsx",)),
        Filters(files=("src",), project="mobile-app"),
        Filters(start_ms=1_780_000_000_000, end_ms=1_785_000_000_000, project="ml-pipeline"),
    ],
)
def test_common_and_rare_filters_alike_hold_in_a_large_file(
    filters: Filters, generated: Store
) -> None:
    expected = selected(everything(generated).values(), filters)
    found = generated.select(filters, ascending=True, limit=10_000, offset=0)
    assert [head.ref for head in found] == expected
    newest = generated.select(filters, ascending=False, limit=20, offset=0)
    assert [head.ref for head in newest] == expected[::-1][:20]
    assert generated.count(filters) == len(expected)


def test_pages_hold_each_record_once(odd: Store) -> None:
    whole = odd.select(Filters(), ascending=False, limit=1000, offset=0)
    pages = [odd.select(Filters(), ascending=False, limit=7, offset=n) for n in range(0, 210, 7)]
    assert [head for page in pages for head in page] == whole
    assert len(whole) == 200


def test_newest_first_walks_the_time_indexes(generated: Store) -> None:
    """No table is scanned and no list of all rows sorted, with or without a common project."""
    connection = generated.read()
    for filters in (Filters(), Filters(project="atlas-api"), Filters(types=frozenset({"bugfix"}))):
        seen: list[str] = []
        connection.set_trace_callback(seen.append)
        generated.select(filters, ascending=False, limit=20, offset=0)
        connection.set_trace_callback(None)
        (statement,) = (sql for sql in seen if "ORDER BY ms" in sql)
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
        assert "SCAN t" not in plan
        walked = [line for line in plan if "idx_observations_created (created_at_epoch>?" in line]
        assert walked, plan


def test_a_filter_by_text_that_sql_would_read_as_code_finds_its_row(store: Store) -> None:
    for text in ("'; DROP TABLE observations; --", '"', "%", "a_b", "\\", "[x]", "{}", "\u202e"):
        id_ = plant(
            store.path, "observations", project=text, type=text, concepts=json.dumps([text])
        )
        filters = Filters(project=text, types=frozenset({text}), concepts=(text,))
        found = store.select(filters, ascending=False, limit=5, offset=0)
        assert [head.ref for head in found] == [Ref(O, id_)]
