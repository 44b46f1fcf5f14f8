"""The exact change to a client's config, shown before it is made."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextDocument,
)
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.clients.labels import plain, show_text
from app.clients.wiring import Plan
from app.clients.words import advice_before, name_of
from app.spoken import said
from app.theme import Theme
from app.window import room


class _DiffColours(QSyntaxHighlighter):
    """Colours what the + and - before a line say already."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        colours = self._theme.colours
        head = text.startswith(("+++", "---", "@@"))
        sign = "@" if head else text[:1]
        colour = {"+": colours.good, "-": colours.error, "@": colours.muted}.get(sign)
        if colour:
            style = QTextCharFormat()
            style.setForeground(QColor(colour))
            self.setFormat(0, len(text), style)


class PlanDialog(QDialog):
    """Asks for consent; `agreed` with the plan, which is carried out as it was shown."""

    agreed = Signal(object)

    def __init__(self, plan: Plan, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan")
        self._plan = plan
        name = name_of(plan.client)
        title = (
            self.tr("Connect {client} – Memtray")
            if plan.connects
            else self.tr("Disconnect {client} – Memtray")
        )
        self.setWindowTitle(title.format(client=name))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(8)
        for text, kind in self._texts():
            layout.addWidget(plain(text, kind=kind))
        shown = plan.command or plan.diff
        if shown:
            layout.addWidget(self._view(shown, theme), 1)
        self._copied = plain(kind="good")
        layout.addWidget(self._copied)
        layout.addWidget(self._buttons())
        self.resize(QSize(640, 480 if plan.diff else 240).boundedTo(room()))

    def _texts(self) -> list[tuple[str, str]]:
        plan, path = self._plan, self._plan.path
        texts = []
        if not plan.changes:
            texts.append((self.tr("All is as wanted already."), ""))
        elif not plan.runs:
            text = self.tr("There is no command claude here. Where there is one, type this:")
            texts.append((text, ""))
        elif plan.command:
            text = self.tr("Claude Code's own command will be run. It changes {file}:")
            texts.append((text.format(file=path), ""))
        else:
            texts.append((self.tr("This will be changed in {file}:").format(file=path), ""))
            if plan.change is not None and plan.change.file.content is not None:
                text = self.tr("A copy of the file is kept beside it, and you can undo the change.")
                texts.append((text, "muted"))
        if plan.changes and (advice := advice_before(plan.client)):
            texts.append((advice, ""))
        return texts + [(said(note), "muted") for note in plan.notes]

    def _view(self, text: str, theme: Theme) -> QPlainTextEdit:
        view = QPlainTextEdit(text)
        view.setReadOnly(True)
        view.setTabChangesFocus(True)
        view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        view.setAccessibleName(self.tr("The change"))
        if self._plan.command:
            view.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        else:
            view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
            self._colours = _DiffColours(view.document(), theme)
        return view

    def _buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        box.button(QDialogButtonBox.StandardButton.Cancel).setIcon(QIcon())  # some styles have one
        box.rejected.connect(self.reject)
        role = QDialogButtonBox.ButtonRole
        if not self._plan.runs:
            copy = box.addButton(self.tr("&Copy line"), role.ActionRole)
            copy.clicked.connect(self._copy)
        elif self._plan.changes:
            verb = self.tr("C&onnect") if self._plan.connects else self.tr("&Disconnect")
            agree = box.addButton(verb, role.AcceptRole)
            agree.setDefault(True)
            box.accepted.connect(self._agree)
        return box

    def _agree(self) -> None:
        self.accept()
        self.agreed.emit(self._plan)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._plan.command)
        show_text(self._copied, self.tr("✓ Copied"), kind="good")
