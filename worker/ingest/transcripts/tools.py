"""Calls of tools and what came of them, of which only that is kept which may become memory."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from worker.ingest.transcripts.content import blocks_of, joined, text_at
from worker.ingest.transcripts.wording import plain

READING = frozenset({"Read", "NotebookRead", "LSP"})
CHANGING = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
SHELL = frozenset({"Bash", "Shell", "PowerShell"})
ASKING = "AskUserQuestion"
PLANNING = "TodoWrite"
MAX_FACT = 240  # characters

_KEPT = ("file_path", "notebook_path", "command")
_MAX_GIVEN = 20_000  # characters
_MAX_LINE = 4_000  # characters of a line that are looked at for what to show of it
_BLOCK = 16_000  # characters that are searched at once

_CHECKED = re.compile(
    r"\b(?:\d+ (?:tests? )?(?:passed|failed|passing|failing|errors?|warnings?)\b|"
    r"tests?:? +\d+|FAILED\b|PASSED\b|BUILD (?:SUCCESS|FAIL)|test result:)",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"(?:Error|Exception)\b: |\berror\b[:\[]|\bfatal: |\bpanic: |command not found|"
    r"No such file or directory|Permission denied|\bE(?:ACCES|ADDRINUSE|CONNREFUSED|NOENT|PERM)\b"
)
# Not run at all: the tool was called wrongly, or the user said no.
_REFUSED = re.compile(
    r"\s*(?:<tool_use_error>|The user doesn't want to|Claude requested permissions)"
)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call of a tool, and of what it was given what tells files, commands and tasks."""

    id: str
    name: str
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back, as the few lines that may be told of it, without Markdown."""

    id: str
    failed: bool
    refused: bool = False  # it was not run at all
    checked: str = ""  # the last line that counts tests; not of one that failed
    error: str = ""  # else the first line that names an error
    ended: str = ""  # the last line
    answer: str = ""  # how it begins


def use_of(block: Mapping[str, Any]) -> ToolUse:
    """Return the call in a block; a file that it was to write is left out."""
    name, given = text_at(block, "name"), block.get("input")
    kept = {key: value[:_MAX_GIVEN] for key in _KEPT
            if isinstance(given, dict) and isinstance(value := given.get(key), str)}  # fmt: skip
    if name == PLANNING and isinstance(given, dict):
        return ToolUse(text_at(block, "id"), name, {**kept, "todos": given.get("todos")})
    return ToolUse(text_at(block, "id"), name, kept)


def result_of(block: Mapping[str, Any], tool: str) -> ToolResult:
    """Return the result in a block; `tool` says whose it is, "" where that is not known."""
    id_, failed = text_at(block, "tool_use_id"), bool(block.get("is_error"))
    if tool and tool not in SHELL and tool != ASKING and not (failed and tool in CHANGING):
        return ToolResult(id_, failed)
    text = joined(blocks_of(block.get("content")))
    checked = "" if failed else _last(_CHECKED, text)
    return ToolResult(
        id_,
        failed,
        refused=failed and bool(_REFUSED.match(text)),
        checked=checked,
        error="" if checked else _first(_ERROR, text),
        ended=_shown(_last_line(text) or "no output"),
        answer=plain(text)[: MAX_FACT + 1] if tool in ("", ASKING) else "",
    )


def _first(pattern: re.Pattern[str], text: str) -> str:
    """Return the first line in which a pattern is found; "" for none."""
    found = pattern.search(text)
    return _line_at(text, found.start()) if found else ""


def _last(pattern: re.Pattern[str], text: str) -> str:
    """Return the last line in which a pattern is found, from the end on; "" for none."""
    end = len(text)
    while end > 0:
        begin = text.rfind("\n", 0, max(0, end - _BLOCK)) + 1
        *_, found = (None, *pattern.finditer(text, begin, end))
        if found:
            return _line_at(text, found.start())
        end = begin - 1
    return ""


def _last_line(text: str) -> str:
    return next(reversed(text[text.rfind("\n") + 1 :].splitlines()), "")


def _line_at(text: str, place: int) -> str:
    end = text.find("\n", place)
    return _shown(text[text.rfind("\n", 0, place) + 1 : None if end < 0 else end])


def _shown(line: str) -> str:
    return plain(line[:_MAX_LINE])[: MAX_FACT + 1]
