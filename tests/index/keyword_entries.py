"""What a keyword index is given, and what it is asked."""

from worker.index.analyze import terms
from worker.index.fingerprint import text_fingerprint
from worker.index.keys import to_ref
from worker.index.keyword import KeywordIndex
from worker.index.keyword_rows import quote
from worker.shared.refs import Kind
from worker.store.records import Record


def put(index: KeywordIndex, *records: Record) -> None:
    index.put([(record, text_fingerprint(repr(record))) for record in records])


def found(index: KeywordIndex, text: str) -> set[str]:
    """Return the records that hold the words of `text` in a row."""
    phrase = quote(" ".join(terms(text)[0]))
    ordinals = index.lines(dict.fromkeys(Kind, phrase))
    return {str(to_ref(key)) for key in index.catalog.snapshot.keys[ordinals].tolist()}


def counted(index: KeywordIndex, term: str) -> dict[str, float]:
    """Return how much a term counts in each living record."""
    lines = index.catalog.snapshot
    ordinals, counts, _ = index.postings(term)
    pairs = zip(ordinals, counts, strict=True)
    return {str(to_ref(lines.keys[o])): float(n) for o, n in pairs if lines.alive[o]}
