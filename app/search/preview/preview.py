"""One memory, whole: its hits marked, its files to open, and around it what else happened."""

import time
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from app.search.preview.around import Around
from app.search.preview.bar import Bar
from app.search.preview.copier import Copier
from app.search.preview.copying import Form, tokens_of
from app.search.preview.history import Place
from app.search.preview.loading import Loading
from app.search.preview.names import ago, moment
from app.search.preview.notice import Notice
from app.search.preview.opener import Opener
from app.search.preview.reading import Act, Link
from app.search.preview.text_view import TextView
from app.search.preview.walk import Walk
from app.search.wording import type_name
from app.theme import Theme
from app.worker_client import WorkerClient
from worker.shared.contract import SingleReply
from worker.shared.errors import MemtrayError


class Preview(QWidget):
    """Reads one memory at a time from the worker; `anchor_changed` when it moved by itself."""

    anchor_changed = Signal(str)  # the ref of the memory that was chosen in here
    places_changed = Signal()  # can_go_back or can_go_forward may have changed

    def __init__(self, client: WorkerClient, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: SingleReply | None = None
        self._query = ""
        self._missed = False  # what was asked for last has not come
        self._loading = Loading(client, self)
        self._copier = Copier(client, self)
        self._opener = Opener(self)
        self._bar = Bar(self._tokens)
        self._about = _plain_label()
        self._text = TextView(theme)
        self._notice = Notice()
        self._around = Around(client)
        self.splitter = QSplitter(Qt.Orientation.Vertical)  # whose place a window may keep
        self._nothing, self._shown = _plain_label(), QWidget()
        self._stack = QStackedLayout()
        self._arrange()
        self._connect()
        self.clear()

    # ------------------------------------------------------------------ what is shown
    def show_memory(self, ref: str, query: str = "") -> None:
        """Show a memory with the words of a query marked; what is shown stays until it has come."""
        self._loading.go(Place(ref, query))

    def ask_again(self) -> None:
        """Ask for what has not come, as the worker answers again."""
        if self._missed:
            self._try_again()
        else:
            self._around.ask_again()

    def clear(self) -> None:
        """Show that nothing is chosen."""
        self._loading.drop()
        self._record = None
        self._query = ""
        self._about.clear()
        self._text.clear()
        self._around.clear()
        self._stack.setCurrentWidget(self._nothing)

    def back(self) -> None:
        """Show the memory that was shown before."""
        self._travel(-1)

    def forward(self) -> None:
        """Show the memory that `back` has left."""
        self._travel(1)

    @property
    def can_go_back(self) -> bool:
        return self._loading.history.ahead(-1) is not None

    @property
    def can_go_forward(self) -> bool:
        return self._loading.history.ahead(1) is not None

    @property
    def shown(self) -> str:
        """The ref of the memory that is shown, "" without one."""
        return self._record.ref if self._record else ""

    # ------------------------------------------------------------------ keys of the window
    def next_mark(self) -> None:
        """Go to the next hit or, while Find is open, to the next place that it has found."""
        self._text.next_mark()

    def previous_mark(self) -> None:
        """Go to the previous one."""
        self._text.previous_mark()

    def find(self) -> None:  # type: ignore[override]  # what QWidget finds by is never used
        """Open Find with what is selected."""
        if self._record:
            self._text.open_find()

    def copy_text(self) -> None:
        """Copy what is selected, else the whole memory."""
        if self._text.selected:
            self._copier.copy_text(self._text.selected)
        else:
            self._copy(Form.TEXT)

    def copy_id(self) -> None:
        """Copy the id, such as #12."""
        self._copy(Form.IDS)

    def copy_refs(self, refs: Sequence[str], form: Form) -> None:
        """Copy several memories in this order, whichever is shown."""
        self._copier.copy_refs(refs, form)

    def copy_around(self) -> None:
        """Copy the memory with what is listed around it, as a prompt block."""
        self.copy_refs(self._around.model.refs, Form.PROMPT)

    # ------------------------------------------------------------------ what comes in
    def _loaded(self, record: object) -> None:
        assert isinstance(record, SingleReply)  # noqa: S101 - the call's own model
        self._record, self._missed = record, False
        self._query = self._loading.wanted.query if self._loading.wanted else ""
        self._stack.setCurrentWidget(self._shown)
        self._notice.hide()
        self._about.setText("  ·  ".join(_about(record)))
        self._text.show_record(record)
        self._around.show_around(record.ref)
        self._tell_places()

    def _failed(self, error: object) -> None:
        assert isinstance(error, MemtrayError)  # noqa: S101 - as the call promises
        self._missed = True
        self._stack.setCurrentWidget(self._shown)
        self._notice.say(f"{error.title}. {error.detail}", self.tr("Try again"))
        self._tell_places()

    def _try_again(self) -> None:
        if self._loading.wanted:
            self._loading.go(self._loading.wanted)

    def _show_hits(self, walk: Walk) -> None:
        none = self.tr("no word of the search in it") if self._query else ""
        self._bar.show_hits(walk.counted(none=none), any_hits=bool(walk.places))

    def _tell_places(self) -> None:
        self._bar.show_places(back=self.can_go_back, forward=self.can_go_forward)
        self.places_changed.emit()

    # ------------------------------------------------------------------ what is done
    def _travel(self, step: int) -> None:
        if place := self._loading.travel(step):
            self.anchor_changed.emit(place.ref)

    def _move_to(self, ref: str) -> None:
        self._loading.go(Place(ref, self._query))
        self.anchor_changed.emit(ref)

    def _copy_form(self, form: Form) -> None:
        if form is Form.TEXT:
            self.copy_text()  # perhaps what is selected, as by its key
        else:
            self._copy(form)

    def _copy(self, form: Form) -> None:
        if self._record:
            self._copier.copy([self._record], form)

    def _tokens(self) -> int:
        return tokens_of([self._record]) if self._record else 0

    def _follow(self, link: Link) -> None:
        if link.act is Act.OPEN:
            self._opener.open(link.target)
        else:
            self._copy_link(link.target)

    def _copy_link(self, text: str) -> None:
        self._copier.copy_text(text)
        self._notice.say(self.tr("Copied: {text}").format(text=_short(text)))

    def _tell_absent(self, named: str) -> None:
        self._copier.copy_text(named)
        text = self.tr("Not found on this machine; the name was copied: {path}")
        self._notice.say(text.format(path=_short(named)))

    def _tell_opened(self, path: str) -> None:
        self._notice.say(self.tr("Opened: {path}").format(path=path))

    # ------------------------------------------------------------------ how it is made
    def _connect(self) -> None:
        self._loading.loaded.connect(self._loaded)
        self._loading.failed.connect(self._failed)
        self._bar.back_wanted.connect(self.back)
        self._bar.forward_wanted.connect(self.forward)
        self._bar.next_wanted.connect(self.next_mark)
        self._bar.previous_wanted.connect(self.previous_mark)
        self._bar.find_wanted.connect(self.find)
        self._bar.copy_wanted.connect(self._copy_form)
        self._bar.copy_all_wanted.connect(self.copy_around)
        self._text.hits_changed.connect(self._show_hits)
        self._text.followed.connect(self._follow)
        self._text.menu_wanted.connect(self._bar.open_menu)
        self._opener.opened.connect(self._tell_opened)
        self._opener.absent.connect(self._tell_absent)
        self._copier.told.connect(self._notice.say)
        self._around.chosen.connect(self._move_to)
        self._notice.pressed.connect(self._try_again)

    def _arrange(self) -> None:
        self._nothing.setText(self.tr("Choose a memory to read it here."))
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setProperty("kind", "muted")
        self._about.setProperty("kind", "muted")
        self._about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self._text)
        self.splitter.addWidget(self._around)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 1)
        layout = QVBoxLayout(self._shown)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (self._bar, self._about, self._notice):
            layout.addWidget(widget)
        layout.insertWidget(2, self.splitter, 1)
        self._stack.addWidget(self._nothing)
        self._stack.addWidget(self._shown)
        self.setLayout(self._stack)
        self.setFocusProxy(self._text)


def _about(record: SingleReply) -> Sequence[str]:
    """Return what a memory is and when it was kept."""
    now = int(time.time() * 1000)
    when = f"{moment(record.created_at_epoch)} ({ago(record.created_at_epoch, now)})"
    return (record.ref, type_name(record.type), record.project, when)


def _plain_label() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"
