"""Make known on a build machine what a release is signed with: packaging/credentials.py.

Of each system the variables are secrets of the repository; where they are absent or empty,
nothing happens, and the packages are not signed.

CERTIFICATE, CERTIFICATE_PASSWORD       a PKCS #12 file in base64: "Developer ID Application" of
                                        Apple, or a code signing certificate of Windows
NOTARY_KEY, NOTARY_KEY_ID,
NOTARY_ISSUER                           a key of App Store Connect (.p8, as it is) and its names

What package.py reads is added to the file that GITHUB_ENV names.
"""

import base64
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_TIMESTAMPS = "http://timestamp.digicert.com"  # without one, a signature ends with its certificate
_IDENTITY = re.compile(r'\b([0-9A-F]{40}) "Developer ID Application:')
_THUMBPRINT = re.compile(r"\b[0-9A-F]{40}\b")
_IMPORT_PFX = (
    "$ErrorActionPreference = 'Stop'; "
    "$password = ConvertTo-SecureString $env:CERTIFICATE_PASSWORD -AsPlainText -Force; "
    "Import-PfxCertificate -FilePath $env:CERTIFICATE_FILE -Password $password "
    "-CertStoreLocation Cert:\\CurrentUser\\My | "
    "Where-Object HasPrivateKey | ForEach-Object Thumbprint"
)


def keychain_commands(keychain: Path, file: Path, *, password: str, lock: str) -> list[list[str]]:
    """Return what puts a certificate into a new keychain in which codesign may look.

    `password` opens the file, `lock` the keychain. The keychain of the user stays in the list.
    """
    users = str(Path.home() / "Library/Keychains/login.keychain-db")
    return [
        ["security", "create-keychain", "-p", lock, str(keychain)],
        ["security", "set-keychain-settings", "-l", "-u", "-t", "21600", str(keychain)],
        ["security", "unlock-keychain", "-p", lock, str(keychain)],
        [
            "security", "import", str(file), "-k", str(keychain), "-f", "pkcs12", "-P", password,
            "-T", "/usr/bin/codesign",
        ],
        # else codesign asks a person, and waits
        [
            "security", "set-key-partition-list", "-S", "apple-tool:,apple:,codesign:", "-s",
            "-k", lock, str(keychain),
        ],
        ["security", "list-keychains", "-d", "user", "-s", str(keychain), users],
    ]  # fmt: skip


def identity_in(said: str) -> str:
    """Return the identity that `security find-identity` lists; raise SystemExit without one."""
    found = _IDENTITY.search(said)
    if not found:
        raise SystemExit(f"The certificate is no Developer ID Application that is valid:\n{said}")
    return found[1]


def thumbprint_in(said: str) -> str:
    """Return the certificate that PowerShell has imported; raise SystemExit without one."""
    found = _THUMBPRINT.search(said)
    if not found:
        raise SystemExit("The certificate holds no private key: export it with its key")
    return found[0]


def signtool(kits: Path) -> Path:
    """Return Windows' program that signs, of the newest kit; raise SystemExit without one."""
    found = list(kits.glob("bin/10.*/x64/signtool.exe"))
    if not found:
        raise SystemExit(f"There is no signtool.exe in {kits}: install the Windows SDK")
    return max(found, key=lambda path: [int(part) for part in path.parts[-3].split(".")])


def windows_sign_command(tool: Path, thumbprint: str) -> str:
    """Return the command that signs a file, for which $f stands."""
    stamp = f"/tr {_TIMESTAMPS} /td sha256"
    return f'"{tool}" sign /sha1 {thumbprint} /fd sha256 {stamp} $f'


def for_macos(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Import the certificate; return the variables of packaging/macos/package.py."""
    keychain = folder / "memtray.keychain-db"
    with _certificate(environ, folder) as file:
        for command in keychain_commands(
            keychain,
            file,
            password=environ.get("CERTIFICATE_PASSWORD", ""),
            lock=secrets.token_urlsafe(24),
        ):
            _told(command)
    listed = _told(["security", "find-identity", "-v", "-p", "codesigning", str(keychain)])
    return {"MEMTRAY_SIGN_IDENTITY": identity_in(listed)} | _notary(environ, folder)


def for_windows(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Import the certificate; return the variables of packaging/windows/package.py."""
    tool = signtool(Path(environ["ProgramFiles(x86)"]) / "Windows Kits" / "10")
    with _certificate(environ, folder) as file:
        line = ["pwsh", "-NoProfile", "-NonInteractive", "-Command", _IMPORT_PFX]
        said = _told(line, {**environ, "CERTIFICATE_FILE": str(file)})
    return {"MEMTRAY_SIGN_COMMAND": windows_sign_command(tool, thumbprint_in(said))}


def _notary(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    if not environ.get("NOTARY_KEY"):
        print("NOTARY_KEY is not set: the image will not be notarised.")
        return {}
    file = folder / "memtray-notary.p8"
    _write_private(file, environ["NOTARY_KEY"].encode())
    return {
        "MEMTRAY_NOTARY_KEY": str(file),
        "MEMTRAY_NOTARY_KEY_ID": environ["NOTARY_KEY_ID"],
        "MEMTRAY_NOTARY_ISSUER": environ["NOTARY_ISSUER"],
    }


@contextmanager
def _certificate(environ: Mapping[str, str], folder: Path) -> Iterator[Path]:
    """Yield the certificate as a file that is gone afterwards."""
    file = folder / "memtray-certificate.p12"
    _write_private(file, base64.b64decode(environ["CERTIFICATE"]))
    try:
        yield file
    finally:
        file.unlink()


def _write_private(file: Path, content: bytes) -> None:
    file.touch(mode=0o600)
    file.write_bytes(content)


def _told(command: list[str], environ: Mapping[str, str] | None = None) -> str:
    """Return what a command says; end with its error, but not its words, which hold passwords."""
    done = subprocess.run(
        command, env=environ, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:2])} has failed with code {done.returncode}")
    return done.stdout


def main() -> None:
    """Import what this system signs with, and hand its names on."""
    if not os.environ.get("CERTIFICATE"):
        print("CERTIFICATE is not set: there is nothing to sign with.")
        return
    folder = Path(os.environ["RUNNER_TEMP"])
    prepare = for_macos if sys.platform == "darwin" else for_windows
    with Path(os.environ["GITHUB_ENV"]).open("a", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in prepare(os.environ, folder).items())


if __name__ == "__main__":
    main()
