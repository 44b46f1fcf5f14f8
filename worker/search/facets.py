"""How many matches there are for each project, kind, type and month."""

from collections import Counter
from collections.abc import Callable, Mapping

from worker.index.keys import Keys, to_ref
from worker.index.keyword import KeywordIndex
from worker.search.answer import local_time
from worker.shared.contract import Facets
from worker.shared.refs import Kind
from worker.store.filters import Filters


def facets_of(
    index: KeywordIndex,
    expressions: Mapping[Kind, str] | None,
    filters: Filters,
    others: Keys,
) -> Callable[[], Facets]:
    """Return what counts, when called, the rows that match (all that pass without expressions).

    `others` are matches by meaning alone.
    """

    def count() -> Facets:
        projects: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        types: Counter[str] = Counter()
        months: Counter[str] = Counter()

        def add(code: int, project: str, type_: str, epoch: int, rows: int) -> None:
            kind = to_ref(code).kind
            projects[project] += rows
            kinds[kind] += rows
            if kind is Kind.OBSERVATION:
                types[type_] += rows
            months[local_time(epoch).strftime("%Y-%m")] += rows

        for code, project, type_, epoch, rows in index.groups(expressions, filters):
            add(code, project, type_, epoch, rows)
        for key, project, type_, epoch in index.describe(others):
            add(key & 3, project, type_, epoch, 1)
        most_first = [dict(c.most_common()) for c in (projects, kinds, types)]
        newest_first = dict(sorted(months.items(), reverse=True))
        return Facets(
            project=most_first[0], kind=most_first[1], type=most_first[2], month=newest_first
        )

    return count
