"""A bare Debian in a folder, in which somebody has an empty home: what packages are tried in."""

import itertools
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryFile

PROGRAMS = ("memtray", "memtray-worker", "memtray-mcp")
USER = "ute"
_WAIT_SECONDS = 60.0
_ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
_TRACE = ("strace", "-D", "-f", "--seccomp-bpf", "-qq", "-e", "signal=none")
_CALLS = "trace=connect,sendto,sendmsg,sendmmsg"
_OF_THE_SYSTEM = ("dev/", "var/lib/dpkg/", "var/lib/apt/", "var/cache/", "var/log/")


class FailedError(Exception):
    """Something is not as it has to be."""


def expect(holds: object, said: str) -> None:
    """Print what holds; raise FailedError where it does not."""
    if not holds:
        raise FailedError(f"not so: {said}")
    print(f"ok  {said}", flush=True)


def until(holds: Callable[[], object]) -> bool:
    """Return whether something comes to hold in time."""
    end = time.monotonic() + _WAIT_SECONDS
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def addresses(trace: str) -> list[str]:
    """Return the internet addresses that a trace names, each as often as it does."""
    return [old or new for old, new in _ADDRESS.findall(trace)]


def is_outside(address: str) -> bool:
    """Say whether an address is one of another machine."""
    return not ip_address(address).is_loopback


class Debian:
    """A root folder with somebody in it; what runs there is traced where there is strace."""

    def __init__(self, root: Path, traces: Path) -> None:
        self.root = root
        self.home = root / "home" / USER
        self.environ = {"QT_QPA_PLATFORM": "offscreen"}
        self._traces = traces
        self._numbers = itertools.count()

    def command(self, *words: str, user: str = USER, traced: bool = False) -> list[str]:
        """Return the line that runs words in here, with nothing of our environment."""
        home = f"/home/{user}" if user != "root" else "/root"
        return [
            *(self._tracer() if traced else ()),
            "chroot", f"--userspec={user}:{user}", str(self.root),
            "/usr/bin/env", "-i", "-C", home, f"HOME={home}", f"USER={user}",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
            *(f"{name}={value}" for name, value in self.environ.items()), *words,
        ]  # fmt: skip

    def run(self, *words: str, user: str = USER, traced: bool = False) -> str:
        """Return what a command says; raise FailedError if it fails."""
        line = self.command(*words, user=user, traced=traced)
        with TemporaryFile("w+", encoding="utf-8") as output:  # a pipe, a worker would keep open
            code = subprocess.run(line, stdout=output, stderr=output, check=False).returncode
            output.seek(0)
            said = output.read()
        if code:
            raise FailedError(f"{' '.join(words)} → {code}\n{said}")
        return said

    def install(self, deb: Path) -> None:
        """Install a package whose dependencies are there."""
        shutil.copy2(deb, self.root / deb.name)
        self.run("dpkg", "--install", f"/{deb.name}", user="root")
        (self.root / deb.name).unlink()

    def move_in(self) -> None:
        """Give the user an empty home."""
        for entry in self.home.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()

    def running(self) -> dict[int, str]:
        """Return the processes of ours, each by its number; this is the only pid namespace."""
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                program = (process / "exe").readlink().name.removesuffix(" (deleted)")
            except OSError:
                continue
            if program in PROGRAMS:
                found[int(process.name)] = program
        return found

    def runs(self, program: str) -> bool:
        """Say whether one of our programs runs."""
        return program in self.running().values()

    def files(self) -> set[str]:
        """Return all files outside what the system itself writes into."""
        find = ["find", str(self.root), "-xdev", "(", "-type", "f", "-o", "-type", "l", ")"]
        found = subprocess.run([*find, "-printf", "%P\\n"], capture_output=True, check=True).stdout
        names = found.decode("utf-8", "replace").splitlines()
        return {name for name in names if not name.startswith(_OF_THE_SYSTEM)}

    def spoken_to(self) -> list[str]:
        """Return the addresses that traced programs have spoken to."""
        texts = (path.read_text("utf-8", "replace") for path in self._traces.glob("*.trace"))
        return [address for text in texts for address in addresses(text)]

    def _tracer(self) -> Iterator[str]:
        if shutil.which("strace"):
            self._traces.mkdir(parents=True, exist_ok=True)
            yield from _TRACE
            yield from ("-e", _CALLS, "-o", str(self._traces / f"{next(self._numbers)}.trace"))


def bare(base: Path) -> None:
    """Make a bare Debian, where there is none yet."""
    if not (base / "usr").is_dir():
        base.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(base)], check=True)


def prepared(base: Path, root: Path) -> None:
    """Make a copy of a bare Debian with an empty home, that asks for packages as this one."""
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", str(base), str(root)], check=True)
    for path in (Path("/etc/apt"), Path("/etc/resolv.conf")):
        subprocess.run(["cp", "-rL", str(path), str(root / "etc")], check=True)
    (root / "etc/apt/sources.list").write_text("", encoding="utf-8")
    add = ("useradd", "--create-home", "--skel", "/nonexistent", USER)
    subprocess.run(["chroot", str(root), *add], check=True)
