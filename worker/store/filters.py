"""Which records a request lets through; the same filters hold in every mode of search."""

from dataclasses import dataclass

from worker.shared.refs import Kind


@dataclass(frozen=True, slots=True)
class Filters:
    """All conditions must hold; an empty one holds always."""

    project: str | None = None  # equals project or merged_into_project
    kinds: frozenset[Kind] = frozenset(Kind)
    types: frozenset[str] = frozenset()  # observation types; given, only observations pass
    concepts: tuple[str, ...] = ()  # any of them; given, only observations pass
    files: tuple[str, ...] = ()  # any: whole path, its end at a slash, or a folder in it
    start_ms: int | None = None  # inclusive
    end_ms: int | None = None  # inclusive
    projects: frozenset[str] = frozenset()  # any of them, as `project`
    not_projects: frozenset[str] = frozenset()  # neither project nor merged_into_project
    not_types: frozenset[str] = frozenset()  # observation types that do not pass
    sources: frozenset[str] = frozenset()  # the program of the session is any of them
    not_sources: frozenset[str] = frozenset()

    @property
    def empty(self) -> bool:
        return self == Filters()


def file_matches(path: str, wanted: str) -> bool:
    """Say whether `wanted` is `path`, its end at a slash, or a folder that `path` lies in.

    Case and the kind of slash do not matter: `db\\Pool.py` matches `src/db/pool.py`.
    """
    have = "/" + path.replace("\\", "/").removeprefix("./").strip("/").casefold() + "/"
    want = "/" + wanted.replace("\\", "/").removeprefix("./").strip("/").casefold() + "/"
    return len(want) > 2 and want in have
