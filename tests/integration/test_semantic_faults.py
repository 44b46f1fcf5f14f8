"""Search by meaning when something of it is missing, damaged or slow."""

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.bench.api import Api
from tests.bench.workers import free_port
from tests.integration import embedders
from tests.integration.answers import (
    BY_MEANING,
    BY_WORDS,
    answers,
    is_whole,
    parts,
    search,
    until_part,
    until_whole,
)
from tests.integration.conftest import MEMORIES, Built
from tests.integration.memories import Memory, add, new_database, some, writing
from tests.integration.processes import ROOT, Worker, running
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState

THIRD = MEMORIES * 3 // 10  # about; what is deleted

# A program that opens our Chroma folder as the worker does, and does something with it.
OTHER_PROGRAM = """
import sys
from pathlib import Path
from worker.index.chroma import ChromaIndex, ChromaError
from worker.index.embedder import UniversalSentenceEncoder as Model

chroma = ChromaIndex(Path(sys.argv[1]), model=Model.name, dimension=Model.dimension)
try:
    chroma.open()
except ChromaError as exc:
    sys.exit(exc.detail)
ids = sorted(chroma.ids())
chroma.remove(ids[: int(sys.argv[2])])
chroma.close()
print(len(ids))
"""


@dataclass(frozen=True, slots=True)
class Again:
    """A worker on a copy of whole indexes, and where what it embeds is noted."""

    worker: Worker
    counted: Path
    built: Built

    @property
    def index(self) -> Path:
        return Paths(self.worker.data_dir).index


@pytest.fixture(scope="module")
def again(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Again]:
    """The next start after one that ended well."""
    folder = tmp_path_factory.mktemp("again")
    environ = embedders.counting(folder / "counting")
    with running(built.copy(folder / "data"), environ=environ) as worker:
        until_whole(worker)
        yield Again(worker, folder / "counting", built)


def memories_among(texts: list[str]) -> list[str]:
    """Return the texts that are memories; the others are queries."""
    titles = {memory.title for memory in some(MEMORIES)}
    return [text for text in texts if text.partition("\n")[0] in titles]


def other_program(folder: Path, delete: int = 0) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", OTHER_PROGRAM, str(folder), str(delete)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def said_until_healed(again: Again, part: str) -> list[str]:
    """Search until a part was named and all answers are as before; return what was said of it.

    Meanwhile, too, each search by words finds what it should.
    """
    deadline = time.monotonic() + 120
    said: list[str] = []
    while not (
        said
        and is_whole(parts(again.worker))
        and answers(again.worker) == again.built.report.answers
    ):
        assert time.monotonic() < deadline, f"{part} is not named and healed: {said}"
        reports = parts(again.worker)
        found = search(again.worker, query=BY_WORDS)
        assert BY_WORDS in found.items[0].title
        said += [each.reason for each in found.degraded if each.part == part]
        said += [reports[part].cause] if part in reports and reports[part].cause else []
    return said


# ---------------------------------------------------------------------- the model
def test_without_a_model_words_are_searched_and_the_answer_says_so(built: Built) -> None:
    model = built.without_model["model"]
    assert model.state is PartState.DOWN
    assert "pip install" in model.cause

    assert BY_WORDS in built.words_only.items[0].title
    (degraded,) = [each for each in built.words_only.degraded if each.part == "model"]
    assert degraded.reason == model.cause


def test_a_library_that_refuses_to_be_imported_costs_only_its_part(built: Built) -> None:
    chroma = built.without_model["chroma"]
    assert chroma.state is PartState.DEGRADED
    assert "sqlite" in chroma.cause
    assert chroma.cause.isprintable()
    assert built.without_model["keyword"].state is PartState.OK


def test_once_the_model_is_there_all_is_made_up_for(built: Built) -> None:
    by_meaning = built.report.answers[0]
    assert by_meaning
    assert {leg for _, leg, _ in by_meaning} == {"meaning"}
    first = some(MEMORIES)[by_meaning[0][0] - 1]
    assert "payment" in first.title


def test_kill_9_midway_loses_no_more_than_a_batch(built: Built) -> None:
    assert 0 < built.done_when_killed < MEMORIES
    before = memories_among(built.embedded_until_killed)
    after = memories_among(built.embedded_after)

    assert len(after) <= MEMORIES - built.done_when_killed
    assert len({*before, *after}) == MEMORIES


def test_a_restart_with_nothing_new_embeds_nothing_and_answers_the_same(again: Again) -> None:
    assert answers(again.worker) == again.built.report.answers
    assert memories_among(embedders.embedded(again.counted)) == []


def test_words_and_new_rows_are_found_while_the_model_loads(tmp_path: Path) -> None:
    database = Paths(tmp_path / "data").database
    new_database(database, some())
    with running(tmp_path / "data", environ=embedders.slow(tmp_path / "slow")) as worker:
        reports = until_part(worker, "keyword", PartState.OK)
        assert reports["model"].state is PartState.BUILDING
        for number in range(3):
            with writing(database) as connection:
                add(connection, [Memory(f"A marmot{number}")])
            deadline = time.monotonic() + 30
            while not (found := search(worker, query=f"marmot{number}")).items:
                assert time.monotonic() < deadline
            assert found.items[0].title == f"A marmot{number}"
            assert [each.part for each in found.degraded] == ["model"]


# ---------------------------------------------------------------------- the network
def test_indexes_are_built_and_asked_without_any_network(built: Built) -> None:
    if not built.report.offline:
        pytest.skip("the system does not let us take the network away")

    assert built.report.answers[0]
    assert {leg for _, leg, _ in built.report.answers[3]} & {"both"}


def test_nobody_but_its_own_clients_is_spoken_to(again: Again) -> None:
    answers(again.worker)

    connections = psutil.Process(again.worker.process.pid).net_connections("inet")
    assert {end.ip for each in connections for end in (each.laddr, each.raddr) if end} == {
        "127.0.0.1"
    }
    assert again.built.report.peers == ["127.0.0.1"]
    logged = [path.read_text(encoding="utf-8") for path in logs(again.built.data_dir)]
    assert logged
    assert not any("telemetry" in text.lower() or "posthog" in text for text in logged)


def logs(data_dir: Path) -> list[Path]:
    return list(Paths(data_dir).logs.glob("worker-*.jsonl"))


# ---------------------------------------------------------------------- the indexes
def test_no_second_process_opens_chroma(again: Again) -> None:
    second = other_program(again.index / "chroma", delete=10)

    assert second.returncode == 1
    assert "Another process has" in second.stderr
    assert "Traceback" not in second.stderr
    assert answers(again.worker) == again.built.report.answers


@pytest.mark.skipif(sys.platform == "win32", reason="files in use cannot be deleted there")
@pytest.mark.parametrize(
    ("part", "pattern"),
    [("keyword", "keyword.db*"), ("vectors", "vectors.db*"), ("chroma", "chroma")],
)
def test_an_index_deleted_while_in_use_is_named_and_heals(
    again: Again, part: str, pattern: str
) -> None:
    for path in again.index.glob(pattern):
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    assert said_until_healed(again, part)

    assert memories_among(embedders.embedded(again.counted)) == []
    assert all(list(again.index.glob(name)) for name in ("keyword.db", "vectors.db", "chroma/*"))


def without_words_and_with_torn_chroma(index: Path) -> int:
    for path in index.glob("keyword.db*"):
        path.unlink()
    torn = [path for path in (index / "chroma").rglob("*") if path.suffix in (".bin", ".sqlite3")]
    assert len(torn) >= 3
    for path in torn:
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2] + b"\xa5" * 100)
    return 0


def without_vectors_and_chroma(index: Path) -> int:
    for path in index.glob("vectors.db*"):
        path.unlink()
    shutil.rmtree(index / "chroma")
    return MEMORIES


def without_a_third_of_both(index: Path) -> int:
    with closing(sqlite3.connect(index / "vectors.db")) as connection, connection:
        sql = "DELETE FROM vectors WHERE (key >> 2) % 10 < 3"
        deleted = connection.execute(sql).rowcount
    done = other_program(index / "chroma", delete=THIRD)
    assert done.stdout.strip() == str(MEMORIES), done.stderr
    return deleted


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (without_words_and_with_torn_chroma, {"keyword", "chroma"}),
        (without_vectors_and_chroma, {"vectors", "chroma"}),
        (without_a_third_of_both, {"vectors"}),
    ],
)
def test_an_index_damaged_while_stopped_is_named_and_heals(
    built: Built, tmp_path: Path, damage: Callable[[Path], int], named: set[str]
) -> None:
    data_dir = built.copy(tmp_path / "data")
    to_embed = damage(Paths(data_dir).index)
    environ = embedders.counting(tmp_path / "counting")

    with running(data_dir, environ=environ) as worker:
        seen = parts_until_whole(worker)
        assert answers(worker) == built.report.answers
        whole = parts(worker)
        assert worker.stop() == 0

    assert named <= {name for name, part in seen if part.cause}
    assert len(memories_among(embedders.embedded(tmp_path / "counting"))) == to_embed
    assert (whole["vectors"].done, whole["chroma"].done) == (MEMORIES, MEMORIES)


def parts_until_whole(worker: Worker) -> list[tuple[str, PartReport]]:
    """Search by words until all is whole; return how the parts were meanwhile."""
    deadline = time.monotonic() + 120
    seen: list[tuple[str, PartReport]] = []
    reports: Mapping[str, PartReport] = {}
    while not is_whole(reports):
        assert time.monotonic() < deadline, reports
        if "keyword" in reports:
            assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
        reports = parts(worker)
        seen += reports.items()
    return seen


# ---------------------------------------------------------------------- whose query it is
@dataclass(frozen=True, slots=True)
class ChromaServer:
    """A Chroma server of its own process, which a test may change behind the worker's back."""

    process: "subprocess.Popen[bytes]"
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def delete(self, memory: int) -> int:
        """Delete what stands for an observation; return how many entries are left."""
        base = "/api/v2/tenants/default_tenant/databases/default_database/collections"
        with Api(self.port) as api:
            (collection,) = api.get(base).json()
            here = f"{base}/{collection['id']}"
            ids = api.post(f"{here}/get", {"include": []}).json()["ids"]
            gone = [entry for entry in ids if entry.startswith(f"{memory << 2}.")]
            assert len(gone) == 1
            assert api.post(f"{here}/delete", {"ids": gone}).status == 200
            left: int = api.get(f"{here}/count").json()
            return left


@contextmanager
def serving(folder: Path, port: int) -> Iterator[ChromaServer]:
    """A Chroma server on a folder, ended at the end."""
    command = Path(sys.executable).with_name("chroma" + Path(sys.executable).suffix)
    with subprocess.Popen(
        [command, "run", "--path", folder, "--host", "127.0.0.1", "--port", str(port)],
        cwd=folder.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield ChromaServer(process, port)
        finally:
            process.kill()


@pytest.fixture
def chroma_server(tmp_path: Path) -> Iterator[ChromaServer]:
    with serving(tmp_path / "server", free_port()) as server:
        yield server


def test_unfiltered_hits_by_meaning_are_those_of_chromas_own_query(
    built: Built, chroma_server: ChromaServer, tmp_path: Path
) -> None:
    data_dir = built.copy(tmp_path / "data")
    settings = json.dumps({"chroma_server": chroma_server.url})
    Paths(data_dir).settings.write_text(settings, encoding="utf-8")

    def found(**more: str) -> list[int]:
        return [item.id for item in search(worker, query=BY_MEANING, **more).items]

    with running(data_dir) as worker:
        until_whole(worker)
        assert answers(worker) == built.report.answers
        every = found()

        assert chroma_server.delete(every[0]) == MEMORIES - 1
        assert found() == every[1:]
        assert found(project="garden") == every  # filtered: exact over the kept vectors

        chroma_server.process.kill()
        chroma_server.process.wait(15)
        without = search(worker, query=BY_MEANING)
        assert [item.id for item in without.items] == every
        assert "Chroma" in " ".join(each.reason for each in without.degraded)
        assert until_part(worker, "chroma", PartState.DEGRADED)["chroma"].remedy
        assert answers(worker) == built.report.answers

        # it comes back, and holds nothing any more
        with serving(tmp_path / "another", chroma_server.port):
            until_whole(worker)
            assert answers(worker) == built.report.answers
