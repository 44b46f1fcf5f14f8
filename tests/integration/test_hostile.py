"""Whatever is typed: no error, and the memory that holds the text is found by it."""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from tests.bench import handshake
from tests.bench.api import Api
from tests.bench.material import ROOT, SHARED
from tests.bench.tokens import index_rows
from tests.bench.workers import private_environ, running
from tests.hostile import Expected, Hostile, expected, own_texts, storable
from worker.shared.contract import SearchReply
from worker.shared.paths import Paths
from worker.shared.refs import Kind
from worker.store.store import Store

PAGE = 20
NAUGHTY = SHARED / "data" / "naughty"
_START = 1_790_000_000_000  # milliseconds


@dataclass(frozen=True, slots=True)
class Planted:
    """A worker on a database in which each text is one observation."""

    port: int
    data_dir: Path
    rows: Mapping[str, int]  # text to id
    newest: Sequence[int]


@dataclass(frozen=True, slots=True)
class Got:
    """What one search gave: the ids of the observations, or what went wrong."""

    ids: Sequence[int] = ()
    trouble: str = ""


def naughty_texts() -> list[Hostile]:
    """Return the lists of others; none where they are absent."""
    if not NAUGHTY.is_dir():
        return []
    plain = json.loads((NAUGHTY / "blns.json").read_text(encoding="utf-8"))
    queries = json.loads((NAUGHTY / "fts5_queries.json").read_text(encoding="utf-8"))
    return [Hostile("naughty", t) for t in (*plain, *(q["q"] for q in queries))]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    data_dir = tmp_path_factory.mktemp("hostile")
    rows = plant(Paths(data_dir).database, [*own_texts(), *naughty_texts()])
    newest = sorted(rows.values(), reverse=True)[:PAGE]
    with running(data_dir) as worker:
        yield Planted(worker.port, data_dir, rows, newest)


def plant(database: Path, texts: Iterable[Hostile]) -> dict[str, int]:
    """Make each text that can be stored the narrative of one observation, a second apart."""
    store = Store(database)
    store.open()
    store.close()
    contents = dict.fromkeys(hostile.text for hostile in texts if storable(hostile.text))
    rows = {text: number for number, text in enumerate(contents, start=1)}
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at,"
            " started_at_epoch, status) VALUES ('c', 'm', 'hostile', '', ?, 'completed')",
            (_START,),
        )
        connection.executemany(
            "INSERT INTO observations (id, memory_session_id, project, type, title, narrative,"
            " created_at, created_at_epoch) VALUES (?, 'm', 'hostile', 'discovery', ?, ?, '', ?)",
            ((n, f"zyqplant{n:05}", storable(t), _START + 1000 * n) for t, n in rows.items()),
        )
    return rows


def check_each(planted: Planted, texts: Iterable[Hostile], ask: Callable[[str], Got]) -> None:
    """Ask for each text; fail with all (query, got) whose answer is not what its rule says."""
    wrong = [
        f"{hostile.category}: {hostile.text[:70]!r} got {trouble}"
        for hostile in texts
        if (trouble := complaint(planted, hostile.text, ask(hostile.text)))
    ]
    if wrong:
        pytest.fail(f"{len(wrong)} answers are not as they should be:\n" + "\n".join(wrong))


def complaint(planted: Planted, text: str, got: Got) -> str:
    """Return "" or how the answer to one text breaks its rule."""
    if got.trouble:
        return got.trouble
    rule = expected(text)
    if rule is Expected.NEWEST and list(got.ids) != planted.newest:
        return f"{rule} {planted.newest}, got {got.ids}"
    number = planted.rows.get(text)  # absent where nothing of it could be stored
    if rule is Expected.FOUND and number is not None and number not in got.ids:
        return f"#{number} is not among {len(got.ids)} rows: {list(got.ids)[:5]}..."
    return ""


def ask_http(api: Api, text: str) -> Got:
    """Search by GET /api/search."""
    answer = api.get("/api/search", {"query": text, "limit": PAGE, "format": "json"})
    if answer.status >= 400:
        return Got(trouble=f"status {answer.status}: {answer.body[:200]!r}")
    reply = SearchReply.model_validate_json(answer.body)
    if reply.outcome == "failed" or reply.degraded:
        return Got(trouble=f"{reply.outcome} {reply.degraded}")
    return Got([item.id for item in reply.items if item.kind is Kind.OBSERVATION])


def read_tool_answer(text: str, *, is_error: bool) -> Got:
    """Read the ids in what the tool `search` says."""
    if is_error:
        return Got(trouble=f"isError: {text[:200]}")
    return Got([int(key) for key in index_rows(text) if key.isdigit()])


def test_there_are_at_least_332_texts_of_our_own() -> None:
    texts = own_texts()
    assert len(texts) >= 332
    assert len({hostile.text for hostile in texts}) == len(texts)
    assert sum(expected(hostile.text) is Expected.FOUND for hostile in texts) >= 332
    assert sum(len(hostile.text.encode("utf-8", "replace")) >= 100_000 for hostile in texts) >= 10


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("port-conflict", Expected.FOUND),
        ("--help", Expected.FOUND),
        ("-only", Expected.FOUND),
        ("搜索", Expected.FOUND),
        ("🎉🎉", Expected.FOUND),
        ("narrative:word", Expected.FOUND),
        ("NOT word", Expected.FOUND),
        ("one -two", Expected.ASKS_OTHERWISE),
        ("one NOT two", Expected.ASKS_OTHERWISE),
        ("title:word", Expected.ASKS_OTHERWISE),
        ("%d", Expected.NOTHING_TO_FIND),
        ("***", Expected.NOTHING_TO_FIND),
        (" \x00\t", Expected.NEWEST),
    ],
)
def test_what_is_owed_follows_from_the_text(text: str, rule: Expected) -> None:
    assert expected(text) is rule


def test_only_blanks_and_lone_surrogates_cannot_be_stored() -> None:
    exempt = [hostile for hostile in own_texts() if not storable(hostile.text)]
    assert {hostile.category for hostile in exempt} == {"blank", "surrogates"}
    assert storable("a\ud800b") == "a?b"


def test_http_finds_every_text_of_our_own(planted: Planted) -> None:
    with Api(planted.port) as api:
        check_each(planted, own_texts(), lambda text: ask_http(api, text))


def test_http_finds_every_naughty_text(planted: Planted) -> None:
    texts = naughty_texts()
    if not texts:
        pytest.skip(f"{NAUGHTY} is absent")
    with Api(planted.port) as api:
        check_each(planted, texts, lambda text: ask_http(api, text))


def test_an_mcp_client_finds_a_sample_of_ours_and_every_naughty_text(planted: Planted) -> None:
    sample = [hostile for hostile in own_texts()[::8] if is_sendable(hostile.text)]
    assert len(sample) >= 60
    texts = [*sample, *naughty_texts()]
    got = anyio.run(ask_client, planted.data_dir, [hostile.text for hostile in texts])
    check_each(planted, texts, got.__getitem__)


def test_lone_surrogates_reach_the_mcp_server_as_escapes(planted: Planted) -> None:
    texts = [hostile for hostile in own_texts() if not is_sendable(hostile.text)]
    assert len(texts) >= 8
    with handshake.session(handshake.OURS, data_dir=planted.data_dir) as server:

        def ask(text: str) -> Got:
            call = {"name": "search", "arguments": {"query": text, "limit": PAGE}}
            result = server.ask("tools/call", call)
            said = result["content"][0]["text"]
            return read_tool_answer(said, is_error=result.get("isError", False))

        check_each(planted, texts, ask)


async def ask_client(data_dir: Path, texts: Sequence[str]) -> dict[str, Got]:
    """Search for each text by the tool of the real server, through the SDK's own client."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "mcp_server"],
        env=dict(private_environ(data_dir, CLAUDE_MEM_DATA_DIR=str(data_dir))),
        cwd=ROOT,
    )
    got = {}
    async with Client(server) as client:
        for text in texts:
            result = await client.call_tool("search", {"query": text, "limit": PAGE})
            said = "\n".join(part.text for part in result.content if part.type == "text")
            got[text] = read_tool_answer(said, is_error=bool(result.is_error))
    return got


def is_sendable(text: str) -> bool:
    """Say whether a JSON writer that minds Unicode can send the text."""
    return text == text.encode("utf-8", "replace").decode()
