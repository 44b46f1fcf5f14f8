"""Commands run as a user without rights, where there can be one."""

import functools
import os
import shutil
import subprocess
import sys

import pytest

NOBODY = 65534
_BECOME = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


def as_nobody() -> tuple[str, ...]:
    """Return what a command begins with to run as the user nobody; else skip the test."""
    if reason := _in_the_way():
        pytest.skip(reason)
    return _BECOME


@functools.cache
def _in_the_way() -> str:
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("setpriv"):
        return "a user without rights is made by root, with setpriv"
    tried = subprocess.run([*_BECOME, sys.executable, "-c", ""], check=False, capture_output=True)
    return f"the user nobody may not run {sys.executable}" if tried.returncode else ""
