"""What start at login is written as on each system: text in, text out, so all run everywhere."""

import plistlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.parsers.expat import ExpatError

from worker.shared.programs import as_typed

LABEL = "org.memtray.app"  # by which macOS knows us

_QUOTED = re.compile(r"[^A-Za-z0-9_@%+=:,./-]|^$")  # else a word of Exec is written as it is
_IN_QUOTES = re.compile(r'(["`$\\])')
_STRING_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_STRING_UNESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Found:
    """What an entry says."""

    command: tuple[str, ...]  # of Windows one line
    enabled: bool = True

    @property
    def program(self) -> str:
        """The program that is started."""
        first = self.command[0]
        return first.split('"')[1] if first.startswith('"') else first


def desktop_entry(command: Sequence[str]) -> str:
    """Return the XDG autostart entry; the desktop entry specification 1.5 says how to quote."""
    return (
        "[Desktop Entry]\n"
        "Type=Application\n"
        "Name=Memtray\n"
        "Comment=Search the memory of your coding sessions\n"
        f"Exec={exec_value(command)}\n"
        f"TryExec={_escaped(command[0])}\n"
        "Icon=memtray\n"
        "Terminal=false\n"
        "StartupNotify=false\n"
        "X-GNOME-Autostart-enabled=true\n"
    )


def read_desktop_entry(text: str) -> Found:
    """Return what an autostart entry starts, and whether the session heeds it."""
    keys: dict[str, str] = {}
    group = ""
    for line in text.split("\n"):
        if line.startswith("["):
            group = line.strip()
        elif group == "[Desktop Entry]" and "=" in line:
            key, _, value = line.partition("=")
            keys.setdefault(key.strip(), value.strip())
    enabled = (
        keys.get("Hidden") != "true" and keys.get("X-GNOME-Autostart-enabled", "true") == "true"
    )
    return Found(read_exec(keys.get("Exec", "")), enabled)


def exec_value(command: Sequence[str]) -> str:
    """Return the value of Exec that starts this, whatever characters the words hold."""
    return _escaped(" ".join(_word(word) for word in command))


def read_exec(value: str) -> tuple[str, ...]:
    """Return the words of a value of Exec."""
    text = re.sub(r"\\(.)", lambda found: _STRING_UNESCAPES.get(found[1], found[0]), value)
    words = (
        plain or re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL)
        for quoted, plain in _WORD.findall(text)
    )
    return tuple(word.replace("%%", "%") for word in words)


def launch_agent(command: Sequence[str]) -> bytes:
    """Return the LaunchAgent that starts it once at login, and not again after a quit."""
    return plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": list(command),
            "RunAtLoad": True,
            "LimitLoadToSessionType": "Aqua",
            "ProcessType": "Interactive",
            "AssociatedBundleIdentifiers": [LABEL],  # whose name System Settings shows beside it
        }
    )


def read_launch_agent(content: bytes) -> Found:
    """Return what a LaunchAgent starts; nothing if it is no property list."""
    try:
        raw = plistlib.loads(content)
    except (ValueError, ExpatError, plistlib.InvalidFileException):
        return Found((), enabled=False)
    words = raw.get("ProgramArguments") if isinstance(raw, dict) else None
    if not isinstance(words, list):
        return Found((), enabled=False)
    enabled = raw.get("RunAtLoad") is True and raw.get("Disabled") is not True
    return Found(tuple(str(word) for word in words), enabled)


def run_value(command: Sequence[str]) -> str:
    """Return the value below Windows's Run key, which reads it as a command line."""
    return f'"{command[0]}" {as_typed(command[1:], "win32")}'.strip()


def _word(word: str) -> str:
    text = word.replace("%", "%%")
    return '"' + _IN_QUOTES.sub(r"\\\1", text) + '"' if _QUOTED.search(text) else text


def _escaped(text: str) -> str:
    """Escape what any string of a desktop entry escapes."""
    return "".join(_STRING_ESCAPES.get(char, char) for char in text)
