"""The indexes and the model while no worker runs: looked at from outside, nothing is changed."""

import threading
from contextlib import suppress

from worker.checks.report import degraded, down, off, ok
from worker.compose import keyword_index, vector_index
from worker.index.chroma import ChromaError, ChromaIndex, ChromaUnavailableError
from worker.index.embedder import SLOW_SECONDS, Embedder, EmbedderMissingError
from worker.index.kept import KeptVectors, KeptVectorsError
from worker.index.keyword import IndexNotWrittenError
from worker.index.vectors import VectorIndex
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState
from worker.shared.settings import Settings

_NEXT_START = "The next start of the worker builds it."
_WRITE = "Check that the disk is not full, and who owns the file."


def check_keyword(paths: Paths) -> PartReport:
    """Open the keyword index and compare it with itself, row by row."""
    index = keyword_index(paths)
    if not index.path.exists():
        return off("keyword", f"There is none yet. {_NEXT_START}")
    try:
        fault = index.fault(deep=True)
    except IndexNotWrittenError as exc:
        return down("keyword", exc.detail, _WRITE)
    if fault:
        remedy = "Build it anew from the memories: memtray-worker reindex keyword"
        return degraded("keyword", f"{index.path}: {fault}.", remedy)
    return ok("keyword")


def check_vectors(paths: Paths, settings: Settings) -> list[PartReport]:
    """Read the kept vectors, and look whether Chroma finds them."""
    if not settings.semantic:
        return [off("vectors", "Search by meaning is switched off in the settings.")]
    vectors = vector_index(paths, settings)
    kept = _check_kept(vectors.kept)
    if not vectors.chroma or not vectors.chroma.exists:
        return [kept, off("chroma", f"There is none yet. {_NEXT_START}")]
    return [kept, _check_chroma(vectors, vectors.chroma)]


def _check_kept(kept: KeptVectors) -> PartReport:
    if not kept.path.exists():
        return off("vectors", f"There are none yet. {_NEXT_START}")
    try:
        fault = kept.load()
    except KeptVectorsError as exc:
        return down("vectors", exc.detail, _WRITE)
    if fault:
        return degraded(
            "vectors",
            f"{kept.path} {fault}.",
            "The next start sets it aside and makes the vectors anew: memtray-worker restart",
        )
    return ok("vectors").model_copy(update={"done": len(kept)})


def _check_chroma(vectors: VectorIndex, chroma: ChromaIndex) -> PartReport:
    remedy = "Fill it anew from the kept vectors: memtray-worker reindex chroma"
    if fault := chroma.fault():
        return degraded("chroma", f"Chroma's folder: {fault}.", remedy)
    try:
        chroma.open()
        held = vectors.prove(chroma)
    except ChromaUnavailableError as exc:
        return degraded("chroma", exc.detail, "The kept vectors answer the same meanwhile.")
    except ChromaError as exc:
        return degraded("chroma", exc.detail, remedy)
    finally:
        chroma.close()
    return ok("chroma").model_copy(update={"done": held, "total": len(vectors.kept)})


def check_model(embedder: Embedder) -> PartReport:
    """Load the model, which proves itself by a vector that is known."""
    thread = threading.Thread(target=_load, args=(embedder,), name="model", daemon=True)
    thread.start()
    thread.join(SLOW_SECONDS)
    state, cause = embedder.state
    if state is PartState.OK:
        return ok("model")
    return down("model", cause, "Words are searched; meaning is not.")


def _load(embedder: Embedder) -> None:
    with suppress(EmbedderMissingError):  # its state tells
        embedder.load()
