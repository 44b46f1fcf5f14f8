"""What could only call the network, or draw a command line, is not even loaded."""

import subprocess
import sys

from tests.integration.processes import ROOT

_LOAD_ALL = """
import sys
from worker.index.chroma import _import_chromadb
import worker.backend, worker.web.app
_import_chromadb()
found = {"grpc", "requests", "urllib3", "rich"} & {
    name for name, module in sys.modules.items() if getattr(module, "__file__", None)
}
sys.exit(", ".join(sorted(found)) or 0)
"""


def test_a_worker_loads_none_of_it() -> None:
    command = [sys.executable, "-c", _LOAD_ALL]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, encoding="utf-8")

    assert done.returncode == 0, done.stderr
