"""Each hit by words shows what matched, in its title or its snippet, and so does the whole memory.

Where a part of a name was typed, that part is marked.
"""

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from tests.search.conftest import remember
from tests.store.rows import plain
from tests.web.whole import serving
from worker.shared.contract import Item, SearchReply, SingleReply
from worker.shared.paths import Paths

FILLER = "plain text about nothing " * 12

# What is typed, what stands in the memory (and no other), and what of it is marked.
CASES = [
    ("quark", "quarkConfigFile", ["quark"]),
    ("strange", "parseStrangeFile", ["Strange"]),
    ("parsegluon", "parseGluonName", ["parseGluon"]),
    ("boson", "boson_loader", ["boson"]),
    ("lepton", "LEPTONServer2", ["LEPTON"]),
    ("hadronserver", "HadronServer2", ["HadronServer"]),
    ("muonserv", "MUONServer2", ["MUONServ"]),
    ("preon", "EPREONRESET", ["PREON"]),
    ("tachyo", "tachyon3_open_v2", ["tachyo"]),
    ("db/axion", "src/db/axion.py", ["db", "axion"]),
    ("lib/pion", "lib/pion.py", ["lib", "pion"]),
    ("kaonu", "使用KaonUnit组件", ["KaonU"]),
    ("组装", "使用Widget组装", ["组装"]),
    ("gravit", "Anti-Gravitón", ["Gravit"]),
    ("dilaton", "überDilatonstraße", ["Dilaton"]),
    ("neutrinostrasse", "überNeutrinostraße", ["Neutrinostraße"]),
    ("glueati*", "glueated", ["glueated"]),
    ("photino winobo", "WinoBook PhotinoHTTP", ["WinoBo", "Photino"]),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    paths = Paths(tmp_path_factory.mktemp("marks"))

    def insert() -> None:
        with plain(paths.database) as db:
            for _, text, _ in CASES:
                remember(db, title=f"{text} broke", narrative="It is mended.")
                remember(db, title="Short", narrative=f"We saw {text}, and then it was mended.")
                remember(db, title="Long", narrative=f"{FILLER}{text} {FILLER}")
                remember(db, title="Lists", narrative=FILLER, facts=["one", f"{text} is two"])
                remember(db, "user_prompts", prompt_text=f"{FILLER}{text} {FILLER}")
            remember(db, title="Common", narrative="We get there by all means.")
            remember(db, title="Charm", narrative="We will get the charm of it by all means.")
            remember(db, title="Wind", narrative="A zephyr blows.")
            remember(db, title="Gauge", narrative="What blows is told by the zephyrometer.")
            remember(db, title="Files", narrative=FILLER, files_read=["README", "src/TopSquark.py"])
            remember(db, title="Wino", narrative=f"{FILLER} Winos.", files_modified=["ui/winos.py"])
            remember(db, title="Signs", narrative=f"{FILLER} a <=> b {FILLER}")

    with serving(paths, insert) as (client, _):
        yield client


def search(client: FlaskClient, query: str) -> list[Item]:
    asked = {"query": query, "format": "json", "limit": "100"}
    return SearchReply.model_validate_json(client.get("/api/search", query_string=asked).data).items


def marked(item: Item) -> list[str]:
    """Return what is marked in the snippet or, where that has no marks, in the title."""
    snippet = item.snippet
    assert snippet is not None
    found = [snippet.text[a:b] for a, b in snippet.marks]
    return found or [item.title[a:b] for a, b in item.title_marks]


def whole(client: FlaskClient, item: Item, query: str) -> list[list[str]]:
    """Return what is marked in each field of the whole memory."""
    path = f"/api/{item.kind}/{item.id}"
    asked = {"query": query, "format": "json"}
    found = SingleReply.model_validate_json(client.get(path, query_string=asked).data)
    out = []
    for name, all_marks in found.marks.items():
        value = found.fields[name]
        texts = [value] if isinstance(value, str) else value
        pairs = zip(texts, all_marks, strict=True)
        out.append([text[a:b] for text, marks in pairs for a, b in marks])
    return out


@pytest.mark.parametrize(("query", "text", "expected"), CASES)
def test_a_hit_by_a_part_of_a_name_shows_the_part(
    client: FlaskClient, query: str, text: str, expected: list[str]
) -> None:
    found = search(client, query)

    assert len(found) == 5
    for item in found:
        assert marked(item) == expected, item
        assert text in item.title + (item.snippet.text if item.snippet else "")
        assert whole(client, item, query) == [expected]


def test_a_hit_by_a_file_alone_shows_the_file(client: FlaskClient) -> None:
    (item,) = search(client, "squark")

    assert item.snippet is not None
    assert item.snippet.text == "README · src/TopSquark.py"
    assert marked(item) == ["Squark"]


def test_a_name_of_a_file_is_shown_rather_than_a_word_of_it(client: FlaskClient) -> None:
    named = {item.title: item for item in search(client, "winos.py")}

    assert marked(named["Wino"]) == ["winos.py"]


def test_common_words_in_a_name_find_nothing_and_are_not_marked(client: FlaskClient) -> None:
    (item,) = search(client, "getCharmByAll")

    assert item.title == "Charm"
    assert marked(item) == ["charm"]


def test_a_hit_by_signs_alone_shows_them(client: FlaskClient) -> None:
    (item,) = search(client, "<=>")

    assert marked(item) == ["<=>"]
    assert whole(client, item, "<=>") == [["<=>"]]


def test_a_word_that_some_memory_has_is_not_marked_in_other_words(client: FlaskClient) -> None:
    found = {item.title: marked(item) for item in search(client, "zephyr blows")}

    assert found == {"Wind": ["zephyr", "blows"], "Gauge": ["blows"]}
