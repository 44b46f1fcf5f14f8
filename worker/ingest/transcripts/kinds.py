"""What kind of memory a turn is, in claude-mem's words for types and concepts."""

import re

from worker.ingest.transcripts.outcome import Outcome

_FIX = re.compile(
    r"\b(?:fix(?:e[sd])?|bugs?|crash\w*|broken|regression|hotfix|debug\w*|doesn't work|not working|"
    r"fail(?:s|ed|ing|ure)?|errors?)\b|修复|报错|崩溃|错误|失败|バグ|不具合|修正|エラー",
    re.IGNORECASE,
)
_REFACTOR = re.compile(
    r"\b(?:refactor\w*|renam\w+|clean(?:ed)? up|simplif\w+|reorgani[sz]\w+|extract(?:ed)?|"
    r"mov(?:e|ed) .* (?:to|into)|dedup\w*)\b|重构|重命名|リファクタ|整理",
    re.IGNORECASE,
)
_FEATURE = re.compile(
    r"\b(?:add(?:ed)?|implement\w*|creat(?:e|ed)|build|built|new feature|introduc\w+|support for)\b"
    r"|添加|实现|新增|创建|追加|実装|作成",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:decid\w+|decision|choose|chose|chosen|should we|shall we|which (?:one|is better)|"
    r"go(?:ing)? with|let's use|trade-?offs?|prefer|instead of|agree[ds]?)\b|"
    r"决定|选择|还是|应该用|方案|決定|選択|どちら",
    re.IGNORECASE,
)


def type_of(outcome: Outcome) -> str:
    """Return the type of an observation, by what was changed and what was asked and answered."""
    asked = f"{outcome.turn.prompt.text[:600]}\n{outcome.title}"
    if outcome.work.changed:
        for kind, sign in (("bugfix", _FIX), ("refactor", _REFACTOR), ("feature", _FEATURE)):
            if sign.search(asked):
                return kind
        return "feature" if outcome.work.created else "change"
    return "decision" if _DECISION.search(asked) else "discovery"


def concepts_of(outcome: Outcome) -> tuple[str, ...]:
    """Return claude-mem's own words for what a memory is about."""
    kind = type_of(outcome)
    concept = {
        "bugfix": "problem-solution",
        "decision": "trade-off",
        "discovery": "how-it-works",
    }.get(kind, "what-changed")
    return (concept, "gotcha") if outcome.work.failed and kind != "bugfix" else (concept,)
