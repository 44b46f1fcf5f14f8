"""The same home as for the clients."""

from tests.app.clients.conftest import background, connections, home, recalls

__all__ = ["background", "connections", "home", "recalls"]
