"""Every failure of the real Chroma is told as one kind of error, and none is repeated."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.index.both import Corpus, new_chroma
from tests.index.chroma_entries import add
from tests.index.surroundings import child
from worker.index import chroma as chroma_module
from worker.index.chroma import (
    ChromaError,
    ChromaIndex,
    ChromaUnavailableError,
    translated,
)

QUERY = np.ones(512, np.float32)


def garble_index(folder: Path) -> None:
    """Overwrite what Chroma follows at the first query; it then reads memory not its own."""
    found = list(folder.glob("chroma/*/data_level0.bin"))
    assert found, "Chroma has not written its index yet"
    for path in found:
        path.write_bytes(b"\xff" * path.stat().st_size)
    (folder / "chroma.sealed").unlink()  # as after a process that was killed


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


def test_nothing_is_written_on_a_disk_that_is_nearly_full(
    chroma: ChromaIndex, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chroma would wait for room there for ever, the interpreter lock in hand."""
    monkeypatch.setattr(chroma_module, "ROOM", 2**62)

    with pytest.raises(ChromaUnavailableError, match="Make room on that disk"):
        add(chroma, corpus)
    assert chroma.count() == 0
