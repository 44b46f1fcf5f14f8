"""Excludes and pauses as the API speaks of them."""

import time
from collections.abc import Callable
from pathlib import Path

from worker.checks.report import off, ok
from worker.ingest.excludes import Gate, until
from worker.ingest.patterns import Pattern, Place, parse_pattern
from worker.shared.capture import (
    CaptureReply,
    Exclude,
    ExcludesReply,
    KnownPlace,
    PatternRequest,
    PauseRequest,
    TestReply,
)
from worker.shared.errors import BadRequestError, MemtrayError, NotFoundError
from worker.shared.local_time import local_iso
from worker.shared.readiness import PartReport
from worker.state import capture
from worker.state.projects import known_names
from worker.store.store import Store


class NoSuchPatternError(NotFoundError):
    title = "There is no such pattern"


class Capture:
    """What the user wants to be remembered; raises StateUnavailableError."""

    def __init__(
        self, store: Store, state: Path, *, clock: Callable[[], float] = time.time
    ) -> None:
        """`state` is state.db; `clock` gives seconds since the epoch."""
        self._store = store
        self._state = state
        self._clock = clock
        self._gate = Gate(state, clock=clock)

    # ------------------------------------------------------------------ excludes
    def excludes(self) -> ExcludesReply:
        """Return all patterns and what each means of what is known."""
        known = self._known()
        found = [
            Exclude(pattern=text, added_at=local_iso(at), matches=_matching(_parsed(text), known))
            for text, at in capture.patterns(self._state)
        ]
        return ExcludesReply(excludes=found)

    def exclude(self, request: PatternRequest) -> ExcludesReply:
        """Add a pattern; what is stored already stays."""
        pattern = _parsed(request.pattern)
        capture.add_pattern(self._state, pattern.text, self._now())
        matches = [] if pattern.exempts else _matching(pattern, self._known())
        stored = [place.project for place in matches if place.memories]
        note = "What is stored already stays and is found: " + ", ".join(stored)
        return self.excludes().model_copy(update={"notes": [note] if stored else []})

    def allow(self, request: PatternRequest) -> ExcludesReply:
        """Remove a pattern; raise NotFoundError."""
        if not capture.remove_pattern(self._state, request.pattern.strip()):
            known = ", ".join(text for text, _ in capture.patterns(self._state)) or "none"
            raise NoSuchPatternError(f"there is no {request.pattern}; there are: {known}")
        return self.excludes()

    def test(self, request: PatternRequest) -> TestReply:
        """Return what a pattern means; nothing is changed."""
        known = self._known()
        pattern = _parsed(request.pattern)
        return TestReply(pattern=pattern.text, matches=_matching(pattern, known), known=len(known))

    def _known(self) -> list[KnownPlace]:
        """Return the projects that have memories, and the folders of those that were imported."""
        counts = dict(self._store.projects())
        roots = known_names(self._state)
        named = set(roots.values())
        places = [
            KnownPlace(project=name, folder=root, memories=counts.get(name, 0))
            for root, name in roots.items()
        ]
        places += [
            KnownPlace(project=name, memories=count)
            for name, count in counts.items()
            if name and name not in named
        ]
        return sorted(places, key=lambda place: place.project.casefold())

    # ------------------------------------------------------------------ pauses
    def state(self) -> CaptureReply:
        """Return whether capture is paused."""
        pause = self._gate.pause()
        ended = pause.ended if pause else None
        return CaptureReply(
            paused=pause is not None, until=None if ended is None else local_iso(ended)
        )

    def pause(self, request: PauseRequest) -> CaptureReply:
        """Remember nothing from now on."""
        now = self._now()
        ended = None if request.minutes is None else now + request.minutes * 60_000
        capture.begin_pause(self._state, now, ended)
        return self.state()

    def resume(self) -> CaptureReply:
        """Go on; what was said meanwhile stays out."""
        capture.end_pause(self._state, self._now())
        return self.state()

    def is_paused(self) -> bool:
        """Say whether nothing is to be remembered now; also where that cannot be told."""
        try:
            return self._gate.pause() is not None
        except MemtrayError:
            return True

    def report(self) -> PartReport:
        """Return whether capture is paused, for the list of checks."""
        try:
            pause = self._gate.pause()
        except MemtrayError as exc:
            return off("capture", f"It is not known whether it is paused: {exc.detail}")
        if pause is None:
            return ok("capture")
        return off("capture", f"Paused {until(pause)}: nothing new is remembered.")

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _parsed(text: str) -> Pattern:
    try:
        return parse_pattern(text, str(Path.home()))
    except ValueError as exc:
        raise BadRequestError(f"pattern: {exc}", field="pattern") from exc


def _matching(pattern: Pattern, known: list[KnownPlace]) -> list[KnownPlace]:
    return [place for place in known if pattern.matches(Place(place.project, place.folder))]
