"""What was done in a turn, out of its tool calls: files, commands and what came of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath

from worker.ingest.transcripts.messages import ToolResult, ToolUse
from worker.ingest.transcripts.turns import Turn
from worker.ingest.transcripts.wording import plain, shortened

_READING = frozenset({"Read", "NotebookRead", "LSP"})
_CHANGING = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
_SHELL = frozenset({"Bash", "Shell", "PowerShell"})
_MAX_FACTS = 10
_MAX_FACT = 240  # characters

_TRIVIAL = re.compile(
    r"\s*(?:cd|ls|ll|pwd|cat|head|tail|echo|which|find|grep|rg|sed -n|wc|tree|sleep|git (?:status|"
    r"log|diff|show|branch)|mkdir)\b[^&;|]*$"
)
_CHECKED = re.compile(
    r"\b(?:\d+ (?:tests? )?(?:passed|failed|passing|failing|errors?|warnings?)\b|"
    r"tests?:? +\d+|FAILED\b|PASSED\b|BUILD (?:SUCCESS|FAIL)|test result:)",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"(?:Error|Exception)\b: |\berror\b[:\[]|\bfatal: |\bpanic: |command not found|"
    r"No such file or directory|Permission denied|\bE(?:ACCES|ADDRINUSE|CONNREFUSED|NOENT|PERM)\b"
)
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
    changed = _files(turn, _CHANGING, cwd)
    return Work(
        read=tuple(path for path in _files(turn, _READING, cwd) if path not in changed),
        changed=changed,
        created=any(use.name == "Write" for use in turn.uses),
        facts=tuple(dict.fromkeys(_facts(turn)))[:_MAX_FACTS],
        committed=_committed(turn),
        failed=any(result.failed for result in turn.results.values()),
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
        command = use.given.get("command") if use.name in _SHELL else None
        found = _COMMITTED.search(command) if isinstance(command, str) else None
        if found and result and not result.failed:
            return plain(found[1])
    return ""


def _facts(turn: Turn) -> Iterator[str]:
    for use in turn.uses:
        result = turn.results.get(use.id)
        if use.name in _SHELL:
            yield from _of_command(use, result)
        elif result and result.failed and use.name in _CHANGING:
            yield _short(f"{use.name} failed: {_first_error(result.text)}")
        elif use.name == "AskUserQuestion" and result and not result.failed:
            yield _short(plain(result.text))


def _of_command(use: ToolUse, result: ToolResult | None) -> Iterator[str]:
    command = use.given.get("command")
    if not isinstance(command, str) or not command.strip():
        return
    shown = shortened(" ".join(command.split()), 120)
    if result and result.failed:
        yield _short(f"`{shown}` failed: {_first_error(result.text)}")
    elif result and (told := _last(_CHECKED, result.text) or _first(_ERROR, result.text)):
        yield _short(f"`{shown}`: {told}")
    elif not _TRIVIAL.match(command):
        yield f"`{shown}`"


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return _first(_ERROR, text) or plain(lines[-1] if lines else "no output")


def _first(pattern: re.Pattern[str], text: str) -> str:
    """Return the first line in which a pattern is found; "" for none."""
    found = pattern.search(text)
    return _line_at(text, found.start()) if found else ""


def _last(pattern: re.Pattern[str], text: str) -> str:
    *_, found = (None, *pattern.finditer(text))
    return _line_at(text, found.start()) if found else ""


def _line_at(text: str, place: int) -> str:
    end = text.find("\n", place)
    return plain(text[text.rfind("\n", 0, place) + 1 : None if end < 0 else end])


def _short(fact: str) -> str:
    return shortened(fact, _MAX_FACT)
