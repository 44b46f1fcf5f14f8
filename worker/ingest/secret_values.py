"""Whether the value of something called a password or a token can be one, or is a stand-in."""

import re

_STAND_INS = re.compile(
    "(?:admin|boolean|bytes|changeme|default|dummy|empty|example|expired|false|foobar|hidden|invalid"
    "|masked|missing|none|not|null|number|object|optional|pass|passwd|password|placeholder|redacted"
    "|required|secret|string|test|testing|token|true|undefined|unset|user|username|value|your)"
    r"\d{0,2}",
    re.IGNORECASE,
)
_HINTS = re.compile(
    r"\[redacted|\$|\{\{|%\(|\*{3}|\.{3}|…|x{4}|<|>|\bexample\b|placeholder|change[_-]?me|dummy|"
    r"(?:^|[_-])(?:your|my|the|some)[_-]|_here$|process\.env|environ|getenv",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[(\[{]|::|->|^[?+-]|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^[A-Z][a-z]+-[A-Z][A-Za-z]+$"
)
_PLACE = re.compile(r"^(?:~|\.{0,2}/|[A-Za-z]:[\\/]|[a-z][a-z0-9+.-]*://)|\.[a-z]{2,4}\d?$")
_VERSION = re.compile(r"^v?\d+(?:\.\d+)+\S{0,12}$|^\d{4}-\d\d-\d\d")
_PLAIN_NAME = re.compile(r"^[a-z]+(?:[_-][a-z]+)*[_-]?\d{0,2}$|^[A-Za-z]+$|^[A-Z]+(?:_[A-Z]+)*$")
_PASSWORD = re.compile(r"pass|pwd|密码|口令|パスワード|暗証", re.IGNORECASE)


def may_be_secret(value: str, name: str, *, quoted: bool) -> bool:
    """Return whether a value could open something.

    `name` is what it is called; in an environment (`DB_PASSWORD`) or in quotes a plain word counts.
    """
    if _STAND_INS.fullmatch(value) or _HINTS.search(value) or _PLACE.search(value):
        return False
    if _VERSION.match(value) or " " in value:
        return False
    if not quoted and (_CODE.search(value) or not value.isascii()):
        return False
    called_password = bool(_PASSWORD.search(name))
    if not any(c.isalpha() for c in value):
        return called_password and sum(c.isdigit() for c in value) >= 6
    if not (quoted or name.isupper()) and _PLAIN_NAME.match(value):
        return called_password and len(value) >= 8 and value[-1].isdigit()
    if any(c.isdigit() or not c.isalnum() for c in value):
        return len(set(value)) >= 4
    return called_password and len(value) >= 8 and len(set(value)) >= 5
