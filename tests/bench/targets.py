"""The figures to reach, and claude-mem 13.25.3's, measured on the same kind of machine."""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.bench.table import Bound, Row


@dataclass(frozen=True, slots=True)
class Target:
    """What one figure should reach, and what claude-mem's is."""

    bound: Bound
    claude_mem: str = ""


def _most(value: float, claude_mem: str = "") -> Target:
    return Target(Bound(value, at_most=True), claude_mem)


def _least(value: float, claude_mem: str = "") -> Target:
    return Target(Bound(value, at_most=False), claude_mem)


TARGETS: Mapping[str, Target] = {
    "latency 10000 all p50": _most(5, "5.8 without vectors"),
    "latency 10000 all p95": _most(12, "21 without vectors"),
    "latency 100000 all p50": _most(12, "19.5 without vectors"),
    "latency 100000 all p95": _most(35, "104 without vectors"),
    "clients 10000": _least(250, "98 without vectors"),
    "clients 100000": _least(90, "28 without vectors"),
    "found 1000 two_word_nonadjacent": _least(0.90, "0"),
    "found 1000 phrase": _least(0.97, ".87"),
    "found 1000 identifier_file": _least(0.90, ".37"),
    "found 1000 cjk_substring": _least(0.97, "1.0"),
    "found 10000 phrase": _least(0.85, ".77"),
    "retrieval scifact R@10": _least(83, ".3"),
    "retrieval scifact MRR@10": _least(65, ".3"),
    "retrieval xquad_zh R@10": _least(99.5, "0"),
    "retrieval xquad_zh MRR@10": _least(95, "0"),
    "retrieval xquad_zh on xquad_en R@10": _least(96, "0"),
    "retrieval xquad_zh on xquad_en MRR@10": _least(78, "0"),
    "retrieval devbench R@10": _least(100, "0"),
    "retrieval devbench MRR@10": _least(83, "0"),
    "made_up": _least(95),
    "tokens row": _most(36, "27 without date"),
    "tokens page": _most(750, "1,358"),
    "tokens details": _most(420, "543"),
    "tokens words": _least(100),
    "tokens titles": _least(100),
    "tokens tools": _most(520, "619 (all 15: 1,904)"),
    "tokens chain": _most(35),
    "mcp seconds": _most(1.0, "0.09"),
    "mcp memory": _most(85, "71"),
    "recall queries": _least(0.97),
    "recall vectors of rows": _least(0.97),
    "life healthy": _most(0.4, "0.7-0.8"),
    "life ready 10000": _most(3),
    "life ready 100000": _most(8),
    "life again": _most(0),
    "life memory 10000": _most(300, "515 at 1,000"),
    "life memory 100000": _most(900),
    "life disk": _most(6),
    "life idle": _most(0.5),
    "life indexed": _least(90, "2.6 a second"),
    "life searches": _most(2),
    "life rebuild 100000": _most(120),
    "import parse": _least(20),
    "import transcripts memory": _most(300),
    "import export memory": _most(300),
    "import rows memory": _most(300),
    "import cancel": _most(1),
    "window open": _most(300),
    "window page": _most(150),
    "window stall": _most(50),
    "logs open": _most(1000),
    "logs stall": _most(100),
    "app memory": _most(160),
    "app cpu": _most(1),
    "app menu": _most(50),
    "app back": _most(5),
}


def row(
    key: str,
    name: str,
    ours: float | None,
    *,
    unit: str = "",
    limit: float | None = None,
    note: str = "",
) -> Row:
    """Return a row with what `key` should reach, where anything is set for it."""
    target = TARGETS.get(key)
    return Row(
        name=name,
        ours=ours,
        unit=unit,
        bound=target.bound if target else None,
        claude_mem=target.claude_mem if target else "",
        limit=limit,
        note=note,
    )
