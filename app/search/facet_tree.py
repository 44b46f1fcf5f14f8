"""The facets at the left: a click chooses, with Ctrl it adds, with Alt it excludes."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from app.search.facets import Mark, Pick, Value
from app.search.nothing import number
from app.search.request import Group
from app.search.wording import kind_name, type_name

_VALUE = Qt.ItemDataRole.UserRole


class FacetTree(QTreeWidget):
    """Branches of values and counts; what is chosen has a sign and stands in bold."""

    picked = Signal(object, object)  # Value, Pick

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Narrow the search"))
        self.setHeaderHidden(True)
        self.setColumnCount(2)
        self.setRootIsDecorated(True)
        self.setIndentation(14)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names often begin alike
        self.setStyleSheet("QTreeView::item { padding: 3px 2px; }")
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, self.header().ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, self.header().ResizeMode.ResizeToContents)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self._values: Mapping[Group, Sequence[Value]] = {}
        self._branches = {group: self._branch(title) for group, title in self._titles().items()}

    def show_values(self, values: Mapping[Group, Sequence[Value]]) -> None:
        """Show these counts; what is open stays open, and the place is kept."""
        if values == self._values:
            return
        self._values = values
        current = self._value_of(self.currentItem())
        place = self.verticalScrollBar().value()
        for group, branch in self._branches.items():
            branch.takeChildren()
            branch.addChildren([_row(value) for value in values[group]])
            branch.setHidden(not values[group])
            for row, value in enumerate(values[group]):
                child = branch.child(row)
                if child and current and value.chips() == current.chips():
                    self.setCurrentItem(child)
        self.verticalScrollBar().setValue(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        value = self._value_of(self.itemAt(event.position().toPoint()))
        if value and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(value, _pick(event.modifiers()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        value = self._value_of(self.currentItem())
        if value and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.picked.emit(value, _pick(event.modifiers()))
        else:
            super().keyPressEvent(event)

    def _open_menu(self, place: QPoint) -> None:
        value = self._value_of(self.itemAt(place))
        if not value:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        texts = {
            Pick.ONLY: self.tr("Only this\tClick"),
            Pick.ADD: self.tr("This too\tCtrl+Click"),
            Pick.EXCLUDE: self.tr("Not this\tAlt+Click"),
        }
        for pick, text in texts.items():
            menu.addAction(text).setData((value, pick))
        menu.triggered.connect(self._chosen)
        menu.popup(self.viewport().mapToGlobal(place))

    def _chosen(self, action: object) -> None:
        self.picked.emit(*action.data())  # type: ignore[attr-defined]

    def _titles(self) -> dict[Group, str]:
        return {
            Group.PROJECT: self.tr("Project"),
            Group.KIND: self.tr("Kind"),
            Group.TYPE: self.tr("Type"),
            Group.SOURCE: self.tr("Source"),
            Group.DATE: self.tr("Month"),
        }

    def _branch(self, title: str) -> QTreeWidgetItem:
        branch = QTreeWidgetItem(self, [title])
        font = branch.font(0)
        font.setBold(True)
        branch.setFont(0, font)
        branch.setExpanded(True)
        branch.setFlags(Qt.ItemFlag.ItemIsEnabled)
        branch.setHidden(True)
        return branch

    def _value_of(self, item: QTreeWidgetItem | None) -> Value | None:
        value = item.data(0, _VALUE) if item else None
        return value if isinstance(value, Value) else None


def _row(value: Value) -> QTreeWidgetItem:
    name = _name(value)
    shown = name if value.mark is Mark.FREE else f"{value.mark.value} {name}"
    row = QTreeWidgetItem([shown, number(value.count)])
    row.setData(0, _VALUE, value)
    row.setToolTip(0, shown)
    row.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    font = row.font(0)
    font.setBold(value.mark is Mark.CHOSEN)
    font.setStrikeOut(value.mark is Mark.EXCLUDED)
    row.setFont(0, font)
    return row


def _name(value: Value) -> str:
    if value.group is Group.KIND:
        return kind_name(value.name)
    return type_name(value.name) if value.group is Group.TYPE else value.name


def _pick(modifiers: Qt.KeyboardModifier) -> Pick:
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        return Pick.ADD
    return Pick.EXCLUDE if modifiers & Qt.KeyboardModifier.AltModifier else Pick.ONLY
