"""The release workflow and what it gathers, looked at without GitHub."""

import hashlib
import re
import runpy
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOW = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
PACKAGES = {
    "linux": ["memtray_1.deb", "memtray-1.tar.gz"],
    "macos": ["Memtray-1.dmg"],
    "windows": ["Memtray-1.exe"],
}
gather = runpy.run_path(str(ROOT / "packaging" / "gather.py"))["gather"]


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    """What `make package` leaves on any of the systems, all at once."""
    folder = tmp_path / "dist"
    (folder / "claude-code-plugin" / "memtray").mkdir(parents=True)
    (folder / "claude-code-plugin" / "memtray" / ".mcp.json").write_bytes(b"{}")
    for name in ["memtray.mcpb", *(name for names in PACKAGES.values() for name in names)]:
        (folder / name).write_bytes(name.encode())
    return folder


def test_each_system_gives_its_packages_with_checksums(dist: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    for system in PACKAGES:
        gather(dist, system, release)

    names = {file.name for file in release.iterdir()}
    for system, packages in PACKAGES.items():
        sums = (release / f"SHA256SUMS-{system}").read_text(encoding="utf-8").splitlines()
        listed = {name: digest for digest, name in (line.split("  ") for line in sums)}
        assert set(packages) < listed.keys() <= names
        for name, digest in listed.items():
            assert hashlib.sha256((release / name).read_bytes()).hexdigest() == digest
        with zipfile.ZipFile(release / f"memtray-claude-code-plugin-{system}.zip") as plugin:
            assert plugin.namelist() == ["memtray/.mcp.json"]


def test_an_old_package_beside_the_new_one_is_refused(dist: Path, tmp_path: Path) -> None:
    (dist / "memtray_0.deb").write_bytes(b"old")

    with pytest.raises(SystemExit, match=r"one .*\.deb, there are 2"):
        gather(dist, "linux", tmp_path / "release")


def test_it_may_write_only_where_it_makes_the_release() -> None:
    head, _, jobs = WORKFLOW.partition("\njobs:")
    package, _, release = jobs.partition("\n  release:")

    assert "permissions:\n  contents: read\n" in head
    assert "write" not in head + package
    assert re.findall(r"\w+: write", release) == ["contents: write"]


def test_each_action_is_pinned_to_a_version() -> None:
    used = re.findall(r"uses: (.+)", WORKFLOW)

    assert used
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+\.\d+\.\d+", action) for action in used)


def test_only_the_steps_that_import_certificates_see_secrets() -> None:
    steps = WORKFLOW.split("\n      - ")
    seeing = [step for step in steps if "secrets." in step]

    assert len(seeing) == 2
    assert all("run: python packaging/credentials.py\n" in step for step in seeing)


def test_it_runs_on_the_three_systems_what_the_makefile_has() -> None:
    systems = re.findall(r"system: (\w+), runner", WORKFLOW)
    targets = re.findall(r"make ([\w-]+)", WORKFLOW)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert sorted(systems) == sorted(PACKAGES)
    assert targets
    assert all(f"\n{target}:" in makefile for target in targets)
