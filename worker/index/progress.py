"""How far an index is, and how /api/ready says it."""

from dataclasses import dataclass

from worker.shared.readiness import PartReport, PartState

# an index is being built while more rows than this are missing, or more than a tenth of them
BACKLOG = 200


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one index is: `done` of `total` records."""

    done: int = 0
    total: int = 0
    known: bool = True  # False until the store was compared for the first time
    failure: str = ""
    remedy: str = ""

    def report(self, part: str, doing: str) -> PartReport:
        """Return the line that /api/ready shows."""
        state, cause = PartState.OK, ""
        behind = not self.known or self.total - self.done > min(BACKLOG, self.total // 10)
        if self.failure:
            state, cause = PartState.DOWN if behind else PartState.DEGRADED, self.failure
        elif not self.known:
            state, cause = PartState.BUILDING, f"{doing}."
        elif behind:
            state, cause = PartState.BUILDING, f"{doing}: {self.done} of {self.total} memories."
        return PartReport(
            part=part,
            state=state,
            cause=cause,
            remedy=self.remedy,
            done=self.done,
            total=self.total,
        )
