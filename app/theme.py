"""The look of all windows: two palettes, followed live, and one small style sheet."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication


class Choice(StrEnum):
    """What the user may set."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme, as #rrggbb; text on window and base has a contrast of 4.5:1."""

    dark: bool
    window: str  # behind everything
    base: str  # lists, text, input
    raised: str  # chips, buttons, hovered rows
    border: str
    handle: str  # of scroll bars; 3:1 on window and base
    text: str
    muted: str  # second lines; still 4.5:1
    accent: str  # links, focus, what is chosen
    on_accent: str
    selection: str  # the chosen row, under `text`
    mark: str  # behind matched words, which are bold as well
    on_mark: str
    good: str
    busy: str
    warning: str
    error: str


LIGHT = Colours(
    dark=False,
    window="#f4f5f7",
    base="#ffffff",
    raised="#e9ebef",
    border="#cfd3da",
    handle="#868d9b",
    text="#1c1f26",
    muted="#5a6070",
    accent="#2856c4",
    on_accent="#ffffff",
    selection="#dbe5fb",
    mark="#ffe08a",
    on_mark="#1c1f26",
    good="#156f36",
    busy="#2856c4",
    warning="#8f5a00",
    error="#b3261e",
)
DARK = Colours(
    dark=True,
    window="#1d2027",
    base="#16181d",
    raised="#2b2f39",
    border="#3b404c",
    handle="#6f7686",
    text="#e7e9ee",
    muted="#a3aaba",
    accent="#8fb0ff",
    on_accent="#10131a",
    selection="#2a3b63",
    mark="#6b5412",
    on_mark="#fff3cf",
    good="#6fd08c",
    busy="#8fb0ff",
    warning="#f0b84a",
    error="#ff8f85",
)


class Theme(QObject):
    """The theme in force; `changed` when the system or the user switches it."""

    changed = Signal()

    def __init__(self, application: QApplication, choice: Choice = Choice.AUTO) -> None:
        super().__init__(application)
        self._application = application
        self._choice = choice
        self._hints = QGuiApplication.styleHints()
        application.setStyle("Fusion")
        self._hints.colorSchemeChanged.connect(self._follow)
        self.colours = LIGHT
        self._apply()

    def choose(self, choice: Choice) -> None:
        """Use what the user has set from now on."""
        self._choice = choice
        self._follow()

    def _follow(self) -> None:
        before = self.colours
        self._apply()
        if self.colours is not before:
            self.changed.emit()

    def _apply(self) -> None:
        system_dark = self._hints.colorScheme() is Qt.ColorScheme.Dark
        dark = self._choice is Choice.DARK or (self._choice is Choice.AUTO and system_dark)
        self.colours = DARK if dark else LIGHT
        self._application.setPalette(palette_of(self.colours))
        for boxes in ("QCheckBox", "QRadioButton"):  # a str, whatever the stubs say
            self._application.setPalette(outlined(self.colours), boxes)  # type: ignore[arg-type]
        self._application.setStyleSheet(style_sheet(self.colours))


def palette_of(colours: Colours) -> QPalette:
    """Return the palette by which Qt's own widgets look like this."""
    palette = QPalette()
    role = QPalette.ColorRole
    for where, colour in {
        role.Window: colours.window,
        role.WindowText: colours.text,
        role.Base: colours.base,
        role.AlternateBase: colours.window,
        role.Text: colours.text,
        role.PlaceholderText: colours.muted,
        role.Button: colours.raised,
        role.ButtonText: colours.text,
        role.ToolTipBase: colours.raised,
        role.ToolTipText: colours.text,
        role.Highlight: colours.selection,
        role.HighlightedText: colours.text,
        role.Accent: colours.accent,
        role.Link: colours.accent,
        role.LinkVisited: colours.accent,
        role.Mid: colours.border,
        role.Light: colours.raised,
        role.Dark: colours.border,
        role.BrightText: colours.error,
    }.items():
        palette.setColor(where, QColor(colour))
    for where in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, QColor(colours.muted))
    return palette


def outlined(colours: Colours) -> QPalette:
    """Return the palette of boxes to tick: Fusion draws their outline darker than the window."""
    palette = palette_of(colours)
    if colours.dark:
        palette.setColor(QPalette.ColorRole.Window, QColor(colours.muted))
    return palette


def style_sheet(colours: Colours) -> str:
    """Return what a palette cannot say: borders, roundings, the few kinds of labels."""
    c = colours
    return f"""
    QLineEdit, QPlainTextEdit, QTextBrowser, QTreeView, QListView, QTableView, QSpinBox,
    QComboBox {{ border: 1px solid {c.border}; border-radius: 6px; background: {c.base}; }}
    QTreeView, QListView, QTableView {{ outline: 0; }} /* the row is marked as a whole */
    QTableView::item {{ padding: 0 5px; }} /* as far in as the headings */
    QLineEdit, QSpinBox, QComboBox {{ padding: 5px 8px; }}
    QLineEdit:focus, QTreeView:focus, QListView:focus, QTableView:focus, QTextBrowser:focus,
    QPlainTextEdit:focus, QComboBox:focus, QSpinBox:focus {{ border: 1px solid {c.accent}; }}
    QComboBox::drop-down {{ border: 0; width: 22px; }}
    QComboBox::down-arrow {{ image: none; width: 0; height: 0; border-top: 5px solid {c.text};
        border-left: 4px solid {c.base}; border-right: 4px solid {c.base}; }}
    QPushButton {{ border: 1px solid {c.border}; border-radius: 6px; background: {c.raised};
        padding: 5px 14px; }}
    QPushButton:hover, QToolButton:hover {{ border: 1px solid {c.accent}; }}
    QPushButton:focus, QToolButton:focus {{ border: 1px solid {c.accent}; }}
    QPushButton:default {{ background: {c.accent}; color: {c.on_accent};
        border: 1px solid {c.accent}; }}
    QPushButton:disabled {{ color: {c.muted}; background: {c.window}; }}
    QToolButton {{ border: 1px solid transparent; border-radius: 6px; padding: 4px 8px; }}
    QToolButton:checked {{ background: {c.selection}; }}
    QSplitter::handle {{ background: {c.border}; }}
    QSplitter::handle:horizontal {{ width: 1px; }}
    QSplitter::handle:vertical {{ height: 1px; }}
    QLabel[kind="title"] {{ font-size: 15pt; font-weight: bold; }}
    QLabel[kind="muted"] {{ color: {c.muted}; }}
    QLabel[kind="error"] {{ color: {c.error}; }}
    QLabel[kind="good"] {{ color: {c.good}; }}
    QFrame[kind="banner"] {{ background: {c.raised}; border: 1px solid {c.border};
        border-radius: 6px; }}
    QFrame[kind="card"] {{ background: {c.base}; border: 1px solid {c.border};
        border-radius: 8px; }}
    QFrame[kind="card"]:focus {{ border: 1px solid {c.accent}; }}
    QFrame[kind="chip"] {{ background: {c.selection}; border-radius: 10px;
        border: 1px solid {c.selection}; }}
    QFrame[kind="chip"]:focus {{ border: 1px solid {c.accent}; }}
    QProgressBar {{ border: 0; border-radius: 3px; background: {c.raised}; }}
    QProgressBar::chunk {{ border-radius: 3px; background: {c.accent}; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QScrollBar {{ border: 0; background: transparent; }}
    QScrollBar:vertical {{ width: 12px; }}
    QScrollBar:horizontal {{ height: 12px; }}
    QScrollBar::handle {{ background: {c.handle}; border-radius: 4px; margin: 2px; }}
    QScrollBar::handle:hover {{ background: {c.muted}; }}
    QScrollBar::handle:vertical {{ min-height: 32px; }}
    QScrollBar::handle:horizontal {{ min-width: 32px; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QMenu {{ border: 1px solid {c.border}; background: {c.base}; padding: 4px; }}
    QMenu::item {{ padding: 5px 24px; }}
    QMenu::item:selected {{ background: {c.selection}; color: {c.text}; }}
    QMenu::item:disabled {{ color: {c.muted}; }}
    QMenu::separator {{ height: 1px; background: {c.border}; margin: 4px 8px; }}
    QBalloonTip QLabel {{ color: {LIGHT.text}; }} /* whose ground Qt has pale yellow */
    QHeaderView::section {{ background: {c.window}; color: {c.muted}; border: 0;
        border-bottom: 1px solid {c.border}; padding: 5px 8px; }}
    """
