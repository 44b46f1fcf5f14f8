"""The checks that need no index: they answer from the worker's first moment on."""

import os

from worker.checks.clients import check_clients
from worker.checks.place import check_port
from worker.checks.size import check_size
from worker.checks.surroundings import check_paths, check_settings
from worker.checks.watch import Watch
from worker.shared.clients.entry import System
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport

_OFTEN = 2.0  # seconds: they look at a few dozen files
_SELDOM = 10.0  # Claude Code's config may have megabytes
_PATIENCE = 0.2


class Around:
    """What is around a running worker."""

    def __init__(self, paths: Paths, port: int) -> None:
        checks = {
            "paths": (lambda: check_paths(paths), _OFTEN),
            "size": (lambda: check_size(paths), _SELDOM),
            "settings": (lambda: check_settings(paths.settings), _OFTEN),
            "port": (lambda: check_port(paths, port, os.environ), _OFTEN),
            "clients": (lambda: check_clients(paths, System.here()), _SELDOM),
        }
        self._watches = [
            Watch(part, check, every=seconds, patience=_PATIENCE)
            for part, (check, seconds) in checks.items()
        ]

    def reports(self) -> list[PartReport]:
        """Return how each is, almost at once."""
        return [watch.report() for watch in self._watches]

    def look_again(self) -> None:
        """Take what was found for outdated: something was mended."""
        for watch in self._watches:
            watch.forget()
