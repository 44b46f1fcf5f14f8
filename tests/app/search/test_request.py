"""Text with operators and chips are the same thing."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.search.request import Chip, Field, Group, Query, month, query_of, read
from worker.shared.contract import Mode, OrderBy, SearchRequest

WEB = Chip(Field.PROJECT, "web")
NO_BUGS = Chip(Field.TYPE, "bugfix", excluded=True)
MARCH = (Chip(Field.AFTER, "2026-03"), Chip(Field.BEFORE, "2026-03"))


@pytest.mark.parametrize(
    ("text", "words", "chips"),
    [
        ("pool project:web", "pool ", (WEB,)),
        ("project:web pool", "pool", (WEB,)),
        ("a project:web b", "a b", (WEB,)),
        ("PROJECT:web", "", (WEB,)),
        ("-type:bugfix pool", "pool", (NO_BUGS,)),
        ('project:"my app" x', "x", (Chip(Field.PROJECT, "my app"),)),
        ("kind:prompt", "", (Chip(Field.KIND, "prompts"),)),
        ("-kind:Sessions", "", (Chip(Field.KIND, "sessions", excluded=True),)),
        ("after:2026-01-01", "", (Chip(Field.AFTER, "2026-01-01"),)),
        ("date:2026-03 pool", "pool", MARCH),
        ("after:2026", "", (Chip(Field.AFTER, "2026-01"),)),
        ("date:2025", "", (Chip(Field.AFTER, "2025-01"), Chip(Field.BEFORE, "2025-12"))),
        ("项目 project:网站 连接池", "项目 连接池", (Chip(Field.PROJECT, "网站"),)),
    ],
)
def test_operators_become_chips(text: str, words: str, chips: tuple[Chip, ...]) -> None:
    assert read(text) == (words, chips)


@pytest.mark.parametrize(
    "text",
    [
        '"say project:web aloud"',
        "after:lunch",
        "-after:2026-01-01",
        "kind:of",
        "subproject:web",
        "project:",
        "project: web",
        "title:pool",
        "http://type:80",
        "date:2026-13",
        "before:0000",
        "before:99999999999999999999",
    ],
)
def test_what_only_looks_like_an_operator_stays_as_words(text: str) -> None:
    assert read(text) == (text, ())


def test_an_operator_at_the_end_is_still_being_typed() -> None:
    assert read("pool project:we", whole=False) == ("pool project:we", ())
    assert read("pool project:web ", whole=False) == ("pool ", (WEB,))


FILTERS = st.builds(
    Chip,
    st.sampled_from([Field.PROJECT, Field.TYPE]),
    st.text(min_size=1, max_size=8).map(str.strip).filter(bool),
    st.booleans(),
) | st.builds(Chip, st.just(Field.AFTER), st.dates(date(1980, 1, 1), date(2100, 1, 1)).map(str))


@given(st.lists(FILTERS, max_size=4))
def test_chips_as_text_are_read_back_as_they_were(chips: list[Chip]) -> None:
    query = Query().with_chips(chips)

    assert query_of(query.text) == query


@given(st.text(max_size=60))
def test_any_text_is_read_and_any_query_is_a_request(text: str) -> None:
    query = query_of(text)

    params = {k: v for k, v in query.params(limit=50).items() if v is not None}
    assert SearchRequest.unknown(list(params)) == []
    SearchRequest.model_validate(params)


def test_a_query_is_asked_as_the_worker_understands_it() -> None:
    typed = 'pool source:codex -source:cursor project:web project:"my app" -project:old'
    more = "kind:observations -type:bugfix date:2026-03"
    query = query_of(f"{typed} {more}", Query(mode=Mode.MEANING, order=OrderBy.DATE_ASC))

    params = {k: v for k, v in query.params(limit=50, offset=100).items() if v is not None}

    assert params == {
        "format": "json",
        "limit": 50,
        "offset": 100,
        "query": "pool",
        "projects": ["web", "my app"],
        "excludeProjects": ["old"],
        "sources": ["codex"],
        "excludeSources": ["cursor"],
        "type": ["observations"],
        "excludeTypes": ["bugfix"],
        "dateStart": "2026-03",
        "dateEnd": "2026-03",
        "mode": "meaning",
        "orderBy": "date_asc",
    }


def test_of_two_filters_that_contradict_each_other_the_newest_counts() -> None:
    query = Query().with_chips([NO_BUGS, *MARCH])

    bugs = Chip(Field.TYPE, "bugfix")
    assert query.with_chips([bugs]).chips == (*MARCH, bugs)
    later = Chip(Field.AFTER, "2026-02")
    assert query.with_chips([later]).chips == (NO_BUGS, MARCH[1], later)


def test_a_value_can_be_the_only_one_of_its_facet() -> None:
    query = Query("pool").with_chips([WEB, NO_BUGS])

    other = Chip(Field.PROJECT, "shop")
    assert query.only([other]).chips == (NO_BUGS, other)
    assert query.groups == (Group.PROJECT, Group.TYPE)
    assert query.without_group(Group.PROJECT).chips == (NO_BUGS,)
    assert query.without(NO_BUGS).chips == (WEB,)


def test_a_month_widens_the_range_that_is_chosen() -> None:
    assert month("2026-05", MARCH) == (MARCH[0], Chip(Field.BEFORE, "2026-05"))
    assert month("2026-01", MARCH) == (Chip(Field.AFTER, "2026-01"), MARCH[1])
