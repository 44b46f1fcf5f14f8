"""Patterns of what is not to be remembered: like gitignore's, over project names and folders."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

MAX_PATTERN = 200  # characters

_DRIVE = re.compile(r"[a-z]:$")
_ANY = "**"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory would come from; what is not known is empty."""

    project: str = ""
    folder: str = ""  # whole, in which the session ran
    file: str = ""  # whole, of its transcript


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern, parsed. It matches a folder and all below it, whatever the letters' case."""

    text: str
    exempts: bool  # begins with `!`
    name: str | None  # without a slash: also of a project
    blocks: tuple[tuple[str, ...], ...]  # what stands between `**`; the first begins at the root

    def matches(self, place: Place) -> bool:
        """Say whether the pattern, without its `!`, means this place."""
        if self.name is not None:
            paths = [place.folder]
            if place.project and fnmatchcase(_folded(place.project), self.name):
                return True
        else:
            paths = [place.folder, place.file]
        return any(_reaches(self.blocks, _parts(path)) for path in paths if path)


def parse_pattern(text: str, home: str) -> Pattern:
    """Return a pattern; raise ValueError saying what is wrong with it.

    `home` stands for a `~` at the beginning.
    """
    line = text.strip()
    exempts = line.startswith("!")
    body = line[exempts:].strip()
    if len(line) > MAX_PATTERN:
        raise ValueError(f"a pattern has at most {MAX_PATTERN} characters")
    if body == "~" or body.startswith(("~/", "~\\")):
        body = home + body[1:]
    parts = _parts(body)
    if not any(parts):
        raise ValueError("a pattern names a project or a folder, such as secret-* or ~/code/secret")
    anchored = parts[0] == "" or _DRIVE.fullmatch(parts[0]) is not None
    name = parts[0] if len(parts) == 1 and not anchored else None
    return Pattern(line, exempts, name, _blocks(parts if anchored else (_ANY, *parts)))


def barring(patterns: Iterable[Pattern], place: Place) -> Pattern | None:
    """Return the pattern by which a place is excluded: the last one that matches decides."""
    last = None
    for pattern in patterns:
        if pattern.matches(place):
            last = pattern
    return None if last is None or last.exempts else last


def _parts(path: str) -> tuple[str, ...]:
    """Return the names in a path, "" first where it begins at the root."""
    names = _folded(path).replace("\\", "/").split("/")
    return tuple(name for number, name in enumerate(names) if name or number == 0)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _blocks(parts: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    blocks: list[list[str]] = [[]]
    for part in parts:
        if part == _ANY:
            blocks.append([])
        else:
            blocks[-1].append(part)
    return tuple(map(tuple, blocks))


def _reaches(blocks: Sequence[Sequence[str]], parts: Sequence[str]) -> bool:
    """Say whether the blocks follow one another in the path, the first at its beginning."""
    at = 0
    for number, block in enumerate(blocks):
        starts = range(at, len(parts) - len(block) + 1) if number else (0,)
        found = next((start for start in starts if _fits(block, parts[start:])), None)
        if found is None:
            return False
        at = found + len(block)
    return True


def _fits(block: Sequence[str], parts: Sequence[str]) -> bool:
    return len(block) <= len(parts) and all(map(fnmatchcase, parts, block))
