"""How quickly the search window opens, shows its first page and scrolls, over a real worker."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QEventLoop, QObject, QSettings
from PySide6.QtWidgets import QApplication, QWidget

from app.heartbeat import Heartbeat
from app.search.box import SearchBox
from app.search.hits_model import HitsModel
from app.search.result_list import ResultList
from app.search.window import SearchWindow
from app.settings.store import SettingsStore
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.bench.databases import Corpus
from tests.bench.table import Group, Row
from tests.bench.targets import row
from worker.shared.paths import Paths

T = TypeVar("T", bound=QWidget)

_WAITING = QEventLoop.ProcessEventsFlag.WaitForMoreEvents  # a busy loop would starve the worker
_SECONDS = 30
_OPENED = 15


class Painted(QObject):
    """Counts how often a view was painted after its model was filled."""

    def __init__(self, hits: ResultList) -> None:
        super().__init__()
        self._filled = False
        self.times = 0
        hits.model().modelReset.connect(self._fill)
        hits.model().dataChanged.connect(self._fill)
        hits.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and self._filled:
            self.times, self._filled = self.times + 1, False
        return False

    def _fill(self) -> None:
        self._filled = True


def measure(corpus: Corpus, *, queries: int) -> Group:
    """Open, search and scroll in a window on no screen; the times are in milliseconds."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    with tempfile.TemporaryDirectory() as folder:
        heart, began = Heartbeat(application), time.perf_counter()
        window = _window(application, corpus, Path(folder))
        box, hits = _child(window, SearchBox), _child(window, ResultList)
        painted = Painted(hits)
        first = _until_painted(painted, window.open)
        made = (time.perf_counter() - began) * 1000
        heart.longest_stall_ms()
        opened = [_opened(window, box) for _ in range(_OPENED)]
        typed = corpus.texts()[:queries]
        pages = [_until_painted(painted, partial(_enter, box, text)) for text in typed]
        _until_painted(painted, partial(_enter, box, ""))
        rows = hits.model().rowCount()
        places = [rows * n // 12 for n in range(1, 12)]
        scrolled = [_until_painted(painted, partial(_show, hits, at)) for at in places]
        stall = heart.longest_stall_ms()
        window.close()
    size = corpus.name.partition("-")[2]
    return Group(
        f"Search window, {size} observations",
        (
            Row("made and opened for the first time", made, "ms"),
            Row("of that, until its first page is painted", first, "ms"),
            row("window open", "opened again, p95", _p95(opened), unit="ms"),
            row("window page", "first page painted, p95", _p95(pages), unit="ms"),
            Row("first page painted, p50", statistics.median(pages), "ms"),
            Row("another page painted, p50", statistics.median(scrolled), "ms"),
            row("window stall", "longest stall of the window", stall, unit="ms"),
        ),
    )


def _window(application: QApplication, corpus: Corpus, folder: Path) -> SearchWindow:
    client = WorkerClient(Paths(corpus.data_dir), environ={})
    store = SettingsStore(folder / "settings.json")
    places = QSettings(str(folder / "app.ini"), QSettings.Format.IniFormat)
    window = SearchWindow(client, store, places, Theme(application))
    client.setParent(window)
    store.setParent(window)
    return window


def _until_painted(painted: Painted, act: Callable[[], None]) -> float:
    before, began = painted.times, time.perf_counter()
    act()
    while painted.times == before:
        if time.perf_counter() - began > _SECONDS:
            raise RuntimeError("the search window painted nothing")
        QApplication.processEvents(_WAITING)
    return (time.perf_counter() - began) * 1000


def _opened(window: SearchWindow, box: SearchBox) -> float:
    """Close it, open it, and wait until one can type."""
    window.close()
    began = time.perf_counter()
    window.open()
    while not (window.isActiveWindow() and box.hasFocus()):
        QApplication.processEvents(_WAITING)
    return (time.perf_counter() - began) * 1000


def _enter(box: SearchBox, text: str) -> None:
    box.setText(text)
    box.search_now()


def _show(hits: ResultList, at: int) -> None:
    model = hits.model()
    assert isinstance(model, HitsModel)
    hits.scrollTo(model.index(at))


def _child(window: SearchWindow, kind: type[T]) -> T:
    found = window.findChild(kind)
    assert isinstance(found, kind)
    return found


def _p95(figures: list[float]) -> float:
    return statistics.quantiles(figures, n=20, method="inclusive")[-1]
