"""Filters: what they are asked for is what they let through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.index.records import HOUR, MARCH, observation, prompt, session
from tests.search.conftest import few_examples, put
from worker.index.keys import to_ref
from worker.index.keyword import KeywordIndex
from worker.search.scope import allowed, filters_of
from worker.shared.contract import SearchRequest
from worker.shared.refs import Kind
from worker.store.filters import Filters, file_matches
from worker.store.records import FILE_FIELDS, Record

TYPES = ["bugfix", "decision", "Feature"]
EVERY = frozenset(Kind)


def asked(**given_: object) -> tuple[Filters | None, list[str]]:
    return filters_of(SearchRequest.model_validate(given_), lambda: TYPES)


# ---------------------------------------------------------------------- from request to filters
@pytest.mark.parametrize(
    ("given_", "kinds", "types"),
    [
        ({}, EVERY, set()),
        ({"type": "observations"}, {Kind.OBSERVATION}, set()),
        ({"type": "Sessions,prompt"}, {Kind.SESSION, Kind.PROMPT}, set()),
        ({"type": "bugfix"}, {Kind.OBSERVATION}, {"bugfix"}),
        ({"type": "FEATURE,Bugfix"}, {Kind.OBSERVATION}, {"bugfix", "Feature"}),
        ({"obs_type": "decision"}, {Kind.OBSERVATION}, {"decision"}),
        ({"type": "observations", "obs_type": "decision"}, {Kind.OBSERVATION}, {"decision"}),
        ({"type": "sessions,bugfix"}, {Kind.OBSERVATION}, {"bugfix"}),
        ({"concepts": "gotcha"}, {Kind.OBSERVATION}, set()),
        ({"files": "pool.py"}, EVERY, set()),
    ],
)
def test_kinds_and_types_that_are_asked_for(
    given_: dict[str, object], kinds: frozenset[Kind], types: frozenset[str]
) -> None:
    filters, notes = asked(**given_)

    assert filters is not None
    assert filters.kinds == kinds
    assert filters.types == types
    assert notes == []


def test_types_that_differ_in_case_only_are_one_to_the_user() -> None:
    request = SearchRequest(type=("BUGFIX",))
    filters, _ = filters_of(request, lambda: ["bugfix", "Bugfix", "decision"])

    assert filters is not None
    assert filters.types == {"bugfix", "Bugfix"}


def test_an_unknown_type_finds_nothing_and_names_the_types_there_are() -> None:
    filters, (note,) = asked(type="bugfx")

    assert filters is None
    for name in ("bugfx", *TYPES, "observations", "sessions", "prompts"):
        assert name in note


def test_an_unknown_type_beside_a_known_one_is_named_and_passed_over() -> None:
    filters, (note,) = asked(type="bugfx,bugfix")

    assert filters is not None
    assert filters.types == {"bugfix"}
    assert "bugfx" in note


def test_an_unknown_type_is_answered_where_there_are_no_types_yet() -> None:
    filters, (note,) = filters_of(SearchRequest(obs_type=("bugfix",)), lambda: ())

    assert filters is None
    assert "none yet" in note


@pytest.mark.parametrize("given_", [{"obs_type": "bugfix"}, {"concepts": "gotcha"}])
def test_sessions_and_prompts_have_no_types_and_no_concepts(given_: dict[str, str]) -> None:
    filters, (note,) = asked(type="sessions,prompts", **given_)

    assert filters is None
    assert "Only observations" in note


@pytest.mark.parametrize(
    ("given_", "kinds", "barred"),
    [
        ({"excludeTypes": "BUGFIX,nobody's"}, EVERY, {"bugfix"}),
        ({"excludeTypes": "prompts,decision"}, EVERY - {Kind.PROMPT}, {"decision"}),
        ({"excludeTypes": "session", "type": "sessions"}, set(), set()),
    ],
)
def test_kinds_and_types_can_be_excluded(
    given_: dict[str, object], kinds: frozenset[Kind], barred: set[str]
) -> None:
    filters, notes = asked(**given_)

    assert filters is not None
    assert filters.kinds == kinds
    assert filters.not_types == barred
    assert notes == []


# ---------------------------------------------------------------------- from filters to lines
NAMES = st.sampled_from(["p", "q", "r/s"])
MOMENTS = st.integers(-2, 2).map(lambda hours: MARCH + hours * HOUR)
FILES = st.lists(st.sampled_from(["src/db/pool.py", "src\\DB\\x.py", "/pool.py", "db"]), max_size=2)
COMMON = {
    "project": NAMES,
    "merged": st.none() | NAMES,
    "epoch": MOMENTS,
    "files_read": FILES,
}
RECORDS = st.lists(
    st.builds(
        observation,
        st.integers(1, 5),
        type=st.sampled_from(TYPES),
        concepts=st.lists(st.sampled_from(["gotcha", "Gotcha", "how it works"]), max_size=2),
        files_modified=FILES,
        **COMMON,
    )
    | st.builds(session, st.integers(1, 5), files_edited=FILES, **COMMON)
    | st.builds(prompt, st.integers(1, 5), project=NAMES, epoch=MOMENTS),
    max_size=10,
    unique_by=lambda record: record.ref,
)
FILTERS = st.builds(
    Filters,
    project=st.none() | NAMES | st.just("nobody's"),
    kinds=st.just(EVERY) | st.frozensets(st.sampled_from(Kind)),
    types=st.frozensets(st.sampled_from(TYPES), max_size=2),
    concepts=st.lists(st.sampled_from(["gotcha", "HOW IT WORKS", "how"]), max_size=2).map(tuple),
    files=st.lists(st.sampled_from(["pool.py", "src/db", "DB/", "x.py", "/"]), max_size=2).map(
        tuple
    ),
    start_ms=st.none() | MOMENTS,
    end_ms=st.none() | MOMENTS,
    projects=st.frozensets(NAMES, max_size=2),
    not_projects=st.frozensets(NAMES | st.just("nobody's"), max_size=2),
    not_types=st.frozensets(st.sampled_from(TYPES), max_size=2),
)


def passes(record: Record, filters: Filters) -> bool:
    """Say by hand whether a record passes."""
    is_observation = record.ref.kind is Kind.OBSERVATION
    concepts = {concept.casefold() for concept in record.items("concepts")}
    files = [path for name in FILE_FIELDS for path in record.items(name)]
    projects = {record.project, record.merged_into_project}
    when = record.created_at_epoch
    conditions = [
        record.ref.kind in filters.kinds,
        filters.project in (None, record.project, record.merged_into_project),
        not filters.projects or bool(filters.projects & projects),
        not filters.not_projects & projects,
        not (is_observation and record.type in filters.not_types),
        not filters.types or (is_observation and record.type in filters.types),
        not filters.concepts or bool(concepts & {each.casefold() for each in filters.concepts}),
        not filters.files or any(file_matches(p, want) for p in files for want in filters.files),
        filters.start_ms is None or when >= filters.start_ms,
        filters.end_ms is None or when <= filters.end_ms,
    ]
    return all(conditions)


@few_examples
@given(records=RECORDS, filters=FILTERS)
def test_exactly_the_records_that_pass_are_allowed(
    reused: KeywordIndex, records: list[Record], filters: Filters
) -> None:
    reused.remove(list(reused.fingerprints()))
    put(reused, *records)
    lines = reused.catalog.snapshot

    mask = allowed(reused, lines, filters)

    found = {to_ref(key) for key in lines.keys[mask].tolist()}
    assert found == {record.ref for record in records if passes(record, filters)}


def test_a_removed_record_passes_no_filter(index: KeywordIndex) -> None:
    put(index, observation(1, concepts=["gotcha"]), observation(2, concepts=["gotcha"]))
    index.remove([1 << 2])
    lines = index.catalog.snapshot

    for filters in (Filters(), Filters(concepts=("gotcha",)), Filters(project="p")):
        assert lines.keys[allowed(index, lines, filters)].tolist() == [2 << 2]
