"""The window in longer words, with a name for each control, and in the hands of a keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
)
from pytestqt.qtbot import QtBot

from app.search.banner import Banner
from app.search.chip_bar import ChipLabel
from app.search.empty_panel import EmptyPanel, StepButton
from app.search.keys_dialog import KeysDialog
from app.search.pane import Pane
from app.search.window import SearchWindow
from tests.app.cut_off import cut_off
from tests.app.search.conftest import Made, Scene
from tests.app.search.seen import child, texts_in
from tests.app.search.window_parts import Key, opened
from tests.app.statuses import STOPPED

OURS = ("SearchWindow", "Head", "SearchBox", "Banner", "Keys", "KeysDialog", "Nothing", "Hits")


class Longer(QTranslator):
    """A language whose words are 40 % longer."""

    def translate(
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        return text + "ñ" * (2 * len(text) // 5) if context in OURS else ""


@pytest.fixture
def longer(qapp: QApplication) -> Iterator[None]:
    translator = Longer()
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def empty_and_down(scene: Scene, window: SearchWindow, qtbot: QtBot) -> None:
    """Have all that has words on the screen: chips, banner, reasons, steps."""
    scene.rows.found = {"pool": 0, 'pool {"obs_type": "[\\"bugfix\\"]"}': 0}
    window.open("type:bugfix project:web pool")
    panel = child(window, EmptyPanel)
    qtbot.waitUntil(lambda: "120" in texts_in(panel))
    window.show_status(STOPPED)
    qtbot.waitUntil(child(window, Banner).isVisible)


@pytest.mark.usefixtures("longer")
def test_longer_words_are_not_cut_off(new_window: Made, scene: Scene, qtbot: QtBot) -> None:
    window, _, _ = new_window()
    qtbot.addWidget(window)
    empty_and_down(scene, window, qtbot)
    child(window, Pane).preview.hide()  # it is looked at by itself

    assert "ñ" in texts_in(window)
    assert cut_off(window) == []
    QTest.keyClick(window, Key.Key_F1)
    qtbot.waitUntil(lambda: child(window, KeysDialog).isVisible())
    assert cut_off(child(window, KeysDialog)) == []
    window.close()


def test_a_step_is_read_whole_in_a_narrow_window(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    window.resize(900, 600)
    child(window, Pane).preview.hide()
    project = "the-shop-of-a-very-large-company"
    scene.rows.found = {"pool": 12} | dict.fromkeys(
        (
            f'pool {{"obs_type": "[\\"bugfix\\"]", "projects": "[\\"{project}\\"]"}}',
            f'pool {{"projects": "[\\"{project}\\"]", "obs_type": "[\\"bugfix\\"]"}}',
            f'pool {{"projects": "[\\"{project}\\"]"}}',
            'pool {"obs_type": "[\\"bugfix\\"]"}',
        ),
        0,
    )

    window.open(f"type:bugfix project:{project} pool")
    panel = child(window, EmptyPanel)
    panel.setMaximumWidth(380)
    qtbot.waitUntil(lambda: bool(panel.findChildren(StepButton)))

    (button,) = panel.findChildren(StepButton)
    words = "Remove the filters", project, "type:bugfix", "(12 found without them)"
    assert all(word in button.text().replace("\n", " ") for word in words)
    qtbot.waitUntil(lambda: cut_off(panel) == [])


def test_each_control_has_a_name(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    empty_and_down(scene, window, qtbot)

    for kind in (QAbstractButton, QComboBox, QLineEdit, QAbstractItemView, ChipLabel):
        for widget in window.findChildren(kind):
            if widget.isVisible() and widget.focusPolicy():
                shown = widget.text() if isinstance(widget, QAbstractButton) else ""
                assert shown or widget.accessibleName(), widget


def test_the_way_out_of_an_empty_list_is_reached_by_the_keyboard(
    scene: Scene, qtbot: QtBot
) -> None:
    window = opened(scene, qtbot)
    scene.rows.found = {'pool {"obs_type": "[\\"bugfix\\"]"}': 0, "pool": 12}
    window.open("type:bugfix pool")
    panel = child(window, EmptyPanel)
    qtbot.waitUntil(lambda: bool(panel.findChildren(QAbstractButton)))
    (button,) = panel.findChildren(QAbstractButton)
    qtbot.waitUntil(lambda: "120" in texts_in(panel))

    for _ in range(20):
        if button.hasFocus():
            break
        QTest.keyClick(QApplication.focusWidget() or window, Key.Key_Tab)
    QTest.keyClick(button, Key.Key_Space)

    qtbot.waitUntil(lambda: scene.rows.asked[-1].get("obs_type") is None)
