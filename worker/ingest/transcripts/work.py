"""What was done in a turn, out of its tool calls: files, commands and what came of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath

from worker.ingest.transcripts.tools import (
    ASKING,
    CHANGING,
    MAX_FACT,
    READING,
    SHELL,
    ToolResult,
    ToolUse,
)
from worker.ingest.transcripts.turns import Turn
from worker.ingest.transcripts.wording import plain, shortened

_MAX_FACTS = 10

_TRIVIAL = re.compile(
    r"\s*(?:cd|ls|ll|pwd|cat|head|tail|echo|which|find|grep|rg|sed -n|wc|tree|sleep|mkdir|touch|"
    r"chmod|git (?:status|log|diff|show|branch|add|push|fetch|stash))\b"
)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_JOINT = re.compile(r"&&|\|\|?|;|\n")
_COMMITTED = re.compile(
    r"""git\s+commit\b[^\n]*?\s-[a-z]*m\s+(?:"\$\(cat\s+<<\s*['"]?EOF['"]?\s*\n|["'])([^\n"']{8,150})"""
)


@dataclass(frozen=True, slots=True)
class Work:
    """What a turn touched and brought about."""

    read: tuple[str, ...]
    changed: tuple[str, ...]
    created: bool
    facts: tuple[str, ...]
    failed: bool  # something went wrong on the way
    committed: str  # the subject of the last commit, "" for none


def work_of(turn: Turn, cwd: str) -> Work:
    """Return the work of a turn; paths inside `cwd` are told from there."""
    changed = _files(turn, CHANGING, cwd)
    return Work(
        read=tuple(path for path in _files(turn, READING, cwd) if path not in changed),
        changed=changed,
        created=any(use.name == "Write" for use in turn.uses),
        facts=tuple(dict.fromkeys(_facts(turn)))[:_MAX_FACTS],
        committed=_committed(turn),
        failed=any(result.failed and not result.refused for result in turn.results.values()),
    )


def _files(turn: Turn, tools: frozenset[str], cwd: str) -> tuple[str, ...]:
    found = []
    for use in turn.uses:
        result = turn.results.get(use.id)
        path = use.given.get("file_path") or use.given.get("notebook_path")
        if use.name in tools and isinstance(path, str) and path and not (result and result.failed):
            found.append(relative(path, cwd))
    return tuple(dict.fromkeys(found))


def relative(path: str, cwd: str) -> str:
    """Return a path as seen from `cwd` if it is inside, else as it is; both systems' paths."""
    kind = PureWindowsPath if "\\" in cwd or "\\" in path else PurePosixPath
    try:
        inside = kind(path).relative_to(kind(cwd)) if cwd else kind(path)
    except ValueError:
        return path
    return str(inside)


def _committed(turn: Turn) -> str:
    for use in reversed(turn.uses):
        result = turn.results.get(use.id)
        command = use.given.get("command") if use.name in SHELL else None
        subject = _subject(command) if isinstance(command, str) else ""
        if subject and result and not result.failed:
            return subject
    return ""


def _subject(command: str) -> str:
    """Return the subject of the commit that a command makes; "" for none."""
    found = _COMMITTED.search(command)
    return plain(found[1]) if found else ""


def _facts(turn: Turn) -> Iterator[str]:
    for use in turn.uses:
        result = turn.results.get(use.id)
        if use.name in SHELL:
            yield from _of_command(use, result)
        elif result and result.failed and use.name in CHANGING and not result.refused:
            yield _short(f"{use.name} failed: {result.error or result.ended}")
        elif use.name == ASKING and result and not result.failed:
            yield _short(result.answer)


def _of_command(use: ToolUse, result: ToolResult | None) -> Iterator[str]:
    command = use.given.get("command")
    if not isinstance(command, str) or not command.strip():
        return
    shown = shortened(" ".join(command.split()), 120)
    if result and result.refused:
        return
    if result and result.failed:
        yield _short(f"`{shown}` failed: {result.error or result.ended}")
    elif result and (told := result.checked or result.error):
        yield _short(f"`{shown}`: {told}")
    elif result and (subject := _subject(command)):
        yield committed(subject)
    elif not _is_trivial(command):
        yield f"`{shown}`"


def committed(subject: str) -> str:
    """Return the fact that something was committed."""
    return _short(f"Committed: {subject}")


def _is_trivial(command: str) -> bool:
    """Say whether a command only looks around, or does what goes without saying."""
    return all(map(_TRIVIAL.match, _JOINT.split(_QUOTED.sub("''", command))))


def _short(fact: str) -> str:
    return shortened(fact, MAX_FACT)
