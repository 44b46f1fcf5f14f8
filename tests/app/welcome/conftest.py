"""The same home as for the clients."""

from tests.app.clients.conftest import connections, home, recalls

__all__ = ["connections", "home", "recalls"]
