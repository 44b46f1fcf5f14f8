"""All parts below each other, each in a card of its own."""

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.health.card import Card
from app.health.findings import Findings
from app.theme import Colours

_AT_ONCE = 3  # cards made in one turn of the event loop; the window goes on in between


class PartsList(QScrollArea):
    """Keeps the cards of Findings; `wanted` with the Remedy of a pressed button."""

    wanted = Signal(object)
    completed = Signal()  # all cards are there

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self._colours = colours
        self._cards: dict[str, Card] = {}
        self._found = Findings((), 0.0)
        self._answers = False
        self._rest = QTimer(self, singleShot=True, interval=0)
        self._rest.timeout.connect(self._fill)
        self._inner = QWidget(self)
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(0, 0, 10, 0)
        self._column.setSpacing(8)
        self._column.addStretch(1)
        self.setWidget(self._inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def show_findings(self, found: Findings, *, answers: bool) -> None:
        """Show these parts and no others."""
        self._found, self._answers = found, answers
        for part in self._cards.keys() - {report.part for report in found.parts}:
            self._cards.pop(part).deleteLater()
        self._fill()

    def grow_older(self) -> None:
        """Say anew how long ago each was looked at."""
        elapsed = time.monotonic() - self._found.at
        for card in self._cards.values():
            card.show_age(elapsed)

    def recolour(self, colours: Colours) -> None:
        """Use the colours of another theme."""
        self._colours = colours
        for card in self._cards.values():
            card.recolour(colours)

    def go_to(self, part: str) -> bool:
        """Bring a part in sight; False where there is none of this name."""
        card = self._cards.get(part)
        if card is not None:
            self.ensureWidgetVisible(card)
            card.setFocus()
        return card is not None

    def _fill(self) -> None:
        """Show what is known in cards; those that are missing come a few at a time."""
        missing = [report for report in self._found.parts if report.part not in self._cards]
        later = {report.part for report in missing[_AT_ONCE:]}
        for place, report in enumerate(
            each for each in self._found.parts if each.part not in later
        ):
            card = self._cards.get(report.part) or self._new(report.part)
            if self._column.indexOf(card) != place:
                self._column.removeWidget(card)
                self._column.insertWidget(place, card)
            card.show_report(report, answers=self._answers)
        self.grow_older()
        if later:
            self._rest.start()
        else:
            self.completed.emit()

    def _new(self, part: str) -> Card:
        card = self._cards[part] = Card(part, self._colours, self._inner)
        card.wanted.connect(self.wanted)
        return card
