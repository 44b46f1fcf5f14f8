"""The keyword index: what is put is found, and a damaged file is only a file to build anew."""

import sqlite3
import stat
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.index.records import observation, prompt, session
from worker.index import keyword
from worker.index.analyze import terms
from worker.index.fingerprint import text_fingerprint
from worker.index.keys import to_key, to_ref
from worker.index.keyword import IndexDamagedError, IndexNotWrittenError, KeywordIndex
from worker.index.keyword_rows import COLUMNS, frequent_terms, quote
from worker.shared.refs import Kind, Ref
from worker.store.filters import file_matches
from worker.store.records import Record

DESCRIPTORS = Path("/proc/self/fd")


def open_files() -> Iterator[str]:
    for descriptor in DESCRIPTORS.iterdir():
        with suppress(FileNotFoundError):  # that of the folder itself
            yield str(descriptor.readlink())


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


def put(index: KeywordIndex, *records: Record) -> None:
    index.put([(record, text_fingerprint(repr(record))) for record in records])


def found(index: KeywordIndex, text: str) -> set[str]:
    """Return the records that hold the words of `text` in a row."""
    phrase = quote(" ".join(terms(text)[0]))
    ordinals = index.lines(dict.fromkeys(Kind, phrase))
    return {str(to_ref(key)) for key in index.catalog.snapshot.keys[ordinals].tolist()}


def counted(index: KeywordIndex, term: str) -> dict[str, float]:
    """Return how much a term counts in each living record."""
    lines = index.catalog.snapshot
    ordinals, counts, _ = index.postings(term)
    pairs = zip(ordinals, counts, strict=True)
    return {str(to_ref(lines.keys[o])): float(n) for o, n in pairs if lines.alive[o]}


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


# ---------------------------------------------------------------------- life of the file
def test_the_file_and_its_folder_are_the_users_alone(index: KeywordIndex) -> None:
    put(index, observation(1, "pool"))

    files = list(index.path.parent.iterdir())
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(index.path.parent.stat().st_mode) == 0o700


def test_all_is_there_after_a_restart(index: KeywordIndex) -> None:
    put(index, observation(1, "pool", merged="q"), observation(2, "gone"), session(3, "pool"))
    index.remove([to_key(Ref(Kind.OBSERVATION, 2))])
    prints = index.fingerprints()
    index.close()

    again = KeywordIndex(index.path)
    assert not again.open()

    assert again.fingerprints() == prints
    assert set(counted(again, "pool")) == {"#1", "#S3"} == found(again, "pool")
    lines = again.catalog.snapshot
    assert {lines.names[code] for code in lines.merged if code >= 0} == {"q"}
    again.close()


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database " * 1_000)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def page_overwritten(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 * 3 : 4096 * 4] = b"\xa5" * 4096
    path.write_bytes(content)


def foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE meta (name TEXT, value TEXT)")


def of_another_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE meta SET value = '1.0'")


@pytest.mark.parametrize(
    "damage", [garbage, cut_short, emptied, page_overwritten, foreign, of_another_version]
)
def test_a_file_that_cannot_be_used_is_begun_anew(
    index: KeywordIndex, damage: Callable[[Path], None]
) -> None:
    put(index, *(observation(i, f"pool number{i}") for i in range(1, 200)))
    index.close()
    damage(index.path)

    again = KeywordIndex(index.path)
    assert again.open()

    assert again.fingerprints() == {}
    put(again, observation(1, "pool"))
    assert found(again, "pool") == {"#1"}
    again.close()


def test_damage_while_open_is_told_and_healed_for_all_threads(index: KeywordIndex) -> None:
    put(index, *(observation(i, f"pool number{i}") for i in range(1, 200)))
    answers: list[set[str]] = []
    go_on, asked = threading.Event(), threading.Event()

    def read() -> None:
        for _ in range(2):
            answers.append(found(index, "pool"))
            asked.set()
            assert go_on.wait(10)

    reader = threading.Thread(target=read)
    reader.start()
    assert asked.wait(10)
    for suffix in ("", "-wal"):
        file = index.path.with_name(index.path.name + suffix)
        file.write_bytes(b"\xa5" * file.stat().st_size)

    with pytest.raises(IndexDamagedError, match=r"keyword\.db"):
        found(index, "number7")
    index.destroy()
    assert index.open()
    put(index, observation(7, "pool number7"))
    go_on.set()
    reader.join()

    assert answers == [{f"#{i}" for i in range(1, 200)}, {"#7"}]
    assert found(index, "number7") == {"#7"} == set(counted(index, "number7"))


@pytest.mark.skipif(
    not DESCRIPTORS.exists(), reason="Linux alone tells what was deleted and is open"
)
def test_a_deleted_index_is_open_nowhere(index: KeywordIndex) -> None:
    """Windows deletes no file that any thread has open, and the index could not be built anew."""
    put(index, observation(1, "pool"))
    go_on, read = threading.Event(), threading.Event()

    def stay() -> None:
        found(index, "pool")
        read.set()
        assert go_on.wait(10)

    reader = threading.Thread(target=stay)
    reader.start()
    assert read.wait(10)

    index.destroy()

    still_open = [name for name in open_files() if name.startswith(str(index.path))]
    go_on.set()
    reader.join()
    assert still_open == []


def test_the_index_is_made_again_when_its_folder_was_deleted(index: KeywordIndex) -> None:
    index.close()
    for file in index.path.parent.iterdir():
        file.unlink()
    index.path.parent.rmdir()

    assert index.open()
    put(index, observation(1, "pool"))

    assert found(index, "pool") == {"#1"}


# ---------------------------------------------------------------------- several threads
def test_readers_see_whole_batches_while_another_thread_writes(index: KeywordIndex) -> None:
    """Each batch holds its number ten times; half of the batches are replaced meanwhile."""
    wrong: list[object] = []
    written = 0
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                before = written
                lines = index.catalog.snapshot
                ordinals, counts, _ = index.postings("pool")
                seen = ordinals[ordinals < lines.size]
                alive = int(np.count_nonzero(lines.alive[seen]))
                # those that are just being replaced may be missed once
                if alive < before - 10 or alive > lines.rows or len(counts) != len(ordinals):
                    wrong.append((before, alive, lines.rows))
                if before and len(found(index, "number0")) != 10:
                    wrong.append("number0")
        except Exception as exc:  # noqa: BLE001 - the test shall show it
            wrong.append(exc)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(30):
        ids = range(10 * number, 10 * number + 10)
        put(index, *(observation(i, f"pool number{number}") for i in ids))
        written += 10
        if number % 2:
            put(index, *(observation(i, f"pool again number{number}") for i in ids))
    done.set()
    for reader in readers:
        reader.join()

    assert wrong == []
    assert len(counted(index, "pool")) == 300


def test_a_writer_that_cannot_get_the_lock_does_not_take_the_index_for_damaged(
    index: KeywordIndex,
) -> None:
    put(index, observation(1, title="pool"))
    with closing(sqlite3.connect(index.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(IndexNotWrittenError, match=r"keyword\.db cannot be written"):
            put(index, observation(2, title="pool"))
        other.execute("ROLLBACK")
    put(index, observation(2, title="pool"))

    assert index.catalog.snapshot.rows == 2


def test_a_word_asked_for_all_the_while_is_found_as_soon_as_it_is_put(index: KeywordIndex) -> None:
    """A search that meets the writing must not leave its empty list behind."""
    ended, word = threading.Event(), ["aboutnothing"]

    def ask() -> None:
        while not ended.is_set():
            index.postings(word[0])

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    missed = []
    for i in range(1, 250):
        word[0] = f"smew{i}x"
        put(index, observation(i, narrative=f"The {word[0]} lives in the reeds."))
        if len(index.postings(word[0]).ordinals) != 1:
            missed.append(i)
    ended.set()
    for asker in askers:
        asker.join()

    assert missed == []
