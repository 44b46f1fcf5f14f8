"""What a packaged program does first, so that the programs it starts meet the system as it was."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

_BUNDLERS = "_PYI_"  # how the names of the bootloader's own variables begin
_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH")


def begin() -> None:
    """Clean the environment for children.

    Our own libraries have been found by then: the system reads the path once, at the start.
    """
    clean = dict(clean_environ(os.environ))
    for name in os.environ.keys() - clean.keys():
        del os.environ[name]
    os.environ.update(clean)


def clean_environ(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the variables as they were before the bootloader set its own."""
    for name, value in environ.items():
        if name.startswith(_BUNDLERS) or name.removesuffix("_ORIG") in _LIBRARY_PATHS:
            continue
        yield name, value
    for name in _LIBRARY_PATHS:
        if (original := environ.get(f"{name}_ORIG")) is not None:
            yield name, original


def goes_away(program: Path) -> bool:
    """Say whether macOS shows an app here for as long as it runs, or its disk image."""
    return "AppTranslocation" in program.parts or program.parts[1:3] == ("Volumes", "Memtray")
