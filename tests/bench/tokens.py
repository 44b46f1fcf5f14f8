"""What answers cost a language model, in tokens of cl100k_base."""

import json
import random
import re
import sqlite3
import statistics
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.bench import handshake
from tests.bench.api import Api
from tests.bench.databases import SEED, Corpus, reading
from tests.bench.table import Group
from tests.bench.targets import row

PAGE = 20
DETAILS = 3
TITLE = 80  # characters that must be whole
_COLUMNS = ("title", "subtitle", "narrative", "facts", "concepts", "files_read", "files_modified")
_LISTS = frozenset({"facts", "concepts", "files_read", "files_modified"})
_INDEX_ROW = re.compile(r"\s*\|?\s*\**#([SP]?\d+)\b")
_KINDS = ("single_word", "two_word_nonadjacent", "phrase")

Stored = Mapping[str, str]  # column to text; of lists, one line an entry


@dataclass
class Counts:
    """What was counted, one entry a page, row or observation."""

    row: list[int] = field(default_factory=list)
    bare_row: list[int] = field(default_factory=list)
    page: list[int] = field(default_factory=list)
    details: list[int] = field(default_factory=list)
    bare_details: list[int] = field(default_factory=list)
    chain: list[float] = field(default_factory=list)  # % of the tokens of 20 details
    whole_titles: list[bool] = field(default_factory=list)
    all_words: list[bool] = field(default_factory=list)


def measure(corpus: Corpus, port: int, *, samples: int) -> Group:
    """Count pages and details of the worker at `port`, and the tools of the MCP server."""
    counts = Counts()
    with Api(port) as api, reading(corpus.database) as connection:
        for query in _some_queries(corpus, samples):
            _count_workflow(counts, api, connection, query)
        ids = [int(i) for (i,) in connection.execute("SELECT id FROM observations")]
        for number in random.Random(SEED).sample(ids, min(len(ids), 2 * samples)):
            _count_details(counts, api, read_stored(connection, number), number)
    return group(counts, tools=count_tools(corpus.data_dir))


def group(counts: Counts, *, tools: int) -> Group:
    """Return the medians as a table."""

    def middle(values: Sequence[float]) -> float:
        return statistics.median(values)

    def share(values: Sequence[bool]) -> float:
        return 100 * sum(values) / len(values)

    bare = "limit: the same content without any form"
    rows = (
        row(
            "tokens row", "index row", middle(counts.row), limit=middle(counts.bare_row), note=bare
        ),
        row(
            "tokens page",
            f"page of {PAGE}",
            middle(counts.page),
            limit=PAGE * middle(counts.bare_row),
            note=bare,
        ),
        row("tokens titles", f"titles whole to {TITLE}", share(counts.whole_titles), unit="%"),
        row(
            "tokens details",
            "one full observation",
            middle(counts.details),
            limit=middle(counts.bare_details),
            note=bare,
        ),
        row("tokens words", "observations with every word", share(counts.all_words), unit="%"),
        row("tokens tools", "tools/list", tools),
        row(
            "tokens chain",
            f"search {PAGE} + timeline + {DETAILS} details, of {PAGE} details",
            middle(counts.chain),
            unit="%",
        ),
    )
    return Group("Tokens (cl100k_base), median", rows)


def count(text: str) -> int:
    """Return the number of tokens of `text`."""
    return len(_encoding().encode_ordinary(text))


def count_tools(data_dir: Path) -> int:
    """Return the tokens of the tools as the MCP server lists them, in compact JSON."""
    with handshake.session(handshake.OURS, data_dir=data_dir) as server:
        listed = server.ask("tools/list", {})["tools"]
    return count(json.dumps(listed, ensure_ascii=False, separators=(",", ":")))


def index_rows(page: str) -> dict[str, str]:
    """Return the rows of a result page by the id they begin with: 12, S3 or P7."""
    rows = ((match[1], line) for line in page.splitlines() if (match := _INDEX_ROW.match(line)))
    return dict(rows)


def has_title(line: str, title: str) -> bool:
    """Say whether a row shows the first 80 characters of `title`, blanks and escapes aside."""
    start = " ".join(title.split())[:TITLE].rstrip()
    return start in " ".join(line.replace("\\|", "|").split())


def has_every_word(page: str, stored: Stored) -> bool:
    """Say whether each word of the content is in the page as often as in the store."""
    wanted = Counter(re.findall(r"\w+", " ".join(stored.values())))
    return not wanted - Counter(re.findall(r"\w+", page))


def read_stored(connection: sqlite3.Connection, number: int) -> dict[str, str]:
    """Return the content of one observation as the store has it, empty columns left out."""
    sql = f"SELECT {', '.join(_COLUMNS)} FROM observations WHERE id = ?"
    values = zip(_COLUMNS, connection.execute(sql, (number,)).fetchone(), strict=True)
    plain = ((k, "\n".join(json.loads(v)) if k in _LISTS else v) for k, v in values if v)
    return {name: text for name, text in plain if text}


@cache
def _encoding() -> Any:  # noqa: ANN401 - the package has no types
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it reads its table by an old call
        import bpe_openai

    return bpe_openai.get_encoding("cl100k_base")


def _some_queries(corpus: Corpus, samples: int) -> Iterator[str]:
    asked = json.loads(corpus.queries.read_text(encoding="utf-8"))["queries"]
    words = [str(q["params"]["query"]) for q in asked if q["kind"] in _KINDS]
    yield from random.Random(SEED).sample(words, min(len(words), samples))


def _count_workflow(counts: Counts, api: Api, connection: sqlite3.Connection, query: str) -> None:
    """Search, look at the timeline of the best hit, fetch three; a page must be full to count."""
    page = api.get("/api/search", {"query": query, "limit": PAGE, "type": "observations"}).text
    rows = index_rows(page)
    if len(rows) < PAGE:
        return
    ids = [int(key) for key in rows]
    stored = {number: read_head(connection, number) for number in ids}
    counts.page.append(count(page))
    counts.row.extend(count(line) for line in rows.values())
    counts.bare_row.extend(count(" ".join(head)) for head in stored.values())
    counts.whole_titles.extend(has_title(rows[str(i)], stored[i][-1]) for i in ids)
    timeline = api.get("/api/timeline", {"anchor": ids[0]}).text
    some = api.post("/api/observations/batch", {"ids": ids[:DETAILS]}).text
    every = api.post("/api/observations/batch", {"ids": ids}).text
    steps = count(page) + count(timeline) + count(some)
    counts.chain.append(100 * steps / count(every))


def read_head(connection: sqlite3.Connection, number: int) -> tuple[str, ...]:
    """Return what an index row says: id, date and time, project, type, title."""
    sql = "SELECT created_at, project, type, title FROM observations WHERE id = ?"
    created_at, project, kind, title = connection.execute(sql, (number,)).fetchone()
    shown = " ".join(str(title).split())[:TITLE]
    return (f"#{number}", str(created_at)[:16].replace("T", " "), project, kind, shown)


def _count_details(counts: Counts, api: Api, stored: Stored, number: int) -> None:
    page = api.post("/api/observations/batch", {"ids": [number]}).text
    counts.details.append(count(page))
    counts.bare_details.append(count("\n".join(stored.values())))
    counts.all_words.append(has_every_word(page, stored))
