"""The search box: tells when to search, and never while a word is being composed."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.search.request import Chip, read, without_unfinished

PAUSE_MS = 150  # in which nothing is typed

_MOST = 10_000  # characters; of more than MAX_QUERY, the answer says that it was cut


class SearchBox(QLineEdit):
    """Words are typed here; a filter that is typed to its end is handed over as a chip."""

    settled = Signal(str)  # the words to search: nothing was typed for a while, or Enter
    entered = Signal()  # after that, with Enter
    chips_typed = Signal(object)  # tuple of Chip
    list_wanted = Signal()  # Down
    last_chip_wanted = Signal()  # Backspace at the beginning

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(
            self.tr('Search memory: words, "phrases", project:name, -type:bugfix')
        )
        self.setAccessibleName(self.tr("Search memory"))
        self.setMaxLength(_MOST)
        self.setClearButtonEnabled(True)
        self._composing = False
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._paused)
        self.textEdited.connect(self._edited)
        self.textChanged.connect(self._changed)

    def show_words(self, words: str) -> None:
        """Show words that come from elsewhere; nothing is searched."""
        if words != self.text().strip():
            self.setText(words)
        self._pause.stop()

    def type_again(self, chip: Chip) -> None:
        """Take a chip back into the text, to be changed."""
        self.setText(f"{self.text().rstrip()} {chip.text}".lstrip())
        self._pause.stop()
        self.setFocus()

    def search_now(self) -> None:
        """What Enter does: what is typed counts as it is."""
        self._pause.stop()
        self._hand_over(whole=True)
        self._pause.stop()
        self.settled.emit(self.text().strip())
        self.entered.emit()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        if self._composing:
            self._pause.stop()
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, plain = event.key(), not event.modifiers()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.search_now()
        elif key == Qt.Key.Key_Down and plain:
            self.list_wanted.emit()
        elif key == Qt.Key.Key_Backspace and plain and self._is_at_start():
            self.last_chip_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _is_at_start(self) -> bool:
        return self.cursorPosition() == 0 and not self.hasSelectedText()

    def _paused(self) -> None:
        self.settled.emit(without_unfinished(self.text()).strip())

    def _edited(self) -> None:
        self._hand_over(whole=False)

    def _changed(self) -> None:
        """Also what the clear button does comes here."""
        if not self._composing:
            self._pause.start()

    def _hand_over(self, *, whole: bool) -> None:
        """Take filters out of the text; the cursor stays where it was among the words."""
        words, chips = read(self.text(), whole=whole)
        if chips:
            before = read(self.text()[: self.cursorPosition()], whole=whole)[0]
            self.setText(words)
            self.setCursorPosition(len(before))
            self.chips_typed.emit(chips)
