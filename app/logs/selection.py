"""Which entries of the log are shown: by level, by part, by text or by regular expression."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRegularExpression

from worker.shared.log_lines import Entry

translate = QCoreApplication.translate

_RANKS = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40, "CRITICAL": 50}
ERROR = _RANKS["ERROR"]


class ExpressionError(Exception):
    """A regular expression that cannot be used; the text says why, for the user."""


def rank(entry: Entry) -> int:
    """Return how grave an entry is; what is no line of ours is as grave as an INFO."""
    return _RANKS.get(entry.level, _RANKS["INFO"])


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user has chosen; all of it must hold."""

    least: int = 0  # the rank of the level
    component: str = ""  # or a package above it; "" for all
    text: str = ""  # each of its words in any case, or a regular expression
    is_regex: bool = False

    def of(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return those that are shown; raise ExpressionError."""
        here = [entry for entry in entries if rank(entry) >= self.least and self._is_from(entry)]
        if not self.text.strip():
            return here
        return self._with_regex(here) if self.is_regex else self._with_words(here)

    def _is_from(self, entry: Entry) -> bool:
        return not self.component or f"{entry.component}.".startswith(f"{self.component}.")

    def _with_words(self, entries: list[Entry]) -> list[Entry]:
        words = self.text.casefold().split()
        return [
            entry
            for entry in entries
            if all(word in folded for folded in [_text(entry).casefold()] for word in words)
        ]

    def _with_regex(self, entries: list[Entry]) -> list[Entry]:
        """Qt's engine gives up on an expression that would take for ever; Python's does not."""
        expression = compiled(self.text)
        found = []
        for entry in entries:
            match = expression.match(_text(entry))
            if not match.isValid():
                raise ExpressionError(
                    translate("Logs", "This expression takes too long. Simplify it.")
                )
            if match.hasMatch():
                found.append(entry)
        return found


def compiled(text: str) -> QRegularExpression:
    """Return the expression, for which upper and lower case are the same; raise ExpressionError."""
    options = QRegularExpression.PatternOption
    expression = QRegularExpression(
        text, options.CaseInsensitiveOption | options.UseUnicodePropertiesOption
    )
    if not expression.isValid():
        raise ExpressionError(
            translate("Logs", "Not a regular expression, at character {place}: {reason}").format(
                place=expression.patternErrorOffset() + 1, reason=expression.errorString()
            )
        )
    return expression


def _text(entry: Entry) -> str:
    return f"{entry.level} {entry.component} {entry.message}\n{entry.exception}"
