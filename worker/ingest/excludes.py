"""The gate that all new memories pass: nothing excluded, and nothing while capture is paused."""

import datetime as dt
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from worker.ingest.patterns import Pattern, Place, barring, parse_pattern
from worker.ingest.transcripts.turns import Conversation, Turn
from worker.shared.errors import MemtrayError
from worker.shared.portable import Row
from worker.state.capture import Pause, patterns, pauses


class PausedError(MemtrayError):
    """The user wants nothing to be remembered now."""

    title = "Capture is paused"
    code = "paused"
    status = 409


class ExcludedError(MemtrayError):
    """The user wants nothing to be remembered of this project."""

    title = "The project is excluded"
    code = "excluded"
    status = 409


class Gate:
    """Looks at each time at what the user wants; raises StateUnavailableError."""

    def __init__(self, state: Path, *, clock: Callable[[], float] = time.time) -> None:
        """`state` is state.db; `clock` gives seconds since the epoch."""
        self._state = state
        self._clock = clock

    def pause(self) -> Pause | None:
        """Return the pause that goes on now."""
        now = int(self._clock() * 1000)
        return next((pause for pause in pauses(self._state) if pause.meets(now, now)), None)

    def need_running(self) -> None:
        """Raise PausedError while capture is paused."""
        if pause := self.pause():
            raise PausedError(
                f"nothing is remembered {until(pause)}; to go on: memtray-worker resume"
            )

    def need_wanted(self, project: str) -> None:
        """Raise ExcludedError for a project that is excluded."""
        if pattern := self._barring(Place(project=project)):
            raise ExcludedError(
                f"{project} is excluded by the pattern {pattern.text}; nothing was saved. To allow "
                f"it: memtray-worker exclude remove '{pattern.text}'"
            )

    def admitted(self, conversation: Conversation, file: Path) -> Conversation | None:
        """Return what may be remembered of a conversation, whose project is known; None: nothing.

        What was said while capture was paused stays out for good.
        """
        place = Place(conversation.project, conversation.cwd, str(file))
        if self._barring(place):
            return None
        past = pauses(self._state)
        turns = [turn for turn in conversation.turns if not _met(past, turn)]
        said = [each for each in conversation.compacted
                if not any(pause.meets(each.at, each.at) for pause in past)]  # fmt: skip
        return replace(conversation, turns=turns, compacted=said) if turns else None

    def wanted(self, rows: Sequence[Row], file: str = "") -> list[Row]:
        """Return those rows of an export whose project is not excluded, nor its file."""
        known = self.patterns()
        places = [Place(str(row.get("project") or ""), file=file) for row in rows]
        return [row for row, place in zip(rows, places, strict=True) if not barring(known, place)]

    def patterns(self) -> list[Pattern]:
        """Return the patterns in their order."""
        return [_parsed(text) for text, _ in patterns(self._state)]

    def _barring(self, place: Place) -> Pattern | None:
        return barring(self.patterns(), place)


def until(pause: Pause) -> str:
    """Return "until …" for a person."""
    if pause.ended is None:
        return "until you go on"
    moment = dt.datetime.fromtimestamp(pause.ended / 1000).astimezone()
    return f"until {moment:%Y-%m-%d %H:%M}"


def _met(past: Sequence[Pause], turn: Turn) -> bool:
    start, end = turn.prompt.at, max(turn.prompt.at, turn.ended_at)
    return any(pause.meets(start, end) for pause in past)


@cache
def _parsed(text: str) -> Pattern:
    return parse_pattern(text, str(Path.home()))
