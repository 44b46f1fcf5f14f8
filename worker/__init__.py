"""The worker owns the memory: store, indexes, search and the HTTP API."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("memtray")
except PackageNotFoundError:  # run from a folder that was never installed
    __version__ = "0.0.0"
