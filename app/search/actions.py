"""Shortcuts and menu entries, made from the one table of keys."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.search.keys import Act, Key


def add_actions(
    window: QWidget, keys: Sequence[Key], slots: Mapping[Act, Callable[[], None]]
) -> list[QAction]:
    """Give a window its keys, and return those entries that its menu shows."""
    shown = []
    for key in keys:
        if key.act is None:
            continue
        action = QAction(key.text, window)
        action.setShortcuts([QKeySequence(each) for each in (key.keys, *key.more_keys)])
        action.setShortcutVisibleInContextMenu(True)
        action.triggered.connect(slots[key.act])
        window.addAction(action)
        if key.in_menu:
            shown.append(action)
    return shown
