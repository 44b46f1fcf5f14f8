"""Which stretches of a text match a query, so that they can be marked."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from worker.index.analyze import Finder, Token, fold
from worker.search.query import ParsedQuery, outgrown_stems

Marker = Callable[[str], list[Token]]
"""Returns the words of a text that match, by their start; of those with a piece, the piece."""

Stretch = tuple[int, int]  # [start, end), in characters


_LETTER = re.compile(r"[^\W_]")


def nothing(_: str) -> list[Token]:
    """Mark no word."""
    return []


def by_terms(query: ParsedQuery, pieces: Mapping[str, Collection[str]] | None = None) -> Marker:
    """Return what marks the terms of a query, those of a phrase where all of it stands.

    For one thread.
    pieces: the words of the query that are searched as pieces of words, with the terms of those.
    """
    phrases = [unit.tokens for unit in query.units if unit.phrase and not unit.prefix]
    words = [unit for unit in query.units if not unit.phrase or unit.prefix]
    terms = {t for u in words if not u.prefix for t in (*u.tokens, *u.wholes, *u.humps)}
    terms |= {t for u in words if u.prefix for t in (*u.tokens[:-1], *outgrown_stems(u))}
    prefixes = tuple(unit.tokens[-1] for unit in words if unit.prefix)
    held: dict[str, list[str]] = {}
    for piece, holders in (pieces or {}).items():
        for term in holders:
            held.setdefault(term, []).append(piece)
    wanted = terms.union(held, *phrases)
    finder = Finder(
        (lambda term: term in wanted or term.startswith(prefixes))
        if prefixes
        else wanted.__contains__
    )

    def mark(text: str) -> list[Token]:
        found = finder.find(text)
        in_phrases = {
            token for phrase in phrases for token in _in_a_row(text, found.tokens, phrase)
        }
        marked = []
        for token in (*found.tokens, *found.extras):
            if token.term in terms or token.term.startswith(prefixes) or token in in_phrases:
                marked.append(token)
            else:
                marked += [_piece(text, token, piece) for piece in held.get(token.term, ())]
        return sorted(marked, key=lambda token: (token.start, -token.end))

    return mark


def literally(words: Collection[str]) -> Marker:
    """Return what marks the words as they stand, in any case, also amid others."""
    longest_first = sorted((word for word in words if word), key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)", re.IGNORECASE)
    return lambda text: [Token(m[0].casefold(), *m.span()) for m in pattern.finditer(text)]


def marks_in(text: str, marker: Marker) -> list[Stretch]:
    """Return the stretches of the text that match, ascending, none overlapping."""
    return merged(marker(text))


def field_marks(
    fields: Mapping[str, str | list[str]], marker: Marker
) -> dict[str, list[list[Stretch]]]:
    """Return the stretches in each text of each field; fields without any are left out."""
    found = {
        name: [marks_in(text, marker) for text in ([value] if isinstance(value, str) else value)]
        for name, value in fields.items()
    }
    return {name: marks for name, marks in found.items() if any(marks)}


def merged(tokens: Sequence[Token]) -> list[Stretch]:
    """Return the stretches of tokens in the order of a marker; those that overlap become one."""
    out: list[Stretch] = []
    for _, start, end in tokens:
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _in_a_row(text: str, tokens: Sequence[Token], phrase: Sequence[str]) -> Iterator[Token]:
    """Yield the tokens that make the phrase, with no other word between them."""
    length = len(phrase)
    for i in range(len(tokens) - length + 1):
        row = tokens[i : i + length]
        if [token.term for token in row] == list(phrase) and not any(
            _LETTER.search(text, this.end, following.start) for this, following in pairwise(row)
        ):
            yield from row


def _piece(text: str, word: Token, piece: str) -> Token:
    """Return where a folded piece stands in a word, or the word where that cannot be told."""
    letters = [(each, i) for i in range(word.start, word.end) for each in fold(text[i])]
    at = "".join(each for each, _ in letters).find(piece)
    if at < 0:
        return word._replace(term=piece)
    end = letters[at + len(piece) - 1][1] + 1
    while end < word.end and unicodedata.combining(text[end]):
        end += 1
    return Token(piece, letters[at][1], end)
