"""Where the user says which entries of the log to show."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from app.logs.selection import Selection

_DEBOUNCE = 150  # milliseconds
_PROGRAMS = ("app", "worker", "mcp_server")


class SelectionBar(QWidget):
    """A field, a level and a part; `changed` with the Selection."""

    changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self, clearButtonEnabled=True)
        self.field.setPlaceholderText(self.tr("Show only lines with… (Ctrl+F)"))
        self.field.setAccessibleName(self.tr("Show only lines with this text"))
        self.regex = QCheckBox(self.tr("&Regular expression"), self)
        self.level, self.part = self._levels(), self._parts()
        self._components: tuple[str, ...] = ()
        self._problem = QLabel(self)
        self._problem.setProperty("kind", "error")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self._timer = QTimer(self, interval=_DEBOUNCE, singleShot=True)
        self._lay_out()
        self._connect()

    @property
    def selection(self) -> Selection:
        """What is chosen now."""
        return Selection(
            self.level.currentData(),
            self.part.currentData() or "",
            self.field.text(),
            self.regex.isChecked(),
        )

    def give_up(self) -> bool:
        """Empty the field, if somebody types in it; False where there is nothing to empty."""
        typing = self.field.hasFocus() and bool(self.field.text())
        if typing:
            self.field.clear()
        return typing

    def show_problem(self, problem: str) -> None:
        """Say beside the field what is wrong with its text; "" for nothing."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))

    def offer(self, components: Sequence[str]) -> None:
        """Let the user choose among these parts; what is chosen stays."""
        if tuple(components) == self._components:
            return
        self._components = tuple(components)
        chosen = self.part.currentData()
        with QSignalBlocker(self.part):
            while self.part.count() > len(_PROGRAMS) + 1:
                self.part.removeItem(self.part.count() - 1)
            for component in self._components:
                self.part.addItem(component, component)
            self.part.setCurrentIndex(max(0, self.part.findData(chosen)))

    def _levels(self) -> QComboBox:
        box = QComboBox(self)
        for text, rank in (
            (self.tr("All levels"), 0),
            (self.tr("Info and graver"), 20),
            (self.tr("Warnings and errors"), 30),
            (self.tr("Errors"), 40),
        ):
            box.addItem(text, rank)
        box.setAccessibleName(self.tr("Level"))
        return box

    def _parts(self) -> QComboBox:
        box = QComboBox(self)
        box.addItem(self.tr("All parts"), "")
        names = (self.tr("Tray app"), self.tr("Worker"), self.tr("MCP servers"))
        for name, program in zip(names, _PROGRAMS, strict=True):
            box.addItem(name, program)
        box.setAccessibleName(self.tr("Part"))
        box.setMinimumContentsLength(14)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.regex, self.level, self.part):
            row.addWidget(widget)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(8)
        grid.addWidget(self.field, 0, 0)
        grid.addLayout(row, 0, 1)
        grid.addWidget(self._problem, 1, 0, 1, 2)
        grid.setColumnStretch(0, 1)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._timer.start)
        self.field.returnPressed.connect(self._tell)
        self._timer.timeout.connect(self._tell)
        for box in (self.level, self.part):
            box.currentIndexChanged.connect(self._tell)
        self.regex.toggled.connect(self._tell)
        QShortcut(QKeySequence.StandardKey.Find, self.window(), self.field.setFocus)

    def _tell(self) -> None:
        self._timer.stop()
        self.changed.emit(self.selection)
