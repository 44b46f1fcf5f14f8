"""From text to search terms with their positions; the same function serves rows and queries.

A *token* is a word as it stands in the text: folded (NFKC, case, diacritics) and stemmed, with
identifiers and paths split at their punctuation (`auth_token` gives auth, token), and runs of
Chinese, Japanese or Korean characters cut into overlapping pairs. An *extra* is a second way to
name the same place: the whole identifier or path (`src/db/pool.py`), the humps of a camel-case
name (`getUserById` gives get, user, by, id).
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import snowballstemmer

VERSION = 4  # raise it when the terms change: the indexes are then built anew

# Scripts written without blanks between words; each run of them is cut into pairs.
_CJK = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
# Combining marks and Indic signs belong to words although `\w` leaves them out.
_MARK = r"\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0900-\u0dff"
_WORD = rf"[^\W{_CJK}]+(?:[{_MARK}]+[^\W{_CJK}]*)*"
_SCAN = re.compile(
    rf"{_WORD}(?:(?:://|::|->|[./\\:@#&+~'’-]){_WORD})*(?:\+\+|#(?!\w))?"  # a chunk
    rf"|[{_CJK}]+"  # a run
    r"|[^\w\s\x00-\x7f\ufffd]"  # perhaps a sign, but not the one for what could not be read
)
_CJK_START = re.compile(rf"[{_CJK}]")
_WORD_START = re.compile(r"\w")
_PIECE = re.compile(r"[^./\\:@#&+~>_-]+(?:\+\+|#$)?")
_HUMPED = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+")
_POSSESSIVE = re.compile(r"['’]s$")
_SEPARATORS = re.compile(r"[\s,()]+")  # what `⑴`, `🄂`, `ﷺ` and `゛` hold besides words

MAX_TERM = 64  # characters; a longer run of word characters is data, not a word
MIN_PIECE = 4  # characters; a shorter piece is in too many words to mean one of them
KEPT = 16_384  # runs of a text, up to 1 kB each, that need not be taken apart again

_STOP_WORDS = (
    "a about after again all also am an and any are as at be because been before being between "
    "both but by can could did do does doing done down each else ever few for from further get "
    "had has have having he her here hers him his how i if in into is it its itself just let "
    "may me might more most must my no nor not now of off on once only or other our out over "
    "own per same she should so some such than that the their them then there these they this "
    "those through to too under until up upon us very was we were what when where which while "
    "who whom why will with would you your"
)


class Token(NamedTuple):
    """A term and the stretch [start, end) of the text that it stands for."""

    term: str
    start: int
    end: int


class Analysis(NamedTuple):
    """`tokens` in the order of the text, `extras` in no order that matters."""

    tokens: list[Token]
    extras: list[Token]


def analyze(text: str) -> Analysis:
    """Return the terms of `text`; any text is accepted, what has no words gives none."""
    tokens: list[Token] = []
    extras: list[Token] = []
    for match in _SCAN.finditer(text):
        at = match.start()
        found = _analyze_run(match[0])
        tokens.extend(Token(t, at + start, at + end) for t, start, end in found.tokens)
        extras.extend(Token(t, at + start, at + end) for t, start, end in found.extras)
    return Analysis(tokens, extras)


class Finder:
    """Where terms of interest stand: `analyze` for them alone, each different run looked at once.

    has: says whether a term is one of them. For one thread.
    """

    def __init__(self, has: Callable[[str], bool]) -> None:
        self._runs = _Runs(has)

    def find(self, text: str) -> Analysis:
        """Return what `analyze` returns, without all other terms."""
        tokens: list[Token] = []
        extras: list[Token] = []
        runs = self._runs
        for match in _SCAN.finditer(text):
            if found := runs[match[0]]:
                at = match.start()
                tokens += [Token(t, at + start, at + end) for t, start, end in found.tokens]
                extras += [Token(t, at + start, at + end) for t, start, end in found.extras]
        return Analysis(tokens, extras)


class _Runs(dict[str, Analysis | None]):
    """What of each run is of interest, None where nothing is."""

    def __init__(self, has: Callable[[str], bool]) -> None:
        self._has = has

    def __missing__(self, run: str) -> Analysis | None:
        has, (tokens, extras) = self._has, _analyze_run(run)
        tokens = [token for token in tokens if has(token.term)]
        if extras:
            extras = [extra for extra in extras if has(extra.term)]
        self[run] = found = Analysis(tokens, extras) if tokens or extras else None
        return found


def terms(text: str) -> tuple[list[str], list[str]]:
    """Return the terms of the tokens and of the extras of `text`, without their positions."""
    tokens: list[str] = []
    extras: list[str] = []
    for run in _SCAN.findall(text):
        found = _names_of_run(run)
        tokens += found.tokens
        extras += found.extras
    return tokens, extras


def words(text: str) -> set[str]:
    """Return the words of `text` folded but not stemmed, in which a piece of a word is found."""
    return {word for run in _SCAN.findall(text) for word in _names_of_run(run).words}


def is_cjk(term: str) -> bool:
    """Say whether a term is of a script written without blanks, which is cut into pairs."""
    return _CJK_START.match(term) is not None


def is_stop_word(term: str) -> bool:
    """Say whether a term (as `analyze` gives it) is one of English's most common words."""
    return term in _STOP_TERMS


class _Names(NamedTuple):
    """What `terms` and `words` give for one match of `_SCAN`."""

    tokens: tuple[str, ...]
    extras: tuple[str, ...]
    words: tuple[str, ...]


@lru_cache(maxsize=KEPT)
def _names_of_run(run: str) -> _Names:
    tokens, extras = _analysis_of_run(run)
    return _Names(
        tuple(token.term for token in tokens),
        tuple(token.term for token in extras),
        _words_of_run(run),
    )


@lru_cache(maxsize=KEPT)
def _analyze_run(run: str) -> Analysis:
    """Return the terms of one match of `_SCAN`, with positions relative to it."""
    return _analysis_of_run(run)


def _analysis_of_run(run: str) -> Analysis:
    tokens: list[Token] = []
    extras: list[Token] = []
    if _CJK_START.match(run):
        _add_pairs(run, tokens)
    elif _WORD_START.match(run):
        _add_chunk(run, tokens, extras)
    elif unicodedata.category(run).startswith("S"):  # emoji and other signs
        tokens.append(Token(run, 0, 1))
    return Analysis(tokens, extras)


def _words_of_run(run: str) -> tuple[str, ...]:
    if _CJK_START.match(run) or not _WORD_START.match(run):
        return ()
    folded = (fold(piece) for piece in _PIECE.findall(run))
    return tuple(word for word in folded if MIN_PIECE <= len(word) <= MAX_TERM)


def _add_chunk(chunk: str, tokens: list[Token], extras: list[Token]) -> None:
    for piece in _PIECE.finditer(chunk):
        word, at = piece[0], piece.start()
        term = fold(_POSSESSIVE.sub("", word).replace("'", "").replace("’", ""))
        if not term:
            continue
        tokens.append(Token(_stem(term[:MAX_TERM]), at, piece.end()))
        if len(word) <= MAX_TERM and _HUMPED.search(word):
            extras.extend(
                Token(_stem(hump[0].lower()), at + hump.start(), at + hump.end())
                for hump in _HUMP.finditer(word)
            )
    if len(tokens) > 1:
        _add_wholes(chunk, extras)


def _add_wholes(chunk: str, extras: list[Token]) -> None:
    """Keep `src/db/pool_size.py` whole, and `pool_size.py`, its last part, too."""
    last = max(chunk.rfind("/"), chunk.rfind("\\")) + 1
    for at in {0, last}:
        whole = fold(chunk[at:])
        if 1 < len(whole) <= MAX_TERM * 2 and not whole.isalnum() and " " not in whole:
            extras.append(Token(whole, at, len(chunk)))


def _add_pairs(run: str, tokens: list[Token]) -> None:
    """Cut a CJK run into overlapping pairs; its last character stands alone at the end.

    So every character begins a term, and a single character can be found by prefix.
    """
    text = _SEPARATORS.sub("", unicodedata.normalize("NFKC", run))
    same = len(text) == len(run)  # else half-width forms merged: the whole run is the position
    for i in range(len(text)):
        start, end = (i, min(i + 2, len(run))) if same else (0, len(run))
        tokens.append(Token(text[i : i + 2], start, end))


@lru_cache(maxsize=KEPT)
def fold(word: str) -> str:
    """Return the word without case, width and diacritics: `Ünïcödé` gives `unicode`."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word)
    bare = "".join(c for c in parts if not unicodedata.combining(c)) or parts
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", bare.casefold()))


@lru_cache(maxsize=KEPT)
def _stem(term: str) -> str:
    if len(term) < 3 or not (term.isascii() and term.isalpha()):
        return term
    # one for each word: it keeps the word in itself, where another thread would change it
    return str(snowballstemmer.stemmer("english").stemWord(term))


_STOP_TERMS = frozenset(_stem(word) for word in _STOP_WORDS.split())
