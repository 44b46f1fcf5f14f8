"""The file of the keyword index: kept, and where it is damaged only a file to build anew."""

import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.index.keyword_entries import counted, found, put
from tests.index.records import observation, session
from worker.index.keys import to_key
from worker.index.keyword import IndexDamagedError, KeywordIndex
from worker.shared.refs import Kind, Ref

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
