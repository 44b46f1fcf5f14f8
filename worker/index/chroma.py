"""The only file that imports chromadb: one collection of vectors, and what its failures mean."""

import hashlib
import importlib
import logging
import os
import platform
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import numpy as np

from worker.index.ascii_name import ascii_name
from worker.index.embedder import Matrix
from worker.index.hnsw_files import index_files_fit
from worker.index.keys import Keys
from worker.index.owned_folder import FolderDeadlyError, FolderInUseError, OwnedFolder
from worker.index.projection import Projection, View
from worker.shared.errors import MemtrayError
from worker.shared.left_out import stand_in

if TYPE_CHECKING:
    import httpx
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection
    from chromadb.config import Settings

log = logging.getLogger(__name__)

# The candidates Chroma keeps while it walks its graph, measured in docs/SEARCH.md.
EF_SEARCH, EF_SEARCH_MANY = 500, 1_000
MANY = 32_000  # vectors when the axes were computed
ADD_ROWS = 100  # Chroma holds the GIL while it adds: 50 ms for 100 rows, 2 s for its maximum, 5,461
READ_ROWS = 50_000  # ids; Chroma walks over all that come before a page
DELETE_ROWS = 1_000
ROOM = 32 * 2**20  # bytes of free disk without which Chroma is not asked to write
EQUAL = 0.001  # of a distance: vectors that are this much farther count as one
SERVER_SECONDS = 10.0  # chromadb itself would wait for ever


class ChromaError(MemtrayError):
    """Chroma failed in a way that building it anew may heal."""

    title = "The vector index does not work"
    code = "chroma"
    status = 503


class ChromaUnavailableError(ChromaError):
    """Chroma cannot be reached just now: not installed, in use, no server, no permission."""


class ChromaDeadlyError(ChromaError):
    """Chroma ended process after process; it stays closed until somebody asks for it anew."""


def entry_id(key: int, fingerprint: bytes) -> str:
    """Return the id in Chroma: an edited text has another one, so comparing ids finds edits."""
    return f"{key}.{fingerprint.hex()}"


def entry_key(entry: str) -> int:
    """Return the key in an id; ValueError for one that we did not make."""
    return int(entry.partition(".")[0])


class ChromaIndex:
    """One collection, in a folder that this process alone may open, or on a Chroma server.

    One thread opens, changes and closes; any number may ask. Every method raises ChromaError.
    """

    def __init__(
        self, folder: Path, *, model: str, dimension: int, server: str | None = None
    ) -> None:
        self.was_damaged = False  # it had to be begun anew since the process started
        self._server = server
        self._folder = None if server else OwnedFolder(folder)
        self._projection = View()
        self._names = _Names.of(model, dimension, folder if server else None)
        self._client: Client | None = None
        self._collection: Collection | None = None
        self.rows = 0  # how many entries the collection is known to hold

    # ------------------------------------------------------------------ life
    def open(self) -> None:
        """Open or create the collection; does nothing when open.

        Files that are damaged, or that killed the last process that opened them, are set aside.
        Raises ChromaDeadlyError, and stays closed, where process after process died here.
        """
        if self._collection is not None:
            if self.is_gone:
                raise ChromaError("Chroma's folder was deleted while it was open.")
            return
        self._need_room()
        try:
            with translated("being opened"):
                self._take()
            with translated("being imported", ChromaUnavailableError), self._marked(reading=False):
                _import_chromadb()
            with translated("being opened"), self._marked():
                self._client = self._connect()
                self._collection = self._get_collection(self._client)
                self.rows = self._collection.count()
        except ChromaError:
            self._disconnect()
            raise

    def _take(self) -> None:
        if self._folder:
            self.was_damaged |= self._folder.take()
            if not index_files_fit(self._folder.path):
                self._folder.begin_anew()
                self.was_damaged = True

    def forgive(self) -> None:
        """Have the next `open` try it, whoever died of it before."""
        if self._folder:
            self._folder.forgive()

    def project(self, projection: Projection | None) -> None:
        """Hold vectors projected like this from the next `open` on, whole ones for None."""
        name = self._name
        self._projection = projection or View()
        if self._client is not None and self._name != name:
            self._disconnect()

    @property
    def exists(self) -> bool:
        """Whether there are files of it, or a server that may have it."""
        return self._folder is None or self._folder.path.exists()

    @property
    def is_gone(self) -> bool:
        """Whether the folder of an open collection was deleted; Chroma itself may not notice."""
        folder = self._folder
        return self._collection is not None and folder is not None and not folder.path.exists()

    def close(self) -> None:
        """Close every file below the folder and let others open it."""
        self._disconnect()
        if self._folder:
            self._folder.release()

    def reset(self, *, anew: bool = False) -> None:
        """Empty the collection; set the whole folder aside where that fails, or when `anew`."""
        self.was_damaged = True
        if self._folder is None or not (self._client is None or anew or self.is_gone):
            try:
                self._recreate_collection()
            except ChromaError as exc:
                log.warning("the collection cannot be emptied: %s", exc.detail)
            else:
                return
        self._disconnect()
        if self._folder:
            with translated("being set aside", ChromaUnavailableError):
                self._folder.take()
                self._folder.begin_anew()
        self.open()

    def fault(self) -> str:
        """Return what is seen to be wrong with the files of a closed index, "" for nothing."""
        if self._folder is None or not self._folder.path.exists():
            return ""
        cut = "" if index_files_fit(self._folder.path) else "a file of it is cut short"
        return self._folder.fault() or cut

    # ------------------------------------------------------------------ reading
    def count(self) -> int:
        with translated("counting"):
            return self._opened().count()

    def ids(self) -> set[str]:
        """Return the id of every entry."""
        found: list[str] = []
        with translated("listing its ids"):
            while True:
                page = self._opened().get(include=[], limit=READ_ROWS, offset=len(found))["ids"]
                found += page
                if len(page) < READ_ROWS:
                    return set(found)

    def nearest(self, query: Matrix, k: int) -> Keys:
        """Return about the `k` nearest keys, from Chroma's own query, best first."""
        expected = min(k, self.rows)
        with translated("searching"):
            answer = self._opened().query(
                query_embeddings=self._projection.asked(query)[np.newaxis], n_results=k, include=[]
            )
            keys = np.array([entry_key(entry) for entry in answer["ids"][0]], np.int64)
        if len(keys) * 2 < expected:  # a broken index may answer nothing and raise nothing
            raise ChromaError(f"Chroma found {len(keys)} vectors where there are {expected}.")
        return keys

    def probe(self, keys: Keys, vectors: Matrix) -> float:
        """Return the share of these vectors that find themselves, or their equal; 1 of none."""
        if not len(keys):
            return 1.0
        # the index is read at the first query, and damage in it may kill
        with translated("searching"), self._marked():
            hits = sum(self._finds(key, row) for key, row in zip(keys, vectors, strict=True))
        return hits / len(keys)

    # ------------------------------------------------------------------ writing
    def add(self, keys: Keys, fingerprints: Sequence[bytes], vectors: Matrix) -> None:
        """Store these, in place of what their ids had."""
        self._need_room()
        ids = [entry_id(key, mark) for key, mark in zip(keys.tolist(), fingerprints, strict=True)]
        with translated("adding"):
            for start in range(0, len(ids), ADD_ROWS):
                part = slice(start, start + ADD_ROWS)
                stored = self._projection.stored(vectors[part])
                self._opened().upsert(ids=ids[part], embeddings=stored)
            self.rows = self._opened().count()

    def _need_room(self) -> None:
        """Raise ChromaUnavailableError on a full disk: Chroma would wait there, GIL in hand."""
        if self._folder is None:
            return
        parent = self._folder.path.parent
        free = shutil.disk_usage(parent).free if parent.exists() else ROOM
        if free < ROOM:
            raise ChromaUnavailableError(
                f"Only {free // 2**20} MB are free for {self._folder.path}; Chroma needs"
                f" {ROOM // 2**20} MB. Make room on that disk."
            )

    def remove(self, ids: Iterable[str]) -> None:
        """Delete these entries; unknown ids are fine."""
        gone = list(ids)
        with translated("deleting"):
            for start in range(0, len(gone), DELETE_ROWS):
                self._opened().delete(ids=gone[start : start + DELETE_ROWS])
            self.rows = self._opened().count()

    # ------------------------------------------------------------------ inside
    def _opened(self) -> "Collection":
        if self._collection is None:
            raise ChromaUnavailableError("Chroma is not open.")
        return self._collection

    def _marked(self, *, reading: bool = True) -> AbstractContextManager[None]:
        return self._folder.marked(reading=reading) if self._folder else nullcontext()

    @property
    def _name(self) -> str:
        return self._names.name(self._projection.mark)

    def _finds(self, key: int, vector: Matrix) -> bool:
        with translated("searching"):
            answer = self._opened().query(
                query_embeddings=self._projection.asked(vector)[np.newaxis],
                n_results=1,
                include=["distances"],
            )
            ids, distances = answer["ids"][0], (answer["distances"] or [[]])[0]
        far = self._projection.own_distance(vector) + EQUAL
        return bool(ids) and (entry_key(ids[0]) == key or distances[0] < far)

    def _connect(self) -> "Client":
        local = self._folder is not None
        client = (
            _local_client(self._folder.path) if self._folder else _server_client(self._server or "")
        )
        for other in client.list_collections():
            if other.name != self._name and (local or self._names.owns(other.name)):
                client.delete_collection(other.name)  # another model's vectors, or other axes
        return client

    def _get_collection(self, client: "Client") -> "Collection":
        seen = self._projection
        ef_search = EF_SEARCH_MANY if seen.fitted >= MANY else EF_SEARCH
        return client.get_or_create_collection(
            self._name,
            embedding_function=None,  # its default would download a model
            configuration={"hnsw": {"space": seen.space, "ef_search": ef_search}},
        )

    def _recreate_collection(self) -> None:
        with translated("emptying its collection"):
            client, self._collection, self.rows = self._client, None, 0
            if client is None:
                raise ChromaUnavailableError("Chroma is not open.")
            client.delete_collection(self._name)
            self._collection = self._get_collection(client)

    def _disconnect(self) -> None:
        client, self._client, self._collection, self.rows = self._client, None, None, 0
        with translated("closing"):
            if client is not None:
                client.close()
                for session in _sessions(client):
                    session.close()  # which chromadb leaves open
        if self._folder:
            self._folder.seal()


@dataclass(frozen=True, slots=True)
class _Names:
    """How our collections are called; on a server every data folder has its own."""

    first: str
    last: str

    @classmethod
    def of(cls, model: str, dimension: int, owner: Path | None) -> "_Names":
        first = f"memtray-{re.sub('[^A-Za-z0-9]+', '-', model)}-{dimension}"
        if owner is None:
            return cls(first, "")
        place = f"{platform.node()}:{owner.absolute()}"
        return cls(first, f"-{hashlib.blake2b(place.encode(), digest_size=4).hexdigest()}")

    def name(self, mark: str) -> str:
        """Return a name that Chroma accepts."""
        return f"{self.first}{f'-{mark}' if mark else ''}{self.last}"

    def owns(self, name: str) -> bool:
        """Say whether a collection holds our vectors, however they are projected."""
        return name.startswith(self.first) and name.endswith(self.last)


def _import_chromadb() -> None:
    """Import it with all telemetry off, and without gRPC, by which it would be sent."""
    os.environ.update(ANONYMIZED_TELEMETRY="False", ORT_DISABLE_TELEMETRY="1")
    stand_in("opentelemetry.exporter.otlp.proto.grpc.trace_exporter", "OTLPSpanExporter")
    stand_in("httpx._main")  # a command line, and what draws it in colours
    importlib.import_module("chromadb")


def _settings(**chosen: Any) -> "Settings":  # noqa: ANN401 - as many types as settings
    """Return Chroma's settings, deaf to a .env file in the working folder."""
    from chromadb.config import Settings

    return Settings(_env_file=None, anonymized_telemetry=False, **chosen)


def _local_client(folder: Path) -> "Client":
    import chromadb
    from chromadb.api.shared_system_client import SharedSystemClient

    settings = _settings(chroma_api_impl="chromadb.api.rust.RustBindingsAPI")
    try:
        return cast("Client", chromadb.PersistentClient(ascii_name(folder), settings=settings))
    except BaseException:
        SharedSystemClient.clear_system_cache()  # it would hand the broken one out again
        raise


def _server_client(server: str) -> "Client":
    import chromadb
    import httpx

    httpx.get(f"{server}/api/v2/heartbeat", timeout=SERVER_SECONDS).raise_for_status()
    url = urlsplit(server)
    tls = url.scheme == "https"
    host, port = url.hostname or "", url.port or (443 if tls else 80)
    settings = _settings(chroma_server_host=host, chroma_server_http_port=port)
    client = cast("Client", chromadb.HttpClient(host, port, ssl=tls, settings=settings))
    for session in _sessions(client):
        session.timeout = httpx.Timeout(SERVER_SECONDS)
    return client


def _sessions(client: "Client") -> "Iterator[httpx.Client]":
    """Yield what a client of a server talks through; a local one has nothing of the kind."""
    for api in (client._server, getattr(client._admin_client, "_server", None)):
        if session := getattr(api, "_session", None):
            yield session


@contextmanager
def translated(doing: str, error: type[ChromaError] = ChromaError) -> Iterator[None]:
    """Turn whatever Chroma raises into one of our two errors.

    Its Rust half panics with a BaseException, its HTTP half raises httpx's errors, the rest of it
    its own, ValueError and AttributeError.
    """
    try:
        yield
    except (ChromaError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except FolderInUseError as exc:
        raise ChromaUnavailableError(exc.detail) from exc
    except FolderDeadlyError as exc:
        raise ChromaDeadlyError(f"Chroma cannot be opened. {exc.detail}") from exc
    except BaseException as exc:
        if isinstance(exc, OSError) or type(exc).__module__.partition(".")[0] == "httpx":
            error = ChromaUnavailableError
        plain = " ".join(re.sub(r"\x1b\[[\d;]*m", "", str(exc)).split())  # some are in colours
        text = f"{type(exc).__name__}: {plain[:300]}"
        raise error(f"Chroma failed while {doing} ({text}).") from exc
