"""The text of one memory with a walk through its hits, and through what Find has found."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.search.preview.find_bar import FindBar
from app.search.preview.notice import Notice
from app.search.preview.page import Page
from app.search.preview.reading import lines_of
from app.search.preview.walk import Walk
from app.theme import Theme
from worker.shared.contract import SingleReply


class TextView(QWidget):
    """Shows a memory; `hits_changed` with the Walk through its hits, `followed` with a Link."""

    hits_changed = Signal(object)
    followed = Signal(object)
    menu_wanted = Signal(QPoint)  # on the screen

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._record: SingleReply | None = None
        self._hits, self._found = Walk(), Walk()
        self._place: int | None = None  # where to scroll to, once so much is written
        self._bar, self._page, self._rest = FindBar(), Page(), Notice()
        self._page.setAccessibleName(self.tr("Memory"))
        self.setFocusProxy(self._page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (self._bar, self._page, self._rest):
            layout.addWidget(widget)
        theme.changed.connect(self._restyle)
        self._connect()

    @property
    def selected(self) -> str:
        """What is selected, "" without a selection."""
        return self._page.selected()

    def show_record(self, record: SingleReply) -> None:
        """Show another memory from its beginning."""
        self._record = record
        self._bar.hide()
        self._hits, self._place = Walk(), 0
        self._write()

    def clear(self) -> None:
        """Show nothing."""
        self._record = None
        self._bar.hide()
        self._hits = Walk()
        self._page.writer.begin(iter(()), self._theme.colours)

    def next_mark(self) -> None:
        """Go to the next hit or, while Find is open, to the next place that it has found."""
        self._step(1)

    def previous_mark(self) -> None:
        """Go to the previous one."""
        self._step(-1)

    def open_find(self) -> None:
        """Open Find with what is selected."""
        self._bar.open_bar(self.selected.partition("\n")[0])

    def _connect(self) -> None:
        self._bar.typed.connect(self._look_for)
        self._bar.next_wanted.connect(self.next_mark)
        self._bar.previous_wanted.connect(self.previous_mark)
        self._bar.closed.connect(self._stop_finding)
        self._page.followed.connect(self.followed)
        self._page.menu_wanted.connect(self.menu_wanted)
        self._page.writer.grown.connect(self._grown)
        self._page.writer.done.connect(self._written)
        self._rest.pressed.connect(self._page.writer.write_rest)

    def _write(self) -> None:
        if self._record:
            self._page.writer.begin(lines_of(self._record), self._theme.colours)

    def _restyle(self) -> None:
        """Write it anew in other colours, and stay where one has read to."""
        self._place = self._page.verticalScrollBar().value()
        self._write()

    def _grown(self) -> None:
        self._keep_hits(Walk(tuple(self._page.writer.hits), self._hits.at))
        scrolling = self._page.verticalScrollBar()
        if self._place is not None and self._place <= scrolling.maximum():
            scrolling.setValue(self._place)
            self._place = None

    def _written(self) -> None:
        self._set_off()
        self._rest.hide()
        if self._page.writer.is_full:
            text = self.tr("This memory is very long: only its beginning is shown.")
            self._rest.say(text, self.tr("Show all"))

    @property
    def _walk(self) -> Walk:
        """The walk that the keys take."""
        return self._found if self._bar.text else self._hits

    def _step(self, step: int) -> None:
        walk = self._walk.moved(step)
        if self._bar.text:
            self._found = walk
            self._count_found()
        else:
            self._keep_hits(walk)
        self._arrive(walk)

    def _arrive(self, walk: Walk) -> None:
        if walk.places:
            self._page.go_to(walk.places[walk.at])
        self._set_off()

    def _set_off(self) -> None:
        self._page.set_off(self._walk, self._theme.colours, show_all=bool(self._bar.text))

    def _keep_hits(self, walk: Walk) -> None:
        self._hits = walk
        self.hits_changed.emit(walk)

    def _look_for(self, text: str) -> None:
        self._found = Walk(self._page.places_of(text)).moved(1)
        self._arrive(self._found)
        self._count_found()

    def _count_found(self) -> None:
        none = self.tr("not found") if self._bar.text else ""
        self._bar.count(self._found.counted(none=none))

    def _stop_finding(self) -> None:
        self._set_off()
        self._page.setFocus(Qt.FocusReason.OtherFocusReason)
