"""Install the packages of dist/ on a bare Debian, use them as somebody does, remove them.

packaging/linux/test_package.py [--base ROOT]    as root; ROOT: made by debootstrap, is copied

What is used runs in a namespace without a network, in which there is loopback alone.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).parents[2]
sys.path.insert(0, str(PROJECT))

from tests.ingest.transcripts.made import pool_talk  # noqa: E402 - the path first
from tests.mcp_server.program import Program  # noqa: E402

BUILD = PROJECT / "build/debian"
PROGRAMS = ("memtray", "memtray-worker", "memtray-mcp")
USER = "ute"
_QUERY = "checkout connections"
_MOVED = "opt/Überall & hier"
_WAIT_SECONDS = 60.0


class FailedError(Exception):
    """Something is not as it has to be."""


def expect(holds: object, said: str) -> None:
    """Print what holds; raise FailedError where it does not."""
    if not holds:
        raise FailedError(f"not so: {said}")
    print(f"ok  {said}", flush=True)


class Debian:
    """A root folder with somebody in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home" / USER

    def command(self, *words: str, user: str = USER) -> list[str]:
        """Return the line that runs words in here, with nothing of our environment."""
        home = f"/home/{user}" if user != "root" else "/root"
        return [
            "chroot", f"--userspec={user}:{user}", str(self.root),
            "/usr/bin/env", "-i", "-C", home if user == USER else "/", f"HOME={home}",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "QT_QPA_PLATFORM=offscreen",
            "DEBIAN_FRONTEND=noninteractive", *words,
        ]  # fmt: skip

    def run(self, *words: str, user: str = USER) -> str:
        """Return what a command says; raise FailedError if it fails."""
        done = subprocess.run(
            self.command(*words, user=user), capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode:
            line = " ".join(words)
            raise FailedError(f"{line} → {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def running(self) -> dict[int, str]:
        """Return the processes of ours, each by its number; this is the only pid namespace."""
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                program = (process / "exe").readlink().name
            except OSError:
                continue
            if program in PROGRAMS:
                found[int(process.name)] = program
        return found

    def files(self) -> set[str]:
        """Return all files outside what the system itself writes into."""
        passed_over = ("proc/", "dev/", "tmp/", "run/", "var/", "root/")
        every = (path.relative_to(self.root) for path in self.root.rglob("*"))
        return {str(path) for path in every if not str(path).startswith(passed_over)}


def bare_root(base: Path | None) -> Path:
    """Return a bare Debian, made once."""
    found = base or BUILD / "base"
    if not (found / "usr").is_dir():
        found.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(found)], check=True)
    return found


def prepared(base: Path, root: Path, *packages: Path) -> Debian:
    """Return a copy of a bare Debian with an empty home, that asks for packages as this one."""
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", str(base), str(root)], check=True)
    for path in (Path("/etc/apt"), Path("/etc/resolv.conf")):
        subprocess.run(["cp", "-rL", str(path), str(root / "etc")], check=True)
    (root / "etc/apt/sources.list").write_text("", encoding="utf-8")
    for package in packages:
        shutil.copy2(package, root / "tmp")
    debian = Debian(root)
    debian.run("useradd", "--create-home", "--skel", "/nonexistent", USER, user="root")
    return debian


def one(pattern: str) -> Path:
    """Return the newest file of dist/ that a pattern names."""
    found = sorted((PROJECT / "dist").glob(pattern), key=lambda path: path.stat().st_mtime)
    if not found:
        raise SystemExit(f"There is no dist/{pattern}: make package")
    return found[-1]


@contextmanager
def server(debian: Debian, program: str) -> Iterator[Program]:
    """Yield the MCP server, initialized; end it."""
    errors = BUILD / "mcp.log"
    with errors.open("wb") as log:
        process = subprocess.Popen(
            debian.command(program), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        )
        started, speaker = time.monotonic(), Program(process, errors)
        speaker.open()
        print(f"    initialize: {time.monotonic() - started:.2f} s", flush=True)
        yield speaker
        expect(speaker.close() == 0, "memtray-mcp ends when its client does")


def use(debian: Debian, folder: str) -> None:
    """Try each program, import, and search as Claude does."""
    for program in PROGRAMS:
        expect("0." in debian.run(f"{folder}/{program}", "--version"), f"{program} --version")
        debian.run(f"{folder}/{program}", "--self-test")
        expect(True, f"{program} --self-test")
    started = time.monotonic()
    debian.run(f"{folder}/memtray-worker", "start")
    print(f"    worker started: {time.monotonic() - started:.2f} s", flush=True)
    pool_talk().write(debian.home / ".claude/projects")
    subprocess.run(["chown", "-R", "--reference", debian.home, debian.home / ".claude"], check=True)
    debian.run(f"{folder}/memtray-worker", "import", f"/home/{USER}/.claude/projects", "--yes")
    with server(debian, f"{folder}/memtray-mcp") as speaker:
        text, failed = speaker.call("search", {"query": _QUERY})
        expect(not failed and "pool" in text.lower(), "memtray-mcp finds what was imported")


def try_deb(debian: Debian, before: set[str]) -> None:
    """Use what the .deb installed, replace it while it runs, purge it."""
    use(debian, "/usr/bin")
    app = subprocess.Popen(debian.command("memtray", "--background"))
    expect(until(lambda: "memtray" in debian.running().values()), "the app runs")
    debian.run("memtray-worker", "start-at-login", "on")
    debian.run("mkdir", "-p", ".config/Claude")
    debian.run("memtray-worker", "connect", "claude-desktop")
    config = debian.home / ".config/Claude/claude_desktop_config.json"
    expect("memtray-mcp" in config.read_text("utf-8"), "Claude Desktop names it")
    old = debian.running()
    debian.run("sh", "-c", "dpkg --install /tmp/*.deb", user="root")
    app.wait(_WAIT_SECONDS)
    expect(not old.keys() & debian.running().keys(), "an upgrade ends all that runs")
    expect(until(lambda: "memtray" in debian.running().values()), "and starts the app again")
    expect(until(lambda: "memtray-worker" in debian.running().values()), "which starts the worker")
    found = debian.run("memtray-worker", "search", _QUERY)
    expect("pool" in found.lower(), "memories outlive an upgrade")
    debian.run("dpkg", "--purge", "memtray", user="root")
    expect(not debian.running(), "nothing runs after purge")
    expect("memtray" not in config.read_text("utf-8"), "Claude Desktop does not any more")
    check_left(debian, before)


def try_tarball(debian: Debian, before: set[str]) -> None:
    """Use the archive where it was unpacked and moved, then installed, then remove that."""
    place = debian.root / _MOVED
    unpacked = next(debian.root.glob("opt/memtray-*"))
    place.parent.mkdir(exist_ok=True)
    unpacked.rename(place)
    use(debian, f"/{_MOVED}")
    debian.run(f"/{_MOVED}/memtray-worker", "make-way")
    target = f"/home/{USER}/Programme für mich"
    for _ in "once", "again":
        debian.run(f"/{_MOVED}/install.sh", target)
    found = debian.run(f"/home/{USER}/.local/bin/memtray-worker", "search", _QUERY)
    expect("pool" in found.lower(), "it is installed into the home folder, and finds")
    entry = debian.home / ".local/share/applications/memtray.desktop"
    expect(f'Exec="{target}/memtray"' in entry.read_text("utf-8"), "the menu starts that one")
    debian.run(f"{target}/uninstall.sh")
    expect(not debian.running(), "nothing runs after it was removed")
    shutil.rmtree(place)
    check_left(debian, before)


def check_left(debian: Debian, before: set[str]) -> None:
    """Look that there is but the data folder, and what belongs to others."""
    theirs = (".claude-mem", ".claude/", ".config/Claude")  # the data folder, and of Claude
    left = {path for path in debian.files() - before if (debian.root / path).is_file()}
    ours = {
        path
        for path in left
        if not path.startswith(tuple(f"home/{USER}/{name}" for name in theirs))
    }
    expect(not ours, f"nothing but the data folder is left {sorted(ours)[:9]}")
    expect((debian.home / ".claude-mem/claude-mem.db").is_file(), "the memories are")


def until(holds: Callable[[], bool]) -> bool:
    """Return whether something comes to hold in time."""
    end = time.monotonic() + _WAIT_SECONDS
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True


def offline(kind: str, root: Path) -> None:
    """In namespaces of our own: mount what programs expect, bring loopback up, try."""
    before = set((BUILD / f"{kind}.before").read_text("utf-8").splitlines())
    for words in (
        ("mount", "--make-rprivate", "/"),
        ("mount", "-t", "proc", "proc", "/proc"),
        ("mount", "-t", "proc", "proc", str(root / "proc")),
        ("mount", "--rbind", "/dev", str(root / "dev")),
        ("ip", "link", "set", "lo", "up"),
    ):
        subprocess.run(words, check=True)
    {"deb": try_deb, "tarball": try_tarball}[kind](Debian(root), before)


def apart(kind: str, debian: Debian, before: set[str]) -> None:
    """Try a kind of package in a process without a network, which leaves no process behind."""
    (BUILD / f"{kind}.before").write_text("\n".join(before), encoding="utf-8")
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"]
    this = [sys.executable, __file__, "--offline", kind, "--base", str(debian.root)]
    done = subprocess.run([*unshare, *this], check=False)
    if done.returncode:
        raise FailedError(f"the {kind} does not do, see above")


def main(words: Sequence[str] | None = None) -> None:
    """Try both packages; end with code 1 and a reason where something is not so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--only", choices=("deb", "tarball"))
    parser.add_argument("--offline", choices=("deb", "tarball"), help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    if os.geteuid():
        raise SystemExit("Only root can make a root folder: sudo make test-package")
    try:
        if args.offline:
            offline(args.offline, args.base)
        else:
            both(bare_root(args.base), args.only)
    except FailedError as exc:
        raise SystemExit(f"XX  {exc}") from exc


def both(base: Path, only: str | None) -> None:
    """Prepare a root for each kind of package, which needs the network, and try it without."""
    BUILD.mkdir(parents=True, exist_ok=True)
    deb, archive = one("memtray_*.deb"), one("memtray-*.tar.gz")
    debian = prepared(base, BUILD / "root", deb)
    apt = ("apt-get", "-qq", "--no-install-recommends", "-y")
    debian.run("apt-get", "-qq", "update", user="root")
    debian.run(*apt, "install", f"/tmp/{deb.name}", user="root")  # noqa: S108 - in that root
    expect(True, f"{deb.name} is installed with what it depends on")
    debian.run("dpkg", "--purge", "memtray", user="root")
    before = debian.files()
    if only != "tarball":
        debian.run("dpkg", "--install", f"/tmp/{deb.name}", user="root")  # noqa: S108
        apart("deb", debian, before)
    if only != "deb":
        shutil.rmtree(debian.home / ".claude-mem", ignore_errors=True)
        shutil.rmtree(debian.home / ".claude", ignore_errors=True)
        subprocess.run(["tar", "-xzf", archive, "-C", debian.root / "opt"], check=True)
        apart("tarball", debian, before)


if __name__ == "__main__":
    main()
