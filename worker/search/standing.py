"""How words stand to each other in a row, and where in it; pure functions over places."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from worker.index.keyword_rows import COLUMNS
from worker.index.postings import Places, columns_of, lines_of, offsets_of

SENTENCE = 20  # words; what stands within so many belongs together
LEAD = 25  # words; so many from the beginning of a text say what it is about

_FAR = np.iinfo(np.int64).max // 2
_HEADS = {"title", "request"}
_TEXTS = {"narrative", "text"}  # whose first words are a summary
_PROSE = _TEXTS | {"investigated", "learned", "completed", "next_steps", "notes"}
_COLUMNS = 16  # as many as a place can number
# By the code of the kind and by the column; lists (files, facts) and prompts have no rank.
_RANKS = np.zeros((len(COLUMNS), _COLUMNS), dtype=np.int8)
_LEADS = np.zeros((len(COLUMNS), _COLUMNS), dtype=np.int8)
for _row, _names in enumerate(COLUMNS.values()):
    _RANKS[_row, : len(_names)] = [2 * (c in _HEADS) + (c in _PROSE) for c in _names]
    _LEADS[_row, : len(_names)] = [c in _TEXTS for c in _names]


def near(words: Sequence[Places]) -> Places:
    """Return the lines in which all words stand within a sentence's length."""
    start = end = np.concatenate(words)
    for places in words:
        end = np.maximum(end, _next(places, start))
    return lines_of(start[end - start <= SENTENCE])


def in_order(words: Sequence[Places]) -> Places:
    """Return the lines in which the words follow each other within a sentence's length."""
    start = end = words[0]
    for places in words[1:]:
        follows = _next(places, end + 1)
        kept = follows - start <= SENTENCE
        start, end = start[kept], follows[kept]
    return lines_of(start)


def in_a_row(words: Mapping[int, Places]) -> Places:
    """Return where the first word stands with the others as far from it as their numbers are."""
    (first, places), *rest = words.items()
    for number, others in rest:
        wanted = places + (number - first)
        places = places[_next(others, wanted) == wanted]
    return places


def prominence(kinds: NDArray[np.int8], places: Places) -> NDArray[np.int8]:
    """Return the rank of each place: 2 in a title or the first words of a text, 1 in the text."""
    column = kinds[lines_of(places)] * np.int64(_COLUMNS) + columns_of(places)
    leading = _LEADS.ravel()[column] * (offsets_of(places) < LEAD)
    rank: NDArray[np.int8] = _RANKS.ravel()[column] + leading
    return rank


def _next(places: Places, start: Places) -> Places:
    """Return the first of the places at or after each start."""
    following: Places = np.append(places, _FAR)[np.searchsorted(places, start)]
    return following
