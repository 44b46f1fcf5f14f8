"""The preview with the keyboard alone, for a screen reader, and in longer words."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QListView, QWidget
from pytestqt.qtbot import QtBot

from app.search.preview.page import Page
from app.search.preview.preview import Preview
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.app.search_preview.test_preview import labels, read, rows, until_shown


class Longer(QTranslator):
    """A language whose words are 40 % longer."""

    def translate(
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        return text + "ñ" * (2 * len(text) // 5) if context in _CONTEXTS else ""


_CONTEXTS = ("Preview", "Bar", "Around", "FindBar", "Notice", "TextView", "Copier", "Writer")


@pytest.fixture
def longer(qapp: QApplication) -> Iterator[None]:
    translator = Longer()
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def reached(preview: Preview, presses: int = 40) -> list[QWidget]:
    """Return what Tab reaches, one after the other."""
    found = []
    for _ in range(presses):
        focused = QApplication.focusWidget()
        if focused is None or focused in found:
            break
        found.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Backtab)
    return found


def test_each_control_is_reached_by_the_keyboard(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, "#30", "disk")
    preview.find()
    preview.activateWindow()

    there = reached(preview)

    wanted = [b for b in preview.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled()]
    inside = [b for b in wanted if b.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert set(inside) <= set(there)
    assert [w for w in wanted if w not in inside] == []
    assert preview.findChild(Page) in there
    assert preview.findChild(QListView) in there


def test_each_control_has_a_name(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, "#30", "disk")

    for button in preview.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.text().strip("✕") or button.accessibleName()
    for view in (preview.findChild(Page), preview.findChild(QListView)):
        assert isinstance(view, QWidget)
        assert view.accessibleName()


def test_the_timeline_is_walked_with_the_keyboard(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, "#30")
    view = preview.findChild(QListView)
    assert isinstance(view, QListView)

    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    until_shown(qtbot, preview, "#31")

    qtbot.waitUntil(lambda: rows(preview)[3].startswith("▸"))


@pytest.mark.usefixtures("longer")
@pytest.mark.parametrize("query", ["disk", "zebra"])
def test_longer_words_fit(qtbot: QtBot, client: WorkerClient, theme: Theme, query: str) -> None:
    preview = Preview(client, theme)
    qtbot.addWidget(preview)
    preview.resize(420, 700)
    preview.show()
    read(qtbot, preview, "#30", query)

    assert any("ñ" in label for label in labels(preview))
    for button in preview.findChildren(QAbstractButton):
        if button.isVisible() and button.text():
            assert button.width() >= button.sizeHint().width()
    assert preview.minimumSizeHint().width() <= 420
