"""What Claude asked for and saw, today and over the last weeks."""

from PySide6.QtCore import QCoreApplication, QModelIndex, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.background import Background
from app.recalls.calls_view import CallsView
from app.recalls.charts import ChartPage
from app.recalls.empty import EmptyPage
from app.recalls.model import RecallsModel
from app.recalls.seen import SeenPanel
from app.recalls.series import memories_by_week, recalls_by_day
from app.recalls.wording import client_name, headline, month_line
from app.theme import Theme
from app.window import Window
from app.worker_client import Call, WorkerClient
from worker.shared.contract import StatsReply
from worker.shared.errors import MemtrayError
from worker.shared.recalls_contract import RecallsReply

_PAGE = 100
_LEFT, _RIGHT = 640, 320  # of the splitter, to begin with
_EVERY_MS = 10_000  # while the window is shown


class RecallsWindow(Window):
    """The calls with what each showed to Claude, and two charts."""

    memory_requested = Signal(str)  # the id of a memory
    clients_requested = Signal()
    settings_requested = Signal(str)  # the page

    def __init__(self, client: WorkerClient, places: QSettings, theme: Theme) -> None:
        super().__init__("recalls", places, width=980, height=640)
        self.setWindowTitle(self.tr("Claude's recalls – Memtray"))
        self._client = client
        self._background = Background(self)
        self._call: Call | None = None
        self._model = RecallsModel(self)
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._build(theme)
        self._connect()

    def open(self) -> None:
        """Show the window, with what is newest."""
        self.present()
        self._table.setFocus()

    def end(self) -> None:
        """Load nothing more in the background."""
        self._background.stop()

    # ------------------------------------------------------------------ the answers
    def refresh(self) -> None:
        """Ask for the newest calls and the sums; what is shown stays until they come."""
        if self._call is None:
            self._call = self._ask()
            self._call.done.connect(self._show)
            self._call.failed.connect(self._complain)

    def _ask(self, before: int | None = None) -> Call:
        chosen = self._who.currentData()
        params = {"limit": _PAGE, "before": before, "client": chosen, "format": "json"}
        return self._client.get("/api/recalls", params, RecallsReply)

    def _show(self, reply: RecallsReply) -> None:
        self._call = None
        self._trouble.hide()
        self._headline.setText(headline(reply.today))
        self._month.setText(month_line(reply))
        self._model.show(reply)
        self._by_day.set_chart(recalls_by_day(reply.days))
        self._show_clients(reply.clients)
        self._empty.tell(recording=reply.recording)
        self._pages.setCurrentWidget(self._splitter if self._model.rowCount() else self._empty)
        if self._model.rowCount() and not self._table.currentIndex().isValid():
            self._table.selectRow(0)

    def _complain(self, error: MemtrayError) -> None:
        self._call = None
        self._trouble.setText(f"{error.title}: {error.detail}")
        self._trouble.show()

    def _ask_more(self, before: int) -> None:
        call = self._ask(before)
        call.done.connect(self._model.extend)
        call.failed.connect(self._model.give_up)

    def _ask_memories(self) -> None:
        call = self._client.get("/api/stats", {"format": "json"}, StatsReply)
        call.done.connect(self._show_memories)
        call.failed.connect(self._complain)

    def _show_memories(self, stats: StatsReply) -> None:
        self._by_week.set_chart(memories_by_week(stats.weeks))

    def _show_clients(self, clients: list[str]) -> None:
        known = [self._who.itemData(place) for place in range(1, self._who.count())]
        for client in clients:
            if client not in known:
                self._who.addItem(client_name(client), client)
        self._who.setVisible(self._who.count() > 2)

    def _choose_client(self) -> None:
        self._drop()
        self.refresh()

    def _drop(self) -> None:
        """Let go of a question whose answer nobody waits for any more."""
        if self._call is not None:
            self._call.abort()
            self._call = None

    def _show_seen(self, current: QModelIndex) -> None:
        if current.isValid():
            self._seen.show_recall(self._model.recall(current.row()))
        else:
            self._seen.clear()

    def _turn_to(self, tab: int) -> None:
        if self._tabs.widget(tab) is self._by_week:
            self._ask_memories()

    # ------------------------------------------------------------------ life
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        self._drop()
        self.keep("splitter", self._splitter.saveState())
        super().hideEvent(event)

    # ------------------------------------------------------------------ the parts
    def _build(self, theme: Theme) -> None:
        self._headline = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._headline.setProperty("kind", "title")
        self._month = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._month.setProperty("kind", "muted")
        self._trouble = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._trouble.setProperty("kind", "error")
        self._trouble.hide()
        self._who = QComboBox()
        self._who.addItem(self.tr("All clients"), None)
        self._who.setAccessibleName(self.tr("Client"))
        self._who.hide()
        self._again = QPushButton(self.tr("&Refresh"))
        self._seen = SeenPanel()
        self._by_day = ChartPage(self._background, theme, self.tr("No recalls in these days."))
        self._by_week = ChartPage(self._background, theme, self.tr("No memories yet."))
        self._empty = EmptyPage()
        self._pages = QStackedWidget()
        self._pages.addWidget(self._calls())
        self._pages.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addLayout(self._head())
        layout.addWidget(self._trouble)
        layout.addWidget(self._new_tabs(), 1)

    def _head(self) -> QHBoxLayout:
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self._headline)
        texts.addWidget(self._month)
        head = QHBoxLayout()
        head.addLayout(texts, 1)
        head.addWidget(self._who)
        head.addWidget(self._again)
        return head

    def _new_tabs(self) -> QTabWidget:
        self._tabs = QTabWidget(documentMode=True)
        self._tabs.addTab(self._pages, self.tr("&Calls"))
        self._tabs.addTab(self._by_day, self.tr("By &day"))
        self._tabs.addTab(self._by_week, self.tr("&Memories by week"))
        return self._tabs

    def _calls(self) -> QWidget:
        self._table = CallsView(self._model)
        self._splitter = QSplitter()
        self._splitter.addWidget(self._table)
        self._splitter.addWidget(self._seen)
        self._splitter.setStretchFactor(0, 3)
        self._splitter.setStretchFactor(1, 2)
        self._splitter.setChildrenCollapsible(False)
        if not self._splitter.restoreState(self.kept("splitter")):
            self._splitter.setSizes([_LEFT, _RIGHT])
        return self._splitter

    def _connect(self) -> None:
        application = QCoreApplication.instance()
        if application:
            application.aboutToQuit.connect(self.end)
        self._timer.timeout.connect(self.refresh)
        self._again.clicked.connect(self.refresh)
        self._refresh_key = QShortcut(QKeySequence("F5"), self, self.refresh)
        self._who.activated.connect(self._choose_client)
        self._model.more_wanted.connect(self._ask_more)
        self._table.selectionModel().currentRowChanged.connect(self._show_seen)
        self._tabs.currentChanged.connect(self._turn_to)
        self._seen.memory_requested.connect(self.memory_requested)
        self._empty.connect_requested.connect(self.clients_requested)
        self._empty.settings_requested.connect(self._open_privacy)

    def _open_privacy(self) -> None:
        self.settings_requested.emit("privacy")
