"""The search window: a query above, its hits in the middle, what they hold at the right."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QByteArray, QPoint, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QLabel, QMenu, QVBoxLayout

from app.importing.found import Found
from app.letting_go.letting_go import LettingGo
from app.letting_go.told_bar import ToldBar
from app.saving.dialog import NewMemoryDialog
from app.saving.wording import saved_line
from app.search.actions import add_actions
from app.search.banner import Banner, Remedy, Warned
from app.search.facets import Pick, Value, picked
from app.search.head import Head
from app.search.hits_model import HitsModel
from app.search.keys import Act, all_keys
from app.search.keys_dialog import KeysDialog
from app.search.nothing import Does, Step
from app.search.pane import Pane
from app.search.queries import QueryShelf
from app.search.reader import Reader
from app.search.request import Chip, Query, query_of
from app.search.searcher import Answer, Searcher, Wider
from app.search.shown import Shown, is_back
from app.search.zoom import Zoom, points_of
from app.settings.store import SettingsStore
from app.status import AppStatus
from app.theme import Theme
from app.window import Window
from app.worker_client import WorkerClient
from worker.shared.contract import Mode, OrderBy, SaveReply
from worker.shared.errors import MemtrayError
from worker.shared.settings import Settings

QUERIES = "queries.json"
_INDEXED_MS = 1_500  # within which what was saved is found by its words


class SearchWindow(Window):
    """Searches while one types, and reads what is chosen."""

    start_requested = Signal()
    restart_requested = Signal()
    health_requested = Signal(str)  # the part that is ill
    import_requested = Signal()

    def __init__(
        self,
        client: WorkerClient,
        settings_store: SettingsStore,
        places: QSettings,
        theme: Theme,
    ) -> None:
        super().__init__("search", places, width=1180, height=760)
        self.setWindowTitle(self.tr("Search memory – Memtray"))
        self._shown = Shown()
        self._model = HitsModel(self)
        self._searcher = Searcher(client, self._model, self)
        self._keep = settings_store.current.keep_queries
        self._shelf = QueryShelf(client.paths.own / QUERIES, self, on_disk=self._keep)
        self._head, self._banner, self._told = Head(), Banner(), ToldBar()
        self._pane = Pane(self._model, client, theme, self)
        self._client = client
        self._letting_go = LettingGo(client, self._told, self)
        self._status = QLabel()
        self._reader = Reader(self._pane, self._model, self._words, self)
        self._zoom = Zoom(self._pane, points_of(bytes(self.kept("zoom").data())))
        self._keys = all_keys()
        self._menu_actions = add_actions(self, self._keys, self._slots())
        self._arrange()
        self._connect()
        settings_store.changed.connect(self._follow_settings)
        self._render()

    # ------------------------------------------------------------------ what the app asks
    def open(self, query: str = "", anchor: str = "") -> None:
        """Show the window, the cursor in the box; search anew, and read the memory `anchor`."""
        self.present()
        self._head.box.setFocus()
        if query:
            self._search_text(query)
        else:
            self._ask(self._shown.query)
        self._head.box.selectAll()
        if anchor:
            self._reader.read(anchor)

    def show_status(self, status: AppStatus) -> None:
        """Say how the worker is; once it answers again, what it missed is asked again."""
        again = self._shown.is_to_be_asked_again(status)
        if is_back(self._shown.status, status):
            self._pane.preview.ask_again()
        self._shown = replace(self._shown, status=status)
        if again and self.isVisible():
            self._ask(self._shown.query)
        self._render()

    def show_found(self, found: Found) -> None:
        """Offer, where nothing is stored, to import what Claude Code has kept."""
        self._shown = replace(self._shown, sessions=found.sessions)
        self._render()

    def follow_memories(self) -> None:
        """Search again, where somebody looks, since memories have come or gone.

        And once more, when the indexes have had time to know of them.
        """
        self._ask_if_seen()
        QTimer.singleShot(_INDEXED_MS, self, self._ask_if_seen)

    def follow_restore(self) -> None:
        """Search again among the memories of a backup, where nothing is to be undone."""
        self._letting_go.forget()
        self.follow_memories()

    def _ask_if_seen(self) -> None:
        if self.isVisible():
            self._ask(self._shown.query)

    # ------------------------------------------------------------------ the query
    def _ask(self, query: Query) -> None:
        self._shown = self._shown.asking(query)
        self._head.show_query(query)
        self._searcher.ask(query)
        self._tell()

    def _search_typed(self, words: str) -> None:
        self._ask(replace(self._shown.query, words=words))

    def _search_text(self, text: str) -> None:
        """Search what a line says, filters and words."""
        query = query_of(text, self._shown.query)
        self._head.box.show_words(query.words)
        self._ask(query)

    def _add_chips(self, chips: object) -> None:
        """Show filters that were typed; the search follows when the typing pauses."""
        assert isinstance(chips, tuple)  # noqa: S101 - as the box sends them
        query = self._shown.query.with_chips(chips)
        self._shown = replace(self._shown, query=query)
        self._head.show_query(query)

    def _remove_chip(self, chip: Chip) -> None:
        self._ask(self._shown.query.without(chip))
        self._head.box.setFocus()

    def _edit_chip(self, chip: Chip) -> None:
        self._remove_chip(chip)
        self._head.box.type_again(chip)

    def _edit_last_chip(self) -> None:
        if self._shown.query.chips:
            self._edit_chip(self._shown.query.chips[-1])

    def _pick(self, value: Value, pick: Pick) -> None:
        self._ask(picked(self._shown.query, value, pick))

    def _choose_mode(self, mode: Mode) -> None:
        self._ask(replace(self._shown.query, mode=mode))

    def _choose_order(self, order: OrderBy) -> None:
        self._ask(replace(self._shown.query, order=order))

    def leave(self) -> None:
        """Esc clears the search, then closes the window."""
        if self._head.box.text() or not self._shown.query.is_empty:
            self._search_text("")
            self._head.box.setFocus()
        else:
            self.close()

    def _words(self) -> str:
        return self._shown.query.words

    # ------------------------------------------------------------------ the answer
    def _answered(self, answer: Answer) -> None:
        self._shown = self._shown.answered(answer)
        self._reader.select_again()
        self._render()
        if self._shown.status and self._shown.is_to_be_asked_again(self._shown.status):
            self._ask(self._shown.query)

    def _widened(self, wider: Wider) -> None:
        self._shown = self._shown.widened(wider)
        self._render()

    def _failed(self, error: MemtrayError) -> None:
        self._shown = self._shown.failed(error.detail)
        self._render()

    def _render(self) -> None:
        self._pane.show_results(self._shown)
        self._tell()

    def _tell(self) -> None:
        self._banner.show_warning(self._shown.warning)
        self._status.setText(self._shown.summary)
        self._head.show_queries(self._shelf.queries if self._keep else None)

    def _remedy(self, warned: Warned) -> None:
        if warned.remedy is Remedy.START:
            self.start_requested.emit()
        elif warned.remedy is Remedy.RESTART:
            self.restart_requested.emit()
        elif warned.remedy is Remedy.HEALTH:
            self.health_requested.emit(warned.part)
        else:
            self._ask(self._shown.query)

    def _take_step(self, step: Step) -> None:
        query = self._shown.query
        if step.does is Does.HEALTH:
            self.health_requested.emit(step.part)
        elif step.does is Does.IMPORT:
            self.import_requested.emit()
        elif step.does is Does.BOTH_LEGS:
            self._ask(replace(query, mode=Mode.BOTH))
        elif step.left:
            self._ask(query.wider(step.left))

    # ------------------------------------------------------------------ keys in the box
    def _enter_box(self) -> None:
        self._head.box.setFocus()
        self._head.box.selectAll()

    def _type_on(self, text: str) -> None:
        self._head.box.setFocus()
        self._head.box.insert(text)

    # ------------------------------------------------------------------ memories come and go
    def _delete(self) -> None:
        self._letting_go.ask(self._pane.hits.items())

    def _new(self) -> None:
        answer = self._shown.answer
        projects = list(answer.reply.facets.project) if answer else []
        dialog = NewMemoryDialog(self._client, projects, self)
        dialog.saved.connect(self._saved)
        dialog.open()

    def _saved(self, reply: SaveReply) -> None:
        self._told.tell(f"✓ {saved_line(reply)}", kind="good")
        self.follow_memories()

    def _search_again(self) -> None:
        self._reader.forget(self._letting_go.gone)
        self._ask(self._shown.query)

    # ------------------------------------------------------------------ queries that are kept
    def _remember(self) -> None:
        self._shelf.keep(self._shelf.queries.used(self._shown.query.text))
        self._tell()

    def _save(self) -> None:
        self._shelf.keep(self._shelf.queries.kept(self._shown.query.text))
        self._tell()

    def _unsave(self) -> None:
        self._shelf.keep(self._shelf.queries.dropped(self._shown.query.text))
        self._tell()

    def forget_queries(self) -> None:
        """Forget the recent queries; those that were saved stay."""
        self._shelf.keep(replace(self._shelf.queries, recent=()))
        self._tell()

    def _follow_settings(self, settings: Settings) -> None:
        self._keep = settings.keep_queries
        self._shelf.allow(self._keep)
        self._tell()

    # ------------------------------------------------------------------ keys and menu
    def _slots(self) -> Mapping[Act, Callable[[], None]]:
        preview = self._pane.preview
        return {
            Act.BOX: self._enter_box,
            Act.FIND: preview.find,
            Act.NEXT_MARK: preview.next_mark,
            Act.PREVIOUS_MARK: preview.previous_mark,
            Act.BACK: preview.back,
            Act.FORWARD: preview.forward,
            Act.COPY: preview.copy_text,
            Act.COPY_ID: self._copy_id,
            Act.NEW: self._new,
            Act.ZOOM_IN: self._zoom.larger,
            Act.ZOOM_OUT: self._zoom.smaller,
            Act.ZOOM_RESET: self._zoom.reset,
            Act.WHY: self._pane.hits.tell_why,
            Act.HELP: self._show_keys,
        }

    def _copy_id(self) -> None:
        """Copy the id of what is read, also while it is still on its way."""
        if self._reader.anchor:
            QGuiApplication.clipboard().setText(self._reader.anchor)

    def _show_keys(self) -> None:
        KeysDialog(self._keys, self).open()

    def _open_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._menu_actions)
        menu.addSeparator()
        delete = menu.addAction(self.tr("&Delete…"), QKeySequence("Delete"), self._delete)
        delete.setEnabled(bool(self._pane.hits.items()))
        menu.popup(self._pane.hits.viewport().mapToGlobal(place))

    # ------------------------------------------------------------------ how it is made
    def _arrange(self) -> None:
        self._status.setProperty("kind", "muted")
        self._status.setTextFormat(Qt.TextFormat.PlainText)
        self._status.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 8)
        layout.setSpacing(8)
        layout.addWidget(self._head)
        layout.addWidget(self._banner)
        layout.addWidget(self._told)
        layout.addWidget(self._pane, 1)
        layout.addWidget(self._status)
        self._pane.restoreState(self.kept("columns"))
        self._pane.preview.splitter.restoreState(self.kept("preview"))
        self._pane.hits.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def _connect(self) -> None:
        head, pane, searcher = self._head, self._pane, self._searcher
        head.box.settled.connect(self._search_typed)
        head.box.chips_typed.connect(self._add_chips)
        head.box.list_wanted.connect(self._reader.enter_list)
        head.box.last_chip_wanted.connect(self._edit_last_chip)
        head.box.entered.connect(self._remember)
        head.chips.removed.connect(self._remove_chip)
        head.chips.edited.connect(self._edit_chip)
        head.mode_chosen.connect(self._choose_mode)
        head.order_chosen.connect(self._choose_order)
        head.query_chosen.connect(self._search_text)
        head.save_wanted.connect(self._save)
        head.unsave_wanted.connect(self._unsave)
        head.clear_wanted.connect(self.forget_queries)
        pane.facets.picked.connect(self._pick)
        pane.hits.in_view.connect(searcher.look_at)
        pane.hits.typed.connect(self._type_on)
        pane.hits.delete_wanted.connect(self._delete)
        self._letting_go.changed.connect(self._search_again)
        pane.hits.box_wanted.connect(self._enter_box)
        pane.hits.customContextMenuRequested.connect(self._open_menu)
        pane.empty.chosen.connect(self._take_step)
        self._reader.chosen.connect(self._remember)
        searcher.answered.connect(self._answered)
        searcher.widened.connect(self._widened)
        searcher.failed.connect(self._failed)
        self._banner.pressed.connect(self._remedy)
        self._zoom.changed.connect(self._keep_zoom)

    def _keep_zoom(self, points: int) -> None:
        self.keep("zoom", QByteArray(str(points).encode()))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._searcher.stop()
        self.keep("columns", self._pane.saveState())
        self.keep("preview", self._pane.preview.splitter.saveState())
        super().closeEvent(event)
