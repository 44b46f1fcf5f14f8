"""The real Chroma: one owner, no traces, and every failure told as one kind of error."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.index.both import Corpus, new_chroma
from tests.index.chroma_entries import add, entries
from worker.index import chroma as chroma_module
from worker.index.chroma import (
    EF_SEARCH,
    EF_SEARCH_MANY,
    MANY,
    ChromaError,
    ChromaIndex,
    ChromaUnavailableError,
    entry_id,
    entry_key,
    translated,
)
from worker.index.projection import DIMENSIONS, Projection

ROOT = Path(__file__).parents[2]


QUERY = np.ones(512, np.float32)


def open_files(folder: Path) -> list[str]:
    found = []
    for number in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(number.readlink()))
        except FileNotFoundError:
            continue  # the one that listed the folder
    return [name for name in found if name.startswith(str(folder))]


def child(code: str, *arguments: Path, cwd: Path = ROOT, **environ: str) -> int:
    """Run code in a process of its own and return its exit status, negative for a signal."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environ,
        timeout=60,
        check=False,
    )
    return done.returncode


def garble_index(folder: Path) -> None:
    """Overwrite what Chroma follows at the first query; it then reads memory not its own."""
    found = list(folder.glob("chroma/*/data_level0.bin"))
    assert found, "Chroma has not written its index yet"
    for path in found:
        path.write_bytes(b"\xff" * path.stat().st_size)
    (folder / "chroma.sealed").unlink()  # as after a process that was killed


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


# ---------------------------------------------------------------------- faults
def test_an_opening_that_never_ended_is_not_repeated(tmp_path: Path, corpus: Corpus) -> None:
    chroma = new_chroma(tmp_path)
    for _ in range(2):
        chroma.open()
        add(chroma, corpus.first(10))
        chroma.close()
        (tmp_path / "chroma.opening").touch()

    chroma.open()

    assert chroma.count() == 0
    assert sorted(path.name for path in tmp_path.glob("chroma.*")) == [
        "chroma.bad-2",
        "chroma.lock",
    ]
    chroma.close()


def test_a_good_opening_leaves_no_mark(chroma: ChromaIndex, tmp_path: Path) -> None:
    assert not (tmp_path / "chroma.opening").exists()


def test_a_crash_inside_chroma_is_not_repeated(tmp_path: Path, corpus: Corpus) -> None:
    chroma = new_chroma(tmp_path)
    chroma.open()
    add(chroma, corpus)
    chroma.close()
    garble_index(tmp_path)
    probing = (
        "import pathlib, sys\n"
        "import numpy as np\n"
        "from tests.index.both import new_chroma\n"
        "chroma = new_chroma(pathlib.Path(sys.argv[1]))\n"
        "chroma.open()\n"
        "chroma.probe(np.arange(9), np.eye(9, 512, dtype=np.float32))\n"
    )

    status = child(probing, tmp_path)
    chroma.open()

    assert status < 0  # killed by a signal
    assert chroma.count() == 0
    assert (tmp_path / "chroma.bad-1").is_dir()
    add(chroma, corpus.first(10))
    assert chroma.nearest(corpus.vectors[3], 1).tolist() == [corpus.keys[3]]
    chroma.close()


def test_resetting_empties_it_and_it_works_on(chroma: ChromaIndex, corpus: Corpus) -> None:
    add(chroma, corpus.first(10))

    chroma.reset()

    assert chroma.count() == 0
    add(chroma, corpus.first(10))
    assert chroma.count() == 10


def test_resetting_anew_sets_the_folder_aside(
    chroma: ChromaIndex, corpus: Corpus, tmp_path: Path
) -> None:
    add(chroma, corpus.first(10))

    chroma.reset(anew=True)

    assert chroma.count() == 0
    assert (tmp_path / "chroma.bad-1").is_dir()


def test_resetting_heals_what_cannot_be_opened(tmp_path: Path, corpus: Corpus) -> None:
    (tmp_path / "chroma").mkdir()
    (tmp_path / "chroma" / "chroma.sqlite3").write_bytes(b"\xa5" * 5_000)
    chroma = new_chroma(tmp_path)
    with pytest.raises(ChromaError):
        chroma.open()

    chroma.reset()

    add(chroma, corpus.first(10))
    assert chroma.count() == 10
    chroma.close()


@pytest.mark.parametrize(
    "use",
    [
        ChromaIndex.count,
        ChromaIndex.ids,
        lambda chroma: chroma.remove(["1.00"]),
        lambda chroma: chroma.nearest(QUERY, 1),
    ],
)
def test_what_is_not_open_says_so(tmp_path: Path, use: Callable[[ChromaIndex], object]) -> None:
    with pytest.raises(ChromaUnavailableError, match="not open"):
        use(new_chroma(tmp_path))


def test_an_index_that_answers_nothing_is_broken(
    chroma: ChromaIndex, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma, "rows", 10)  # as when its files were emptied below it

    with pytest.raises(ChromaError, match="found 0 vectors where there are 10"):
        chroma.nearest(corpus.vectors[0], 20)


class PanicException(BaseException):
    """As the Rust half of Chroma raises."""


@pytest.mark.parametrize("error", [PanicException, ValueError, AttributeError, RuntimeError])
def test_whatever_chroma_raises_becomes_one_error(error: type[BaseException]) -> None:
    with pytest.raises(ChromaError, match=r"while searching \(.*: boom\)"), translated("searching"):
        raise error("boom")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_a_wish_to_stop_stays_what_it_is(error: type[BaseException]) -> None:
    with pytest.raises(error), translated("searching"):
        raise error


def test_an_installation_without_chroma_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    chroma = new_chroma(tmp_path)

    with pytest.raises(ChromaUnavailableError, match="being imported"):
        chroma.open()


def test_an_sqlite_too_old_for_chroma_is_named(tmp_path: Path) -> None:
    opening = (
        "import pathlib, sqlite3, sys\n"
        "sqlite3.sqlite_version_info = (3, 31, 1)\n"
        "from tests.index.both import new_chroma\n"
        "from worker.index.chroma import ChromaUnavailableError\n"
        "try:\n"
        "    new_chroma(pathlib.Path(sys.argv[1])).open()\n"
        "except ChromaUnavailableError as exc:\n"
        "    sys.exit(3 if 'sqlite' in exc.detail else 4)\n"
    )

    assert child(opening, tmp_path) == 3


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


def test_nothing_is_written_on_a_disk_that_is_nearly_full(
    chroma: ChromaIndex, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chroma would wait for room there for ever, the interpreter lock in hand."""
    monkeypatch.setattr(chroma_module, "ROOM", 2**62)

    with pytest.raises(ChromaUnavailableError, match="Make room on that disk"):
        add(chroma, corpus)
    assert chroma.count() == 0
