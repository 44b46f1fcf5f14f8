"""The keyword leg: which lines of the catalog match a parsed query, and how well.

The score is BM25 (k1 = 1.2, b = 0.75, title weighing most) as a share of the most that the terms
could reach, plus what no sum of single words can tell: that the words stand together, and where.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.index.analyze import is_stop_word, terms
from worker.index.catalog import K1, Mask, Ordinals, Snapshot
from worker.index.keys import CODE
from worker.index.keyword import KeywordIndex
from worker.index.keyword_rows import COLUMNS, quote
from worker.index.postings import Places, Postings, either, lines_of
from worker.search.query import Clause, ParsedQuery, Unit, outgrown_stems
from worker.search.standing import in_a_row, in_order, near, prominence
from worker.shared.refs import Kind

COMMON_SHARE = 0.2  # a word in more of the lines than this does not widen a search
MOST_NEAR = 6  # words; longer questions are not expected to stand in one place
MOST_PIECES = 3  # words; in a longer question an unknown word is no piece of a name

EXACT = 1.0  # added where the query stands as it was typed: before all others
PROMINENT = 0.6  # where that is in the title or in the first words of the text; half in the text
ALL = 0.15  # all words
NEAR = 0.15  # near each other
ORDERED = 0.15  # and in the order typed

# A short prompt that holds a word is rarely what was looked for; the work done with it is.
KIND_WEIGHT = {Kind.OBSERVATION: 1.0, Kind.SESSION: 0.9, Kind.PROMPT: 0.8}

Scores = NDArray[np.float32]
# For each piece the terms of the words that hold it, with its share of the word.
Pieces = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Matches:
    """One entry a line of the catalog."""

    matched: Mask
    score: Scores  # share of the best possible, plus what closeness adds
    exact: Mask  # the words of the query stand here as typed, signs aside
    whole: Mask  # all words of the query stand here, or just what it asked for with AND and quotes
    pieces: Pieces  # of the whole index


def match(index: KeywordIndex, lines: Snapshot, query: ParsedQuery, allowed: Mask) -> Matches:
    """Return which of the allowed lines match, and their scores."""
    held = pieces(index, query)
    postings = {term: _clip(found, lines) for term, found in _found(index, query, held).items()}
    score, counted = _bm25(lines, postings)
    matched = _matched(index, lines, query, postings)
    everything = (counted == len(postings)) & allowed
    exact = lines.mask(_NO_LINES)
    places = _typed_places(query, postings, everything)
    if query.literal and (query.strict or everything.any()):
        exact = _as_typed(index, lines, query, postings, places) & allowed
        places = places[exact[lines_of(places)]]
        score += EXACT * exact
        if not query.excludes:  # `pool -timeout` must not find "pool timeout"
            matched |= exact
    if np.count_nonzero(everything) > 1:  # else there is nothing to tell apart
        score += _prominence(lines, places)
    if len(postings) > 1 and not query.strict:
        score += ALL * everything
    if not query.strict:
        score += _closeness(index, lines, query, postings, everything)
    weights = np.array([KIND_WEIGHT[kind] for kind in CODE], dtype=np.float32)
    matched &= allowed
    whole = matched if query.strict else matched & (exact | everything)
    return Matches(matched, score * weights[lines.kind], exact, whole, held)


def pieces(index: KeywordIndex, query: ParsedQuery) -> Pieces:
    """Return the words of a short query that no record holds, but as pieces of other words."""
    if query.strict or len(query.units) > MOST_PIECES:
        return {}
    unknown = [u.word for u in query.units if u.word and not _is_known(index, u.tokens[0])]
    return {word: shares for word in unknown if (shares := _holders(index, word))}


def _is_known(index: KeywordIndex, term: str) -> bool:
    return len(index.postings(term).ordinals) > 0


def _holders(index: KeywordIndex, piece: str) -> dict[str, float]:
    shares: dict[str, float] = {}
    for word in index.words_with(piece):  # the shortest first
        for token in terms(word)[0]:
            shares.setdefault(token, len(piece) / len(word))
    return shares


def _found(index: KeywordIndex, query: ParsedQuery, held: Pieces) -> dict[str, Postings]:
    """Return where each term stands, and for a piece the words that hold it."""
    postings = {term: index.postings(term) for term in _scored(query)}
    for unit in query.units:
        if shares := held.get(unit.word):
            postings[unit.tokens[0]] = either(_shared(index, shares))
    return postings


def _shared(index: KeywordIndex, shares: Mapping[str, float]) -> list[Postings]:
    """Return where the terms stand, each counting as much as its share."""
    found = {term: index.postings(term) for term in shares}
    return [p._replace(counts=p.counts * np.float32(shares[term])) for term, p in found.items()]


def _closeness(
    index: KeywordIndex,
    lines: Snapshot,
    query: ParsedQuery,
    postings: dict[str, Postings],
    everything: Mask,
) -> Scores:
    """Return what the words of a short query get for standing near each other, and in order."""
    score = np.zeros(lines.size, dtype=np.float32)
    tokens = dict.fromkeys(token for unit in query.units for token in unit.tokens)
    found = [postings[token] for token in tokens if token in postings and _tells(token)]
    if (
        len(found) == 1 and len(query.literal) <= MOST_NEAR
    ):  # beside a lone word, even stop words tell which row is meant
        found = [postings.get(t) or index.postings(t) for t in dict.fromkeys(query.literal)]
    if 1 < len(found) <= MOST_NEAR and all(len(each.places) for each in found):
        words = [_within(_clip(each, lines), everything) for each in found]
        score[near(words)] = NEAR
        score[in_order(words)] = NEAR + ORDERED
    return score


def _prominence(lines: Snapshot, places: Places) -> Scores:
    """Return what a query gets for the places in which it stands."""
    score = np.zeros(lines.size, dtype=np.float32)
    rank, at = prominence(lines.kind, places), lines_of(places)
    score[at[rank == 1]] = PROMINENT / 2
    score[at[rank == 2]] = PROMINENT
    return score


def _typed_places(query: ParsedQuery, postings: dict[str, Postings], everything: Mask) -> Places:
    """Return where the telling words of the query stand as far from each other as typed."""
    tokens = query.literal or tuple(token for unit in query.units for token in unit.tokens)
    if not query.literal and len(tokens) > 1:
        return _NO_PLACES
    telling = {i: t for i, t in enumerate(tokens) if t in postings and _tells(t)}
    if len(telling) == 1:
        return postings[telling.popitem()[1]].places
    words = {i: _within(postings[token], everything) for i, token in telling.items()}
    return in_a_row(words) if words else _NO_PLACES


def _as_typed(
    index: KeywordIndex,
    lines: Snapshot,
    query: ParsedQuery,
    postings: dict[str, Postings],
    places: Places,
) -> Mask:
    """Return the lines that hold the query as it stands, signs aside.

    places: where its telling words stand so; what lies between is looked up where there is any.
    """
    if [query.literal] == [unit.tokens for unit in query.units]:  # an identifier or a path
        found = [postings[term].ordinals for term in query.units[0].wholes if term in postings]
        if any(len(ordinals) for ordinals in found):
            return lines.mask(np.concatenate(found))
    if postings.keys() == set(query.literal) and all(map(_tells, query.literal)):
        return lines.mask(lines_of(places).astype(np.int32))
    return lines.mask(index.lines(_every_kind(quote(" ".join(query.literal)))))


def idf(lines: Snapshot, having: int) -> float:
    """Return the inverse document frequency of BM25 in its form that is never negative."""
    return math.log(1 + max(lines.rows - having + 0.5, 0.0) / (having + 0.5))


def _bm25(lines: Snapshot, postings: dict[str, Postings]) -> tuple[Scores, NDArray[np.uint8]]:
    """Return each line's share of the highest sum, and how many of the terms it holds."""
    score = np.zeros(lines.size, dtype=np.float32)
    counted = np.zeros(lines.size, dtype=np.uint8)
    ceiling = 0.0
    for ordinals, counts, _ in postings.values():
        weight = (K1 + 1) * idf(lines, len(ordinals))
        score[ordinals] += weight * counts / (counts + lines.norm[ordinals])
        counted[ordinals] += 1
        ceiling += weight
    return (score / ceiling if ceiling else score), counted


def _matched(
    index: KeywordIndex, lines: Snapshot, query: ParsedQuery, postings: dict[str, Postings]
) -> Mask:
    """Return the lines that satisfy any clause."""
    out = lines.mask(_NO_LINES)
    for clause in query.clauses:
        if clause.required:
            out |= lines.mask(index.lines(_expressions(clause)))
            continue
        found = _any_of(index, lines, clause.optional, postings)
        excluded = _each_kind(clause.excluded, " OR ")
        if excluded:
            found &= ~lines.mask(index.lines(excluded))
        out |= found
    return out


def _any_of(
    index: KeywordIndex, lines: Snapshot, units: tuple[Unit, ...], postings: dict[str, Postings]
) -> Mask:
    """Return the lines that hold any of the units; very common words do not widen the set."""
    wanted = {term for unit in units if not unit.prefix for term in _terms(unit)}
    known = {term: len(postings[term].ordinals) for term in wanted if len(postings[term].ordinals)}
    out = lines.mask(_NO_LINES)
    for unit in units:
        if unit.prefix:
            out |= lines.mask(index.lines(_each_kind((unit,), " OR ")))
    if not known:
        humps = {hump for unit in units for hump in unit.humps}
        found = [index.postings(hump).ordinals for hump in humps]
        return out | lines.mask(np.concatenate([_NO_LINES, *found]))
    most = max(COMMON_SHARE * lines.rows, 4 * min(known.values()))
    for term, count in known.items():
        if count <= most:
            out[postings[term].ordinals] = True
    return out


def _scored(query: ParsedQuery) -> list[str]:
    units = [unit for unit in query.units if not unit.prefix]
    return list(dict.fromkeys(term for unit in units for term in _terms(unit)))


def _terms(unit: Unit) -> tuple[str, ...]:
    """Return the terms that count for the unit: its tokens and the whole identifier."""
    return unit.tokens + unit.wholes


def _clip(postings: Postings, lines: Snapshot) -> Postings:
    """Leave out dead lines, and those younger than the snapshot."""
    ordinals, counts, places = postings
    young = len(ordinals) and int(ordinals[-1]) >= lines.size
    if young or lines.rows < lines.size:
        keep = lines.living(ordinals)
        return Postings(ordinals[keep], counts[keep], places[lines.living(lines_of(places))])
    return postings


def _within(postings: Postings, among: Mask) -> Places:
    return postings.places[among[lines_of(postings.places)]]


def _tells(term: str) -> bool:
    """Say whether it means anything where a term stands."""
    return not is_stop_word(term)


# ---------------------------------------------------------------------- FTS5 expressions
def _expressions(clause: Clause) -> dict[Kind, str]:
    """Return what each kind of record must hold for a clause with required units."""
    required = _each_kind(clause.required, " AND ")
    excluded = _each_kind(clause.excluded, " OR ")
    return {
        kind: f"({text}) NOT ({excluded[kind]})" if kind in excluded else text
        for kind, text in required.items()
    }


def _each_kind(units: Iterable[Unit], operator: str) -> dict[Kind, str]:
    """Join the units; a kind that lacks a column asked for drops it (OR) or drops out (AND)."""
    out = {}
    for kind in Kind:
        parts = [_exactly(kind, unit) for unit in units]
        found = [part for part in parts if part]
        if found and (operator == " OR " or len(found) == len(parts)):
            out[kind] = operator.join(found)
    return out


def _exactly(kind: Kind, unit: Unit) -> str | None:
    """Return the unit as one thing: its tokens in a row."""
    phrase = quote(" ".join(unit.tokens)) + (" *" if unit.prefix else "")
    if unit.column:
        return f"{unit.column} : {phrase}" if unit.column in COLUMNS[kind] else None
    if not unit.prefix:
        return phrase
    return f"({' OR '.join([phrase, *map(quote, outgrown_stems(unit))])})"


def _every_kind(expression: str) -> dict[Kind, str]:
    return dict.fromkeys(Kind, expression)


_NO_LINES: Ordinals = np.array([], dtype=np.int32)
_NO_PLACES: Places = np.array([], dtype=np.int64)
