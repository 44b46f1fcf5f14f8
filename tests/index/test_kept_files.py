"""The file of the kept vectors: a restart changes nothing, and damage is healed from memory."""

import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.index.both import Corpus, new_kept
from tests.index.kept_vectors import DIMENSION, ints, put, small, unit_vectors
from worker.index.embedder import Matrix
from worker.index.kept import KeptVectors, KeptVectorsError


def asides(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if ".bad-" in path.name)


# ---------------------------------------------------------------------- files
def test_a_restart_changes_no_answer(tmp_path: Path, corpus: Corpus, question: Matrix) -> None:
    kept = new_kept(tmp_path)
    kept.open()
    put(kept, corpus)
    before = kept.nearest(question, 50)
    kept.close()

    kept.open()

    after = kept.nearest(question, 50)
    kept.close()
    assert after[0].tolist() == before[0].tolist()
    assert after[1].tolist() == before[1].tolist()


def test_only_the_user_can_read_the_files(tmp_path: Path, corpus: Corpus) -> None:
    kept = new_kept(tmp_path)
    kept.open()
    put(kept, corpus.first(3))

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}

    kept.close()
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize(("model", "dimension"), [("other", DIMENSION), ("small", 4)])
def test_another_model_or_dimension_begins_empty(
    tmp_path: Path, model: str, dimension: int
) -> None:
    first = small(tmp_path)
    first.put(ints(4), [b"12345678"], unit_vectors(1, 1))
    first.close()

    other = KeptVectors(tmp_path / "vectors.db", model=model, dimension=dimension)
    other.open()

    assert len(other) == 0
    assert not other.was_damaged
    other.put(ints(4), [b"12345678"], unit_vectors(1, 1, dimension))
    other.close()
    other.open()
    assert len(other) == 1
    other.close()


def _garbage(path: Path) -> None:
    path.write_bytes(b"\xa5" * 10_000)


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:9_000])


def _holes(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[8_192 : len(content) : 3] = bytes(len(content[8_192 : len(content) : 3]))
    path.write_bytes(content)


def _sql(statement: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        db = sqlite3.connect(path)
        db.executescript(statement)
        db.close()

    return damage


DAMAGES = {
    "garbage": _garbage,
    "truncated": _truncated,
    "overwritten in places": _holes,
    "another program's database": _sql("DROP TABLE vectors; CREATE TABLE songs (name TEXT)"),
    "a vector cut short": _sql("UPDATE vectors SET vector = x'0011' WHERE key = 8"),
    "a vector of text": _sql("UPDATE vectors SET vector = 'text' WHERE key = 8"),
    "a vector of zeros": _sql("UPDATE vectors SET vector = zeroblob(1024) WHERE key = 8"),
    "a vector that is no number": _sql(f"UPDATE vectors SET vector = x'{'ff7f' * 512}'"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_is_set_aside_and_begun_anew(
    tmp_path: Path, corpus: Corpus, damage: Callable[[Path], None]
) -> None:
    kept = new_kept(tmp_path)
    kept.open()
    put(kept, corpus.first(40))
    kept.close()
    damage(kept.path)

    kept.open()

    assert kept.was_damaged
    assert len(kept) == 0
    put(kept, corpus.first(40))
    kept.close()
    assert asides(tmp_path) == ["vectors.bad-1.db"]
    again = new_kept(tmp_path)
    again.open()
    assert len(again) == 40
    assert not again.was_damaged
    again.close()


def test_only_the_newest_damaged_file_stays(tmp_path: Path) -> None:
    for _ in range(3):
        _garbage(tmp_path / "vectors.db")
        kept = new_kept(tmp_path)
        kept.open()
        kept.close()

    assert asides(tmp_path) == ["vectors.bad-3.db"]


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "vectors.db").touch()
    kept = new_kept(tmp_path)

    kept.open()

    assert not kept.was_damaged
    kept.close()


def test_a_place_that_cannot_be_written_is_named_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "vectors.db").mkdir()
    kept = new_kept(tmp_path)

    with pytest.raises(KeptVectorsError, match=r"vectors\.db cannot be used"):
        kept.open()

    assert not kept.is_open
    assert asides(tmp_path) == []


def test_a_file_that_is_locked_by_another_is_not_taken_for_damaged(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.index.kept.BUSY_SECONDS", 0.05)
    kept = new_kept(tmp_path)
    kept.open()
    other = sqlite3.connect(kept.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(KeptVectorsError, match="locked"):
        put(kept, corpus.first(3))

    other.execute("ROLLBACK")
    other.close()
    put(kept, corpus.first(3))
    kept.close()
    assert asides(tmp_path) == []


def test_files_deleted_under_a_running_worker_are_written_anew(
    tmp_path: Path, corpus: Corpus
) -> None:
    kept = new_kept(tmp_path / "index")
    kept.open()
    put(kept, corpus.first(30))
    for path in (tmp_path / "index").iterdir():
        path.unlink()
    (tmp_path / "index").rmdir()

    put(kept, corpus.part(30, 35))

    kept.close()
    kept.open()
    assert len(kept) == 35
    kept.close()


def test_damage_that_a_write_meets_is_healed_from_memory(tmp_path: Path, corpus: Corpus) -> None:
    kept = new_kept(tmp_path)
    kept.open()
    put(kept, corpus.first(30))
    _sql("UPDATE meta SET value = value; PRAGMA wal_checkpoint(TRUNCATE)")(kept.path)
    content = kept.path.read_bytes()
    kept.path.write_bytes(content[:4_096] + b"\xa5" * (len(content) - 4_096))

    put(kept, corpus.part(30, 35))

    assert asides(tmp_path) == ["vectors.bad-1.db"]
    kept.close()
    kept.open()
    assert len(kept) == 35
    assert not kept.was_damaged
    kept.close()


def test_a_full_disk_is_named_and_changes_nothing(kept: KeptVectors, corpus: Corpus) -> None:
    put(kept, corpus.first(10))
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(KeptVectorsError, match="disk is not full"):
            put(kept, corpus)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert len(kept) == 10
    put(kept, corpus)
    assert len(kept) == len(corpus.keys)


def test_what_is_not_open_cannot_be_changed(tmp_path: Path, corpus: Corpus) -> None:
    with pytest.raises(KeptVectorsError, match="not open"):
        put(new_kept(tmp_path), corpus.first(1))
