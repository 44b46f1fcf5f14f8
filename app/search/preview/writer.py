"""Writes a memory into a document, a little at a time, so that no window waits for a long one."""

import sys
import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument

from app.search.preview.look import block_format, char_format
from app.search.preview.names import field_name
from app.search.preview.reading import Line, Link, Shape, Span, shown
from app.theme import Colours

LINK = "link:"  # an address in the document is this and a number: no text of a memory

MOST = 100_000  # characters to begin with; more take long to be laid out at another width

_LINE, _SPAN = 50, 10  # characters that each counts for by itself
_SECONDS = 0.008  # of writing before the window is served again
_PIECE = 8_000  # characters before it is: what is written must be laid out as well

_Format = tuple[Shape, object, bool, bool]


class Writer(QObject):
    """Fills one document; `grown` after each piece, `done` with the last."""

    grown = Signal()
    done = Signal()

    def __init__(self, document: QTextDocument, parent: QObject) -> None:
        super().__init__(parent)
        self.hits: list[tuple[int, int]] = []  # where the hits stand in the document
        self.links: list[Link] = []
        self._document = document
        self._document.setUndoRedoEnabled(False)
        self._lines: Iterator[Line] = iter(())
        self._room = MOST
        self._formats: dict[_Format, QTextCharFormat] = {}
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._write)

    def begin(self, lines: Iterator[Line], colours: Colours) -> None:
        """Write these lines in place of all others."""
        self._timer.stop()
        self._document.clear()
        self.hits.clear()
        self.links.clear()
        self._formats.clear()
        self._lines, self._colours = lines, colours
        self._go_on(MOST)

    def write_rest(self) -> None:
        """Write what `begin` has left out of a very long memory."""
        self._go_on(sys.maxsize)

    @property
    def is_full(self) -> bool:
        """True where a memory is longer than what is written of it at first."""
        return self._room <= 0

    def _go_on(self, room: int) -> None:
        self._room = room
        self._timer.start()
        self._write()

    def _write(self) -> None:
        until, less = time.perf_counter() + _SECONDS, self._room - _PIECE
        cursor = QTextCursor(self._document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        while self._timer.isActive() and time.perf_counter() < until and self._room > less:
            line = None if self.is_full else next(self._lines, None)
            if line is None:
                self._timer.stop()
            else:
                self._write_line(cursor, line)
        cursor.endEditBlock()
        self.grown.emit()
        if not self._timer.isActive():
            self.done.emit()

    def _write_line(self, cursor: QTextCursor, line: Line) -> None:
        self._room -= _LINE
        block = block_format(line, self._colours)
        if self._document.isEmpty():
            block.setTopMargin(0)
            cursor.setBlockFormat(block)
        else:
            cursor.insertBlock(block)
        if line.bullet:
            plain = self._format(line.shape, Span(""))
            cursor.insertText(f"{shown(line.bullet)}\u2002", plain)
        for span in line.spans:
            self._write_span(cursor, line.shape, span)

    def _write_span(self, cursor: QTextCursor, shape: Shape, span: Span) -> None:
        text = span.text
        if shape is Shape.LABEL:
            text = shown(field_name(text))
        elif shape is Shape.CODE_HEAD:
            text = self.tr("Copy")
        start = cursor.position()
        self._room -= len(text) + _SPAN
        cursor.insertText(text, self._format(shape, span))
        if span.hit is None:
            return
        if span.hit < len(self.hits):  # it goes on beyond a sign of Markdown
            start = self.hits.pop()[0]
        self.hits.append((start, cursor.position()))

    def _format(self, shape: Shape, span: Span) -> QTextCharFormat:
        """Return the format of a span; each link has one of its own, which names it."""
        key = (shape, span.style, span.hit is not None, span.link is not None)
        if key not in self._formats:
            self._formats[key] = char_format(shape, span, self._colours)
        if span.link is None:
            return self._formats[key]
        if not self.links or self.links[-1] is not span.link:
            self.links.append(span.link)
        linked = QTextCharFormat(self._formats[key])
        linked.setAnchor(True)
        linked.setAnchorHref(f"{LINK}{len(self.links) - 1}")
        return linked
