"""A turn together with what was done in it, and what it came to in one line."""

from dataclasses import dataclass
from functools import cached_property

from worker.ingest.transcripts.turns import Turn
from worker.ingest.transcripts.wording import MAX_TITLE, shortened, title_of
from worker.ingest.transcripts.work import Work

_MIN_ANSWER = 60  # characters of an answer without any work, below which nothing was told


@dataclass(frozen=True)
class Outcome:
    """One turn and its work."""

    turn: Turn
    work: Work

    @cached_property
    def title(self) -> str:
        """The subject of a commit says it best, else what the assistant said at the end."""
        if self.work.committed:
            return shortened(self.work.committed, MAX_TITLE)
        return title_of(self.turn.texts, self.turn.prompt.text)

    @property
    def is_worth_a_row(self) -> bool:
        """A row has to be worth its tokens: something was done, or something was told."""
        if not self.turn.texts:
            return bool(self.work.changed)
        did = self.work.changed or self.work.facts
        return bool(did) or len(self.turn.texts[-1]) >= _MIN_ANSWER
