"""Logs, health and diagnostics with the keyboard alone, for a screen reader, in longer words."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QSettings, Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.background import Background
from app.health.diagnostics_window import DiagnosticsWindow
from app.health.window import HealthWindow
from app.logs.window import LogWindow
from app.theme import Theme
from app.window import Window
from app.worker_client import WorkerClient
from tests.app.health.samples import BROKEN, BUILDING, running, with_parts
from worker.shared.paths import Paths

Made = Callable[[], Window]
_NAMED = (QAbstractItemView, QLineEdit, QPlainTextEdit, QComboBox, QProgressBar)


class Longer(QTranslator):
    """A language whose words are 40 % longer."""

    def translate(
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        return text + "ñ" * (2 * len(text) // 5)


@pytest.fixture
def longer() -> Iterator[None]:
    translator = Longer()
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


@pytest.fixture(params=["logs", "health", "diagnostics"])
def make(
    request: pytest.FixtureRequest,
    paths: Paths,
    background: Background,
    places: QSettings,
    theme: Theme,
    qtbot: QtBot,
) -> Made:
    """Make one of the windows and show it, with a part in each state."""

    def health() -> HealthWindow:
        client = WorkerClient(paths)
        window = HealthWindow(paths, client, background, places, theme)
        client.setParent(window)
        window.show_status(running(with_parts(BROKEN, BUILDING)))
        return window

    makers: dict[str, Made] = {
        "logs": lambda: LogWindow(paths, background, places, theme),
        "health": health,
        "diagnostics": lambda: DiagnosticsWindow(paths, background, places, theme),
    }

    def made() -> Window:
        window = makers[request.param]()
        qtbot.addWidget(window)
        window.resize(760, 600)
        window.present()
        qtbot.waitExposed(window)
        qtbot.wait(50)
        return window

    return made


def reached(window: Window) -> set[QWidget]:
    """Return what Tab reaches."""
    found: list[QWidget] = []
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_Tab)
    while (focused := QApplication.focusWidget()) is not None and focused not in found:
        found.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Backtab)
    return set(found)


def test_each_control_is_reached_by_tab(make: Made) -> None:
    window = make()

    there = reached(window)

    controls = [
        each
        for each in window.findChildren(QWidget)
        if isinstance(each, (QAbstractButton, *_NAMED))
        and not isinstance(each, QProgressBar)
        and each.isVisible()
        and each.isEnabled()
        and not isinstance(each.parent(), QLineEdit | QAbstractItemView)
    ]
    assert controls
    assert [each for each in controls if each not in there] == []


def test_each_control_has_a_name(make: Made) -> None:
    window = make()

    for each in window.findChildren(QWidget):
        if isinstance(each, QAbstractButton) and not isinstance(
            each.parent(), QLineEdit | QAbstractItemView
        ):
            assert each.text() or each.accessibleName()
        elif isinstance(each, _NAMED) and each.parent() is window:
            assert each.accessibleName()


@pytest.mark.usefixtures("longer")
def test_longer_words_fit(make: Made) -> None:
    window = make()

    for button in window.findChildren(QAbstractButton):
        if button.isVisible() and button.text():
            assert "ñ" in button.text()
            assert button.width() >= button.minimumSizeHint().width()
    assert window.minimumSizeHint().width() <= 960  # half of a screen of 1920, at 200 %
