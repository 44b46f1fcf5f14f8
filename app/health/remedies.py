"""What helps a part, read from what its report recommends."""

from enum import StrEnum

from worker.shared.readiness import PartReport, PartState

FAULTY = frozenset({PartState.DEGRADED, PartState.DOWN})


class Remedy(StrEnum):
    """What a button of a part does."""

    START = "start"
    RESTART = "restart"
    REPAIR = "repair"
    KEYWORD = "keyword"  # made anew, as the next two
    VECTORS = "vectors"
    CHROMA = "chroma"
    CLIENTS = "clients"
    FOLDER = "folder"
    LOGS = "logs"


_NEEDS_WORKER = frozenset({Remedy.REPAIR, Remedy.KEYWORD, Remedy.VECTORS, Remedy.CHROMA})
_COMMANDS = (
    ("memtray-worker restart", Remedy.RESTART),
    ("memtray-worker start", Remedy.START),
    ("doctor --repair", Remedy.REPAIR),
    ("reindex keyword", Remedy.KEYWORD),
    ("reindex vectors", Remedy.VECTORS),
    ("reindex chroma", Remedy.CHROMA),
    ("memtray-worker connect", Remedy.CLIENTS),
)
_OF_PART = {
    "keyword": Remedy.REPAIR,
    "vectors": Remedy.REPAIR,
    "chroma": Remedy.CHROMA,
    "store": Remedy.FOLDER,
    "paths": Remedy.FOLDER,
    "settings": Remedy.FOLDER,
    "clients": Remedy.CLIENTS,
}


def remedies(report: PartReport, *, answers: bool) -> tuple[Remedy, ...]:
    """Return what helps, the best first; `answers` says whether a worker does."""
    named = [does for command, does in _COMMANDS if command in f"{report.cause} {report.remedy}"]
    if report.state in FAULTY:
        of_part = _OF_PART.get(report.part)
        named = [*(named or ([of_part] if of_part else [])), Remedy.LOGS]
    possible = [_possible(remedy, answers=answers) for remedy in named]
    return tuple(dict.fromkeys(remedy for remedy in possible if remedy))


def _possible(remedy: Remedy, *, answers: bool) -> Remedy | None:
    """Without a worker, what only a worker does begins with its start."""
    if answers:
        return None if remedy is Remedy.START else remedy
    return Remedy.START if remedy in _NEEDS_WORKER else remedy
