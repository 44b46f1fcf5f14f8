"""Make the disk image of dist/Memtray.app, signed and notarised if there is what that needs.

MEMTRAY_SIGN_IDENTITY    a "Developer ID Application" in the keychain; without it, signed ad hoc
MEMTRAY_NOTARY_PROFILE   what `xcrun notarytool store-credentials` has stored, or
MEMTRAY_NOTARY_KEY       the file of a key of App Store Connect, with MEMTRAY_NOTARY_KEY_ID and
                         MEMTRAY_NOTARY_ISSUER; without either, not notarised, and macOS asks
                         whoever downloads it to allow it in Settings
"""

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
APP = ROOT / "dist" / "Memtray.app"
_MAGIC = (
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
)  # how a Mach-O file begins, also a universal one


def is_code(path: Path) -> bool:
    """Say whether a file has to be signed by itself."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) in _MAGIC


def inside_out(app: Path) -> Iterator[Path]:
    """Yield what is to be signed in a bundle, the deepest first, the bundle itself last.

    `codesign --deep` would give each library the entitlements of the program.
    """
    found = [path for path in app.rglob("*") if is_code(path)]
    frameworks = [path for path in app.rglob("*.framework") if not path.is_symlink()]
    yield from sorted([*found, *frameworks], key=lambda path: (-len(path.parts), str(path)))
    yield app


def sign_command(path: Path, identity: str) -> list[str]:
    """Return how one part is signed; programs alone get the entitlements.

    These are what Python needs under the hardened runtime, since ctypes and libffi write small
    pieces of code while they run; nothing reads or controls other programs.
    """
    program = path.suffix == ".app" or path.parent.name == "MacOS"
    entitled = ["--entitlements", str(HERE / "entitlements.plist")] if program else []
    trusted = [] if identity == "-" else ["--timestamp", "--options", "runtime"]
    return ["codesign", "--force", "--sign", identity, *trusted, *entitled, str(path)]


def image_commands(folder: Path, image: Path) -> list[list[str]]:
    """Return what makes a compressed, read-only image of a folder."""
    return [
        [
            "hdiutil", "create", "-volname", "Memtray", "-srcfolder", str(folder),
            "-fs", "HFS+", "-format", "UDZO", "-imagekey", "zlib-level=9", "-ov", str(image),
        ]
    ]  # fmt: skip


def notary_account(environ: Mapping[str, str]) -> list[str]:
    """Return by what notarytool signs in; nothing where no account is told."""
    if profile := environ.get("MEMTRAY_NOTARY_PROFILE"):
        return ["--keychain-profile", profile]
    if not (key := environ.get("MEMTRAY_NOTARY_KEY")):
        return []
    number, issuer = environ["MEMTRAY_NOTARY_KEY_ID"], environ["MEMTRAY_NOTARY_ISSUER"]
    return ["--key", key, "--key-id", number, "--issuer", issuer]


def notary_commands(image: Path, account: list[str]) -> list[list[str]]:
    """Return what has Apple look at the image, and fixes its answer to it."""
    return [
        ["xcrun", "notarytool", "submit", str(image), *account, "--wait"],
        ["xcrun", "stapler", "staple", str(image)],
        ["xcrun", "stapler", "validate", str(image)],
    ]


def run_patiently(command: list[str], *, times: int = 6, pause: float = 10.0) -> None:
    """Run a command again where it fails; hdiutil finds its own image in use now and then."""
    for left in reversed(range(times)):
        done = subprocess.run(command, check=False)
        if done.returncode == 0:
            return
        if left:
            time.sleep(pause)
    raise SystemExit(f"{command[0]} has failed {times} times, the last with {done.returncode}")


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True)


def _sign(identity: str) -> None:
    for path in inside_out(APP):
        _run(sign_command(path, identity))
    _run(["codesign", "--verify", "--deep", "--strict", str(APP)])


def _filled(folder: Path) -> Path:
    """Return a folder with what a person sees when the image is opened."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(APP, folder / APP.name, symlinks=True)
    (folder / "Applications").symlink_to("/Applications")
    return folder


def main() -> None:
    """Sign the app, make the image, have it notarised."""
    sys.path.insert(0, str(ROOT))
    from worker import __version__

    if not APP.is_dir():
        raise SystemExit(f"There is no {APP}: make bundle")
    notices = ROOT / "dist" / "memtray" / "licences"
    if notices.is_dir():
        shutil.copytree(notices, APP / "Contents/Resources/licences", dirs_exist_ok=True)
    shutil.copy2(HERE / "uninstall.sh", APP / "Contents/Resources")  # signed with the app
    identity = os.environ.get("MEMTRAY_SIGN_IDENTITY", "")
    account = notary_account(os.environ)
    if not identity:
        print("MEMTRAY_SIGN_IDENTITY is not set: signed for this machine only (ad hoc).")
    _sign(identity or "-")
    image = ROOT / "dist" / f"Memtray-{__version__}-macos-{platform.machine()}.dmg"
    for command in image_commands(_filled(ROOT / "build" / "dmg"), image):
        run_patiently(command)
    if identity:
        _run(["codesign", "--sign", identity, "--timestamp", str(image)])
    if not (identity and account):
        print("There is no identity or no account of Apple, see above: not notarised.")
        return
    for command in notary_commands(image, account):
        _run(command)


if __name__ == "__main__":
    main()
