"""One part: how it is, why, and the buttons that help."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QWidget,
)

from app.health.remedies import FAULTY, Remedy, remedies
from app.health.wording import SHAPES, about, button_text, colour_of, figures, state_word
from app.parts import part_name
from app.theme import Colours
from worker.shared.readiness import PartReport, PartState


class Card(QFrame):
    """Shows one PartReport; `wanted` with the Remedy whose button was pressed."""

    wanted = Signal(object)

    def __init__(self, part: str, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._part, self._colours = part, colours
        self._shape, self._name, self._state = QLabel(self), QLabel(self), QLabel(self)
        self._about, self._figures = QLabel(self), QLabel(self)
        self._cause, self._remedy = QLabel(self), QLabel(self)
        self._bar = QProgressBar(self, textVisible=False)
        self._buttons = QHBoxLayout()
        self._offered: tuple[Remedy, ...] = ()
        self._report: PartReport | None = None
        self._lay_out()

    def show_report(self, report: PartReport, *, answers: bool) -> None:
        """Show how the part is now; `answers` says whether a worker does."""
        self._report = report
        self._state.setText(state_word(report.state))
        self._shape.setText(SHAPES[report.state])
        self.recolour(self._colours)
        _fill(self._cause, report.cause)
        _fill(self._remedy, report.remedy if report.state in FAULTY else "")
        self._progress(report)
        self._offer(remedies(report, answers=answers))
        self.show_age(0.0)
        self.setAccessibleName(f"{part_name(self._part)}: {state_word(report.state)}")
        self.setAccessibleDescription(f"{report.cause} {report.remedy}".strip())

    def show_age(self, elapsed: float) -> None:
        """Say how long ago it was looked at; `elapsed` are the seconds since it was shown."""
        if self._report:
            self._figures.setText(figures(self._report, elapsed))

    def recolour(self, colours: Colours) -> None:
        """Use the colours of another theme."""
        self._colours = colours
        if self._report:
            colour = colour_of(self._report.state, colours)
            for label in (self._shape, self._state):
                label.setStyleSheet(f"color: {colour};")

    def _lay_out(self) -> None:
        self._name.setText(part_name(self._part))
        self._about.setText(about(self._part))
        for label in (self._name, self._shape):
            font = label.font()
            font.setBold(True)
            label.setFont(font)
        for label in (self._about, self._figures, self._remedy):
            label.setProperty("kind", "muted")
        for label in (self._cause, self._remedy, self._about, self._figures):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        for label in (self._cause, self._remedy):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._figures.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._bar.setAccessibleName(part_name(self._part))
        self._bar.setMaximumHeight(self.fontMetrics().height() // 2)
        head = QHBoxLayout()
        head.setSpacing(8)
        for label in (self._name, self._state):
            head.addWidget(label)
        head.addWidget(self._about, 1)
        head.addWidget(self._figures, 1)
        self._buttons.setSpacing(8)
        grid = QGridLayout(self)
        grid.setContentsMargins(14, 10, 14, 10)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnMinimumWidth(0, self.fontMetrics().horizontalAdvance("✔✔"))
        grid.addWidget(self._shape, 0, 0)
        grid.addLayout(head, 0, 1)
        for row, widget in enumerate((self._cause, self._remedy, self._bar), 1):
            grid.addWidget(widget, row, 1)
        grid.addLayout(self._buttons, 4, 1)
        grid.setColumnStretch(1, 1)

    def _progress(self, report: PartReport) -> None:
        self._bar.setVisible(report.state is PartState.BUILDING)
        self._bar.setMaximum(report.total or 0)  # 0: on the way, nobody knows how far
        self._bar.setValue(report.done or 0)

    def _offer(self, offered: tuple[Remedy, ...]) -> None:
        if offered == self._offered:
            return
        self._offered = offered
        while item := self._buttons.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        for remedy in offered:
            button = QPushButton(button_text(remedy), self)
            button.setProperty("remedy", remedy.value)
            button.setAccessibleDescription(
                QCoreApplication.translate("Health", "Helps {part}").format(
                    part=part_name(self._part)
                )
            )
            button.clicked.connect(self._pressed)
            self._buttons.addWidget(button)
        self._buttons.addStretch(1)

    def _pressed(self) -> None:
        button = self.sender()
        if isinstance(button, QPushButton):
            self.wanted.emit(Remedy(button.property("remedy")))


def _fill(label: QLabel, text: str) -> None:
    label.setText(text)
    label.setVisible(bool(text))
