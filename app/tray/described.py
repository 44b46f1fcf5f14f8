"""What is on the screen, as plain data: for scripts, and for tests that use a real tray."""

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_ROWS = 10
_CHARACTERS = 2000


def described_menu(menu: QMenu) -> list[dict[str, object]]:
    """Return the visible lines of a menu in their order, separators left out."""
    lines: list[dict[str, object]] = []
    for action in menu.actions():
        if action.isSeparator() or not action.isVisible():
            continue
        line: dict[str, object] = {
            "text": action.text().replace("&&", "\0").replace("&", "").replace("\0", "&"),
            "enabled": action.isEnabled(),
            "geometry": box(menu.actionGeometry(action).translated(menu.pos())),
        }
        if action.isCheckable():
            line["checked"] = action.isChecked()
        inner = action.menu()
        if isinstance(inner, QMenu):
            line["lines"] = described_menu(inner)
        lines.append(line)
    return lines


def described_windows(windows: Iterable[QWidget]) -> list[dict[str, object]]:
    """Return the windows that can be seen, with the texts that stand in them."""
    return [
        {
            "name": window.objectName(),
            "title": window.windowTitle(),
            "geometry": box(window.frameGeometry()),
            "active": window.isActiveWindow(),
            "texts": [text for text in _texts(window) if text],
        }
        for window in windows
        if window.isVisible() and window.windowTitle()  # menus and the icon have none
    ]


def _texts(window: QWidget) -> Iterator[str]:
    """Yield what labels, buttons and texts say, and the first rows of lists."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QTextEdit | QPlainTextEdit):
            yield widget.toPlainText()[:_CHARACTERS]
        elif isinstance(widget, QAbstractItemView) and widget.model():
            model = widget.model()
            for row in range(min(_ROWS, model.rowCount())):
                yield str(model.index(row, 0).data() or "")


def box(rectangle: QRect) -> list[int]:
    """Return left, top, width and height."""
    return [rectangle.x(), rectangle.y(), rectangle.width(), rectangle.height()]
