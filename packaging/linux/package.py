"""Make the .deb and the .tar.gz of dist/memtray: packaging/linux/package.py, on Linux."""

import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
BUNDLE, MADE = ROOT / "dist" / "memtray", ROOT / "build" / "made"
PROGRAMS = ("memtray", "memtray-worker", "memtray-mcp")
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
# what Qt loads from the system: drivers of its screen, and what fonts are found by
DEPENDS = (
    "libc6 (>= {libc})",
    "libegl1",
    "libgl1",
    "libxcb1",
    "libx11-6",
    "fontconfig-config",
    "fonts-dejavu-core | fonts-noto-core | fonts-liberation",
)
# without these a Wayland desktop shows us as a program of X11
WAYLAND = ("libwayland-client0", "libwayland-cursor0", "libwayland-egl1")
RECOMMENDS = ("fonts-noto-cjk | fonts-wqy-zenhei | fonts-wqy-microhei", *WAYLAND)
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_COPYRIGHT = """Memtray is under the MIT licence:

{licence}
The licences of all parts that come with it are in /opt/memtray/licences.
"""


def debian_version(version: str) -> str:
    """Return a version as Debian orders it: 1.0.0~rc1 before 1.0.0."""
    return re.sub(r"(?<=\d)\.?(a|b|rc|dev)(?=\d)", r"~\1", version)


def control(version: str, *, architecture: str, libc: str, kilobytes: int) -> str:
    """Return what Debian is told of the package; it runs where the C library is as new as here."""
    depends = ", ".join(DEPENDS).format(libc=libc)
    return f"""Package: memtray
Version: {debian_version(version)}
Architecture: {architecture}
Maintainer: The Memtray project <memtray@localhost>
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: {", ".join(RECOMMENDS)}
Section: utils
Priority: optional
Description: Search the memory of your past coding sessions
 An icon in the tray, a worker that makes the memories of claude-mem searchable
 by words and by meaning, and an MCP server for Claude. All of it works offline.
"""


def fill_share(share: Path) -> None:
    """Put the icons and the entry of the menu into a folder as /usr/share is."""
    for size in SIZES:
        folder = share / f"icons/hicolor/{size}x{size}/apps"
        folder.mkdir(parents=True)
        shutil.copyfile(MADE / f"memtray-{size}.png", folder / "memtray.png")
    (share / "applications").mkdir()
    shutil.copyfile(HERE / "memtray.desktop", share / "applications/memtray.desktop")


def fill_root(root: Path) -> None:
    """Lay out what the .deb installs, without its control files; the files are links."""
    shutil.rmtree(root, ignore_errors=True)
    opt, commands, documents = root / "opt/memtray", root / "usr/bin", root / "usr/share/doc"
    shutil.copytree(BUNDLE, opt, symlinks=True, copy_function=os.link)
    commands.mkdir(parents=True)
    for program in PROGRAMS:
        (commands / program).symlink_to(f"/opt/memtray/{program}")
    fill_share(root / "usr/share")
    (documents / "memtray").mkdir(parents=True)
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    text = _COPYRIGHT.format(licence=licence)
    (documents / "memtray/copyright").write_text(text, encoding="utf-8")


def make_deb(version: str) -> Path:
    """Make the package of Debian and Ubuntu; return it."""
    root, machine = ROOT / "build/deb", platform.machine()
    architecture = _ARCHITECTURES.get(machine, machine)
    fill_root(root)
    size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    told = control(version, architecture=architecture, libc=platform.libc_ver()[1], kilobytes=size)
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text(told, encoding="utf-8")
    for script in ("prerm", "postinst"):
        shutil.copyfile(HERE / "debian" / script, root / "DEBIAN" / script)
        (root / "DEBIAN" / script).chmod(0o755)
    deb = ROOT / f"dist/memtray_{debian_version(version)}_{architecture}.deb"
    packed = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", str(root), str(deb)]
    subprocess.run(packed, check=True)
    return deb


def make_tarball(version: str) -> Path:
    """Make the archive for any distribution and any folder, with its scripts; return it."""
    share = ROOT / "build/share"
    shutil.rmtree(share, ignore_errors=True)
    fill_share(share)
    name = f"memtray-{version}"
    archive = ROOT / f"dist/{name}-linux-{platform.machine()}.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=6) as tar:
        for path, within in (
            (BUNDLE, ""),
            (share, "/share"),
            (HERE / "install.sh", "/install.sh"),
            (HERE / "uninstall.sh", "/uninstall.sh"),
        ):
            tar.add(path, name + within, filter=_nobodys)
    return archive


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def main() -> None:
    """Make both, and say how large they are."""
    sys.path.insert(0, str(ROOT))
    from worker import __version__

    if not (BUNDLE / PROGRAMS[0]).is_file():
        raise SystemExit(f"There is no {BUNDLE / PROGRAMS[0]}: make bundle")
    makers = [make_tarball, *([make_deb] if shutil.which("dpkg-deb") else [])]
    for make in makers:
        made = make(__version__)
        print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.0f} MB")
    if make_deb not in makers:
        print("There is no dpkg-deb here: no .deb was made.")


if __name__ == "__main__":
    main()
