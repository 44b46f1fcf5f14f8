"""The keyword index: what is put is found, by its words and by filters."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.index.keyword_entries import counted, found, put
from tests.index.records import observation, prompt, session
from worker.index import keyword
from worker.index.analyze import terms
from worker.index.keys import to_key, to_ref
from worker.index.keyword import KeywordIndex
from worker.index.keyword_rows import COLUMNS, frequent_terms
from worker.shared.refs import Kind, Ref
from worker.store.filters import file_matches
from worker.store.records import Record


@pytest.fixture
def index(tmp_path: Path) -> Iterator[KeywordIndex]:
    opened = KeywordIndex(tmp_path / "index" / "keyword.db")
    opened.open()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def reused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeywordIndex]:
    """An index for many examples: each begins by removing what the last one left."""
    opened = KeywordIndex(tmp_path_factory.mktemp("reused") / "keyword.db")
    opened.open()
    yield opened
    opened.close()


# ---------------------------------------------------------------------- what is put is found
def test_records_of_all_kinds_are_found_by_their_words(index: KeywordIndex) -> None:
    put(index, observation(1, "Pool exhausted"), session(1, "Fix the pool"), prompt(1, "连接池"))

    assert found(index, "pools") == {"#1", "#S1"}
    assert found(index, "接池") == {"#P1"}
    assert found(index, "the pool") == {"#S1"}
    assert found(index, "nothing") == set()


def test_the_title_counts_most(index: KeywordIndex) -> None:
    put(
        index,
        observation(1, "pool pool", narrative="pool", facts=["pool", "no"], files_read=["a/pool"]),
        session(2, "pool", learned="pool"),
        prompt(3, "pool"),
    )

    assert counted(index, "pool") == {"#1": 9.0, "#S2": 3.0, "#P3": 1.0}
    assert counted(index, "a/pool") == {"#1": 1.0}


def test_a_record_put_again_is_found_by_its_new_words_only(index: KeywordIndex) -> None:
    put(index, observation(1, "old words", concepts=["gone"], files_read=["old.py"]))
    assert counted(index, "old")

    put(index, observation(1, "new words", project="q"), observation(2, "old too"))

    assert (found(index, "old"), found(index, "words")) == ({"#2"}, {"#1"})
    assert (set(counted(index, "old")), set(counted(index, "word"))) == ({"#2"}, {"#1"})
    assert index.lines_with_concepts(["gone"]).tolist() == []
    assert index.lines_with_files(["old.py"]).tolist() == []
    assert index.catalog.snapshot.rows == 2


def test_a_removed_record_is_not_found(index: KeywordIndex) -> None:
    put(index, observation(1, "pool"), observation(2, "pool"), prompt(1, "pool"))
    assert len(counted(index, "pool")) == 3

    index.remove([to_key(Ref(Kind.OBSERVATION, 1)), to_key(Ref(Kind.SESSION, 99))])

    assert found(index, "pool") == {"#2", "#P1"} == set(counted(index, "pool"))
    assert len(index.fingerprints()) == 2


WORDS = st.lists(
    st.sampled_from(["pool", "Pools", "auth_token", "getUserById", "连接池", "C++", "⑴", "the"]),
    max_size=6,
).map(" ".join)
RECORDS = st.lists(
    st.builds(
        observation, st.integers(1, 3), WORDS, narrative=WORDS, facts=st.lists(WORDS, max_size=2)
    )
    | st.builds(prompt, st.integers(1, 3), WORDS),
    min_size=1,
    max_size=6,
    unique_by=lambda record: record.ref,
)


@settings(max_examples=25, deadline=None)
@given(batches=st.lists(RECORDS, min_size=1, max_size=3))
def test_postings_are_the_counts_of_the_analysed_words(
    reused: KeywordIndex, batches: list[list[Record]]
) -> None:
    reused.remove(list(reused.fingerprints()))
    model: dict[Ref, Record] = {}
    for batch in batches:
        put(reused, *batch)
        model |= {record.ref: record for record in batch}

    expected: dict[str, Counter[str]] = {}
    for record in model.values():
        for name, _ in record.fields:
            tokens, extras = terms(record.get(name))
            weight = int(COLUMNS[record.ref.kind][name])
            for term, count in [*((t, weight) for t in tokens), *((t, 1) for t in extras)]:
                expected.setdefault(term, Counter())[str(record.ref)] += count
    for term, counts in expected.items():
        assert counted(reused, term) == dict(counts)


def test_a_list_read_before_a_put_does_not_hide_what_was_put(index: KeywordIndex) -> None:
    put(index, observation(1, "pool"))
    assert set(counted(index, "pool")) == {"#1"}

    put(index, observation(2, "pool"))

    assert set(counted(index, "pool")) == {"#1", "#2"}


def test_frequent_terms_are_those_that_most_records_hold() -> None:
    records = [observation(i, f"pool number{i}", narrative="pool") for i in range(9)]
    records += [observation(10, "retry pool"), observation(11, "retry")]

    assert frequent_terms(records, 2) == ["retri", "pool"]


def test_words_are_found_by_a_piece_of_them_the_shortest_first(index: KeywordIndex) -> None:
    put(index, observation(1, "getUserById"), observation(2, "userland Superusers of 用户"))

    assert index.words_with("user") == ["userland", "superusers", "getuserbyid"]
    assert index.words_with("user", most=1) == ["userland"]
    assert index.words_with("us") == []
    assert index.words_with("zxqv") == []


def test_an_index_mostly_of_what_is_gone_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be taken out of a table without text: lines of old records stay, dead."""
    monkeypatch.setattr(keyword, "FEW", 3)
    index = KeywordIndex(tmp_path / "keyword.db")
    index.open()
    for _ in range(3):
        put(index, observation(1, "pool"), observation(2, "retry"))
    index.close()
    assert not index.open()
    for _ in range(2):
        put(index, observation(1, "pool"), observation(2, "retry"))
    index.close()

    assert index.open()
    index.close()


# ---------------------------------------------------------------------- filters
def test_concepts_are_found_whatever_their_case_and_only_whole(index: KeywordIndex) -> None:
    put(index, observation(1, concepts=["How-It-Works"]), observation(2, concepts=["how", "it's"]))

    assert index.lines_with_concepts(["HOW-it-works"]).tolist() == [0]
    assert index.lines_with_concepts(["it's", "how-it-works"]).tolist() in ([0, 1], [1, 0])
    assert index.lines_with_concepts(["how-it"]).tolist() == []


PATHS = st.lists(
    st.sampled_from(["src", "DB", "db", "pool.py", "ool.py", "..", "c:", "with blank", "ü"]),
    min_size=1,
    max_size=4,
)
FILES = st.builds(
    lambda lead, parts, slash: lead + slash.join(parts),
    st.sampled_from(["", "/", "\\"]),
    PATHS,
    st.sampled_from(["/", "\\"]),
)


@settings(max_examples=25, deadline=None)
@given(paths=st.lists(FILES, min_size=1, max_size=6), wanted=st.lists(FILES | st.just("/")))
def test_files_are_found_by_path_end_or_folder(
    reused: KeywordIndex, paths: list[str], wanted: list[str]
) -> None:
    reused.remove(list(reused.fingerprints()))
    put(reused, *(observation(i, files_modified=[path]) for i, path in enumerate(paths)))

    keys = reused.catalog.snapshot.keys[reused.lines_with_files(wanted)]

    by_hand = {i for i, path in enumerate(paths) if any(file_matches(path, w) for w in wanted)}
    assert {to_ref(key).id for key in keys.tolist()} == by_hand
