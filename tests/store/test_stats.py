"""What there is, counted."""

import datetime as dt
from collections import Counter

from tests.store.oracle import everything
from tests.store.rows import MARCH, plant
from worker.shared.refs import Kind
from worker.store.filters import Filters
from worker.store.store import Store


def local(ms: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(ms / 1000, dt.UTC).astimezone()


def test_an_empty_store_has_counts_too(store: Store) -> None:
    assert store.stats() == {
        "observations": 0,
        "sessions": 0,
        "prompts": 0,
        "projects": {},
        "types": {},
        "months": {},
        "weeks": {},
        "oldest": None,
        "newest": None,
    }
    assert store.counts() == dict.fromkeys(Kind, 0)
    assert store.projects() == []


def test_the_counts_are_those_of_the_records(generated: Store) -> None:
    records = everything(generated).values()
    times = [record.created_at_epoch for record in records]
    stats = generated.stats()
    assert stats["projects"] == Counter(record.project for record in records)
    observations = [record for record in records if record.ref.kind is Kind.OBSERVATION]
    assert stats["types"] == Counter(record.type for record in observations)
    assert stats["months"] == Counter(f"{local(ms):%Y-%m}" for ms in times)
    assert list(stats["months"]) == sorted(stats["months"])
    weeks: dict[str, Counter[str]] = {}
    for record in observations:
        day = local(record.created_at_epoch).date()
        monday = day - dt.timedelta(days=day.weekday())
        weeks.setdefault(str(monday), Counter())[record.type] += 1
    assert stats["weeks"] == weeks
    assert list(stats["weeks"]) == sorted(stats["weeks"])
    assert stats["oldest"] == local(min(times)).isoformat(timespec="seconds")
    assert stats["newest"] == local(max(times)).isoformat(timespec="seconds")
    assert stats["observations"] == generated.counts()[Kind.OBSERVATION] == 3000


def test_a_project_counts_what_a_filter_by_its_name_finds(store: Store) -> None:
    plant(store.path, "observations", project="branch", merged_into_project="main")
    plant(store.path, "observations", project="main", merged_into_project="main")
    plant(store.path, "session_summaries", project="main")
    plant(store.path, "session_summaries", project="")
    plant(store.path, "sdk_sessions", content_session_id="c", project="branch")
    plant(store.path, "user_prompts", content_session_id="c")
    assert store.projects() == [("main", 3), ("branch", 2)]
    for name, number in store.projects():
        assert store.count(Filters(project=name)) == number


def test_a_record_without_a_time_has_neither_month_nor_week(store: Store) -> None:
    plant(store.path, "observations", created_at_epoch=0)
    plant(store.path, "observations", created_at_epoch=MARCH // 1000)
    stats = store.stats()
    assert (stats["observations"], stats["months"]) == (2, {"2026-03": 1})
    assert [sum(types.values()) for types in stats["weeks"].values()] == [1]
    assert stats["oldest"] == stats["newest"] == local(MARCH).isoformat(timespec="seconds")
