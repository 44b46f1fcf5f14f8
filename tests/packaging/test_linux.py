"""What the packages of Linux are made of, and the scripts of the archive with small programs."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
PROGRAMS = ("memtray", "memtray-worker", "memtray-mcp")
# says how it was called; a file in which something is remembered comes and goes
_PROGRAM = """#!/bin/sh
echo "$0 $@" >>"{called}"
[ "$1" != start-again ] || rm "$2"
while [ $# -gt 1 ]; do [ "$1" != --remember ] || : >"$2"; shift; done
"""
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="packages of Linux")


def script() -> dict[str, Any]:
    """Return the names of the script that makes the packages."""
    return runpy.run_path(str(PACKAGING / "linux/package.py"))


class Archive:
    """The archive, unpacked, with programs that write down how they were called."""

    def __init__(self, folder: Path, home: Path, version: str = "1") -> None:
        self.folder, self.home = folder, home
        self.called = home.parent / "called"
        (folder / "share/applications").mkdir(parents=True)
        (folder / "share/icons/hicolor/16x16/apps").mkdir(parents=True)
        (folder / "share/icons/hicolor/16x16/apps/memtray.png").write_bytes(b"png")
        shutil.copy(PACKAGING / "linux/memtray.desktop", folder / "share/applications")
        for name in ("install.sh", "uninstall.sh"):
            shutil.copy(PACKAGING / "linux" / name, folder)
        for program in PROGRAMS:
            path = folder / program
            path.write_text(_PROGRAM.format(called=self.called), encoding="utf-8")
            path.chmod(0o755)
        (folder / "version").write_text(version, encoding="utf-8")

    def run(self, name: str, *words: str) -> subprocess.CompletedProcess[str]:
        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        line = [str(self.folder / name), *words]
        return subprocess.run(line, env=environ, capture_output=True, text=True, check=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / 'Zoë\'s "home" $5'
    folder.mkdir()
    return folder


@linux_only
def test_the_archive_installs_from_and_into_any_folder(tmp_path: Path, home: Path) -> None:
    archive = Archive(tmp_path / "Überall & hier", home)

    done = archive.run("install.sh")

    assert done.returncode == 0, done.stderr
    target = home / ".local/lib/memtray"
    for program in PROGRAMS:
        assert (home / ".local/bin" / program).readlink() == target / program
    entry = (home / ".local/share/applications/memtray.desktop").read_text("utf-8")
    assert f"TryExec={target}/memtray" in entry
    quoted = str(target).replace('"', r"\\" + '"').replace("$", r"\\$")
    assert f'Exec="{quoted}/memtray"\n' in entry
    assert (home / ".local/share/icons/hicolor/16x16/apps/memtray.png").exists()


@linux_only
def test_an_upgrade_ends_the_old_version_and_replaces_all_of_it(tmp_path: Path, home: Path) -> None:
    Archive(tmp_path / "old", home, "1").run("install.sh")
    target = home / ".local/lib/memtray"
    (target / "only-in-the-old").touch()
    new = Archive(tmp_path / "new", home, "2")

    done = new.run("install.sh")

    assert done.returncode == 0, done.stderr
    called = new.called.read_text("utf-8")
    ended, started = called.index("make-way"), called.index(f"{target}/memtray-worker start-again")
    assert f"make-way --programs {target} --remember {target}.ran\n" in called
    assert ended < started
    assert called.endswith(f"start-again {target}.ran\n")
    assert (target / "version").read_text("utf-8") == "2"
    assert not (target / "only-in-the-old").exists()
    assert [path.name for path in target.parent.iterdir()] == ["memtray"]


@linux_only
def test_a_program_that_does_not_run_replaces_nothing(tmp_path: Path, home: Path) -> None:
    Archive(tmp_path / "old", home, "1").run("install.sh")
    new = Archive(tmp_path / "new", home, "2")
    (new.folder / "memtray-worker").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")

    done = new.run("install.sh")

    assert done.returncode == 1
    assert str(new.folder) in done.stderr
    assert (home / ".local/lib/memtray/version").read_text("utf-8") == "1"


@linux_only
def test_another_folder_s_files_are_never_replaced(tmp_path: Path, home: Path) -> None:
    (home / "letters").mkdir()

    done = Archive(tmp_path / "new", home).run("install.sh", str(home / "letters"))

    assert done.returncode == 1
    assert "letters" in done.stderr
    assert list((home / "letters").iterdir()) == []


@linux_only
def test_removing_cleans_up_first_and_leaves_nothing(tmp_path: Path, home: Path) -> None:
    archive = Archive(tmp_path / "new", home)
    archive.run("install.sh")
    installed = home / ".local/lib/memtray"
    archive.folder = installed

    done = archive.run("uninstall.sh", "--delete-data")

    assert done.returncode == 0, done.stderr
    assert archive.called.read_text("utf-8").endswith("uninstall-cleanup --delete-data\n")
    assert [path for path in home.rglob("*") if not path.is_dir()] == []
    assert not installed.exists()


def test_the_package_declares_what_qt_loads_and_what_draws_letters() -> None:
    told = script()["control"]("1.2.3", architecture="amd64", libc="2.36", kilobytes=7)

    depends = re.search(r"^Depends: (.+)$", told, re.MULTILINE)
    assert depends
    for package in ("libc6 (>= 2.36)", "libegl1", "libgl1", "fonts-dejavu-core"):
        assert package in depends[1]
    assert re.search(r"^Recommends: .*libwayland-client0", told, re.MULTILINE)
    assert "Version: 1.2.3\n" in told


def test_debian_takes_a_first_try_for_older_than_the_version() -> None:
    version = script()["debian_version"]

    assert version("1.0.0") == "1.0.0"
    assert [version(f"1.0{end}") for end in ("a1", "b2", "rc1", ".dev3")] == [
        "1.0~a1", "1.0~b2", "1.0~rc1", "1.0~dev3",
    ]  # fmt: skip


def test_no_file_of_the_package_survives_it_as_a_setting() -> None:
    assert not (PACKAGING / "linux/debian/conffiles").exists()
    assert "/etc/" not in (PACKAGING / "linux/package.py").read_text("utf-8")


def test_it_is_a_folder_that_unpacks_nothing_at_its_start() -> None:
    spec = (PACKAGING / "memtray.spec").read_text("utf-8")

    assert "COLLECT(" in spec
    assert "exclude_binaries=True" in spec
    assert "upx=True" not in spec


def test_what_is_imported_by_its_name_alone_is_packed() -> None:
    spec = (PACKAGING / "memtray.spec").read_text("utf-8")
    sources = [path for folder in ("app", "worker") for path in (ROOT / folder).rglob("*.py")]
    named = {
        name.partition(".")[0]
        for path in sources
        for name in re.findall(r'import_module\("([\w.]+)"\)', path.read_text("utf-8"))
    }

    theirs = named - {"app", "worker"} - sys.stdlib_module_names
    assert "sentencepiece" in theirs
    assert [name for name in theirs if f'"{name}' not in spec] == []


def test_a_child_of_multiprocessing_is_no_whole_program_again() -> None:
    begin = (PACKAGING / "begin.py").read_text("utf-8")

    assert '"begin.py"' in (PACKAGING / "memtray.spec").read_text("utf-8")
    assert begin.index("--multiprocessing-fork") < begin.index("freeze_support()")


@pytest.mark.skipif(not shutil.which("dpkg-query"), reason="libraries of Debian")
def test_a_library_s_package_is_known_wherever_debian_put_it() -> None:
    packages_of = runpy.run_path(str(PACKAGING / "notices.py"))["debian_packages"]
    (listed,) = (
        line
        for line in subprocess.check_output(["dpkg", "--listfiles", "libc6"], text=True).split()
        if line.endswith("/libc.so.6")
    )

    for name in {listed, str(Path(listed).resolve())}:
        assert packages_of([name, "/x/site-packages/y.so"]) == ["libc6"]


@linux_only
@pytest.mark.parametrize("name", ["prerm", "postinst"])
def test_the_scripts_of_debian_are_understood_by_its_shell(name: str) -> None:
    line = ["sh", "-n", str(PACKAGING / "linux/debian" / name)]

    assert subprocess.run(line, check=False).returncode == 0


@linux_only
@pytest.mark.parametrize(("made_way", "code"), [(0, 0), (1, 0), (3, 1), (255, 0)])
def test_only_who_is_in_the_way_stops_debian(tmp_path: Path, made_way: int, code: int) -> None:
    text = (PACKAGING / "linux/debian/prerm").read_text("utf-8")
    prerm, worker = tmp_path / "prerm", tmp_path / "memtray-worker"
    prerm.write_text(text.replace("/opt/memtray", str(tmp_path)), encoding="utf-8")
    worker.write_text(f"#!/bin/sh\nexit {made_way}\n", encoding="utf-8")
    worker.chmod(0o755)

    line = ["sh", str(prerm), "upgrade"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)

    assert done.returncode == code
    assert ("could not be found out" in done.stderr) == (made_way in (1, 255))


@linux_only
@pytest.mark.parametrize(
    ("words", "called"),
    [
        ("upgrade 2.0", "make-way --remember /run/memtray-upgrade"),
        ("failed-upgrade 2.0", "make-way"),
        ("deconfigure in-favour x", "make-way"),
    ],
)
def test_debian_has_the_apps_remembered_only_where_they_come_again(
    tmp_path: Path, words: str, called: str
) -> None:
    text = (PACKAGING / "linux/debian/prerm").read_text("utf-8")
    prerm, worker = tmp_path / "prerm", tmp_path / "memtray-worker"
    prerm.write_text(text.replace("/opt/memtray", str(tmp_path)), encoding="utf-8")
    worker.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
    worker.chmod(0o755)

    line = ["sh", str(prerm), *words.split()]
    done = subprocess.run(line, capture_output=True, text=True, check=True)

    assert done.stdout == f"{called}\n"


@linux_only
@pytest.mark.parametrize(
    ("words", "ran", "starts"),
    [
        ("configure 1.0", True, True),
        ("abort-upgrade 2.0", True, True),
        ("configure", False, False),
        ("abort-remove", True, False),
    ],
)
def test_debian_starts_what_ran_once_files_are_in_place(
    tmp_path: Path, words: str, ran: bool, starts: bool
) -> None:
    text = (PACKAGING / "linux/debian/postinst").read_text("utf-8")
    postinst, worker = tmp_path / "postinst", tmp_path / "memtray-worker"
    for place in ("/opt/memtray", "/run"):
        text = text.replace(place, str(tmp_path))
    postinst.write_text(text, encoding="utf-8")
    worker.write_text('#!/bin/sh\necho "$1"\nexit 1\n', encoding="utf-8")
    worker.chmod(0o755)
    if ran:
        (tmp_path / "memtray-upgrade").touch()

    line = ["sh", str(postinst), *words.split()]
    done = subprocess.run(line, capture_output=True, text=True, check=True)

    assert done.stdout == ("start-again\n" if starts else "")
    assert ("from the menu" in done.stderr) == starts  # an upgrade does not fail by it
