"""Facets: counts beside the other filters, and what a click makes of the query."""

import pytest

from app.search.facets import Mark, Pick, Value, picked, values_of
from app.search.request import Chip, Field, Group, Query, query_of
from worker.shared.contract import Facets

FOUND = Facets(
    project={"web": 3},
    kind={"observation": 2, "prompt": 1},
    type={"bugfix": 2},
    month={"2026-03": 2, "2026-02": 1},
)
WIDER = Facets(project={"web": 3, "shop": 2, "old": 1})


def named(values: list[Value]) -> list[tuple[str, int, Mark]]:
    return [(value.name, value.count, value.mark) for value in values]


def test_a_facet_counts_as_if_it_had_no_filter_of_its_own() -> None:
    query = query_of("project:web -project:old project:gone")

    values = values_of(query, FOUND, {Group.PROJECT: WIDER})

    assert named(values[Group.PROJECT]) == [
        ("web", 3, Mark.CHOSEN),
        ("shop", 2, Mark.FREE),
        ("old", 1, Mark.EXCLUDED),
        ("gone", 0, Mark.CHOSEN),
    ]
    assert named(values[Group.KIND]) == [
        ("observations", 2, Mark.FREE),
        ("prompts", 1, Mark.FREE),
    ]


def test_a_single_source_is_nothing_to_choose_from() -> None:
    one, two = Facets(source={"claude": 3}), Facets(source={"claude": 3, "codex": 1})

    assert values_of(Query(), one, {})[Group.SOURCE] == []
    assert len(values_of(Query(), two, {})[Group.SOURCE]) == 2
    assert len(values_of(query_of("source:claude"), one, {})[Group.SOURCE]) == 1


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("", []),
        ("date:2026-03", ["2026-03"]),
        ("after:2026-02", ["2026-03", "2026-02"]),
        ("before:2026-02-28", ["2026-02"]),
        ("after:2026-02-02 before:2026-03-05", []),
    ],
)
def test_months_within_the_range_are_chosen(text: str, chosen: list[str]) -> None:
    values = values_of(query_of(text), FOUND, {})[Group.DATE]

    assert [value.name for value in values if value.mark is Mark.CHOSEN] == chosen


@pytest.mark.parametrize(
    ("before", "name", "pick", "after"),
    [
        ("pool", "web", Pick.ONLY, "project:web pool"),
        ("project:old", "web", Pick.ONLY, "project:web"),
        ("project:old", "web", Pick.ADD, "project:old project:web"),
        ("project:old", "web", Pick.EXCLUDE, "project:old -project:web"),
        ("project:web", "web", Pick.EXCLUDE, "-project:web"),
        ("-project:web", "web", Pick.EXCLUDE, ""),
        ("project:web", "web", Pick.ONLY, ""),
        ("project:web project:old", "web", Pick.ONLY, "project:web"),
        ("project:web project:old", "web", Pick.ADD, "project:old"),
        ("type:bugfix", "web", Pick.ONLY, "type:bugfix project:web"),
    ],
)
def test_a_value_is_chosen_added_or_excluded_and_taken_back(
    before: str, name: str, pick: Pick, after: str
) -> None:
    value = Value(Group.PROJECT, name, 1, Mark.FREE)

    assert picked(query_of(before), value, pick).text == after


def test_months_are_chosen_and_widened_but_not_excluded() -> None:
    march = Value(Group.DATE, "2026-03", 2, Mark.FREE)
    may = Value(Group.DATE, "2026-05", 2, Mark.FREE)

    query = picked(Query(), march, Pick.ONLY)
    assert query.text == "after:2026-03 before:2026-03"
    assert picked(query, march, Pick.ONLY).chips == ()
    assert picked(query, may, Pick.ADD).text == "after:2026-03 before:2026-05"
    assert picked(query, may, Pick.ONLY).text == "after:2026-05 before:2026-05"
    assert picked(query, may, Pick.EXCLUDE) == query


def test_a_month_that_no_calendar_holds_does_nothing() -> None:
    odd = Value(Group.DATE, "9999-12", 1, Mark.FREE)

    assert picked(Query(), odd, Pick.ONLY) == Query()
    query = Query().with_chips([Chip(Field.AFTER, "2026-03")])
    values = values_of(query, Facets(month={"9999-12": 1}), {})
    assert named(values[Group.DATE]) == [("9999-12", 1, Mark.FREE)]
