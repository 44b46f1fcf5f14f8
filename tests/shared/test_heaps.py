"""Threads share heaps where the C library would give each its own; elsewhere nothing is done."""

import subprocess
import sys

import pytest

from tests.integration.processes import ROOT
from worker.shared.heaps import HEAPS, give_back, share_heaps

# Prints how many heaps there are once eight threads have asked for memory.
_EIGHT_THREADS = """
import ctypes, sys, threading
from worker.shared.heaps import give_back, share_heaps
if sys.argv[1] == "shared":
    share_heaps()
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
all_there = threading.Barrier(8)
def ask():
    all_there.wait()
    library.malloc(ctypes.c_size_t(1000))
    all_there.wait()
threads = [threading.Thread(target=ask) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
give_back()
sys.stdout.flush()
library.malloc_info(0, ctypes.c_void_p.in_dll(library, "stdout"))
library.fflush(None)
"""


def heaps(how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", _EIGHT_THREADS, how],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    return done.stdout.count("<heap nr=")


@pytest.mark.skipif(sys.platform != "linux", reason="the heaps of glibc are counted")
def test_many_threads_share_two_heaps() -> None:
    if not heaps("own"):
        pytest.skip("this is not glibc")
    assert heaps("shared") <= HEAPS < heaps("own")


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_elsewhere_nothing_is_done(platform: str) -> None:
    share_heaps(platform)
    give_back(platform)
