"""What a build machine is told to sign with, by small programs instead of those of the systems."""

import base64
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "packaging/credentials.py"
HASH = "0123456789ABCDEF0123456789ABCDEF01234567"
IDENTITY = f'  1) {HASH} "Developer ID Application: Some One (ABCDE12345)"\n'
CERTIFICATE = base64.b64encode(b"certificate").decode()
Fake = Callable[[str, str], Path]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the small programs are for sh")


def made() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Make a program that is found first; it writes down its words, a file in them, and speaks."""
    folder, calls = tmp_path / "programs", tmp_path / "calls"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def program(name: str, says: str) -> Path:
        lines = f"""#!/bin/sh
echo "$*" >>'{calls}'
for word in "$@" "$CERTIFICATE_FILE"; do case $word in *.p12) cat "$word" >>'{calls}' ;; esac; done
cat <<'END'
{says}
END
"""
        (folder / name).write_text(lines, encoding="utf-8")
        (folder / name).chmod(0o755)
        return calls

    return program


def test_a_mac_gets_a_keychain_of_its_own_and_the_key_of_the_notary(
    tmp_path: Path, fake: Fake
) -> None:
    calls = fake("security", IDENTITY)
    environ = {"CERTIFICATE": CERTIFICATE, "CERTIFICATE_PASSWORD": "pass word"}
    notary = {"NOTARY_KEY": "-----BEGIN\n", "NOTARY_KEY_ID": "K1", "NOTARY_ISSUER": "I1"}

    told = made()["for_macos"](environ | notary, tmp_path)

    key = tmp_path / "memtray-notary.p8"
    assert told == {
        "MEMTRAY_SIGN_IDENTITY": HASH,
        "MEMTRAY_NOTARY_KEY": str(key),
        "MEMTRAY_NOTARY_KEY_ID": "K1",
        "MEMTRAY_NOTARY_ISSUER": "I1",
    }
    assert key.read_text(encoding="utf-8") == notary["NOTARY_KEY"]
    assert key.stat().st_mode & 0o777 == 0o600
    order = [line.split()[0] for line in calls.read_text("utf-8").splitlines()]
    assert order == [
        "create-keychain", "set-keychain-settings", "unlock-keychain", "import",
        "certificateset-key-partition-list", "list-keychains", "find-identity",
    ]  # fmt: skip
    assert "-P pass word" in calls.read_text("utf-8")
    assert not list(tmp_path.glob("*.p12"))


def test_another_certificate_is_refused(tmp_path: Path, fake: Fake) -> None:
    fake("security", f'  1) {HASH} "Apple Development: Some One"\n     1 valid identities found')

    with pytest.raises(SystemExit, match="no Developer ID Application"):
        made()["for_macos"]({"CERTIFICATE": CERTIFICATE}, tmp_path)

    assert not list(tmp_path.glob("*.p12"))


def test_windows_signs_by_the_newest_kit_and_the_imported_certificate(
    tmp_path: Path, fake: Fake
) -> None:
    calls = fake("pwsh", f"{HASH}\r")
    for version in ("10.0.9.0", "10.0.26100.0", "10.0.19041.0"):
        tool = tmp_path / "Windows Kits/10/bin" / version / "x64/signtool.exe"
        tool.parent.mkdir(parents=True)
        tool.touch()
    environ = {
        **os.environ,
        "ProgramFiles(x86)": str(tmp_path),
        "CERTIFICATE": CERTIFICATE,
        "CERTIFICATE_PASSWORD": "pass word",
    }

    command = made()["for_windows"](environ, tmp_path)["MEMTRAY_SIGN_COMMAND"]

    assert command.startswith(f'"{tmp_path}/Windows Kits/10/bin/10.0.26100.0/x64/signtool.exe" ')
    assert f"/sha1 {HASH} " in command
    assert command.endswith(" $f")
    assert "\n" not in command
    assert "pass word" not in calls.read_text("utf-8")  # but in a variable
    assert not list(tmp_path.glob("*.p12"))


def test_a_program_that_fails_ends_it_without_its_words(tmp_path: Path, fake: Fake) -> None:
    fake("security", "\nEND\nexit 45\n: <<'END'")

    with pytest.raises(SystemExit, match=r"^security create-keychain has failed with code 45$"):
        made()["for_macos"]({"CERTIFICATE": CERTIFICATE}, tmp_path)


def test_without_a_certificate_nothing_happens(tmp_path: Path) -> None:
    environ = {"PATH": "/nowhere", "CERTIFICATE": "", "GITHUB_ENV": str(tmp_path / "env")}

    done = subprocess.run(
        [sys.executable, SCRIPT], env=environ, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing to sign with" in done.stdout
    assert not (tmp_path / "env").exists()


@pytest.mark.parametrize(
    ("environ", "account"),
    [
        ({}, []),
        ({"MEMTRAY_NOTARY_PROFILE": "mine"}, ["--keychain-profile", "mine"]),
        (
            {
                "MEMTRAY_NOTARY_PROFILE": "",
                "MEMTRAY_NOTARY_KEY": "/k.p8",
                "MEMTRAY_NOTARY_KEY_ID": "K1",
                "MEMTRAY_NOTARY_ISSUER": "I1",
            },
            ["--key", "/k.p8", "--key-id", "K1", "--issuer", "I1"],
        ),
    ],
)
def test_the_notary_is_asked_with_what_is_there(
    environ: dict[str, str], account: list[str]
) -> None:
    script = runpy.run_path(str(SCRIPT.parent / "macos/package.py"))

    assert script["notary_account"](environ) == account
    first = script["notary_commands"](Path("/x.dmg"), account)[0]
    assert first[:4] == ["xcrun", "notarytool", "submit", "/x.dmg"]
    assert first[4:] == [*account, "--wait"]
