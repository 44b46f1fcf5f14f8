"""The licences of everything that a bundle holds, from the metadata of what is really in it."""

import itertools
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path

_TEXT = re.compile(r"(?i)^(licen[cs]e|copying|copyright|notice|authors)([._-].*)?$")
_LGPL = {"PySide6_Essentials", "shiboken6"}  # their wheels hold no text of it
_OURS = "memtray"
_INTRODUCTION = """Memtray is under the MIT licence, see memtray.txt. This folder holds the
licences of all other parts of this installation. Qt and PySide6 are under the LGPL 3: they are
the files in _internal/PySide6 and _internal/shiboken6, which you may replace by your own builds
of them; their sources are at https://download.qt.io/official_releases/. What Qt in turn has of
others is listed at https://doc.qt.io/qt-6/licenses-used-in-qt.html.

"""


@dataclass(frozen=True, slots=True)
class Part:
    """One work of somebody, and under what it may be passed on."""

    name: str
    version: str
    licence: str
    home: str
    texts: tuple[str, ...]

    @property
    def document(self) -> str:
        head = "\n".join(filter(None, (f"{self.name} {self.version}", self.licence, self.home)))
        return "\n\n".join((head, *self.texts)) + "\n"


def write_notices(folder: Path, *, modules: Collection[str], files: Collection[str]) -> None:
    """Write the folder `licences` into a bundle that holds these modules and files."""
    target = folder / "licences"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    root = Path(__file__).parents[1]
    parts = {part.name: part for part in _parts(root, modules, files)}
    lines = []
    for part in sorted(parts.values(), key=lambda part: part.name.lower()):
        (target / f"{part.name}.txt").write_text(part.document, encoding="utf-8")
        lines.append(f"{part.name} {part.version}: {part.licence or 'see its text'}\n")
    readme = _INTRODUCTION + "".join(lines)
    (target / "README.txt").write_text(readme, encoding="utf-8")


def _parts(root: Path, modules: Collection[str], files: Collection[str]) -> Iterator[Part]:
    yield Part(_OURS, "", "MIT", "", ((root / "LICENSE").read_text(encoding="utf-8"),))
    places = (sysconfig.get_path("stdlib"), sys.base_prefix)
    yield Part("Python", sysconfig.get_python_version(), "PSF-2.0", "", python_licence(places))
    gnu = [root / "packaging/licences" / f"{name}-3.0.txt" for name in ("LGPL", "GPL")]
    for name in distributions_of(modules, files, packages_distributions()):
        more = _read(gnu) if name in _LGPL else ()
        yield part_of(distribution(name), tuple(more))
    for package in debian_packages(files):
        copyright_file = Path("/usr/share/doc", package, "copyright")
        yield Part(package, "(of Debian)", "", "", tuple(_read([copyright_file])))


def python_licence(folders: Iterable[str]) -> tuple[str, ...]:
    """Return the licence of Python from the first folder that has it; on Windows the last has."""
    found = _read(Path(folder, "LICENSE.txt") for folder in folders)
    return tuple(itertools.islice(found, 1))


def distributions_of(
    modules: Iterable[str], files: Iterable[str], owners: Mapping[str, list[str]]
) -> list[str]:
    """Return the names of the distributions, without ours, that modules and files belong to."""
    tops = {module.partition(".")[0] for module in modules}
    for file in files:
        within = re.split(r"[\\/]site-packages[\\/]", file)
        if len(within) > 1:
            tops.add(re.split(r"[\\/.]", within[-1])[0])
    return sorted({name for top in tops for name in owners.get(top, ())} - {_OURS})


def part_of(found: Distribution, more: tuple[str, ...] = ()) -> Part:
    """Return what a distribution says about itself, with the texts that it brings and `more`."""
    metadata = found.metadata
    classifiers = metadata.get_all("Classifier") or []
    named = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    licence = metadata.get("License-Expression") or ", ".join(named) or metadata.get("License", "")
    texts = (Path(str(file.locate())) for file in found.files or () if _TEXT.match(Path(file).name))
    home = metadata.get("Home-page") or next(iter(metadata.get_all("Project-URL") or ()), "")
    return Part(
        found.name,
        found.version,
        licence.partition("\n")[0],
        home.rpartition(", ")[2],
        (*_read(texts), *more),
    )


def debian_packages(files: Iterable[str]) -> list[str]:
    """Return the packages of the system that libraries were taken from, where there are such.

    Debian knows a library of /usr/lib by the name under which it was packaged, maybe /lib.
    """
    outside = [str(Path(file).resolve()) for file in files if "site-packages" not in file]
    names = [*outside, *(name.removeprefix("/usr") for name in outside)]
    if not shutil.which("dpkg-query"):
        return []
    said = subprocess.run(
        ["dpkg-query", "--search", *names],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    lines = said.stdout.splitlines()
    return sorted({line.partition(":")[0] for line in lines if not line.startswith("diversion")})


def _read(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        if path.is_file():
            yield path.read_text(encoding="utf-8", errors="replace").strip()
