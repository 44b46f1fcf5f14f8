"""What a packaged program does first, so that the programs it starts meet the system as it was."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_BUNDLERS = "_PYI_"  # how the names of the bootloader's own variables begin
_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH")
_LEAD_QT = ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH", "PATH")  # PyInstaller sets these after `begin`
_FOUND: dict[str, str | None] = {}  # what they were before; empty where nothing is packaged
_IMAGE = re.compile(r"/Volumes/Memtray( \d+)?/")  # the second of two that are open has a number


def begin() -> None:
    """Clean the environment for children.

    Our own libraries have been found by then: the system reads the path once, at the start.
    """
    clean = dict(clean_environ(os.environ))
    for name in os.environ.keys() - clean.keys():
        del os.environ[name]
    os.environ.update(clean)
    _FOUND.update({name: os.environ.get(name) for name in _LEAD_QT})


def qt_has_begun() -> None:
    """Take away what leads Qt to our plugins, once it has read it: a child's Qt is another one."""
    for name, value in _FOUND.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def clean_environ(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the variables as they were before the bootloader set its own."""
    for name, value in environ.items():
        if name.startswith(_BUNDLERS) or name.removesuffix("_ORIG") in _LIBRARY_PATHS:
            continue
        yield name, value
    for name in _LIBRARY_PATHS:
        if (original := environ.get(f"{name}_ORIG")) is not None:
            yield name, original


def _look_first_in(folder: str | None) -> None:
    """Have Windows look for libraries in a folder before its own; children inherit that."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetDllDirectoryW(folder)


@contextmanager
def system_libraries(
    bundle: str = getattr(sys, "_MEIPASS", ""),
    look_first_in: Callable[[str | None], object] = _look_first_in,
) -> Iterator[None]:
    """Have what is started in here find the system's libraries, not those in our `bundle`."""
    if bundle:
        look_first_in(None)
    try:
        yield
    finally:
        if bundle:
            look_first_in(bundle)  # as the bootloader had it: ours that load late are there


def goes_away(program: Path) -> bool:
    """Say whether macOS shows an app here for as long as it runs, or its disk image."""
    return "AppTranslocation" in program.parts or bool(_IMAGE.match(program.as_posix()))
