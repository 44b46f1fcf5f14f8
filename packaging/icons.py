"""Write the app's icon as the files that packages want: PNG, ICO (Windows), ICNS (macOS).

python packaging/icons.py FOLDER
"""

import os
import struct
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIZES = (16, 24, 32, 48, 64, 128, 256, 512, 1024)
_ICO_LARGEST = 256
_ICNS_KINDS = {128: b"ic07", 256: b"ic08", 512: b"ic09", 1024: b"ic10"}


def ico(pictures: Mapping[int, bytes]) -> bytes:
    """Return an icon file of Windows that holds PNG pictures, by their size in pixels."""
    chosen = {size: png for size, png in sorted(pictures.items()) if size <= _ICO_LARGEST}
    offset = 6 + 16 * len(chosen)
    entries = b""
    for size, png in chosen.items():
        side = size % _ICO_LARGEST  # 0 means 256
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(png), offset)
        offset += len(png)
    return struct.pack("<HHH", 0, 1, len(chosen)) + entries + b"".join(chosen.values())


def icns(pictures: Mapping[int, bytes]) -> bytes:
    """Return an icon file of macOS that holds PNG pictures, by their size in pixels."""
    body = b"".join(
        kind + struct.pack(">I", 8 + len(pictures[size])) + pictures[size]
        for size, kind in _ICNS_KINDS.items()
        if size in pictures
    )
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def drawn() -> dict[int, bytes]:
    """Return the icon as PNG, by its size in pixels."""
    from PySide6.QtCore import QBuffer, QIODevice

    from app.tray.icons import application_image

    found = {}
    for size in SIZES:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        application_image(size).save(buffer, "PNG")
        found[size] = bytes(buffer.data().data())
    return found


def write(folder: Path) -> None:
    """Write `memtray.ico`, `memtray.icns` and `memtray-SIZE.png`."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    folder.mkdir(parents=True, exist_ok=True)
    pictures = drawn()
    (folder / "memtray.ico").write_bytes(ico(pictures))
    (folder / "memtray.icns").write_bytes(icns(pictures))
    for size, png in pictures.items():
        (folder / f"memtray-{size}.png").write_bytes(png)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    write(Path(sys.argv[1]))
