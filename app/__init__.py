"""Memtray on the desktop: tray, windows, and the supervision of the worker."""

import ctypes
import sys

# PySide6 6.12 gives away None and True without owning them, with each call and each signal, as
# from Python 3.12 on one may. Before, a count is kept of their uses, and the process is ended when
# it comes to 0, after some minutes: so the count begins higher.
if sys.version_info < (3, 12):
    for _kept in (None, True, False, NotImplemented, ...):
        ctypes.c_ssize_t.from_address(id(_kept)).value += 1 << 30
