"""What the facets show: values with their counts, and which of them are chosen or excluded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from app.search.request import KINDS, Chip, Field, Group, Query, is_date, month
from worker.shared.contract import Facets
from worker.shared.refs import Kind
from worker.shared.values import parse_when

MOST = 200  # values of one facet


class Mark(Enum):
    """How a value stands to the query."""

    FREE = " "
    CHOSEN = "✓"
    EXCLUDED = "✗"


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a facet; `count` hits have it, beside the other facets' filters."""

    group: Group
    name: str
    count: int
    mark: Mark

    def chips(self, chosen: Sequence[Chip] = ()) -> tuple[Chip, ...]:
        """Return the filters that choose it; for months, together with those chosen already."""
        if self.group is Group.DATE:
            return month(self.name, tuple(chosen)) if is_date(self.name) else ()
        return (Chip(Field(self.group.value), self.name),)


def values_of(
    query: Query, facets: Facets, wider: Mapping[Group, Facets]
) -> dict[Group, list[Value]]:
    """Return the values of each facet: counted with all filters but the facet's own."""
    found = {}
    for group in Group:
        counts = _counts(group, wider.get(group, facets))
        chips = query.of_group(group)
        named = {chip.value: 0 for chip in chips if group is not Group.DATE}
        shown = dict(list(counts.items())[:MOST])
        shown |= {name: counts.get(name, 0) for name in named}
        if group is Group.SOURCE and len(shown) == 1 and not chips:
            shown = {}  # all from one program: nothing to choose
        found[group] = [
            Value(group, name, count, _mark(group, name, chips)) for name, count in shown.items()
        ]
    return found


def _counts(group: Group, facets: Facets) -> Mapping[str, int]:
    if group is Group.DATE:
        return facets.month
    if group is Group.KIND:
        return {KINDS[Kind(kind)]: count for kind, count in facets.kind.items()}
    plain = {Group.PROJECT: facets.project, Group.TYPE: facets.type, Group.SOURCE: facets.source}
    return plain[group]


def _mark(group: Group, name: str, chips: Sequence[Chip]) -> Mark:
    if group is Group.DATE:
        inside = bool(chips) and is_date(name) and all(_reaches(chip, name) for chip in chips)
        return Mark.CHOSEN if inside else Mark.FREE
    for chip in chips:
        if chip.value == name:
            return Mark.EXCLUDED if chip.excluded else Mark.CHOSEN
    return Mark.FREE


def _reaches(chip: Chip, name: str) -> bool:
    """Say whether one end of a range lets the whole month pass."""
    if chip.field is Field.AFTER:
        return parse_when(name) >= parse_when(chip.value)
    return parse_when(name, end=True) <= parse_when(chip.value, end=True)


class Pick(Enum):
    """What becomes of a value."""

    ONLY = auto()
    ADD = auto()
    EXCLUDE = auto()


def picked(query: Query, value: Value, pick: Pick) -> Query:
    """Return the query with a value chosen, added or excluded; a second time takes it back."""
    chosen = query.of_group(value.group)
    chips = value.chips(chosen if pick is Pick.ADD else ())
    if not chips or (value.group is Group.DATE and pick is Pick.EXCLUDE):
        return query
    if pick is Pick.EXCLUDE:
        chips = tuple(replace(chip, excluded=True) for chip in chips)
    if pick is Pick.ONLY:
        return query.without_group(value.group) if chosen == chips else query.only(chips)
    if value.group is not Group.DATE and chips[0] in chosen:
        return query.without(chips[0])
    return query.with_chips(chips)
