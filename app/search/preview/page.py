"""The text of a memory on the screen: read, selected, followed, never fetched from anywhere."""

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from app.search.preview.walk import Walk
from app.search.preview.writer import LINK, Writer
from app.theme import Colours

MOST_FOUND = 2_000  # places that Find counts
MOST_SET_OFF = 300  # of those that it sets off


class Page(QTextBrowser):
    """Shows what its writer writes; `followed` with the Link that was clicked."""

    followed = Signal(object)
    menu_wanted = Signal(QPoint)  # on the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)  # Qt's own copies links
        self.document().setDocumentMargin(14)
        self.writer = Writer(self.document(), self)
        self.anchorClicked.connect(self._follow)
        self.customContextMenuRequested.connect(self._want_menu)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing: a document of ours has no resources, whatever a memory says."""
        return None

    def createMimeDataFromSelection(self) -> QMimeData:
        """Give what is selected as plain text: formats and links are for this window."""
        data = QMimeData()
        data.setText(self.selected())
        return data

    def selected(self) -> str:
        """Return the selected text, "" without a selection."""
        return self.textCursor().selection().toPlainText()

    def places_of(self, text: str) -> list[tuple[int, int]]:
        """Return where a text stands, in whatever case."""
        found: list[tuple[int, int]] = []
        cursor = QTextCursor(self.document())
        while text and len(found) < MOST_FOUND:
            cursor = self.document().find(text, cursor, QTextDocument.FindFlag(0))
            if cursor.isNull():
                break
            found.append((cursor.selectionStart(), cursor.selectionEnd()))
        return found

    def go_to(self, place: tuple[int, int]) -> None:
        """Scroll to a place."""
        self.setTextCursor(self._cursor(place[0], place[0]))
        self.ensureCursorVisible()

    def set_off(self, walk: Walk, colours: Colours, *, show_all: bool) -> None:
        """Set off the place where a walk is; with `show_all` all others too, in another way."""
        if walk.at < 0:
            self.setExtraSelections([])
            return
        meant, others = QTextCharFormat(), QTextCharFormat()
        meant.setBackground(QColor(colours.accent))
        meant.setForeground(QColor(colours.on_accent))
        meant.setFontUnderline(True)
        others.setBackground(QColor(colours.mark))
        others.setForeground(QColor(colours.on_mark))
        others.setFontUnderline(True)
        here = walk.places[walk.at]
        places = walk.places[:MOST_SET_OFF] if show_all else ()
        self.setExtraSelections(
            [
                *(self._selection(place, others) for place in places if place != here),
                self._selection(here, meant),
            ]
        )

    def _want_menu(self, place: QPoint) -> None:
        self.menu_wanted.emit(self.viewport().mapToGlobal(place))

    def _selection(
        self, place: tuple[int, int], chars: QTextCharFormat
    ) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.cursor, selection.format = self._cursor(*place), chars
        return selection

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _follow(self, address: QUrl) -> None:
        number = address.toString().removeprefix(LINK)
        if number.isdecimal() and int(number) < len(self.writer.links):
            self.followed.emit(self.writer.links[int(number)])
