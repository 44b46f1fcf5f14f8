"""A normal window with all that the icon offers, for desktops that show no tray."""

from collections.abc import Sequence

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QIcon
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.home.action_button import ActionButton, ActionCheck
from app.status import AppStatus
from app.theme import Theme
from app.tray.actions import Actions
from app.tray.icons import Panel, state_icon
from app.window import Window

_ICON = 48  # pixels
_COLUMNS = 2


class HomeWindow(Window):
    """Shows the state and the actions; closing it asks whether to quit."""

    quit_confirmed = Signal()

    def __init__(self, actions: Actions, places: QSettings, theme: Theme) -> None:
        super().__init__("home", places, width=500, height=580)
        self.setWindowTitle(self.tr("Memtray"))
        self._actions, self._theme = actions, theme
        self._status: AppStatus | None = None
        self._question: QMessageBox | None = None
        self._picture = QLabel()
        self._headline = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._headline.setProperty("kind", "title")
        self._detail = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._detail.setProperty("kind", "muted")
        self._causes = QVBoxLayout()
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addLayout(self._head())
        layout.addLayout(self._causes)
        layout.addLayout(self._groups())
        layout.addStretch()
        layout.addWidget(self._explanation())
        area = QScrollArea(widgetResizable=True)  # for a screen of 400 points, as at 200 %
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(content)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)
        actions.causes_changed.connect(self._show_causes)
        theme.changed.connect(self._draw)
        self._show_causes()

    def open(self) -> None:
        """Show the window before all others."""
        self.present()

    def appear(self) -> None:
        """Show the window without taking the keyboard from the one that has it."""
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.show()
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, on=False)

    def show_status(self, status: AppStatus) -> None:
        """Show how the worker is from now on."""
        self._status = status
        self._headline.setText(status.headline)
        self._detail.setText(status.detail)
        self._detail.setVisible(bool(status.detail))
        self._draw()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask; nobody could reach the program any more if this just vanished."""
        super().closeEvent(event)
        event.ignore()
        self._ask()

    def give_way(self) -> None:
        """Vanish without a question: a tray has come."""
        if self._question is not None:
            self._question.reject()
        self.hide()

    def _ask(self) -> None:
        if self._question is None:
            self._question = self._new_question()
        self._question.setInformativeText(self._what_quitting_does())
        self._question.open()

    def _new_question(self) -> QMessageBox:
        question = QMessageBox(self)
        question.setIcon(QMessageBox.Icon.Question)
        question.setWindowTitle(self.tr("Quit – Memtray"))
        question.setText(self.tr("Quit Memtray?"))
        leave = question.addButton(self.tr("&Quit"), QMessageBox.ButtonRole.AcceptRole)
        stay = question.addButton(self.tr("&Minimise instead"), QMessageBox.ButtonRole.ActionRole)
        question.addButton(QMessageBox.StandardButton.Cancel)
        leave.clicked.connect(self.quit_confirmed)
        stay.clicked.connect(self.showMinimized)
        question.setDefaultButton(QMessageBox.StandardButton.Cancel)
        return question

    def _what_quitting_does(self) -> str:
        if self._status and self._status.can_stop and not self._status.quit_stops_worker:
            return self.tr("The worker keeps running, so Claude can go on searching.")
        return self.tr("The worker ends too; Claude starts one again when it searches.")

    def _head(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.addWidget(self._headline)
        words.addWidget(self._detail)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self._picture)
        row.addLayout(words, 1)
        return row

    def _groups(self) -> QVBoxLayout:
        a = self._actions
        groups = QVBoxLayout()
        groups.setSpacing(16)
        search = ActionButton(a.search)
        search.setDefault(True)
        groups.addWidget(search)
        groups.addWidget(ActionButton(a.paused))
        groups.addLayout(self._grid([a.start, a.stop, a.restart, a.health]))
        groups.addLayout(
            self._grid([a.recent, a.recalls, a.imports, a.capture, a.backups, a.logs, a.notices])
        )
        groups.addLayout(self._grid([a.settings, a.about]))
        groups.addWidget(ActionCheck(a.login))
        groups.addWidget(ActionButton(a.quit))
        return groups

    def _grid(self, entries: Sequence[QAction | QMenu]) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(8)
        for place, entry in enumerate(entries):
            button = _opener(entry) if isinstance(entry, QMenu) else ActionButton(entry)
            grid.addWidget(button, *divmod(place, _COLUMNS))
        return grid

    def _explanation(self) -> QFrame:
        frame = QFrame()
        frame.setProperty("kind", "banner")
        text = QLabel(
            self.tr(
                "This desktop shows no tray icons, so this window stands in for Memtray's icon. "
                "As soon as a tray appears, Memtray moves there."
            ),
            wordWrap=True,
        )
        layout = QVBoxLayout(frame)
        layout.addWidget(text)
        return frame

    def _show_causes(self) -> None:
        while (old := self._causes.takeAt(0)) is not None:
            if widget := old.widget():
                widget.deleteLater()
        for action in self._actions.causes:
            self._causes.addWidget(ActionButton(action))

    def _draw(self) -> None:
        if self._status is None:
            return
        panel = Panel.DARK if self._theme.colours.dark else Panel.LIGHT
        icon: QIcon = state_icon(self._status.look, panel)
        self._picture.setPixmap(icon.pixmap(_ICON, _ICON, QIcon.Mode.Normal))
        self.setWindowIcon(icon)


def _opener(menu: QMenu) -> QPushButton:
    button = QPushButton(menu.title())
    button.setMenu(menu)
    return button
