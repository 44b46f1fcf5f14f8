"""Texts that break searches: what people paste, and what tries to get out of a query.

In a template each letter between «» becomes a word that no other text has, so that a row can be
told from all others wherever its text has a word of its own.
"""

import json
import re
import string
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from worker.shared.contract import MAX_QUERY
from worker.shared.values import clean_text

LONG = 100_000  # characters

_TEMPLATES = Path(__file__).with_name("hostile_texts.json")
_PLACE = re.compile(r"«([a-z])»")
_EXCLUDED = re.compile(r'(?<!\S)(?:-|NOT\s+)(?=["\w])("[^"]*"|\S+)')
_OPERATOR = re.compile(r"(?<!\S)(?:AND|OR|NOT)(?!\S)")
_OTHER_COLUMN = re.compile(
    r'(?<![\w:])(?:title|subtitle|text|facts?|concepts?|files?):(?=["\w])', re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Hostile:
    """One text, and the kind of trouble it means."""

    category: str
    text: str


class Expected(StrEnum):
    """What a search for a text owes the row that holds it; none may ever be an error."""

    FOUND = "the row is on the first page"
    NEWEST = "no query at all: the newest rows"
    NOTHING_TO_FIND = "fewer than two letters, digits or emoji: any answer"
    ASKS_OTHERWISE = "excludes a word of its own, or wants it in another column: any answer"


def expected(text: str) -> Expected:
    """Return by rule what is owed to the row whose text this is."""
    sent = str(clean_text(text))[:MAX_QUERY]
    if not sent:
        return Expected.NEWEST
    if not _has_words(sent):
        return Expected.NOTHING_TO_FIND
    if _excludes_its_own(sent) or _OTHER_COLUMN.search(sent):
        return Expected.ASKS_OTHERWISE
    return Expected.FOUND


def storable(text: str) -> str:
    """Return the text as a database can hold it; "" when none of it can be held."""
    if not text.encode("utf-8", "ignore").strip():
        return ""
    return text.encode("utf-8", "replace").decode()


def own_texts() -> list[Hostile]:
    """Return our own hostile texts, all different, the same each time."""
    words = _words()
    made = [Hostile(name, _fill(text, words)) for name, text in _templates()]
    made += [Hostile("long", text) for text in _long(*(next(words) for _ in range(2)))]
    return list({hostile.text: hostile for hostile in made}.values())


def _has_words(text: str) -> bool:
    """Say whether two letters or digits of any script, or two emoji, are in the text."""
    kinds = ((char, unicodedata.category(char)[0]) for char in text)
    found = sum(kind in "LN" or (kind == "S" and not char.isascii()) for char, kind in kinds)
    return found >= 2


def _excludes_its_own(text: str) -> bool:
    """Say whether `-word` or `NOT word` stands beside words; alone it is plain text."""
    rest = _EXCLUDED.sub(" ", text)
    return rest != text and any(map(str.isalnum, _OPERATOR.sub(" ", rest)))


def _words() -> Iterator[str]:
    """Yield words that nobody uses; no stemmer makes two of them one."""
    starts = [a + b for a in "bcdfghjklmn" for b in "aeiou"]
    yield from (a + b + c + d for a in starts for b in starts for c in "bdgl" for d in "aou")


def _fill(template: str, words: Iterator[str]) -> str:
    """Put a new word for each letter between «»; the same letter gives the same word."""
    letters = dict.fromkeys(_PLACE.findall(template))
    chosen = {letter: next(words) for letter in letters}
    return _PLACE.sub(lambda match: chosen[match[1]], template)


def _templates() -> Iterator[tuple[str, str]]:
    written: dict[str, list[str]] = json.loads(_TEMPLATES.read_text(encoding="utf-8"))
    yield from ((name, text) for name, texts in written.items() for text in texts)
    yield from _crossed(
        "punctuation", string.punctuation, ("@", "@@", "«a»@«b»", "@«a» «b»", "«a» «b»@")
    )
    yield from _crossed(
        "operators",
        ("AND", "OR", "NOT", "NEAR", "and", "MATCH", "RANK"),
        ("@", "@ @", "@ «a» «b»", "«a» «b» @", "«a» @ «b»", "«a» @ @ «b»"),
    )
    yield from _crossed(
        "columns",
        ("title", "subtitle", "narrative", "text", "facts", "concepts", "rowid", "nowhere"),
        ("@:«a»", "@ : «a» «b»", "- @ : «a»", "{@ narrative}: «a»", "«a» @:"),
    )
    sql = "SELECT INSERT UPDATE DELETE DROP UNION WHERE FROM TABLE VALUES LIKE GLOB IN EXISTS NULL"
    more = "HAVING LIMIT ATTACH PRAGMA VACUUM REINDEX EXPLAIN CASE CAST"
    yield from _crossed("sql words", f"{sql} {more}".split(), ("«a» @ «b»",))
    yield from _crossed("control", _characters((0x00, 0x1F), (0x7F, 0x9F)), ("«a»@«b»",))
    invisible = _characters((0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x2069))
    yield from _crossed("invisible", invisible, ("«a»@«b»",))


def _crossed(
    category: str, parts: Iterable[str], forms: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield each part in the place of @ in each form."""
    yield from ((category, form.replace("@", part)) for part in parts for form in forms)


def _characters(*ranges: tuple[int, int]) -> list[str]:
    return [chr(code) for low, high in ranges for code in range(low, high + 1)]


def _long(one: str, two: str) -> Iterator[str]:
    """Yield texts of 100 kB and more, each with a word that is its own."""
    repeated = ("{} ", "{}\n", "{}:", "{}/", "{} OR ", '"{}', "{}-")
    for number, form in enumerate(repeated):
        part = form.format(f"{one}{number}")
        yield part * (LONG // len(part) + 1)
    for number, part in enumerate(("AND ", '"', "(", "🦊", "\u0301", "数据库索引", "x", "t1 t2 ")):
        yield f"{two}{number} " + part * (LONG // len(part.encode()) + 1)
    yield two + "x" * LONG
    yield from ("*" * LONG, "-" * LONG, " " * LONG + one)
