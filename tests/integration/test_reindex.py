"""Indexes are made anew by command, while searching goes on."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.integration import embedders
from tests.integration.answers import BY_WORDS, answers, search, until_whole
from tests.integration.conftest import MEMORIES, Built
from tests.integration.processes import Worker, command, running
from tests.integration.test_semantic_faults import memories_among


@dataclass(frozen=True, slots=True)
class Counted:
    """A worker on whole indexes, where what it embeds is noted."""

    worker: Worker
    folder: Path

    def embedded(self) -> int:
        return len(memories_among(embedders.embedded(self.folder)))

    def reindex(self, *what: str) -> "dict[str, object]":
        """Run the command, searching all the while, and return what it prints."""
        done = threading.Event()
        missed: list[str] = []
        searching = threading.Thread(target=self._search, args=(done, missed))
        searching.start()
        data_dir = str(self.worker.data_dir)
        environ = embedders.counting(self.folder / f"command{len(what)}{''.join(what)}")
        ended = command("reindex", *what, "--json", "--data-dir", data_dir, environ=environ)
        done.set()
        searching.join()
        assert ended.returncode == 0, ended.stderr
        assert missed == []
        printed: dict[str, object] = json.loads(ended.stdout)
        return printed

    def _search(self, done: threading.Event, missed: list[str]) -> None:
        while not done.is_set():
            found = search(self.worker, query=BY_WORDS)
            if not found.items or BY_WORDS not in found.items[0].title:
                missed.append(found.outcome)


@pytest.fixture(scope="module")
def counted(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counted]:
    folder = tmp_path_factory.mktemp("reindexed")
    environ = embedders.counting(folder / "counting")
    with running(built.copy(folder / "data"), environ=environ) as worker:
        until_whole(worker)
        yield Counted(worker, folder / "counting")


@pytest.mark.parametrize("what", [(), ("keyword",), ("chroma",)])
def test_what_is_made_from_what_is_kept_embeds_nothing(
    counted: Counted, built: Built, what: tuple[str, ...]
) -> None:
    before = counted.embedded()

    printed = counted.reindex(*what)

    assert printed["begun"] == list(what or ("keyword", "chroma"))
    assert counted.embedded() == before
    until_whole(counted.worker)
    assert answers(counted.worker) == built.report.answers


def test_vectors_are_made_once_more_from_each_memory(counted: Counted, built: Built) -> None:
    before = counted.embedded()

    printed = counted.reindex("vectors")

    assert printed["begun"] == ["vectors"]
    assert counted.embedded() == before + MEMORIES
    until_whole(counted.worker)
    assert answers(counted.worker) == built.report.answers


def test_what_there_is_not_is_a_wrong_usage(tmp_path: Path) -> None:
    ended = command("reindex", "everything", environ=embedders.counting(tmp_path / "counting"))

    assert ended.returncode == 2
    assert "keyword" in ended.stderr
