"""One app for a data folder: a lock decides who it is, a local socket carries what others ask."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from filelock import FileLock, Timeout
from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths

_ANSWER_MS = 3_000
_MAX_BYTES = 4096  # of a question

Answer = Callable[[str], Mapping[str, object]]


class NoAnswerError(MemtrayError):
    """There is no app that answers."""

    title = "Memtray does not answer"
    code = "no_answer"


def take_place(paths: Paths) -> FileLock | None:
    """Return a lock to be held as long as this app runs; None where another one holds it.

    The system frees it at the end of a process, also after a crash. Raises OSError where the
    folder cannot be written.
    """
    paths.create()
    lock = FileLock(paths.own / "app.lock", timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        return None
    return lock


def ask(paths: Paths, what: str, *, milliseconds: int = _ANSWER_MS) -> dict[str, object]:
    """Return what the running app answers; raise NoAnswerError if there is none that does."""
    socket = QLocalSocket()
    socket.connectToServer(socket_name(paths.data_dir))
    if socket.waitForConnected(milliseconds):
        socket.write(f"{what}\n".encode())
    received = b""
    while not received.endswith(b"\n"):
        if not socket.waitForReadyRead(milliseconds):
            raise NoAnswerError(
                f"No Memtray app that uses {paths.data_dir} answers. "
                "If its icon is to be seen, quit it there, else start it: memtray"
            )
        received += bytes(socket.readAll().data())
    answer: dict[str, object] = json.loads(received)
    return answer


def socket_name(data_dir: Path) -> str:
    """Return the name of the socket for a data folder: short, as systems want it."""
    digest = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()
    return f"memtray-{digest[:16]}"


class Reception(QObject):
    """Answers what other processes of the same user ask; only for who holds the lock."""

    def __init__(self, paths: Paths, answer: Answer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answer = answer
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._let_in)
        name = socket_name(paths.data_dir)
        QLocalServer.removeServer(name)  # left over from a crash
        if not self._server.listen(name):
            raise NoAnswerError(f"cannot listen for other starts: {self._server.errorString()}")

    def close(self) -> None:
        """Let nobody in any more."""
        self._server.close()

    def _let_in(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(self._reply)
            socket.disconnected.connect(socket.deleteLater)
        self._reply()

    def _reply(self) -> None:
        """Answer whoever has asked by now."""
        for socket in self._server.findChildren(QLocalSocket):
            if socket.bytesAvailable() > _MAX_BYTES:
                socket.abort()
            elif socket.canReadLine():
                asked = bytes(socket.readLine().data()).decode("utf-8", "replace").strip()
                socket.write(json.dumps(self._answer(asked)).encode() + b"\n")
                socket.disconnectFromServer()
