"""The program that a session was held in is a facet and a filter, also of rows that come later."""

import pytest

from tests.index.running import PATIENCE, until
from tests.search.conftest import Searching
from tests.store.rows import plain


def fill(searching: Searching) -> None:
    """Write one memory of each kind from codex, and some from claude and from nowhere."""
    for name in ("claude", "codex"):
        searching.remember(
            "sdk_sessions",
            content_session_id=f"c-{name}",
            memory_session_id=f"m-{name}",
            project="p",
            platform_source=name,
        )
    searching.remember(title="pool one", memory_session_id="m-claude")
    searching.remember(title="pool two", memory_session_id="m-codex")
    searching.remember("session_summaries", request="pool three", memory_session_id="m-codex")
    searching.remember("user_prompts", prompt_text="pool four", content_session_id="c-codex")
    searching.remember(title="pool five", memory_session_id="of nobody")


CODEX = {"#2", "#S1", "#P1"}
ASKED = [
    ({"sources": "codex"}, CODEX),
    ({"sources": "claude"}, {"#1", "#3"}),
    ({"sources": "claude,codex"}, CODEX | {"#1", "#3"}),
    ({"sources": "nothing of ours"}, set()),
    ({"excludeSources": "codex"}, {"#1", "#3"}),
    ({"excludeSources": "claude", "type": "observations"}, {"#2"}),
]


@pytest.mark.parametrize("query", ["", "pool"])
@pytest.mark.parametrize("indexed", [True, False])
def test_sources_filter_with_and_without_an_index(
    searching: Searching, query: str, indexed: bool
) -> None:
    fill(searching)
    if indexed:
        searching.start()

    for asked, found in ASKED:
        assert set(searching.hits(query, **asked)) == found, asked
        assert searching.search(query, **asked).total == len(found)


def test_sources_are_counted_and_what_comes_later_too(searching: Searching) -> None:
    fill(searching)
    searching.start()
    assert searching.search("pool", format="json").facets.source == {"codex": 3, "claude": 2}

    searching.remember(title="pool six", memory_session_id="m-codex")
    until(searching.is_in_step)

    assert searching.search("pool", format="json").facets.source == {"codex": 4, "claude": 2}
    assert searching.hits("six", sources="codex") == ["#4"]


def test_they_are_looked_up_before_anybody_asks(searching: Searching) -> None:
    fill(searching)
    searching.start()
    assert searching.has_looked_ahead.wait(PATIENCE)
    with plain(searching.store.path) as db:
        db.execute("UPDATE sdk_sessions SET platform_source = 'too late'")

    assert searching.search("pool", format="json").facets.source == {"codex": 3, "claude": 2}


def test_where_all_comes_from_one_program_that_is_the_facet(searching: Searching) -> None:
    searching.remember(title="pool")
    searching.start()

    assert searching.search(format="json").facets.source == {"claude": 1}
    assert searching.search("nothing", format="json").facets.source == {}
