"""The timeline holds what its contract says, also where times and ids are a mess."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.oracle import around, everything
from tests.store.rows import MARCH, insert, plain, plant
from worker.shared.errors import NotFoundError
from worker.shared.refs import Kind, Ref
from worker.store.filters import Filters
from worker.store.records import Head
from worker.store.store import Store

TABLES = ["observations", "session_summaries", "user_prompts"]
TIMES = st.one_of(
    st.integers(0, 6).map(lambda step: MARCH + step * 1000),
    st.just(MARCH // 1000 + 3),  # seconds
    st.just(0),
)
ROWS = st.lists(
    st.tuples(st.sampled_from(TABLES), TIMES, st.sampled_from(["a", "b"])), min_size=1, max_size=25
)


def names(heads: list[Head]) -> list[str]:
    return [str(head.ref) for head in heads]


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    rows=ROWS,
    pick=st.integers(0, 24),
    before=st.integers(0, 5),
    after=st.integers(0, 5),
    project=st.sampled_from([None, "a", "b"]),
)
def test_any_timeline_is_what_the_contract_says(
    store: Store,
    rows: list[tuple[str, float, str]],
    pick: int,
    before: int,
    after: int,
    project: str | None,
) -> None:
    with plain(store.path) as connection:
        for table in [*TABLES, "sdk_sessions"]:
            connection.execute(f"DELETE FROM {table}")
        for name in ("a", "b"):
            insert(connection, "sdk_sessions", content_session_id=name, project=name)
        for table, epoch, name in rows:
            where = "content_session_id" if table == "user_prompts" else "project"
            insert(connection, table, created_at_epoch=epoch, **{where: name})
    records = everything(store)
    anchor = list(records)[pick % len(records)]
    heads = store.window(anchor, before=before, after=after, project=project)
    expected = around(records.values(), anchor, before=before, after=after, project=project)
    assert [head.ref for head in heads] == expected


def test_time_decides_and_not_the_order_of_ids(store: Store) -> None:
    for step in (5, 1, 4, 2, 3):
        plant(store.path, "observations", created_at_epoch=MARCH + step)
    heads = store.window(Ref(Kind.OBSERVATION, 5), before=1, after=1, project="p")
    assert names(heads) == ["#4", "#5", "#3"]


def test_parts_of_a_millisecond_count(store: Store) -> None:
    for part in (0.5, 0, 0.25, -0.5):
        plant(store.path, "observations", created_at_epoch=MARCH + part)
    heads = store.window(Ref(Kind.OBSERVATION, 3), before=2, after=2, project="p")
    assert names(heads) == ["#4", "#2", "#3", "#1"]
    assert heads == store.select(Filters(), ascending=True, limit=9, offset=0)


def test_a_side_without_enough_observations_is_open_ended(store: Store) -> None:
    for step in range(6):
        plant(store.path, "user_prompts", created_at_epoch=MARCH + step)
    plant(store.path, "observations", created_at_epoch=MARCH + 100)
    heads = store.window(Ref(Kind.OBSERVATION, 1), before=3, after=3, project=None)
    assert names(heads) == ["#P4", "#P5", "#P6", "#1"]


def test_the_anchor_stays_when_another_project_is_asked_for(store: Store) -> None:
    plant(store.path, "observations", project="a")
    plant(store.path, "observations", project="b")
    heads = store.window(Ref(Kind.OBSERVATION, 1), before=2, after=2, project="b")
    assert names(heads) == ["#1", "#2"]


def test_an_anchor_that_does_not_exist_tells_which_do(store: Store) -> None:
    with pytest.raises(NotFoundError, match="#S9 does not exist: there is no session yet"):
        store.window(Ref(Kind.SESSION, 9), before=1, after=1, project=None)
    for _ in range(3):
        plant(store.path, "session_summaries")
    with pytest.raises(NotFoundError, match="#S9 does not exist: session ids run from #S1 to #S3"):
        store.window(Ref(Kind.SESSION, 9), before=1, after=1, project=None)


def test_timelines_hold_in_a_large_file(generated: Store) -> None:
    records = everything(generated)
    for anchor in list(records)[::317]:
        project = records[anchor].project
        for name in (project, None):
            heads = generated.window(anchor, before=4, after=6, project=name)
            expected = around(records.values(), anchor, before=4, after=6, project=name)
            assert [head.ref for head in heads] == expected
