"""`memtray --self-test`: whether every window of this installation can be made and drawn."""

import importlib
import logging
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.application import Application
from app.process import new_application
from app.windows import Windows
from worker.shared.paths import Paths
from worker.shared.settings import save_settings

_CHARTS = "charts"  # are loaded when somebody looks at them


def self_test() -> int:
    """Print a line for each window, drawn on no screen; return 0 if all can be, else 1."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="memtray-", ignore_cleanup_errors=True) as folder:
        paths = Paths(Path(folder))
        paths.create()
        save_settings(paths.settings, {"start_worker": False, "welcomed": True})
        qt = new_application(["memtray"])
        trial = Trial(Application(qt, paths), tuple(_makers()))
        _show_faults()
        qt.exec()
    return _told(trial)


class Trial(QObject):
    """Opens one window after another, as a person does, and leaves."""

    def __init__(self, app: Application, names: Sequence[str]) -> None:
        super().__init__(app)
        self.names = names
        self.drawn: list[str] = []
        self._app = app
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._turn)
        self._turns.start(0)
        self._left = iter(names)
        app.begin(openly=False)

    def _turn(self) -> None:
        """Draw the next; one that fails is logged, as all that fails in a slot, and left out."""
        name = next(self._left, "")
        if name:
            self._draw(name)
        else:
            self._turns.stop()
            self._app.quit()

    def _draw(self, name: str) -> None:
        if name == _CHARTS:
            importlib.import_module("app.recalls.plot")
        else:
            window: QWidget = getattr(self._app.windows, name)
            window.show()
            window.grab()
            window.close()
        self.drawn.append(name)


def _show_faults() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.ERROR)
    logging.getLogger().addHandler(handler)


def _makers() -> Iterator[str]:
    """Yield the names of all windows, which are made when they are asked for."""
    yield from (name for name, maker in vars(Windows).items() if isinstance(maker, cached_property))
    yield _CHARTS


def _told(trial: Trial) -> int:
    for name in trial.names:
        sys.stdout.write(f"ok  {name}\n" if name in trial.drawn else f"XX  {name}\n")
    sys.stdout.flush()
    return int(len(trial.drawn) < len(trial.names))
