"""Secrets leave a text before it is written anywhere."""

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from worker.ingest.secret_rules import Rule, rules
from worker.ingest.secret_values import may_be_secret

_Span = tuple[int, int, str]  # start, end, kind
_SMALL = {ord(letter): letter.lower() for letter in string.ascii_uppercase}


@dataclass(slots=True)
class Report:
    """How many secrets of which kind were left out; never the secrets themselves."""

    found: Counter[str] = field(default_factory=Counter)

    def notes(self) -> list[str]:
        """Return what to tell a person; nothing where nothing was found."""
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(self.found.items()))
        return [f"Secrets were left out: {listed}"] if listed else []


def redact(text: str, report: Report) -> str:
    """Return the text with `[redacted: kind]` in place of each secret.

    Doing it again changes nothing.
    """
    while (cleaner := _once(text, report)) != text:  # what goes may lay bare what stood beside it
        text = cleaner
    return text


def _once(text: str, report: Report) -> str:
    pieces, done = [], 0
    for start, end, kind in _apart(_spans(text)):
        pieces += [text[done:start], f"[redacted: {kind}]"]
        report.found[kind] += 1
        done = end
    return "".join([*pieces, text[done:]]) if pieces else text


def redact_all(values: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return a row whose texts went through `redact`."""
    return {
        name: redact(value, report) if isinstance(value, str) else value
        for name, value in values.items()
    }


@cache
def _roots() -> tuple[tuple[str, Rule], ...]:
    return tuple((root, rule) for rule in rules() for root in rule.roots)


def _spans(text: str) -> Iterator[_Span]:
    lowered = text.translate(_SMALL)  # of the same length, unlike lower()
    for rule in dict.fromkeys(rule for root, rule in _roots() if root in lowered):
        for match in _matches(rule, text, lowered):
            if (place := _place(match)) is not None:
                yield *place, rule.kind


def _matches(rule: Rule, text: str, lowered: str) -> Iterator[re.Match[str]]:
    if not rule.at_root:
        yield from rule.pattern.finditer(text)
        return
    for root in rule.roots:
        at = lowered.find(root)
        while at >= 0:
            if match := rule.pattern.match(text, at):
                yield match
            at = lowered.find(root, at + 1)


def _place(match: re.Match[str]) -> tuple[int, int] | None:
    """Return where the secret is; None where a stand-in has its place."""
    groups = match.groupdict()
    for name, value in groups.items():
        if value is not None and name.startswith("secret"):
            return match.span(name)
        if value is not None and name.startswith("value"):
            called = groups.get("name") or "password"
            quoted = name == "value_quoted"
            return match.span(name) if may_be_secret(value, called, quoted=quoted) else None
    return match.span()


def _apart(spans: Iterable[_Span]) -> Iterator[_Span]:
    """Return them in order; of those that overlap, the first and longest, grown over the others."""
    last: _Span | None = None
    for span in sorted(spans, key=lambda each: (each[0], -each[1])):
        if last is None:
            last = span
        elif span[0] < last[1]:
            last = (last[0], max(last[1], span[1]), last[2])
        else:
            yield last
            last = span
    if last is not None:
        yield last
