"""What is read beside the list: list and preview stay at the same memory."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.search.hits_model import HitsModel
from app.search.pane import Pane
from worker.shared.contract import Item


class Reader(QObject):
    """Shows in the preview what is chosen, and chooses in the list what the preview moves to."""

    chosen = Signal()  # another memory, by a person: the query was meant

    def __init__(
        self, pane: Pane, model: HitsModel, words: Callable[[], str], parent: QObject
    ) -> None:
        """`words` returns those of the query as it is now."""
        super().__init__(parent)
        self._pane, self._model, self._words = pane, model, words
        self.anchor = ""  # the memory that is read
        self._marked = ""  # the words that are marked in it
        pane.hits.chosen.connect(self._choose)
        pane.hits.opened.connect(self._enter_preview)
        pane.preview.anchor_changed.connect(self._follow)

    def read(self, ref: str, words: str = "") -> None:
        """Read a memory, these words marked."""
        self.anchor, self._marked = ref, words
        self._pane.preview.show_memory(ref, words)

    def forget(self, gone: frozenset[str]) -> None:
        """Read nothing more where the memory is among those that are gone."""
        if self.anchor in gone:
            self.anchor = ""
            self._pane.preview.clear()

    def select_again(self) -> None:
        """Choose what is read in new hits, where it is among them."""
        row = self._model.row_of(self.anchor) if self.anchor else None
        if row is not None:
            self._pane.hits.select_row(row)

    def enter_list(self) -> None:
        """Go into the list, to the row that was chosen or the first."""
        if self._model.rowCount():
            self._pane.hits.setFocus()
            row = max(0, self._pane.hits.currentIndex().row())
            self._pane.hits.select_row(row)
            self._mark_anew()

    def _choose(self, item: Item | None) -> None:
        if item and item.ref != self.anchor:
            self.chosen.emit()
            self.read(item.ref, self._words())

    def _follow(self, ref: str) -> None:
        self.anchor = ref
        row = self._model.row_of(ref)
        if row is None:
            self._pane.hits.clearSelection()
        else:
            self._pane.hits.select_row(row)

    def _enter_preview(self) -> None:
        self._mark_anew()
        self._pane.preview.setFocus()

    def _mark_anew(self) -> None:
        """Mark the words of the query as it is now in a memory that was chosen before."""
        item, words = self._pane.hits.item(), self._words()
        if item and item.ref == self.anchor and words != self._marked:
            self.read(item.ref, words)
