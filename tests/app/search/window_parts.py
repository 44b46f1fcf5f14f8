"""What the tests of the search window look at and click."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.search.banner import Banner
from app.search.box import SearchBox
from app.search.result_list import ResultList
from app.search.window import SearchWindow
from tests.app.search.conftest import Scene
from tests.app.search.seen import child

Key = Qt.Key


def box_of(window: SearchWindow) -> SearchBox:
    return child(window, SearchBox)


def hits_of(window: SearchWindow) -> ResultList:
    return child(window, ResultList)


def rows_in(window: SearchWindow) -> int:
    return hits_of(window).model().rowCount()


def banner_of(window: SearchWindow) -> Banner:
    return child(window, Banner)


def opened(scene: Scene, qtbot: QtBot) -> SearchWindow:
    """Open the window and wait for what it shows first."""
    scene.window.open()
    qtbot.waitUntil(lambda: rows_in(scene.window) == scene.rows.count)
    qtbot.waitUntil(scene.window.isActiveWindow)  # for its shortcuts
    return scene.window
