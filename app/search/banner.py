"""What stands above the hits when the worker is down or a part of search is impaired."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.status import AppStatus, Look

SEARCH_PARTS = ("store", "keyword", "vectors", "chroma", "model", "search")

translate = QCoreApplication.translate


class Remedy(StrEnum):
    """What the button of a banner does."""

    NONE = ""
    START = "start"
    RESTART = "restart"
    HEALTH = "health"
    AGAIN = "again"


@dataclass(frozen=True, slots=True)
class Warned:
    """What is wrong, and the way out."""

    text: str
    remedy: Remedy = Remedy.NONE
    part: str = ""


def warning_of(status: AppStatus | None, failure: str) -> Warned | None:
    """Return what to show; `failure` is what the last search ended with, "" for an answer."""
    if status is None or status.answers:
        if failure:
            return Warned(failure, Remedy.AGAIN)
        ill = [each for each in (status.impairments if status else ()) if each.part in SEARCH_PARTS]
        if not ill:
            return None
        text = translate("Banner", "Search does less than it should: {cause}")
        return Warned(text.format(cause=ill[0].cause), Remedy.HEALTH, ill[0].part)
    if status.look is Look.BUSY:
        return Warned(translate("Banner", "The worker is starting; the search follows by itself."))
    detail = status.detail.rstrip(".。")  # it stands in the middle of a sentence
    known = f"{status.headline} – {detail}" if detail else status.headline
    text = translate(
        "Banner", "The worker does not answer ({state}). What is shown stays readable."
    )
    remedy = Remedy.NONE
    if status.can_start:
        remedy = Remedy.START
    elif status.can_stop:
        remedy = Remedy.RESTART
    return Warned(text.format(state=known), remedy)


class Banner(QFrame):
    """One sentence and one button; hidden while all is well."""

    pressed = Signal(object)  # Warned

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "banner")
        self._warned: Warned | None = None
        self._text = QLabel(self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._button = QPushButton(self)
        self._button.clicked.connect(self._press)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(12)
        row.addWidget(self._text, 1)
        row.addWidget(self._button)
        self.hide()

    def show_warning(self, warned: Warned | None) -> None:
        """Show what is wrong; None hides the banner."""
        self._warned = warned
        self.setVisible(warned is not None)
        if warned:
            self._text.setText(f"⚠ {warned.text}")
            self._button.setText(self._labels().get(warned.remedy, ""))
            self._button.setVisible(warned.remedy is not Remedy.NONE)

    def _labels(self) -> dict[Remedy, str]:
        return {
            Remedy.START: self.tr("&Start worker"),
            Remedy.RESTART: self.tr("&Restart worker"),
            Remedy.HEALTH: self.tr("What is &wrong…"),
            Remedy.AGAIN: self.tr("&Try again"),
        }

    def _press(self) -> None:
        if self._warned:
            self.pressed.emit(self._warned)
