"""Which project a folder belongs to: a repository, by the name that claude-mem gives it."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

UNKNOWN = "unknown-project"


class Projects:
    """The name of each repository; a second one of the same name gets its parent's beside."""

    def __init__(self, known: Mapping[str, str]) -> None:
        """`known` are the names given before, by root."""
        self._names = dict(known)
        self.new: dict[str, str] = {}  # those given since

    def name_of(self, cwd: str) -> str:
        """Return the project of a session that ran in this folder."""
        if not cwd:
            return UNKNOWN
        root = root_of(cwd)
        if root not in self._names:
            self._names[root] = self.new[root] = self._free_name(_pure(root))
        return self._names[root]

    def _free_name(self, root: PurePath) -> str:
        name = root.name or UNKNOWN
        taken = set(self._names.values())
        if name in taken and root.parent.name:
            name = f"{name} ({root.parent.name})"
        return name if name not in taken else str(root)


@cache
def root_of(cwd: str) -> str:
    """Return the repository that a folder is in, worktrees included.

    Where the folder is not there any more, it is its own; `x/.worktrees/y` and
    `x/.claude/worktrees/y` belong to `x`.
    """
    return _repository(Path(cwd)) or str(_without_worktree(_pure(cwd)))


def _repository(folder: Path) -> str:
    if not folder.is_absolute():
        return ""
    try:
        for place in (folder, *folder.parents):
            git = place / ".git"
            if git.is_dir():
                return str(place)
            if git.is_file():
                return _main_of(git) or str(place)
    except OSError:  # a folder that we may not look into
        return ""
    return ""


def _main_of(git: Path) -> str:
    """Return the repository that a worktree, whose `.git` is a file, belongs to."""
    text = git.read_text(encoding="utf-8", errors="replace").strip()
    place = (git.parent / text.removeprefix("gitdir:").strip()).resolve()
    for parent in place.parents:
        if parent.name == "worktrees" and parent.parent.name == ".git":
            return str(parent.parent.parent)
    return ""


def _without_worktree(path: PurePath) -> PurePath:
    for parent in path.parents:
        if parent.name in (".worktrees", ".claude") and parent.parent.name:
            return parent.parent
    return path


def _pure(path: str) -> PurePath:
    windows = "\\" in path or path[1:2] == ":"
    return PureWindowsPath(path) if windows else PurePosixPath(path)
