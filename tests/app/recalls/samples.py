"""Calls of Claude as a worker tells them, and a worker that does."""

import datetime as dt
import time
from dataclasses import dataclass, field

from tests.shared.stub import Answer, Asked, problem
from worker.shared.capture import ExcludesReply
from worker.shared.contract import StatsReply
from worker.shared.recalls_contract import (
    KEPT_DAYS,
    ClearedReply,
    DayTally,
    Recall,
    RecallsReply,
    Seen,
    Tally,
)

ASKED = ("pool deadlock", "连接池 timeout", "why do photos arrive twice?", "webhook retry")


def recall(number: int, **values: object) -> Recall:
    """Return one call, unlike all others, `number` of them from the first."""
    at = int(time.time() * 1000) - 1_000_000 + number * 1000
    call: dict[str, object] = {
        "id": number,
        "at": dt.datetime.fromtimestamp(at / 1000, dt.UTC).astimezone().isoformat(),
        "at_epoch": at,
        "client": "claude-ai" if number % 3 else "claude-code",
        "tool": ("search", "timeline", "get_observations")[number % 3],
        "asked": ASKED[number % len(ASKED)],
        "filters": "project=shop" if number % 4 == 1 else "",
        "seen": [
            Seen(ref=f"#{number}", type="bugfix", title=f"The pool {number} 🎉 is <b>empty</b>"),
            Seen(ref="#S7", type="session", title="Fixed the retry of the webhook"),
            Seen(ref="#999"),
        ],
        "tokens": 100 + number,
        "ms": 10 + number,
        "outcome": "hits",
    }
    return Recall.model_validate(call | values)


def days(*recalls: int) -> list[DayTally]:
    """Return the days up to the present one, with so many calls each at the end."""
    today = dt.datetime.now(dt.UTC).astimezone().date()
    counts = (*([0] * (KEPT_DAYS - len(recalls))), *recalls)
    return [
        DayTally(
            day=str(today - dt.timedelta(days=KEPT_DAYS - 1 - place)), recalls=n, tokens=n * 700
        )
        for place, n in enumerate(counts)
    ]


def stats() -> StatsReply:
    """Return counts of memories over half a year."""
    monday = dt.date(2026, 1, 5)
    types = ("bugfix", "feature", "decision", "discovery", "refactor", "change", "note")
    weeks = {
        str(monday + dt.timedelta(weeks=week)): {
            kind: (week * 7 + place * 5) % 11 for place, kind in enumerate(types)
        }
        for week in range(20)
    }
    return StatsReply(
        observations=1,
        sessions=0,
        prompts=0,
        projects={},
        types={},
        months={},
        weeks=weeks,
        oldest=None,
        newest=None,
    )


@dataclass
class Recorded:
    """What a worker has on record, newest first."""

    recalls: list[Recall] = field(default_factory=list)
    recording: bool = True
    broken: bool = False
    silent: bool = False
    asked: list[dict[str, str]] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Answer | None:
        if self.silent:
            return None
        if self.broken:
            return problem(503, "state_unavailable", "state.db: database is locked")
        if asked.path == "/api/stats":
            return Answer(stats().model_dump_json().encode())
        if asked.path == "/api/excludes":
            return Answer(ExcludesReply(excludes=[]).model_dump_json().encode())
        if asked.path == "/api/recalls/clear":
            reply = ClearedReply(cleared=len(self.recalls))
            self.recalls.clear()
            return Answer(reply.model_dump_json().encode())
        self.asked.append(asked.params)
        return Answer(self._page(asked.params).model_dump_json().encode())

    def _page(self, params: dict[str, str]) -> RecallsReply:
        before, limit = int(params.get("before", 10**9)), int(params["limit"])
        wanted = [
            each
            for each in self.recalls
            if each.id < before and params.get("client") in (None, each.client)
        ]
        tokens = sum(each.tokens for each in self.recalls)
        return RecallsReply(
            recalls=wanted[:limit],
            next=wanted[limit - 1].id if len(wanted) > limit else None,
            today=Tally(recalls=len(self.recalls), tokens=tokens),
            days=days(3, 0, 5, len(self.recalls)) if self.recalls else days(),
            clients=sorted({each.client for each in self.recalls}),
            recording=self.recording,
        )
