"""Whether Chroma's index files have the sizes their header says; its own loader does not look.

It reads past the end of a file that is cut short, which kills the process.
"""

import struct
from pathlib import Path

# version, offset of level 0, room for elements, elements, bytes an element; more follows
_HEADER = struct.Struct("<iQQQQ")
_HEADER_BYTES = 100
_VERSION = 1
_LENGTH_BYTES = 4  # of the float that holds the length of each vector


def index_files_fit(folder: Path) -> bool:
    """Return False where a file below Chroma's `folder` is cut short, or longer than it may be."""
    return all(_fits(header) for header in folder.glob("*/header.bin"))


def _fits(header: Path) -> bool:
    content = header.read_bytes()
    if len(content) != _HEADER_BYTES:
        return False
    version, _, room, elements, element_bytes = _HEADER.unpack_from(content)
    counts = (elements, room)  # small collections are kept elsewhere, and these files are all room
    return bool(
        version == _VERSION
        and elements <= room
        and _size(header.with_name("data_level0.bin")) in [n * element_bytes for n in counts]
        and _size(header.with_name("length.bin")) in [n * _LENGTH_BYTES for n in counts]
        and _size(header.with_name("link_lists.bin")) >= elements * _LENGTH_BYTES
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else -1
