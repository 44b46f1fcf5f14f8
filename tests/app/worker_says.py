"""What the worker may say to a person, gathered from its source."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_REPORTS = frozenset({"ok", "off", "degraded", "down"})  # worker/checks/report.py
_FIELDS = frozenset({"cause", "remedy", "reason"})
_ELSEWHERE = ("commands", "__main__.py", "uninstall.py", "shared/portable.py", "web/openapi.py")
_WORDS = re.compile(r"[A-Za-z]{2,}")


def titles() -> set[str]:
    """Return the titles of all errors."""
    return {text for tree in _trees() for text in _titles(tree)}


def causes() -> set[str]:
    """Return causes and remedies of checks, with {1}, {2}… for what varies."""
    return _with_words(text for tree in _trees() for text in _causes(tree))


def complaints() -> set[str]:
    """Return the texts of errors, with {1}, {2}… for what varies."""
    return _with_words(text for tree in _trees() for text in _complaints(tree))


def _with_words(texts: Iterator[str]) -> set[str]:
    """Leave out what is only places, signs and commands to type."""
    commands = re.compile(r"\{\d\}|`[^`]*`|memtray-worker( [a-zP-]+)*")
    return {text for text in texts if _WORDS.search(commands.sub("", text))}


def _trees() -> Iterator[ast.Module]:
    worker = _ROOT / "worker"
    for path in sorted(worker.rglob("*.py")):
        if not path.relative_to(worker).as_posix().startswith(_ELSEWHERE):
            yield ast.parse(path.read_text(encoding="utf-8"))


def _titles(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error"):
            for line in node.body:
                if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "title":
                    yield from _texts(line.value)


def _causes(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if (isinstance(node, ast.keyword) and node.arg in _FIELDS) or (
            isinstance(node, ast.Assign) and _names(node) & _FIELDS
        ):
            yield from _texts(node.value)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in _REPORTS:
            for argument in node.args[1:]:
                yield from _texts(argument)


def _complaints(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        raised = node.exc if isinstance(node, ast.Raise) else None
        if isinstance(raised, ast.Call) and ast.unparse(raised.func).endswith("Error"):
            for argument in raised.args:
                yield from _texts(argument)


def _names(node: ast.Assign) -> set[str]:
    targets = (
        target.elts if isinstance(target, ast.Tuple) else [target] for target in node.targets
    )
    return {ast.unparse(target) for several in targets for target in several}


def _texts(node: ast.AST) -> Iterator[str]:
    """Yield the texts that an expression may be, where they are written there."""
    match node:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.JoinedStr():
            yield _template(node)
        case ast.IfExp():
            yield from _texts(node.body)
            yield from _texts(node.orelse)
        case ast.BoolOp():
            for value in node.values:
                yield from _texts(value)
        case ast.Tuple():
            for element in node.elts:
                yield from _texts(element)


def _template(text: ast.JoinedStr) -> str:
    number, written = 0, ""
    for part in text.values:
        if isinstance(part, ast.Constant):
            written += str(part.value)
        else:
            number += 1
            written += f"{{{number}}}"
    return written
