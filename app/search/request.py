"""What is asked for: words and filters, in the box and as chips, which are the same thing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from worker.shared.contract import MAX_QUERY, Mode, OrderBy
from worker.shared.refs import Kind
from worker.shared.values import parse_when

KINDS = {Kind.OBSERVATION: "observations", Kind.SESSION: "sessions", Kind.PROMPT: "prompts"}

_OPERATOR = re.compile(
    r"""(?P<phrase>"[^"]*")
        | (?<!\S)(?P<minus>-?)(?P<name>project|type|kind|source|after|before|date):
          (?: "(?P<quoted>(?:[^"]|"")+)" | (?P<plain>[^\s"]\S*) )(?P<end>\s+|\Z)""",
    re.VERBOSE | re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"""(?<!\S)-?(project|type|kind|source|after|before|date):("[^"]*"?|[^\s"]\S*)?\Z""",
    re.IGNORECASE,
)


class Field(StrEnum):
    """What a filter looks at."""

    PROJECT = "project"
    TYPE = "type"
    KIND = "kind"
    SOURCE = "source"
    AFTER = "after"
    BEFORE = "before"

    @property
    def group(self) -> "Group":
        """The facet that shows it."""
        return Group.DATE if self in DATES else Group(self.value)


DATES = (Field.AFTER, Field.BEFORE)


class Group(StrEnum):
    """The facets, in the order shown."""

    PROJECT = "project"
    KIND = "kind"
    TYPE = "type"
    SOURCE = "source"
    DATE = "date"


class Beyond(StrEnum):
    """What may be left out of a query besides the filters of one facet."""

    FILTERS = "filters"  # all of them
    WORDS = "words"  # and the words: every memory is found


Left = Group | Beyond


@dataclass(frozen=True, slots=True)
class Chip:
    """One filter."""

    field: Field
    value: str
    excluded: bool = False

    @property
    def text(self) -> str:
        """As it is typed."""
        plain = re.fullmatch(r'[^\s"]+', self.value)
        value = self.value if plain else '"{}"'.format(self.value.replace('"', '""'))
        return f"{'-' if self.excluded else ''}{self.field}:{value}"


@dataclass(frozen=True, slots=True)
class Query:
    """All that a search depends on."""

    words: str = ""
    chips: tuple[Chip, ...] = ()
    mode: Mode = Mode.BOTH
    order: OrderBy = OrderBy.RELEVANCE

    @property
    def text(self) -> str:
        """As one line that `read` understands."""
        return " ".join([*(chip.text for chip in self.chips), self.words]).strip()

    @property
    def is_empty(self) -> bool:
        """True where nothing is asked for but the newest."""
        return not self.words and not self.chips

    @property
    def shown_order(self) -> OrderBy:
        """The order in which hits come: without words none is better, and the newest are first."""
        by_date = self.order is OrderBy.RELEVANCE and not self.words
        return OrderBy.DATE_DESC if by_date else self.order

    @property
    def groups(self) -> tuple[Group, ...]:
        """Return the facets that narrow it."""
        return tuple(dict.fromkeys(chip.field.group for chip in self.chips))

    def of_group(self, group: Group) -> tuple[Chip, ...]:
        return tuple(chip for chip in self.chips if chip.field.group is group)

    def without_group(self, group: Group) -> "Query":
        return replace(self, chips=tuple(c for c in self.chips if c.field.group is not group))

    def wider(self, left: Left) -> "Query":
        """Return it without what is left out."""
        if isinstance(left, Group):
            return self.without_group(left)
        return replace(self, chips=()) if left is Beyond.FILTERS else Query()

    def without(self, chip: Chip) -> "Query":
        return replace(self, chips=tuple(each for each in self.chips if each != chip))

    def with_chips(self, chips: Iterable[Chip]) -> "Query":
        """Add filters; the newest counts where two contradict each other."""
        kept = list(self.chips)
        for chip in chips:
            kept = [each for each in kept if not _contradict(each, chip)]
            kept.append(chip)
        return replace(self, chips=tuple(kept))

    def only(self, chips: Iterable[Chip]) -> "Query":
        """Let these be the only filters of their facets."""
        chosen = tuple(chips)
        query = self
        for chip in chosen:
            query = query.without_group(chip.field.group)
        return query.with_chips(chosen)

    def params(self, *, limit: int, offset: int = 0) -> Mapping[str, object]:
        """Return it as parameters of GET /api/search."""
        kinds, types = self._values(Field.KIND), self._values(Field.TYPE)
        return {
            "format": "json",
            "limit": limit,
            "offset": offset or None,
            "query": self.words[: MAX_QUERY + 1] or None,  # of one more, the answer says it
            "projects": self._values(Field.PROJECT) or None,
            "excludeProjects": self._values(Field.PROJECT, excluded=True) or None,
            "sources": self._values(Field.SOURCE) or None,
            "excludeSources": self._values(Field.SOURCE, excluded=True) or None,
            "type": kinds or None,
            "obs_type": types or None,
            "excludeTypes": [
                *self._values(Field.KIND, excluded=True),
                *self._values(Field.TYPE, excluded=True),
            ]
            or None,
            "dateStart": next(iter(self._values(Field.AFTER)), None),
            "dateEnd": next(iter(self._values(Field.BEFORE)), None),
            "mode": None if self.mode is Mode.BOTH else self.mode.value,
            "orderBy": None if self.order is OrderBy.RELEVANCE else self.order.value,
        }

    def _values(self, field: Field, *, excluded: bool = False) -> list[str]:
        return [c.value for c in self.chips if c.field is field and c.excluded is excluded]


def read(text: str, *, whole: bool = True) -> tuple[str, tuple[Chip, ...]]:
    """Return the words of a text, and its filters in the order typed.

    Without `whole`, a filter that the text ends with is still being typed: it stays where it is.
    What only looks like a filter, such as `after:lunch`, is words.
    """
    chips: list[Chip] = []
    rest: list[str] = []
    done = 0
    for found in _OPERATOR.finditer(text):
        unfinished = not whole and not found["end"]
        if found["phrase"] is not None or unfinished or not (chip := _chips(found)):
            continue
        rest.append(text[done : found.start()])
        done = found.end()
        chips += chip
    rest.append(text[done:])
    return "".join(rest) if chips else text, tuple(dict.fromkeys(chips))


def without_unfinished(text: str) -> str:
    """Return the words of a text that may end with a filter which is still being typed."""
    return _UNFINISHED.sub("", text)


def query_of(text: str, like: Query | None = None) -> Query:
    """Return what a line asks for, in the mode and order of `like`."""
    words, chips = read(text)
    return replace(like or Query(), words=words.strip(), chips=()).with_chips(chips)


def month(value: str, chosen: tuple[Chip, ...] = ()) -> tuple[Chip, Chip]:
    """Return the filters for a month; with those chosen already, the range that holds both."""
    starts = [value, *(chip.value for chip in chosen if chip.field is Field.AFTER)]
    ends = [value, *(chip.value for chip in chosen if chip.field is Field.BEFORE)]
    first = min(starts, key=parse_when)
    last = max(ends, key=lambda end: parse_when(end, end=True))
    return Chip(Field.AFTER, first), Chip(Field.BEFORE, last)


def _chips(found: re.Match[str]) -> tuple[Chip, ...]:
    """Return what an operator means; nothing where its value makes no sense."""
    name, excluded = found["name"].lower(), bool(found["minus"])
    quoted = found["quoted"]
    value = found["plain"] if quoted is None else quoted.replace('""', '"').strip()
    if name in ("date", *DATES):
        return () if excluded else _range(name, value)
    if name == Field.KIND:
        singular = value.lower().removesuffix("s")
        value = KINDS[Kind(singular)] if singular in set(Kind) else ""
    return (Chip(Field(name), value, excluded),) if value else ()


def _range(name: str, value: str) -> tuple[Chip, ...]:
    """Return both ends of a range or one; a year is from its first month to its last."""
    year = re.fullmatch(r"\d{4}", value)
    first, last = (f"{value}-01", f"{value}-12") if year else (value, value)
    if not is_date(first):
        return ()
    ends = (Chip(Field.AFTER, first), Chip(Field.BEFORE, last))
    return ends if name == "date" else tuple(chip for chip in ends if chip.field == name)


def is_date(value: str) -> bool:
    """Say whether a filter can begin and end there."""
    try:
        parse_when(value)
        parse_when(value, end=True)
    except ValueError:
        return False
    return True


def _contradict(one: Chip, other: Chip) -> bool:
    """Say whether both cannot stand side by side: the same value, or two ends of one range."""
    return one.field is other.field and (one.value == other.value or one.field in DATES)
