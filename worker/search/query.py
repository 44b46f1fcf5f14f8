"""What was typed, parsed: no text is an error, and what does not parse is taken literally.

words            any of them; rows with more of them come first
"a phrase"       must occur as it stands
a AND b, NOT c   both, without c; -c is the same as NOT c
a OR b           either side
title:word       in that column; title:"a phrase" too
prefix*          words that begin so
"""

import re
import string
from collections.abc import Iterable
from dataclasses import dataclass, replace

from worker.index.analyze import analyze, fold, is_cjk, is_stop_word
from worker.index.keyword_rows import COLUMNS
from worker.shared.contract import MAX_QUERY

SENTENCE_PAIRS = 5  # of neighbouring characters: six characters in a row
MAX_WORDS = 64  # what follows is left out of the search, and the answer says so

# A prefix may be longer than the stem it asks for: `migrati*` must find `migrat`.
_ENDINGS = ("ation", "ations", "ing", "ings", "ions", "ies", "ers", "ment", "ness", "able", "ally")
_SIGNS = string.punctuation + string.whitespace
_SYNONYMS = {"file": "files", "concept": "concepts", "fact": "facts", "prompt": "prompt_text"}
_SEARCHED = {c for columns in COLUMNS.values() for c in columns} - {"extra"}
_FILTER = re.compile(r"(?<!\S)-?(project|type|obs_type|dateStart|dateEnd|sources):(?=[\"\w])")
_DATE = re.compile(r"\s*\d{4}-\d\d(-\d\d)?\s*")
_UNIT = re.compile(
    r"""(?P<minus>(?<!\S)-(?=["\w]))?
        (?:(?P<column>[A-Za-z_]+):(?=["\w]))?
        (?: "(?P<phrase>[^"]*)"(?!\w) | (?P<word>[^\s"]+|") )""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """One word, phrase or prefix, analysed. It may have several tokens: `auth_token` has two."""

    tokens: tuple[str, ...]  # in order, as `analyze` gives them
    extras: tuple[str, ...] = ()  # whole identifiers and humps
    column: str | None = None
    phrase: bool = False
    prefix: bool = False
    start: int = 0  # where it stands in the text
    end: int = 0
    word: str = ""  # a single word as typed, folded: perhaps a piece of one

    @property
    def wholes(self) -> tuple[str, ...]:
        """Identifiers and paths with their punctuation."""
        return tuple(extra for extra in self.extras if not extra.isalnum())

    @property
    def humps(self) -> tuple[str, ...]:
        """The parts of a camel-case name; `get` and the like only where it has no others."""
        humps = tuple(extra for extra in self.extras if extra.isalnum())
        return tuple(hump for hump in humps if not is_stop_word(hump)) or humps


@dataclass(frozen=True, slots=True)
class Clause:
    """What stands between two ORs: every required unit, no excluded one, any optional one."""

    required: tuple[Unit, ...] = ()
    optional: tuple[Unit, ...] = ()
    excluded: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query ready for both legs."""

    text: str
    clauses: tuple[Clause, ...]
    literal: tuple[str, ...]  # the tokens of the whole text, for rows that hold it as it stands
    notes: tuple[str, ...] = ()

    @property
    def units(self) -> tuple[Unit, ...]:
        """What is looked for, in the order typed, without what is excluded."""
        found = (unit for c in self.clauses for unit in (*c.required, *c.optional))
        return tuple(sorted(found, key=lambda unit: unit.start))

    @property
    def is_sentence(self) -> bool:
        """True for a run of characters, in a script without blanks, that is too long for a word."""
        return any(
            sum(len(token) == 2 and not token.isascii() for token in unit.tokens) >= SENTENCE_PAIRS
            for unit in self.units
        )

    @property
    def excludes(self) -> bool:
        """True when there are words that must not occur."""
        return any(clause.excluded for clause in self.clauses)

    @property
    def strict(self) -> bool:
        """True when the user asked for more than "any of these words"."""
        return any(clause.required or clause.excluded for clause in self.clauses)


def parse(text: str) -> ParsedQuery:
    """Return what `text` asks for; never raises."""
    notes = []
    if len(text) > MAX_QUERY:
        notes.append(f"The query was cut to its first {MAX_QUERY:,} characters.")
        text = text[:MAX_QUERY]
    clauses = _clauses(text)
    if not any(clause.required or clause.optional for clause in clauses):
        clauses = _literally(text)
        if clauses and _EXCLUSION.match(text):
            notes.append("There is nothing to exclude from; the query was taken as plain words.")
    if len(clauses) > 1 and "(" in text:
        notes.append("Parentheses do not group: AND binds before OR.")
    if named := _filters_in(text):
        names = " and ".join(named)
        notes.append(f"To filter by {names}, use parameters: in a query that is plain text.")
    clauses, dropped = _without_needless_words(clauses)
    if dropped:
        notes.append(f"Only the first {MAX_WORDS} words of the query were searched.")
    return ParsedQuery(text, clauses, _phrase_tokens(text), tuple(notes))


def _filters_in(text: str) -> list[str]:
    """Return which filters of a request the query seems to mean."""
    if _DATE.fullmatch(text):
        return ["dateStart", "dateEnd"]
    return list(dict.fromkeys(_FILTER.findall(text)))


def outgrown_stems(unit: Unit) -> list[str]:
    """Return the stems that the typed prefix of a unit may have outgrown."""
    prefix = unit.tokens[-1]
    if len(unit.tokens) > 1 or not (prefix.isascii() and prefix.isalpha()):
        return []
    return [
        prefix[:-cut]
        for cut in range(1, min(6, len(prefix) - 3))
        if any(ending.startswith(prefix[-cut:]) for ending in _ENDINGS)
    ]


def _clauses(text: str) -> tuple[Clause, ...]:
    """Read the units one after the other; AND and NOT decide what their neighbours become."""
    clauses: list[Clause] = []
    required: list[Unit] = []
    optional: list[Unit] = []
    excluded: list[Unit] = []
    matches = list(_UNIT.finditer(text))
    words = [match[0] for match in matches]
    for i, match in enumerate(matches):
        before = words[i - 1] if i else ""
        after = words[i + 1] if i + 1 < len(words) else ""
        if words[i] == "OR" and before and after:
            clauses.append(Clause(tuple(required), tuple(optional), tuple(excluded)))
            required, optional, excluded = [], [], []
        elif words[i] in ("AND", "NOT") and after:
            continue  # an operator: its neighbours know
        elif unit := _unit(match):
            if before == "NOT" or match["minus"]:
                excluded.append(unit)
            elif unit.phrase or unit.column or (before == "AND" and i > 1) or _joins(words, i):
                required.append(unit)
            else:
                optional.append(unit)
    clauses.append(Clause(tuple(required), tuple(optional), tuple(excluded)))
    return tuple(clause for clause in clauses if clause.required or clause.optional)


def _joins(words: list[str], i: int) -> bool:
    """Say whether `AND something` follows the word at i."""
    return words[i + 1 : i + 2] == ["AND"] and len(words) > i + 2


def _unit(match: re.Match[str]) -> Unit | None:
    column = match["column"]
    name = _SYNONYMS.get(column.lower(), column.lower()) if column else None
    quoted = match["phrase"] is not None
    text = match["phrase"] if quoted else match["word"]
    if name is not None and name not in _SEARCHED:  # `key:value` is just text
        name, text = None, f"{column}:{text}"
    prefix = not quoted and text.endswith("*") and text.count("*") == 1
    analysis = analyze(text)
    tokens = _drop_last_single(tuple(token.term for token in analysis.tokens))
    if not tokens:
        return None
    extras = tuple(dict.fromkeys(token.term for token in analysis.extras))
    single = len(tokens) == 1
    prefix |= single and len(tokens[0]) == 1 and is_cjk(tokens[0])
    word = fold(text.strip(_SIGNS)) if single and not prefix and not is_cjk(tokens[0]) else ""
    return Unit(tokens, extras, name, quoted, prefix, match.start(), match.end(), word)


def _drop_last_single(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """A CJK run ends with its last character alone: in a query it only bars longer runs."""
    if len(tokens) > 1 and len(tokens[-1]) == 1 and tokens[-2][1:] == tokens[-1]:
        return tokens[:-1]
    return tokens


def _literally(text: str) -> tuple[Clause, ...]:
    """Take operators and signs for plain text."""
    found = (_unit(match) for match in re.finditer(_LITERAL, text))
    units = tuple(unit for unit in found if unit)
    return (Clause(optional=units),) if units else ()


_EXCLUSION = re.compile(r"\s*(-[\w\"]|NOT\s)")
_LITERAL = re.compile(r"(?P<minus>$^)?(?P<column>$^)?(?P<phrase>$^)?(?P<word>\S+)")


@dataclass(slots=True)
class _Room:
    """How many tokens may still be searched."""

    left: int = MAX_WORDS
    exceeded: bool = False

    def fit(self, units: Iterable[Unit]) -> tuple[Unit, ...]:
        """Return the units without doubles, as far as there is room."""
        kept: dict[tuple[object, ...], Unit] = {}
        for unit in units:
            same = (unit.tokens, unit.column, unit.prefix)
            if same in kept:
                continue
            if len(unit.tokens) > self.left:
                self.exceeded = True
                unit = replace(unit, tokens=unit.tokens[: self.left], extras=(), prefix=False)
            if unit.tokens:
                kept[same] = unit
                self.left -= len(unit.tokens)
        return tuple(kept.values())


def _without_needless_words(clauses: tuple[Clause, ...]) -> tuple[tuple[Clause, ...], bool]:
    """Drop stop words where other words are left, and what is beyond the longest query."""
    telling = any(
        clause.required or any(not _is_stop(unit) for unit in clause.optional) for clause in clauses
    )
    wanted, unwanted = _Room(), _Room()
    out = []
    for clause in clauses:
        required = wanted.fit(clause.required)
        optional = wanted.fit(u for u in clause.optional if not (telling and _is_stop(u)))
        if required or optional:
            out.append(Clause(required, optional, unwanted.fit(clause.excluded)))
    return tuple(out), wanted.exceeded or unwanted.exceeded


def _is_stop(unit: Unit) -> bool:
    return not unit.prefix and all(is_stop_word(token) for token in unit.tokens)


def _phrase_tokens(text: str) -> tuple[str, ...]:
    tokens = _drop_last_single(tuple(token.term for token in analyze(text).tokens))
    return tokens if 1 < len(tokens) <= MAX_WORDS else ()
