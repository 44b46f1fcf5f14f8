"""The worker owns the memory: store, indexes, search and the HTTP API."""

__version__ = "0.1.0"
