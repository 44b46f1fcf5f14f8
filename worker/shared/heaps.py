"""How much memory the C library holds back for the worker's threads (glibc)."""

import ctypes
import sys

HEAPS = 2
_ARENA_MAX = -8  # M_ARENA_MAX in its malloc.h


def share_heaps(platform: str = sys.platform) -> None:
    """Have all threads share two heaps, where each would get its own.

    To be called before there are threads. Python's lock keeps most of them from asking at once.
    """
    if library := _glibc(platform):
        library.mallopt(_ARENA_MAX, HEAPS)


def give_back(platform: str = sys.platform) -> None:
    """Return to the system what is free in the heaps."""
    if library := _glibc(platform):
        library.malloc_trim(0)


def _glibc(platform: str) -> ctypes.CDLL | None:
    library = ctypes.CDLL(None) if platform == "linux" else None
    return library if hasattr(library, "mallopt") else None  # musl has neither
