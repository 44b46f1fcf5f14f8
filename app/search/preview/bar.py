"""What stands above the text of a memory: back and forward, its hits, finding and copying."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.search.preview.copying import Form
from app.search.preview.find_bar import arrow_button


class Bar(QWidget):
    """Buttons that say what is wanted; `copy_wanted` carries a Form."""

    back_wanted = Signal()
    forward_wanted = Signal()
    next_wanted = Signal()
    previous_wanted = Signal()
    find_wanted = Signal()
    copy_wanted = Signal(object)
    copy_all_wanted = Signal()  # with the rows of the timeline

    def __init__(self, tokens: Callable[[], int], parent: QWidget | None = None) -> None:
        """`tokens` tells how long the prompt block would be; it is asked as the menu opens."""
        super().__init__(parent)
        self._tokens = tokens
        arrow = Qt.ArrowType
        back, forward = self.tr("Back (Alt+Left)"), self.tr("Forward (Alt+Right)")
        before, after = self.tr("Previous hit (Shift+F3)"), self.tr("Next hit (F3)")
        self._back = arrow_button(arrow.LeftArrow, back, self.back_wanted)
        self._forward = arrow_button(arrow.RightArrow, forward, self.forward_wanted)
        self._previous = arrow_button(arrow.UpArrow, before, self.previous_wanted)
        self._next = arrow_button(arrow.DownArrow, after, self.next_wanted)
        self._counter = QLabel()
        self._counter.setProperty("kind", "muted")
        self._counter.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._find = QToolButton()
        self._find.setText(self.tr("&Find"))
        self._find.setToolTip(self.tr("Find in this memory (Ctrl+F)"))
        self._find.clicked.connect(self.find_wanted)
        self._copy = self._make_copy()
        self._arrange()
        self.show_places(back=False, forward=False)

    def show_places(self, *, back: bool, forward: bool) -> None:
        """Enable what leads somewhere."""
        self._back.setEnabled(back)
        self._forward.setEnabled(forward)

    def show_hits(self, counter: str, *, any_hits: bool) -> None:
        """Show the counter, and the way to the next hit where there is one."""
        self._counter.setText(counter)
        self._counter.setWordWrap(not any_hits)  # a number needs no second line
        self._previous.setVisible(any_hits)
        self._next.setVisible(any_hits)

    def open_menu(self, place: QPoint) -> None:
        """Open the menu of Copy somewhere else on the screen."""
        self._menu.popup(place)

    def _make_copy(self) -> QToolButton:
        """Make the menu; the keys in it are the window's own."""
        button = QToolButton()
        button.setText(self.tr("&Copy") + " ▾")
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = self._menu = QMenu(button)
        for form, text in (
            (Form.TEXT, self.tr("Text") + "\tCtrl+C"),
            (Form.IDS, self.tr("ID") + "\tCtrl+Shift+C"),
            (Form.MARKDOWN, self.tr("As Markdown")),
            (Form.JSON, self.tr("As JSON")),
            (Form.PROMPT, ""),
        ):
            action = menu.addAction(text)
            action.setData(form)
        self._prompt = action
        menu.addSeparator()
        menu.addAction(self.tr("With the rows below, as a prompt block"), self.copy_all_wanted.emit)
        menu.aboutToShow.connect(self._tell_tokens)
        menu.triggered.connect(self._copy_form)
        button.setMenu(menu)
        return button

    def _tell_tokens(self) -> None:
        text = self.tr("As a prompt block (about {count} tokens)")
        self._prompt.setText(text.format(count=f"{self._tokens():,}"))

    def _copy_form(self, action: QAction) -> None:
        if action.data():
            self.copy_wanted.emit(Form(action.data()))  # which Qt gives back as a mere str

    def _arrange(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._back)
        layout.addWidget(self._forward)
        layout.addWidget(self._counter, 1)
        layout.addWidget(self._previous)
        layout.addWidget(self._next)
        layout.addSpacing(8)
        layout.addWidget(self._find)
        layout.addWidget(self._copy)
