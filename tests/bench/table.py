"""One Markdown table a group: our figure, what it should reach, claude-mem's, the limit."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure to reach."""

    value: float
    at_most: bool

    def holds(self, ours: float) -> bool:
        """Say whether `ours` reaches it."""
        return ours <= self.value if self.at_most else ours >= self.value

    def __str__(self) -> str:
        return f"{'≤' if self.at_most else '≥'} {number(self.value)}"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. `limit` is the best that the machine or the data allow, of the same run."""

    name: str
    ours: float | None
    unit: str = ""
    bound: Bound | None = None
    claude_mem: str = ""
    limit: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Return "yes", "NO", or nothing where there is nothing to reach."""
        if self.bound is None or self.ours is None:
            return ""
        return "yes" if self.bound.holds(self.ours) else "NO"


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one table."""

    title: str
    rows: tuple[Row, ...]


def number(value: float | None) -> str:
    """Return three significant digits, whole numbers whole; "–" for None."""
    if value is None:
        return "–"
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def markdown(group: Group) -> str:
    """Return the group as a Markdown table below its title."""
    head = ("", "Memtray", "to reach", "reached", "claude-mem", "limit", "")
    body = [_cells(row) for row in group.rows]
    widths = [max(len(line[i]) for line in (head, *body)) for i in range(len(head))]
    rule = tuple("-" * width for width in widths)
    return "\n".join([f"### {group.title}", "", *(_line(c, widths) for c in (head, rule, *body))])


def _cells(row: Row) -> tuple[str, ...]:
    ours = f"{number(row.ours)} {row.unit}".strip()
    bound = "" if row.bound is None else str(row.bound)
    limit = "" if row.limit is None else number(row.limit)
    return (row.name, ours, bound, row.verdict, row.claude_mem, limit, row.note)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"
