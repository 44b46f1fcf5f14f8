"""Put what a release offers of one system into a folder: packaging/gather.py SYSTEM FOLDER.

Names differ from system to system, so that all can be in one folder; SHA256SUMS-SYSTEM tells
how to check them.
"""

import hashlib
import shutil
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {"linux": (".deb", ".tar.gz"), "macos": (".dmg",), "windows": (".exe",)}


def gather(dist: Path, system: str, target: Path) -> list[Path]:
    """Copy packages and plugins of a system, and return them; raise SystemExit if one is absent."""
    target.mkdir(parents=True, exist_ok=True)
    found = [shutil.copy2(_only(dist, suffix), target) for suffix in PACKAGES[system]]
    extension = shutil.copy2(_only(dist, ".mcpb"), target / f"memtray-{system}.mcpb")
    plugin = target / f"memtray-claude-code-plugin-{system}.zip"
    _pack(dist / "claude-code-plugin", plugin)
    gathered = [*(Path(file) for file in found), Path(extension), plugin]
    sums = "".join(f"{_sum(file)}  {file.name}\n" for file in gathered)
    (target / f"SHA256SUMS-{system}").write_text(sums, encoding="utf-8", newline="\n")
    return gathered


def _only(dist: Path, suffix: str) -> Path:
    files = [file for file in dist.glob(f"*{suffix}") if file.is_file()]
    if len(files) != 1:
        raise SystemExit(
            f"There must be one {dist}/*{suffix}, there are {len(files)}: make package"
        )
    return files[0]


def _pack(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.write(file, file.relative_to(folder).as_posix())


def _sum(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


if __name__ == "__main__":
    gather(ROOT / "dist", sys.argv[1], Path(sys.argv[2]))
