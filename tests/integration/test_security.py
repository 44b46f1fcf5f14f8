"""What a worker tells: never its token, memories only as text, and nothing of other files."""

import http.client
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil
import pytest

from tests.bench import handshake
from tests.integration.answers import search, until_part
from tests.integration.memories import Memory, add, new_database, some, without_meaning, writing
from tests.integration.processes import Worker, running
from worker.shared.identity import read_record
from worker.shared.paths import Paths
from worker.shared.readiness import PartState

MARKUP = "<img src=http://127.0.0.1:9/x onerror=alert(1)><b>bold</b>"
PRIVATE = "the passphrase is xylophonist"  # in a memory, and asked for
OUTSIDE = "this lies beside the data folder"  # in a file that no client may read


@dataclass(frozen=True, slots=True)
class Response:
    """What came back, with its headers in small letters."""

    status: int
    headers: dict[str, str]
    body: str


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("folder")
    (folder / "outside.txt").write_text(OUTSIDE, encoding="utf-8")
    data_dir = folder / "data"
    new_database(Paths(data_dir).database, some())
    with writing(Paths(data_dir).database) as connection:
        add(connection, [Memory(MARKUP, MARKUP), Memory("Private", PRIVATE)])
    without_meaning(data_dir)
    with running(data_dir) as started:
        until_part(started, "keyword", PartState.OK)
        yield started


def ask(worker: Worker, path: str) -> Response:
    """GET a path exactly as it is written."""
    with closing(http.client.HTTPConnection("127.0.0.1", worker.port, timeout=30)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Response(response.status, headers, response.read().decode("utf-8"))


def test_neither_the_token_nor_memories_get_into_logs_and_reports(worker: Worker) -> None:
    record = read_record(Paths(worker.data_dir).worker_json)
    assert record
    for path in (
        f"/api/search?query={quote(PRIVATE)}",
        f"/api/search?query={quote(PRIVATE)}&limit=xylophonist",
        f"/api/timeline?query={quote(PRIVATE)}",
        "/api/observation/xylophonist",
        "/xylophonist",
    ):
        ask(worker, path)

    reports = [ask(worker, path).body for path in ("/health", "/api/ready", "/api/openapi.json")]
    logs = [path.read_text(encoding="utf-8") for path in Paths(worker.data_dir).logs.iterdir()]
    assert any("/api/search" in text for text in logs)
    for text in (*reports, *logs):
        assert record.token not in text
        assert "xylophonist" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.txt",
        "/..%2foutside.txt",
        "/%2e%2e/%2e%2e/outside.txt",
        "/static/../../outside.txt",
        "/api/observation/..%2f..%2foutside.txt",
        "/api/observation/../../outside.txt",
        "//outside.txt",
        "/api/search?query=x&files=../outside.txt&path=../outside.txt&data_dir=/etc",
        "/api/search?query=file:///../outside.txt",
        "/api/timeline?anchor=../../outside.txt",
        "/api/stats?db=../outside.txt",
    ],
)
def test_no_path_leads_out_of_the_memories(worker: Worker, path: str) -> None:
    before = sorted(worker.data_dir.parent.rglob("*"))

    response = ask(worker, path)

    assert OUTSIDE not in response.body
    assert response.status in ((200,) if "?" in path and "anchor" not in path else (400, 404))
    assert "json" in response.headers["content-type"]
    assert sorted(worker.data_dir.parent.rglob("*")) == before


def test_markup_in_a_memory_is_text_and_nothing_else(worker: Worker) -> None:
    (item,) = search(worker, query="onerror").items
    page = ask(worker, "/api/search?query=onerror")
    details = ask(worker, f"/api/observation/{item.id}")

    assert item.title == MARKUP
    for response in (page, details):
        assert MARKUP in response.body
        assert response.headers["content-type"] == "application/json"
        assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("times", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_clients_that_are_killed_leave_no_process_behind(worker: Worker, times: int) -> None:
    before = processes_on(worker.data_dir)
    for _ in range(times):
        search_and_be_killed(worker.data_dir)

    assert processes_on(worker.data_dir) == before == {worker.process.pid}


class Killed(Exception):
    """Ends a session of an MCP server by kill -9."""


def search_and_be_killed(data_dir: Path) -> None:
    with suppress(Killed), handshake.session(handshake.OURS, data_dir=data_dir) as server:
        call = {"name": "search", "arguments": {"query": "payment service"}}
        assert "payment service" in server.ask("tools/call", call)["content"][0]["text"]
        raise Killed


def processes_on(data_dir: Path) -> set[int]:
    """Return the processes that were told of this data folder, by argument or environment."""
    found = set()
    for process in psutil.process_iter():
        try:
            told = [*process.cmdline(), *process.environ().values()]
        except psutil.Error:
            continue
        if str(data_dir) in told and process.status() != psutil.STATUS_ZOMBIE:
            found.add(process.pid)
    return found
