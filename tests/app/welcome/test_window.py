"""The first run, by keyboard and mouse: each screen can be skipped, and it comes but once."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings, Qt, QTranslator
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.background import Background
from app.clients.connections import Connections
from app.clients.panel import ClientsPanel
from app.clients.plan_dialog import PlanDialog
from app.settings.store import SettingsStore
from app.theme import Theme
from app.welcome.window import WelcomeWindow
from tests.app.clients.conftest import Home, Recalls
from worker.shared.autostart import StartAtLogin, entry_path
from worker.shared.clients.entry import System
from worker.shared.settings import load_settings


@pytest.fixture
def store(home: Home) -> SettingsStore:
    home.paths.own.mkdir(parents=True, exist_ok=True)
    return SettingsStore(home.paths.settings)


@pytest.fixture
def welcome(
    home: Home,
    background: Background,
    connections: Connections,
    store: SettingsStore,
    qapp: QApplication,
    qtbot: QtBot,
) -> WelcomeWindow:
    environ = {**home.system.environ, "MEMTRAY_PORT": "9"}
    window = WelcomeWindow(
        home.paths,
        background,
        connections,
        StartAtLogin(home.paths, home.system, executable=home.executable),
        store,
        QSettings(str(home.paths.own / "app.ini"), QSettings.Format.IniFormat),
        Theme(qapp),
        system=System("linux", environ, home.folder),
    )
    qtbot.addWidget(window)
    window.open()
    return window


def said(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if each.isVisible())


def key(widget: QWidget, which: Qt.Key, *, alt: bool = False) -> None:
    modifier = Qt.KeyboardModifier.AltModifier if alt else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(widget, which, modifier)


def welcomed(home: Home) -> bool:
    return load_settings(home.paths.settings).welcomed


def test_the_keyboard_leads_through_all_three(
    home: Home, welcome: WelcomeWindow, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: "Memories" in said(welcome) or "memories" in said(welcome))
    assert "Step 1 of 3" in said(welcome)
    assert welcome.next_button.hasFocus()

    key(welcome.next_button, Qt.Key.Key_Space)
    assert "Connect Claude" in said(welcome)
    key(welcome, Qt.Key.Key_Right, alt=True)
    assert "Step 3 of 3" in said(welcome)
    key(welcome, Qt.Key.Key_Left, alt=True)
    assert "Step 2 of 3" in said(welcome)
    key(welcome, Qt.Key.Key_N, alt=True)
    assert not welcomed(home)
    with qtbot.waitSignals([welcome.finished, welcome.search_requested]):
        key(welcome, Qt.Key.Key_S, alt=True)

    assert welcomed(home)
    assert not welcome.isVisible()


def test_skipped_at_once_it_does_not_come_again(
    home: Home, welcome: WelcomeWindow, qtbot: QtBot
) -> None:
    before = home.snapshot()

    with qtbot.waitSignals([welcome.finished, welcome.search_requested]):
        QTest.mouseClick(welcome.skip_button, Qt.MouseButton.LeftButton)

    assert welcomed(home)
    assert home.snapshot() == before
    assert not entry_path(home.system).exists()


def test_escape_is_enough(home: Home, welcome: WelcomeWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(welcome.finished):
        key(welcome, Qt.Key.Key_Escape)

    assert welcomed(home)


def test_a_session_that_ends_is_no_answer(home: Home, welcome: WelcomeWindow) -> None:
    welcome.close()

    assert not welcomed(home)


def test_a_client_is_connected_on_the_way(
    home: Home, welcome: WelcomeWindow, recalls: Recalls, qtbot: QtBot
) -> None:
    welcome.go_on()
    panel = welcome.findChildren(ClientsPanel)[0]
    qtbot.waitUntil(lambda: len(panel.rows) == 2)
    row = panel.rows["claude-desktop"]
    qtbot.waitUntil(row.connect_button.isVisible)
    QTest.mouseClick(row.connect_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(row.findChildren(PlanDialog)))
    connect = next(
        button
        for button in row.findChildren(PlanDialog)[0].findChildren(QPushButton)
        if "nnect" in button.text()
    )
    QTest.mouseClick(connect, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "✓ Connected" in said(row), timeout=15_000)

    welcome.go_on()
    qtbot.waitUntil(lambda: "Claude has not asked Memtray yet" in said(welcome))
    recalls.asked("claude-ai")

    qtbot.waitUntil(lambda: "✓ Claude Desktop really asked Memtray at" in said(welcome))


def test_start_at_login_is_off_until_it_is_wanted(
    home: Home, welcome: WelcomeWindow, qtbot: QtBot
) -> None:
    welcome.go_on()
    welcome.go_on()
    box = welcome.findChildren(QCheckBox)[0]
    entry = entry_path(home.system)
    assert not box.isChecked()

    key(box, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: entry.exists() and box.isChecked())

    key(box, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not entry.exists() and not box.isChecked())


def test_an_entry_that_cannot_be_written_is_told(
    home: Home, welcome: WelcomeWindow, qtbot: QtBot
) -> None:
    (home.folder / ".config" / "autostart").touch()
    welcome.go_on()
    welcome.go_on()
    box = welcome.findChildren(QCheckBox)[0]

    key(box, Qt.Key.Key_Space)

    qtbot.waitUntil(lambda: "Check who may write" in said(welcome))
    qtbot.waitUntil(lambda: not box.isChecked())


def test_settings_that_cannot_be_saved_hold_nobody_up(
    home: Home, welcome: WelcomeWindow, qtbot: QtBot
) -> None:
    home.paths.settings.mkdir()

    with qtbot.waitSignal(welcome.finished):
        key(welcome, Qt.Key.Key_Escape)

    assert not welcome.isVisible()


class Longer(QTranslator):
    """Stands for a language that is 40 % longer, and has no Latin letters."""

    def translate(
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        return text + "记忆" * (len(text) // 7 + 1)

    def isEmpty(self) -> bool:
        return False


@pytest.fixture
def longer(qapp: QApplication) -> Iterator[None]:
    """A longer language at 200 % of the size."""
    translator, font = Longer(), qapp.font()
    bigger = QFont(font)
    bigger.setPointSizeF(font.pointSizeF() * 2)
    qapp.installTranslator(translator)
    qapp.setFont(bigger)
    yield
    qapp.removeTranslator(translator)
    qapp.setFont(font)


def cut_off(window: QWidget) -> list[str]:
    """Return the texts that do not fit into the room they have."""
    labels = [each for each in window.findChildren(QLabel) if each.isVisible()]
    found = [
        each.text() for each in labels if each.height() < each.heightForWidth(each.width()) - 1
    ]
    buttons = [each for each in window.findChildren(QPushButton) if each.isVisible()]
    return found + [
        each.text() for each in buttons if each.width() < each.minimumSizeHint().width()
    ]


@pytest.mark.usefixtures("longer")
def test_a_longer_language_in_big_letters_fits(welcome: WelcomeWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "记忆" in said(welcome) and "claude-mem" in said(welcome))
    for _ in range(3):
        qtbot.waitUntil(lambda: cut_off(welcome) == [])
        welcome.go_on()
