"""Where one has been, as in a browser."""

from dataclasses import dataclass

MOST = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A memory, and what was looked for in it."""

    ref: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """The places in the order they were visited, and at which of them one is."""

    places: tuple[Place, ...] = ()
    at: int = -1

    def visited(self, place: Place) -> "History":
        """Return it with one more place; what lay ahead is forgotten."""
        if self.places and self.places[self.at] == place:
            return self
        places = (*self.places[: self.at + 1], place)[-MOST:]
        return History(places, len(places) - 1)

    def ahead(self, step: int) -> Place | None:
        """Return the place that many steps ahead (-1: back); None where there is none."""
        at = self.at + step
        return self.places[at] if 0 <= at < len(self.places) else None

    def without(self, step: int) -> "History":
        """Return it without the place that many steps ahead, which is there no more."""
        gone = self.at + step
        places = (*self.places[:gone], *self.places[gone + 1 :])
        return History(places, self.at - 1 if step < 0 else self.at)

    def moved(self, step: int) -> "History":
        """Return it that many steps further, where there is a place."""
        return History(self.places, self.at + step) if self.ahead(step) else self
