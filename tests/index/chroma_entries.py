"""Entries of Chroma, as its tests put and look at them."""

from tests.index.both import Corpus
from worker.index.chroma import ChromaIndex, entry_id


def add(chroma: ChromaIndex, corpus: Corpus) -> None:
    chroma.add(corpus.keys, corpus.fingerprints, corpus.vectors)


def entries(corpus: Corpus) -> set[str]:
    return set(map(entry_id, corpus.keys.tolist(), corpus.fingerprints))
