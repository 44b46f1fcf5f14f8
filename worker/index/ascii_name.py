"""A folder's name in ASCII, for libraries that on Windows open no other: Chroma's graph is one."""

import sys
from collections.abc import Callable
from pathlib import Path

_LONGEST = 32_768  # characters of a path


def _short_name(path: str) -> str:
    """Return the old, short name that Windows keeps of a path; the path itself without one."""
    if sys.platform == "win32":
        import ctypes

        buffer = ctypes.create_unicode_buffer(_LONGEST)
        length = ctypes.windll.kernel32.GetShortPathNameW(path, buffer, _LONGEST)
        return buffer.value if 0 < length < _LONGEST else path
    return path


def ascii_name(
    folder: Path,
    *,
    platform: str = sys.platform,
    short_name: Callable[[str], str] = _short_name,
) -> Path:
    """Return a folder that is there by a name that can be opened; itself where that may be."""
    if platform != "win32" or str(folder).isascii():
        return folder
    return Path(short_name(str(folder)))
