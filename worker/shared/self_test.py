"""`memtray-mcp --self-test`: whether the MCP server of this installation answers a client."""

import argparse
import sys
import tempfile
from pathlib import Path

from worker.shared.errors import MemtrayError


class SelfTest(argparse.Action):
    """Start the server as a client does, on a scratch folder, say what came of it, and end."""

    def __call__(self, *_: object) -> None:
        from worker.shared.clients.entry import System, entry_for, verify
        from worker.shared.paths import Paths
        from worker.shared.settings import Settings

        system = System.here()
        try:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
                entry = entry_for(Paths(Path(scratch)), system)
                verify(entry, system, call=Settings().important_tool_name)
        except MemtrayError as exc:
            print(f"XX  mcp       {exc.detail}", flush=True)  # noqa: T201 - what was asked for
            sys.exit(1)
        print(f"ok  mcp       {entry.command} answers a client and a call", flush=True)  # noqa: T201
        sys.exit(0)
