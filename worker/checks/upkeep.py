"""Making indexes anew and mending what is broken; only what is ours is ever touched."""

import threading
from collections.abc import Iterator

from worker.checks.canary import REINDEX
from worker.checks.live import LiveChecks
from worker.checks.report import FAULTY, ok
from worker.checks.surroundings import mend_folder
from worker.compose import Loaded
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState
from worker.shared.upkeep import Index, Mended, ReindexReply, RepairReply

_QUICK = (Index.KEYWORD, Index.CHROMA)
_WELL = ok("")


class BusyError(MemtrayError):
    """One repair at a time."""

    title = "A repair is under way"
    code = "busy"
    status = 409


class Caretaker:
    """Does for a running worker what POST /api/reindex and /api/repair ask."""

    def __init__(self, paths: Paths, loaded: Loaded, checks: LiveChecks) -> None:
        self._paths = paths
        self._loaded = loaded
        self._checks = checks
        self._repairing = threading.Lock()

    def reindex(self, what: Index | None) -> ReindexReply:
        """Begin it; GET /api/ready tells how far it is, and searching goes on."""
        every = (Index.KEYWORD, Index.VECTORS, Index.CHROMA)
        wanted = {None: _QUICK, Index.ALL: every}.get(what) or (what or Index.ALL,)
        begun = [index for index in wanted if self._begin(index)]
        skipped = ", ".join(index for index in wanted if index not in begun)
        notes = [f"Left out, as search by meaning is switched off: {skipped}."] if skipped else []
        self._checks.look_again()
        return ReindexReply(begun=begun, notes=notes)

    def repair(self) -> RepairReply:
        """Look at each part, do for the broken ones what heals them, and tell what it was."""
        if not self._repairing.acquire(blocking=False):
            raise BusyError("another client asked for it; wait until that one has its answer")
        try:
            mended = [Mended(part=part, did=did) for part, did in self._mend()]
            self._checks.look_again()
        finally:
            self._repairing.release()
        return RepairReply(mended=mended)

    def _begin(self, index: Index) -> bool:
        sync = self._loaded.sync
        if index is Index.KEYWORD:
            sync.rebuild()
            return True
        return sync.embed_anew() if index is Index.VECTORS else sync.rebuild_chroma()

    def _mend(self) -> Iterator[tuple[str, str]]:
        for did in mend_folder(self._paths):
            yield "paths", did
        reports = {report.part: report for report in self._checks.reports()}
        if fault := self._keyword_fault(reports):
            self._begin(Index.KEYWORD)
            yield "keyword", f"{fault} It is built anew from the memories."
        try:
            if fault := self._loaded.vectors.mend():
                yield "vectors", f"Its file {fault}; it was written anew from memory."
        except MemtrayError as exc:
            yield "vectors", exc.detail
        if reports.get("chroma", _WELL).state in FAULTY:
            self._begin(Index.CHROMA)
            yield "chroma", "It is filled anew from the kept vectors."
        if reports.get("model", _WELL).state is PartState.DOWN:
            self._loaded.sync.load_model_again()
            yield "model", f"It is tried again. {reports['model'].cause}"
        for part in ("store", "vectors"):
            if (report := reports.get(part, _WELL)).state in FAULTY:
                yield part, f"Nothing was changed. {report.cause} {report.remedy}".strip()

    def _keyword_fault(self, reports: dict[str, PartReport]) -> str:
        try:
            fault = self._loaded.keyword.fault(deep=True)
        except MemtrayError as exc:
            return exc.detail
        if fault:
            return f"{fault[0].upper()}{fault[1:]}."
        canary = reports["canary"]
        return canary.cause if canary.state in FAULTY and canary.remedy == REINDEX else ""
