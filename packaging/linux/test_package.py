"""Install the packages of dist/ on a bare Debian, use them as somebody does, remove them.

packaging/linux/test_package.py [--base ROOT] [--older DEB] [--only deb|upgrade|tarball]

As root. ROOT was made by debootstrap and is copied; DEB is of an older version, without it the
new one is packed again under a lower number. What is used runs in a namespace without a network,
in which there is loopback alone; strace tells whom it wanted to speak to.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

from debian_root import (
    PROGRAMS,
    USER,
    Debian,
    FailedError,
    bare,
    expect,
    is_outside,
    prepared,
    until,
)

PROJECT = Path(__file__).parents[2]
sys.path.insert(0, str(PROJECT))

from tests.e2e.screen import missing, screen  # noqa: E402 - the path first
from tests.ingest.transcripts.made import pool_talk  # noqa: E402
from tests.mcp_server.program import Program  # noqa: E402
from worker import __version__  # noqa: E402

BUILD = PROJECT / "build/debian"
KINDS = ("deb", "upgrade", "tarball")
_QUERY = "checkout connections"
_UNPACKED, _MOVED = "opt/Überall & hier", "opt/wo anders"
_OTHER = "andere Daten"
_OTHER_DATA = ("--data-dir", f"/home/{USER}/{_OTHER}")
_CLOSED = 'exec "$0" --self-test <&- >&- 2>&-'
_SCREEN = 1077  # the first that is free cannot be told here, where nobody else's processes are seen
_SAMPLES = 5
_WAIT_SECONDS = 60.0


# ---------------------------------------------------------------------- what somebody does
def use(debian: Debian, folder: str) -> None:
    """Try each program, import, and search as Claude does."""
    for program in PROGRAMS:
        said = debian.run(f"{folder}/{program}", "--version", traced=True)
        expect(__version__ in said, f"{program} --version")
        debian.run(f"{folder}/{program}", "--self-test", traced=True)
        expect(True, f"{program} --self-test")
        debian.run("sh", "-c", _CLOSED, f"{folder}/{program}")
        expect(True, f"{program} --self-test with all streams closed")
    fill(debian, folder)
    with server(debian, f"{folder}/memtray-mcp", traced=True) as speaker:
        expect(until(lambda: finds(speaker)), "memtray-mcp finds what was imported")
    doctor = (f"{folder}/memtray-worker", "doctor")
    expect(until(lambda: "chroma    ok" in debian.run(*doctor)), "Chroma serves")


def finds(speaker: Program) -> bool:
    """Say whether Claude gets the memory that was imported; its index follows in a moment."""
    text, failed = speaker.call("search", {"query": _QUERY})
    return not failed and "pool" in text.lower()


def fill(debian: Debian, folder: str) -> None:
    """Start the worker and import a conversation."""
    debian.run(f"{folder}/memtray-worker", "start", traced=True)
    pool_talk().write(debian.home / ".claude/projects")
    subprocess.run(["chown", "-R", "--reference", debian.home, debian.home / ".claude"], check=True)
    projects = f"/home/{USER}/.claude/projects"
    debian.run(f"{folder}/memtray-worker", "import", projects, "--yes", traced=True)


@contextmanager
def server(debian: Debian, program: str, *, traced: bool = False) -> Iterator[Program]:
    """Yield the MCP server, initialized; end it."""
    errors = BUILD / "mcp.log"
    line = debian.command(program, traced=traced)
    with errors.open("wb") as log:
        process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        speaker = Program(process, errors)
        speaker.open()
        yield speaker
        if speaker.close():
            raise FailedError("memtray-mcp does not end well when its client does")


def measure(debian: Debian, folder: str) -> None:
    """Print how long starts take, nothing traced."""
    initialized, healthy = [], []
    for _ in range(_SAMPLES):
        debian.run(f"{folder}/memtray-worker", "stop")
        begun = time.monotonic()
        debian.run(f"{folder}/memtray-worker", "start")
        healthy.append(time.monotonic() - begun)
    for _ in range(_SAMPLES):
        begun = time.monotonic()
        with server(debian, f"{folder}/memtray-mcp"):
            initialized.append(time.monotonic() - begun)
    for what, seconds in (("worker started", healthy), ("initialize", initialized)):
        told = f"{statistics.median(seconds):.2f} s, at most {max(seconds):.2f} s"
        print(f"    {what}: {told} (load {os.getloadavg()[0]:.1f})", flush=True)


@contextmanager
def desktop(debian: Debian) -> Iterator[None]:
    """Have a virtual screen with a tray, where there are the programs for one."""
    lacking = missing()
    if lacking:
        print(f"--  no virtual screen, for there is no {', '.join(lacking)}")
    with nullcontext() if lacking else screen(BUILD / "shots", os.environ, number=_SCREEN) as shown:
        if shown:
            debian.environ = {"DISPLAY": shown.display}
        yield
        if shown:
            shown.shot("desktop")
    debian.environ = {"QT_QPA_PLATFORM": "offscreen"}


def start_app(debian: Debian) -> "subprocess.Popen[bytes]":
    """Start the app and wait until its icon is in the tray."""
    begun = time.monotonic()
    app = subprocess.Popen(debian.command("memtray", "--background"))
    if "DISPLAY" in debian.environ:
        expect(until(lambda: has_icon(debian)), "the icon is in the tray")
        print(f"    icon: {time.monotonic() - begun:.2f} s (load {os.getloadavg()[0]:.1f})")
    expect(until(lambda: debian.runs("memtray-worker")), "the app has its worker")
    return app


def answers(debian: Debian, *data: str, program: str = "memtray") -> bool:
    """Say whether an app runs on the usual data, or on those that are named."""
    try:
        debian.run(program, "--status", *data)
    except FailedError:
        return False
    return True


def has_icon(debian: Debian) -> bool:
    """Say whether the tray shows our icon."""
    line = ["xwininfo", "-name", "panel", "-tree", "-display", debian.environ["DISPLAY"]]
    said = subprocess.run(line, capture_output=True, encoding="utf-8", check=False).stdout
    return '"Memtray"' in said


def settle_in(debian: Debian) -> list[Path]:
    """Have the app start at login and Claude know it; return the configs that name it."""
    debian.run("memtray-worker", "start-at-login", "on")
    debian.run("mkdir", "-p", ".config/Claude")
    configs = [debian.home / ".config/Claude/claude_desktop_config.json"]
    for path in configs:
        path.write_text('{"preferences": {"theme": "dark"}}\n', encoding="utf-8")
        subprocess.run(["chown", "--reference", debian.home, path], check=True)
    debian.run("memtray-worker", "connect", "claude-desktop")
    expect(all("memtray-mcp" in path.read_text("utf-8") for path in configs), "Claude names it")
    return configs


def leave(debian: Debian, before: set[str], configs: Sequence[Path]) -> None:
    """Purge the package and look what is left of it."""
    debian.run("dpkg", "--purge", "memtray", user="root")
    expect(not debian.running(), "nothing runs after purge")
    for path in configs:
        expect("memtray" not in path.read_text("utf-8"), "Claude does not name it any more")
        expect("dark" in path.read_text("utf-8"), "and keeps its preferences")
    check_left(debian, before, configs)


def check_left(debian: Debian, before: set[str], theirs: Sequence[Path] = ()) -> None:
    """Look that there is but the data folder, and what belongs to others."""
    home = debian.home
    kept = [
        home / ".claude-mem",
        home / _OTHER,
        home / ".claude",
        home / ".cache/fontconfig",
        *theirs,
    ]
    names = tuple(str(path.relative_to(debian.root)) for path in kept)
    ours = {path for path in debian.files() - before if not path.startswith(names)}
    expect(not ours, f"nothing but the data folder is left {sorted(ours)[:9]}")
    expect((home / ".claude-mem/claude-mem.db").is_file(), "the memories are")


# ---------------------------------------------------------------------- the three ways
def try_deb(debian: Debian, before: set[str], deb: Path, _: Path) -> None:
    """Use what the .deb installs, purge it while it runs."""
    debian.install(deb)
    use(debian, "/usr/bin")
    measure(debian, "/usr/bin")
    configs = settle_in(debian)
    with desktop(debian):
        app = start_app(debian)
        shown = json.loads(debian.run("memtray", "--status"))
        expect(shown["tray"]["visible"], f"the app tells how it is: {shown['state']}")
        leave(debian, before, configs)
        app.wait(_WAIT_SECONDS)


def try_upgrade(debian: Debian, before: set[str], deb: Path, older: Path) -> None:
    """Replace an older version while all of it runs."""
    debian.install(older)
    fill(debian, "/usr/bin")
    configs = settle_in(debian)
    with desktop(debian):
        app = start_app(debian)
        client = subprocess.Popen(debian.command("memtray-mcp"), stdin=subprocess.PIPE)
        expect(until(lambda: debian.runs("memtray-mcp")), "an MCP server runs as well")
        its_own = ("env", "MEMTRAY_PORT=37778")
        other = subprocess.Popen(debian.command(*its_own, "memtray", "--background", *_OTHER_DATA))
        expect(until(lambda: answers(debian, *_OTHER_DATA)), "and an app on other data")
        old = debian.running()
        debian.install(deb)
        app.wait(_WAIT_SECONDS)
        other.wait(_WAIT_SECONDS)
        client.wait(_WAIT_SECONDS)
        expect(not old.keys() & debian.running().keys(), "an upgrade ends all that runs")
        expect(until(lambda: answers(debian)), "and starts the app again")
        expect(until(lambda: answers(debian, *_OTHER_DATA)), "and the one on other data")
        if "DISPLAY" in debian.environ:
            expect(until(lambda: has_icon(debian)), "with its icon")
        expect(until(lambda: debian.runs("memtray-worker")), "which starts the worker")
        expect(__version__ in debian.run("memtray", "--version"), "it is the new version")
        found = debian.run("memtray-worker", "search", _QUERY)
        expect("pool" in found.lower(), "memories outlive an upgrade")
        expect(debian.run("memtray-worker", "start-at-login", "status") == "on\n", "so does login")
        leave(debian, before, configs)


def try_tarball(debian: Debian, before: set[str], archive: Path, _: Path) -> None:
    """Use the archive where it was unpacked and moved, then installed, then remove that."""
    opt = debian.root / "opt"
    opt.mkdir(exist_ok=True)  # purge takes it along where it is empty
    subprocess.run(["tar", "-xzf", archive, "-C", opt], check=True)
    next(opt.glob("memtray-*")).rename(debian.root / _UNPACKED)
    use(debian, f"/{_UNPACKED}")
    debian.run(f"/{_UNPACKED}/memtray-worker", "make-way")
    expect(not debian.running(), "it can be moved when nothing of it runs")
    (debian.root / _UNPACKED).rename(debian.root / _MOVED)
    use(debian, f"/{_MOVED}")
    debian.run(f"/{_MOVED}/memtray-worker", "make-way")
    target = f"/home/{USER}/Programme für mich"
    program = f"{target}/memtray"
    debian.run(f"/{_MOVED}/install.sh", target)
    app = subprocess.Popen(debian.command(program, "--background"))
    expect(until(lambda: answers(debian, program=program)), "an app runs from the home folder")
    debian.run(f"/{_MOVED}/install.sh", target)
    app.wait(_WAIT_SECONDS)
    expect(until(lambda: answers(debian, program=program)), "and again when it was replaced")
    found = debian.run(f"/home/{USER}/.local/bin/memtray-worker", "search", _QUERY)
    expect("pool" in found.lower(), "it is installed into the home folder, and finds")
    entry = debian.home / ".local/share/applications/memtray.desktop"
    expect(f'Exec="{target}/memtray"' in entry.read_text("utf-8"), "the menu starts that one")
    debian.run(f"{target}/uninstall.sh")
    expect(not debian.running(), "nothing runs after it was removed")
    shutil.rmtree(debian.root / _MOVED)
    check_left(debian, before)


def offline(kind: str, debian: Debian, package: Path, older: Path) -> None:
    """In namespaces of our own: mount what programs expect, bring loopback up, try."""
    before = set((BUILD / "before").read_text("utf-8").splitlines())
    screens, root = Path("/tmp/.X11-unix"), debian.root  # noqa: S108 - where X has its sockets
    for folder in (screens, root / "tmp/.X11-unix"):
        folder.mkdir(exist_ok=True)
    for words in (
        ("mount", "--make-rprivate", "/"),
        ("mount", "-t", "tmpfs", "-o", "mode=1777", "screens", str(screens)),
        ("mount", "-t", "proc", "proc", "/proc"),
        ("mount", "-t", "proc", "proc", str(root / "proc")),
        ("mount", "--rbind", "/dev", str(root / "dev")),
        ("mount", "--bind", str(screens), str(root / "tmp/.X11-unix")),
        ("ip", "link", "set", "lo", "up"),
    ):
        subprocess.run(words, check=True)
    debian.move_in()
    tries = {"deb": try_deb, "upgrade": try_upgrade, "tarball": try_tarball}
    tries[kind](debian, before, package, older)
    if shutil.which("strace"):
        spoken = debian.spoken_to()
        outside = sorted({address for address in spoken if is_outside(address)})
        expect(spoken, f"connections were traced, {len(spoken)} of them")
        expect(not outside, f"none went outside this machine {outside}")


def apart(kind: str, root: Path, package: Path, older: Path) -> None:
    """Try one way in a process without a network, which leaves no process behind."""
    print(f"--- {kind}: {package.name}", flush=True)
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"]
    this = [sys.executable, __file__, "--offline", kind, str(root), str(package), str(older)]
    if subprocess.run([*unshare, *this], check=False).returncode:
        raise FailedError(f"{kind} does not do, see above")


def one(pattern: str) -> Path:
    """Return the newest file of dist/ that a pattern names."""
    found = sorted((PROJECT / "dist").glob(pattern), key=lambda path: path.stat().st_mtime)
    if not found:
        raise SystemExit(f"There is no dist/{pattern}: make package")
    return found[-1]


def repacked(deb: Path) -> Path:
    """Return the same package under a lower number."""
    folder, older = BUILD / "older", BUILD / "older.deb"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--raw-extract", deb, folder], check=True)
    control = folder / "DEBIAN/control"
    text = re.sub(r"(?m)^Version: .*$", "Version: 0.0.1", control.read_text("utf-8"))
    control.write_text(text, encoding="utf-8")
    subprocess.run(["dpkg-deb", "-Znone", "--build", folder, older], check=True)
    shutil.rmtree(folder)
    return older


def all_ways(base: Path, older: Path | None, kinds: Sequence[str]) -> None:
    """Prepare a root, which needs the network, and try each way without."""
    deb, archive, root = one("memtray_*.deb"), one("memtray-*.tar.gz"), BUILD / "root"
    shutil.rmtree(BUILD / "traces", ignore_errors=True)
    bare(base)
    prepared(base, root)
    debian = Debian(root, BUILD / "traces")
    debian.run("apt-get", "-qq", "update", user="root")
    shutil.copy2(deb, root / deb.name)
    apt = ("apt-get", "-qq", "--no-install-recommends", "-y")
    debian.run(*apt, "install", f"/{deb.name}", user="root")
    expect(True, f"{deb.name} is installed with what it depends on")
    (root / deb.name).unlink()
    debian.run("dpkg", "--purge", "memtray", user="root")
    (BUILD / "before").write_text("\n".join(debian.files()), encoding="utf-8")
    for kind in kinds:
        former = (older or repacked(deb)) if kind == "upgrade" else deb
        apart(kind, root, archive if kind == "tarball" else deb, former)


def main(words: Sequence[str] | None = None) -> None:
    """Try all; end with code 1 and a reason where something is not so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, default=BUILD / "base")
    parser.add_argument("--older", type=Path)
    parser.add_argument("--only", choices=KINDS, action="append")
    parser.add_argument("--offline", nargs=4, help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    if os.geteuid():
        raise SystemExit("Only root can make a root folder: sudo make test-package")
    try:
        if args.offline:
            kind, root, package, older = args.offline
            debian = Debian(Path(root), BUILD / "traces" / kind)
            offline(kind, debian, Path(package), Path(older))
        else:
            BUILD.mkdir(parents=True, exist_ok=True)
            all_ways(args.base, args.older, args.only or KINDS)
    except FailedError as exc:
        raise SystemExit(f"XX  {exc}") from exc


if __name__ == "__main__":
    main()
