"""The real Chroma: what it is given is found, it has one owner and leaves no traces."""

import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.index.both import Corpus, new_chroma
from tests.index.chroma_entries import add, entries
from tests.index.surroundings import child, open_files
from worker.index.chroma import (
    EF_SEARCH,
    EF_SEARCH_MANY,
    MANY,
    ChromaError,
    ChromaIndex,
    ChromaUnavailableError,
    entry_id,
    entry_key,
)
from worker.index.projection import DIMENSIONS, Projection


# ---------------------------------------------------------------------- the collection
def test_what_is_added_is_found(chroma: ChromaIndex, corpus: Corpus) -> None:
    part = corpus.first(150)
    add(chroma, part)

    assert chroma.nearest(part.vectors[7], 5)[0] == part.keys[7]
    assert chroma.count() == 150
    assert chroma.ids() == entries(part)


def test_everything_is_there_after_a_restart(tmp_path: Path, corpus: Corpus) -> None:
    chroma = new_chroma(tmp_path)
    chroma.open()
    add(chroma, corpus)
    chroma.close()

    chroma.open()

    assert chroma.ids() == entries(corpus)
    assert chroma.probe(corpus.keys[::40], corpus.vectors[::40]) == 1
    chroma.close()


@pytest.mark.parametrize(("fitted", "ef_search"), [(MANY - 1, EF_SEARCH), (MANY, EF_SEARCH_MANY)])
def test_among_many_vectors_it_looks_further(
    tmp_path: Path, corpus: Corpus, fitted: int, ef_search: int
) -> None:
    """What Chroma itself tells of the collection, after it was opened once more."""
    chroma = new_chroma(tmp_path)
    axes = np.ascontiguousarray(np.eye(512, DIMENSIONS, dtype=np.float32))
    chroma.project(Projection(axes, np.zeros(512, np.float32), fitted))
    chroma.open()
    add(chroma, corpus)
    chroma.close()

    code = (
        "import sys, chromadb\n"
        "(found,) = chromadb.PersistentClient(sys.argv[1]).list_collections()\n"
        f"sys.exit(found.configuration['hnsw']['ef_search'] != {ef_search})"
    )
    assert child(code, tmp_path / "chroma", ANONYMIZED_TELEMETRY="False") == 0


def test_removed_entries_are_gone_and_unknown_ones_are_fine(
    chroma: ChromaIndex, corpus: Corpus
) -> None:
    add(chroma, corpus.first(20))

    chroma.remove({*entries(corpus.first(15)), "77.00"})
    chroma.remove([])

    assert chroma.ids() == entries(corpus.part(15, 20))


def test_an_empty_collection_finds_nothing(chroma: ChromaIndex, corpus: Corpus) -> None:
    assert len(chroma.nearest(corpus.vectors[0], 10)) == 0
    assert chroma.ids() == set()


def test_an_id_tells_its_key_and_changes_with_the_text() -> None:
    assert entry_key(entry_id(4_711, b"\x00\xff")) == 4_711
    assert entry_id(4, b"one") != entry_id(4, b"two")


def test_vectors_that_are_not_there_do_not_prove_it(chroma: ChromaIndex, corpus: Corpus) -> None:
    add(chroma, corpus.first(20))

    share = chroma.probe(corpus.keys[10:30], corpus.vectors[10:30])

    assert share == pytest.approx(0.5)


def test_another_model_begins_empty_and_the_old_vectors_go(tmp_path: Path, corpus: Corpus) -> None:
    chroma = new_chroma(tmp_path, model="one")
    chroma.open()
    add(chroma, corpus.first(10))
    chroma.close()

    other = new_chroma(tmp_path, model="two")
    other.open()
    assert other.count() == 0
    other.close()

    chroma.open()
    assert chroma.count() == 0
    chroma.close()


# ---------------------------------------------------------------------- one owner
def test_a_second_opener_is_refused_at_once(chroma: ChromaIndex, tmp_path: Path) -> None:
    second = new_chroma(tmp_path)

    with pytest.raises(ChromaUnavailableError, match=r"Another process has .*chroma open"):
        second.open()

    second.close()
    assert chroma.count() == 0


def test_another_process_is_refused_until_it_is_closed(tmp_path: Path) -> None:
    chroma = new_chroma(tmp_path)
    chroma.open()
    opening = (
        "import pathlib, sys\n"
        "from tests.index.both import new_chroma\n"
        "from worker.index.chroma import ChromaUnavailableError\n"
        "chroma = new_chroma(pathlib.Path(sys.argv[1]))\n"
        "try:\n"
        "    chroma.open()\n"
        "except ChromaUnavailableError:\n"
        "    sys.exit(3)\n"
        "chroma.close()\n"
    )

    assert child(opening, tmp_path) == 3
    chroma.close()
    assert child(opening, tmp_path) == 0


def test_the_lock_can_be_released_by_another_thread(tmp_path: Path) -> None:
    chroma = new_chroma(tmp_path)
    opening = threading.Thread(target=chroma.open)
    opening.start()
    opening.join()

    chroma.close()

    chroma.open()
    chroma.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_file_is_open_after_closing(tmp_path: Path, corpus: Corpus) -> None:
    chroma = new_chroma(tmp_path)
    chroma.open()
    add(chroma, corpus)
    chroma.nearest(corpus.vectors[0], 10)
    assert open_files(tmp_path)

    chroma.close()

    assert open_files(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_file_is_open_after_a_failed_opening(tmp_path: Path) -> None:
    (tmp_path / "chroma").mkdir()
    (tmp_path / "chroma" / "chroma.sqlite3").write_bytes(b"\xa5" * 5_000)
    chroma = new_chroma(tmp_path)

    with pytest.raises(ChromaError, match="being opened"):
        chroma.open()
    chroma.close()

    assert open_files(tmp_path) == []


# ---------------------------------------------------------------------- quiet
def test_it_is_quiet_and_deaf_to_the_surroundings(tmp_path: Path) -> None:
    """No telemetry, no onnxruntime, and neither .env nor the environment chooses its server."""
    (tmp_path / ".env").write_text("CHROMA_API_IMPL=nonsense\nIS_PERSISTENT=false\n", "utf-8")
    opening = (
        "import os, pathlib, sys\n"
        "from tests.index.both import new_chroma\n"
        "chroma = new_chroma(pathlib.Path(sys.argv[1]))\n"
        "assert 'chromadb' not in sys.modules\n"
        "chroma.open()\n"
        "assert 'onnxruntime' not in sys.modules\n"
        "assert os.environ['ORT_DISABLE_TELEMETRY'] == '1'\n"
        "assert os.environ['ANONYMIZED_TELEMETRY'] == 'False'\n"
        "chroma.close()\n"
    )

    status = child(
        opening,
        tmp_path,
        cwd=tmp_path,
        CHROMA_API_IMPL="chromadb.api.fastapi.FastAPI",
        CHROMA_SERVER_HOST="192.0.2.1",
    )

    assert status == 0
