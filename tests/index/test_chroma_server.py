"""A Chroma server does what Chroma's folder does."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.index.both import Corpus
from tests.index.chroma_entries import add, entries
from worker.index import chroma as chroma_module
from worker.index.chroma import ChromaIndex, ChromaUnavailableError


# ---------------------------------------------------------------------- a server
@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = Path(sys.executable).with_name("chroma")
    folder = tmp_path / "server"
    process = subprocess.Popen(
        [command, "run", "--path", folder, "--host", "127.0.0.1", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    pause = threading.Event()
    for _ in range(600):
        try:
            httpx.get(f"{address}/api/v2/heartbeat").raise_for_status()
            break
        except httpx.HTTPError:
            pause.wait(0.05)
    yield address, process
    process.kill()
    process.wait()


def test_a_server_does_what_the_folder_does(
    server: tuple[str, subprocess.Popen[bytes]],
    tmp_path: Path,
    corpus: Corpus,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, process = server
    chroma = ChromaIndex(tmp_path / "chroma", model="test", dimension=512, server=address)
    neighbour = ChromaIndex(tmp_path / "b" / "chroma", model="test", dimension=512, server=address)
    chroma.open()
    neighbour.open()
    add(chroma, corpus.first(150))

    assert chroma.ids() == entries(corpus.first(150))
    assert neighbour.count() == 0  # another data folder's memories are its own
    assert chroma.nearest(corpus.vectors[7], 1).tolist() == [corpus.keys[7]]
    chroma.reset()
    assert chroma.count() == 0
    assert not (tmp_path / "chroma").exists()

    monkeypatch.setattr(chroma_module, "SERVER_SECONDS", 0.2)
    chroma.close()
    chroma.open()
    process.send_signal(signal.SIGSTOP)
    os.waitpid(process.pid, os.WUNTRACED)  # until each of its threads has stopped
    with pytest.raises(ChromaUnavailableError):
        chroma.nearest(corpus.vectors[7], 1)
    neighbour.close()
    with pytest.raises(ChromaUnavailableError):
        neighbour.open()
    process.kill()
    process.wait()
    with pytest.raises(ChromaUnavailableError):
        chroma.nearest(corpus.vectors[7], 1)
    chroma.close()
