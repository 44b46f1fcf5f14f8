"""Make the Windows installer of dist/memtray: packaging/windows/package.py, on Windows.

Inno Setup 6 is looked for on the PATH and where it installs itself; ISCC names another. With
MEMTRAY_SIGN_COMMAND, a command in which $f stands for the file, the programs, the installer and
its uninstaller are signed by it.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PROGRAMS = ("memtray.exe", "memtray-worker.exe", "memtray-mcp.exe")


def compiler(environ: Mapping[str, str]) -> str:
    """Return the path of Inno Setup's compiler; raise SystemExit where there is none."""
    folders = [environ.get(name, "") for name in ("ProgramFiles(x86)", "ProgramFiles")]
    folders.append(str(Path(environ.get("LOCALAPPDATA", "")) / "Programs"))
    usual = [str(Path(folder) / "Inno Setup 6") for folder in folders if folder]
    found = environ.get("ISCC") or shutil.which(
        "iscc", path=os.pathsep.join([environ.get("PATH", ""), *usual])
    )
    if not found:
        raise SystemExit("There is no Inno Setup 6 here: install it, or set ISCC to its ISCC.exe")
    return found


def arguments(
    version: str, numbers: tuple[int, ...], source: Path, icon: Path, *, target: Path, sign: str
) -> list[str]:
    """Return what the compiler is told; `sign` is a command in which $f stands for the file."""
    # Inno Setup knows no escaped quote in its arguments; $q is its own name for one
    signing = ["/DSigned", f"/Smemtray={sign.replace(chr(34), '$q')}"] if sign else []
    return [
        f"/DVersion={version}",
        f"/DNumbers={'.'.join(map(str, numbers))}",
        f"/DSource={source}",
        f"/DIcon={icon}",
        f"/O{target}",
        *signing,
        str(HERE / "memtray.iss"),
    ]


def main() -> None:
    """Sign the programs if there is something to sign with, and compile the installer."""
    sys.path[:0] = [str(ROOT), str(HERE)]
    from version_info import numbers_of

    from worker import __version__

    source, sign = ROOT / "dist" / "memtray", os.environ.get("MEMTRAY_SIGN_COMMAND", "")
    if not (source / PROGRAMS[0]).is_file():
        raise SystemExit(f"There is no {source / PROGRAMS[0]}: make bundle")
    if not sign:
        print("MEMTRAY_SIGN_COMMAND is not set: nothing is signed, Windows will warn of it.")
    for program in PROGRAMS if sign else ():
        subprocess.run(sign.replace("$f", f'"{source / program}"'), check=True)
    icon = ROOT / "build" / "made" / "memtray.ico"
    numbers = numbers_of(__version__)
    told = arguments(__version__, numbers, source, icon, target=ROOT / "dist", sign=sign)
    subprocess.run([compiler(os.environ), *told], check=True)


if __name__ == "__main__":
    main()
