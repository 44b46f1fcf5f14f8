"""A worker that builds its indexes and answers on a machine without any network.

Run as a process with a data folder: it prints as JSON what the worker answered and whom it spoke
to. `command` runs it where nothing but the loopback exists.
"""

import dataclasses
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.integration.answers import Rows, answers, until_whole
from tests.integration.processes import ROOT, running

_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1
_VARIABLE = "WITHOUT_NETWORK"


@dataclass(frozen=True, slots=True)
class Report:
    """What came out of one run."""

    offline: bool  # False where the system does not let us take the network away
    answers: list[Rows]
    peers: list[str]  # addresses that the worker listens on or speaks to


def build(data_dir: Path, environ: Mapping[str, str]) -> Report:
    """Let a worker index a data folder without network, and ask it."""
    namespace = _namespace()
    done = subprocess.run(
        [*namespace, sys.executable, "-m", "tests.integration.offline", str(data_dir)],
        cwd=ROOT,
        env={**environ, _VARIABLE: "yes" if namespace else ""},
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Report(**json.loads(done.stdout))


def _namespace() -> list[str]:
    """Return the command that takes the network away: as root, or else as root of nothing."""
    for command in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        if shutil.which(command[0]):
            tried = subprocess.run([*command, "true"], capture_output=True, check=False)
            if tried.returncode == 0:
                return command
    return []


def main(data_dir: str) -> None:
    """Run the worker until all is indexed, ask it, and print the report."""
    offline = bool(os.environ[_VARIABLE])
    if offline:
        _raise_loopback()
    with running(Path(data_dir), environ=os.environ) as worker:
        until_whole(worker)
        report = Report(offline, answers(worker), _peers(worker.process.pid))
        assert worker.stop() == 0
    print(json.dumps(dataclasses.asdict(report)))  # noqa: T201 - its answer


def _raise_loopback() -> None:
    """Switch the loopback of a new network namespace on."""
    import fcntl  # only Linux comes here

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def _peers(pid: int) -> list[str]:
    connections = psutil.Process(pid).net_connections("inet")
    ends = [(each.raddr or each.laddr) for each in connections]
    return sorted({end.ip for end in ends if end})


if __name__ == "__main__":
    main(sys.argv[1])
