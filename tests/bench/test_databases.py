"""Scratch databases are filled once for each version of the tools, and no older one is kept."""

from pathlib import Path

import pytest

from tests.bench.databases import Corpus, count_rows, generated, retrieval_set
from tests.bench.material import Material

_FILL = """
import sqlite3, sys
from contextlib import closing
with closing(sqlite3.connect({database})) as connection, connection:
    connection.execute("INSERT INTO sdk_sessions (content_session_id, memory_session_id, project,"
        " started_at, started_at_epoch, status) VALUES ('c', 'm', 'p', '', 1, 'completed')")
    connection.execute("INSERT INTO observations (memory_session_id, project, type, created_at,"
        " created_at_epoch) VALUES ('m', 'p', 'change', '', 1)")
"""


@pytest.fixture
def material(tmp_path: Path) -> Material:
    found = Material(
        gen_db=tmp_path / "gen_db.py",
        bench_http=tmp_path / "bench_http.py",
        retrieval_http=tmp_path / "retrieval_http.py",
        sets=tmp_path / "sets",
    )
    (found.sets / "tiny").mkdir(parents=True)
    (found.sets / "tiny" / "corpus.jsonl").touch()
    found.gen_db.write_text(_FILL.format(database="sys.argv[1]"), encoding="utf-8")
    found.retrieval_http.write_text(_FILL.format(database="sys.argv[3]"), encoding="utf-8")
    return found


def test_a_database_is_filled_once(tmp_path: Path, material: Material) -> None:
    first = generated(tmp_path / "cache", material, 1)
    (first.data_dir / "seen").touch()
    again = generated(tmp_path / "cache", material, 1)
    assert again == first
    assert (again.data_dir / "seen").exists()
    assert count_rows(again.database) == 1


def test_a_changed_tool_fills_anew_and_drops_the_old(tmp_path: Path, material: Material) -> None:
    old = generated(tmp_path / "cache", material, 1)
    with material.gen_db.open("a", encoding="utf-8") as tool:
        tool.write("# changed\n")
    new = generated(tmp_path / "cache", material, 1)
    assert new.data_dir != old.data_dir
    assert not old.data_dir.exists()


def test_each_retrieval_set_has_a_database_of_its_own(tmp_path: Path, material: Material) -> None:
    tiny: Corpus = retrieval_set(tmp_path / "cache", material, "tiny")
    made = generated(tmp_path / "cache", material, 1)
    assert {tiny.data_dir, made.data_dir} == set((tmp_path / "cache").iterdir())
    assert count_rows(tiny.database) == 1
