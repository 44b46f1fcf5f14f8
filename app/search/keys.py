"""One table of keys, from which shortcuts, menus and the help are made."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence


class Act(StrEnum):
    """What a key does in the search window."""

    OPEN = "open"
    BOX = "box"
    FIND = "find"
    NEXT_MARK = "next mark"
    PREVIOUS_MARK = "previous mark"
    BACK = "back"
    FORWARD = "forward"
    COPY = "copy"
    COPY_ID = "copy id"
    NEW = "new"
    ZOOM_IN = "zoom in"
    ZOOM_OUT = "zoom out"
    ZOOM_RESET = "zoom reset"
    WHY = "why"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Key:
    """A key and what it does; without an act it is told in the help and handled where it is hit."""

    keys: str  # as QKeySequence reads them
    text: str
    act: Act | None = None
    in_menu: bool = False
    more_keys: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The key as this system writes it."""
        return QKeySequence(self.keys).toString(QKeySequence.SequenceFormat.NativeText)


def all_keys() -> tuple[Key, ...]:
    """Return the table, in the language that is spoken now."""
    translate = QCoreApplication.translate
    return (
        Key("Return", translate("Keys", "Search now; in the list: read the memory")),
        Key("Down", translate("Keys", "From the box into the list, and down the list")),
        Key("Up", translate("Keys", "Up the list, and from its top into the box")),
        Key("Ctrl+L", translate("Keys", "Go to the search box"), Act.BOX),
        Key("Ctrl+F", translate("Keys", "Find in the memory"), Act.FIND, in_menu=True),
        Key("F3", translate("Keys", "Next hit in the memory"), Act.NEXT_MARK, in_menu=True),
        Key(
            "Shift+F3",
            translate("Keys", "Previous hit in the memory"),
            Act.PREVIOUS_MARK,
            in_menu=True,
        ),
        Key("Alt+Left", translate("Keys", "Back"), Act.BACK, in_menu=True),
        Key("Alt+Right", translate("Keys", "Forward"), Act.FORWARD, in_menu=True),
        Key("Ctrl+I", translate("Keys", "Why this is a hit"), Act.WHY, in_menu=True),
        Key("Ctrl+C", translate("Keys", "Copy the text"), Act.COPY, in_menu=True),
        Key("Ctrl+Shift+C", translate("Keys", "Copy the id"), Act.COPY_ID, in_menu=True),
        Key("Ctrl+N", translate("Keys", "New memory…"), Act.NEW, in_menu=True),
        Key("Ctrl++", translate("Keys", "Larger text"), Act.ZOOM_IN, more_keys=("Ctrl+=",)),
        Key("Ctrl+-", translate("Keys", "Smaller text"), Act.ZOOM_OUT),
        Key("Ctrl+0", translate("Keys", "Text of the usual size"), Act.ZOOM_RESET),
        Key("Backspace", translate("Keys", "At the beginning of the box: edit the last filter")),
        Key(
            "Delete",
            translate("Keys", "On a filter: remove it; in the list: delete what is chosen"),
        ),
        Key("Esc", translate("Keys", "Clear the search, then close the window")),
        Key("F1", translate("Keys", "Show these keys"), Act.HELP),
    )
