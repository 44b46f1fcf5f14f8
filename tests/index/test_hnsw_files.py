"""Files that would kill Chroma's loader are told before it opens them."""

import shutil
from pathlib import Path

import pytest

from tests.index.both import Corpus, new_chroma
from worker.index.hnsw_files import index_files_fit


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> Path:
    folder = tmp_path_factory.mktemp("written")
    chroma = new_chroma(folder)
    chroma.open()
    chroma.add(corpus.keys, corpus.fingerprints, corpus.vectors)
    chroma.close()
    return folder / "chroma"


@pytest.fixture
def files(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "chroma"))


def test_what_chroma_wrote_fits(files: Path) -> None:
    assert list(files.glob("*/header.bin"))
    assert index_files_fit(files)


@pytest.mark.parametrize("count", [1, 150, 999])
def test_what_chroma_keeps_of_a_small_collection_fits(
    tmp_path: Path, corpus: Corpus, count: int
) -> None:
    few = corpus.first(count)
    chroma = new_chroma(tmp_path)
    chroma.open()
    chroma.add(few.keys, few.fingerprints, few.vectors)
    chroma.close()

    assert list((tmp_path / "chroma").glob("*/header.bin"))
    assert index_files_fit(tmp_path / "chroma")


def test_a_folder_without_index_fits(tmp_path: Path) -> None:
    assert index_files_fit(tmp_path)


@pytest.mark.parametrize("size", [0, 1_000, -1], ids=["emptied", "cut", "short of one byte"])
@pytest.mark.parametrize("name", ["header.bin", "data_level0.bin", "length.bin"])
def test_a_file_cut_short_does_not_fit(files: Path, name: str, size: int) -> None:
    for path in files.glob(f"*/{name}"):
        content = path.read_bytes()
        path.write_bytes(content[:size] if len(content) > abs(size) else content[:50])

    assert not index_files_fit(files)


@pytest.mark.parametrize("name", ["data_level0.bin", "length.bin", "link_lists.bin"])
def test_a_file_deleted_does_not_fit(files: Path, name: str) -> None:
    for path in files.glob(f"*/{name}"):
        path.unlink()

    assert not index_files_fit(files)
