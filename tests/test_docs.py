"""What the documents state as facts is so."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from werkzeug.routing import Map, RequestRedirect

from app.settings.fields import Restart, pages
from mcp_server.tools import tools
from tests.web.conftest import PORT, identity_for, services_for
from worker import __version__
from worker.__main__ import main
from worker.search.query import parse
from worker.shared.contract import (
    MAX_LIMIT,
    BatchRequest,
    Mode,
    OrderBy,
    PlainRequest,
    Request,
    SearchRequest,
    TimelineRequest,
)
from worker.shared.identity import PORT_VARIABLE
from worker.shared.paths import DATA_DIR_VARIABLE, Paths
from worker.shared.settings import DEFAULT_PORT, Settings
from worker.store.store import Store
from worker.web.app import create_app

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
README = (ROOT / "README.md").read_text(encoding="utf-8")
USING = (ROOT / "docs" / "USING.md").read_text(encoding="utf-8")
CHINESE = (ROOT / "docs" / "USING.zh-CN.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
OLD_TOOLS = [
    "search_observations",
    "find_by_type",
    "find_by_file",
    "find_by_concept",
    "get_recent_context",
    "get_observation",
    "get_session",
    "get_prompt",
    "help",
]
REQUESTS: dict[str, type[Request]] = {
    "/api/search": SearchRequest,
    "/api/timeline": TimelineRequest,
    "/api/observations/batch": BatchRequest,
}


@pytest.fixture
def routes(tmp_path: Path) -> Map:
    store = Store(tmp_path / "claude-mem.db")
    identity = identity_for(PORT, tmp_path)
    return create_app(services_for(store, identity)).url_map


def section(heading: str, text: str = README) -> str:
    """Return what stands below a heading, up to the next one that is no deeper."""
    depth = heading.index(" ")
    end = rf"(?=^#{{2,{depth}}} |\Z)"
    found = re.search(rf"^{re.escape(heading)}\n(.*?){end}", text, re.S | re.M)
    assert found, heading
    return found[1]


def tables(text: str) -> Iterator[list[str]]:
    """Yield the cells of each row, heads and rules left out."""
    for line in re.findall(r"(?<=-\|\n)(?:\|.*\|\n)+", text):
        for row in line.splitlines():
            yield [cell.strip() for cell in row.strip("|").split("|")]


def named(text: str) -> list[str]:
    """Return what stands between backticks."""
    return re.findall(r"`([^`\n]+)`", text)


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command in a shell block."""
    for block in re.findall(r"```sh\n(.*?)```", text, re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True):
                yield words


def addresses(text: str) -> list[str]:
    return re.findall(r"http://127\.0\.0\.1[^\s'`,]*", text)


def test_each_route_is_named_and_each_named_route_exists(routes: Map) -> None:
    ours = {
        f"{method} {re.sub('<.*?>', 'ID', rule.rule)}"
        for rule in routes.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    cells = [row[0] for row in tables(section("## Ask it"))]
    assert {route for cell in cells for route in named(cell)} == ours


def test_each_address_to_try_is_answered(routes: Map) -> None:
    paths = {urlsplit(address).path for address in addresses(README) if "/" in address[7:]}
    paths |= {
        urlsplit(path).path for path in named(README) if path.startswith(("/api/", "/health"))
    }
    adapter = routes.bind(f"127.0.0.1:{PORT}")
    assert len(paths) > 8
    for path in paths:
        method = "POST" if path.endswith(("/batch", "/save")) else "GET"
        try:
            adapter.match(path, method)
        except RequestRedirect as exc:  # pragma: no cover - only when the README is wrong
            pytest.fail(f"{path}: {exc}")


def test_each_address_to_try_has_the_default_port_and_known_parameters() -> None:
    urls = [*addresses(README), *(cell for cell in named(README) if cell.startswith("/api/"))]
    for url in urls:
        parts = urlsplit(url)
        if not parts.path:
            continue  # an example of a server that is not ours
        assert parts.port in (None, DEFAULT_PORT), url
        keys = [key for key, _ in parse_qsl(parts.query, strict_parsing=bool(parts.query))]
        assert REQUESTS.get(parts.path, PlainRequest).unknown(keys) == [], url


def test_the_parameters_of_the_search_are_all_there() -> None:
    paragraph = re.search(r"^Parameters of the search: (.*)$", README, re.M)
    assert paragraph
    listed = paragraph[1].partition(". ")[0]
    known = {field.alias or name for name, field in SearchRequest.model_fields.items()}
    values = {*OrderBy, *Mode, "text", "json"}
    assert set(named(listed)) == known | values
    default = SearchRequest.model_fields["limit"].default
    assert f"`limit` ({default}, at most {MAX_LIMIT})" in listed


def test_the_tools_are_named_and_their_calls_have_known_parameters() -> None:
    table = tools(Settings())
    for name in table:
        assert f"`{name}`" in README
    rows = list(tables(section("### What replaces the nine older tools")))
    assert [named(row[0])[0] for row in rows] == OLD_TOOLS
    for row in rows:
        call = re.fullmatch(r"`(\w+)\((.*)\)`", row[1])
        assert call, row
        parameters = re.findall(r"(\w+)=", call[2])
        assert set(parameters) <= set(table[call[1]].input_schema["properties"]), row


def test_the_settings_and_their_defaults_are_all_there() -> None:
    rows = tables(section("## Settings", USING))
    stated = {named(row[0])[0]: row[1].strip("`") for row in rows}
    spelt = {None: "none", True: "true", False: "false"}
    actual = asdict(Settings())
    assert stated == {key: spelt.get(value, str(value)) for key, value in actual.items()}
    usual = section("## Settings").partition("| environment")[0]
    assert {key for key in named(usual) if re.fullmatch(r"[a-z_]+", key)} <= set(actual)


def test_each_setting_says_from_when_it_holds() -> None:
    starts = {
        Restart.WORKER: "the worker's next start",
        Restart.CLIENT: "the client's next start",
        Restart.APP: "the app's next start",
    }
    stated = {named(row[0])[0]: row[3] for row in tables(section("## Settings", USING))}
    for field in (field for page in pages() for field in page.fields):
        if field.restart:
            assert stated[field.name] == starts[field.restart], field.name
        else:
            assert stated[field.name] not in (starts[Restart.WORKER], starts[Restart.CLIENT])


def test_the_chinese_guide_has_each_chapter_table_and_name_of_the_english_one() -> None:
    for pattern in (r"^#+(?= )", r"^- |^\d\. |^\|", r"^$"):
        english, chinese = (re.findall(pattern, text, re.M) for text in (USING, CHINESE))
        assert chinese == english, pattern
    assert set(named(CHINESE)) == set(named(USING))
    first = [row[:2] for row in tables(section("## 设置", CHINESE))]
    assert first == [row[:2] for row in tables(section("## Settings", USING))]


def test_the_chinese_guide_calls_things_as_the_app_does() -> None:
    texts = (ROOT / "app" / "translations" / "memtray_zh_CN.ts").read_text(encoding="utf-8")
    said = re.findall(r"<translation>([^<]*)</translation>", texts)
    shown = {re.sub(r"\(&amp;\w\)", "", text).strip("… \n") for text in said}
    labels = {
        part.strip("…") for label in re.findall("“(.*?)”", CHINESE) for part in label.split(" → ")
    }
    assert len(labels) > 50
    assert labels - shown == set()


def test_the_environment_variables_are_those_that_are_read() -> None:
    text = section("## Settings").partition("| environment")[2]
    assert [named(row[0])[0] for row in tables("| environment" + text)] == [
        DATA_DIR_VARIABLE,
        PORT_VARIABLE,
    ]


def test_the_files_in_the_data_folder_are_where_they_are_said_to_be() -> None:
    paths = Paths(Path("~/.claude-mem"))
    for path in (paths.database, paths.settings, paths.worker_json, paths.index, paths.logs):
        assert path.as_posix() in README, path


def test_each_example_of_a_query_is_understood() -> None:
    for row in tables(section("## What you can type")):
        for query in named(row[0]):
            parsed = parse(query)
            assert parsed.clauses, query
            assert not parsed.notes, query
            if ":" in query:
                assert [unit.column for unit in parsed.units] == [query.partition(":")[0]], query
            assert any(unit.prefix for unit in parsed.units) == query.endswith("*"), query


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_each_command_exists(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    text = document.read_text(encoding="utf-8")
    inline = [shlex.split(cell) for cell in named(text) if cell.startswith(("make ", "memtray-"))]
    for words in [*commands(text), *inline]:
        program = Path(words[0]).name
        if program == "make":
            assert words[1] in targets
        elif program == "memtray-worker" and len(words) > 1:
            with pytest.raises(SystemExit) as ended:
                main([words[1], "--help"])
            assert ended.value.code == 0, words
            usage = capsys.readouterr().out
            assert all(word in usage for word in words[2:] if word.startswith("--")), words
        elif program.startswith("memtray"):
            assert program in project["scripts"] | project["gui-scripts"]
        elif program == "run":
            assert (ROOT / words[0]).is_file()


def test_each_extra_to_install_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {extra for found in re.findall(r"'\.\[(.*?)\]'", README) for extra in found.split(",")}
    assert extras
    assert extras <= set(project["optional-dependencies"])
    assert f"Python {project['requires-python'].strip('>=')} or later" in README


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_each_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_each_file_that_is_named_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    ours = re.compile(r"(?:worker|mcp_server|tests|assets|docs|\.ci)/[\w./*-]*")
    missing = [name for name in named(text) if ours.fullmatch(name) and not list(ROOT.glob(name))]
    assert missing == []


def test_the_map_shows_each_part_and_only_what_is_there() -> None:
    stated = {name for row in tables(ARCHITECTURE) for name in named(row[0])}
    packages = {
        path.parent.relative_to(ROOT).as_posix() + "/"
        for top in ("worker", "mcp_server")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert packages - {"worker/"} <= stated
    assert [name for name in stated if not (ROOT / name).exists()] == []


def test_each_function_on_the_way_of_a_request_exists() -> None:
    steps = section("## One search, from Claude and back", ARCHITECTURE)
    mentions = re.findall(r"`([\w/]+\.py)`: ((?:`[\w.]+`(?:, )?)+)", steps)
    assert len(mentions) > 5
    for path, functions in mentions:
        code = (ROOT / path).read_text(encoding="utf-8")
        for function in named(functions):
            assert re.search(rf"\b(?:def|class) {function}\b", code), f"{path}: {function}"


def test_the_version_has_its_entry_in_the_changes() -> None:
    assert f"## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
