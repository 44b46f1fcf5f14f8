"""How many heaps the C library has for the worker's threads: what each holds back adds up."""

import ctypes
import sys

HEAPS = 2
_ARENA_MAX = -8  # M_ARENA_MAX in malloc.h of glibc


def share_heaps() -> None:
    """Have all threads share two heaps, where the C library would give each its own (glibc).

    To be called before there are threads. Python's lock keeps most of them from asking at once.
    """
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "mallopt"):
        library.mallopt(_ARENA_MAX, HEAPS)
