"""From one place in a text to the next, and round again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate

Places = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Walk:
    """Places in the order of the text, and at which of them one is; -1 before the first step."""

    places: Places = ()
    at: int = -1

    def moved(self, step: int) -> "Walk":
        """Return it one step (1 or -1) further; after the last place comes the first."""
        if not self.places:
            return self
        start = -1 if step > 0 else 0
        return replace(self, at=((self.at if self.at >= 0 else start) + step) % len(self.places))

    def counted(self, *, none: str) -> str:
        """Return `3 of 12`, how many there are before the first step, or `none`."""
        if not self.places:
            return none
        count = len(self.places)
        if self.at >= 0:
            return translate("Preview", "{place} of {count}").format(place=self.at + 1, count=count)
        return (
            translate("Preview", "1 hit")
            if count == 1
            else translate("Preview", "{count} hits").format(count=count)
        )
