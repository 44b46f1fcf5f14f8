"""Takes out of a text what is nobody else's business: home, user name, keys, passwords."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

REMOVED = "(removed)"
_USER = "***"

_PEM = re.compile(r"-----BEGIN [^-\n]*PRIVATE KEY-----.*?(?:-----END [^-\n]*-----|\Z)", re.DOTALL)
_IN_URL = re.compile(r"(?<=://)[^\s\"'<>]*@")
_SCHEME = re.compile(r"\b(Bearer|Basic)\s+[^\s\"',;]+", re.IGNORECASE)
_KEYS = re.compile(
    r"\b(?:sk|pk|rk)-[\w-]{8,}"  # Anthropic, OpenAI, Stripe
    r"|\b(?:ghp|gho|ghu|ghs|ghr)_\w{8,}|\bgithub_pat_\w{8,}|\bglpat-[\w-]{8,}"
    r"|\bxox[abeoprs]-[\w-]{8,}|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{20,}|\bhf_\w{8,}|\bnpm_\w{8,}"
    r"|\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?",  # JSON web tokens
)
_NAMED = re.compile(
    r"((?:token|secret|password|passwd|passphrase|api[_-]?key|access[_-]?key|credential|"
    r"authorization)\w*[\"']?\s*[=:]\s*)(?!(?:true|false|none|null)(?![\w-]))(?:\"[^\"\n]*\"?|'[^'\n]*'?|[^\s\"',;&}\]]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Private:
    """What is private on this machine."""

    home: Path
    user: str
    secrets: tuple[str, ...] = ()  # known ones, such as the worker's token


def redact(text: str, private: Private) -> str:
    """Return the text without anything that is private; what is taken out is marked."""
    for secret in sorted(filter(None, private.secrets), key=len, reverse=True):
        text = text.replace(secret, REMOVED)
    text = _PEM.sub(REMOVED, text)
    text = _IN_URL.sub(f"{REMOVED}@", text)
    text = _SCHEME.sub(rf"\1 {REMOVED}", text)
    text = _KEYS.sub(REMOVED, text)
    text = _NAMED.sub(rf"\1{REMOVED}", text)
    for spelling in _spellings(private.home):
        text = re.sub(re.escape(spelling), "~", text, flags=re.IGNORECASE)
    if private.user:
        name = rf"(?<![^\W_]){re.escape(private.user)}(?![^\W_])"
        text = re.sub(name, _USER, text, flags=re.IGNORECASE)
    return text


def _spellings(home: Path) -> Iterable[str]:
    """Return how a home folder stands in paths, JSON, addresses and claude-mem's project names."""
    plain = str(home)
    if len(home.parts) < 2:
        return ()  # the root of a disk tells nothing
    found = {
        plain,
        plain.replace("\\", "\\\\"),
        plain.replace("\\", "/"),
        quote(plain),
        quote(plain.replace("\\", "/")),
        re.sub(r"[^A-Za-z0-9]", "-", plain),
    }
    return sorted(found, key=len, reverse=True)
