"""Running the worker."""

import argparse
from typing import TYPE_CHECKING

from worker.commands.options import Commands, paths_of, port

if TYPE_CHECKING:
    from worker.shared.paths import Paths


def add_to(commands: Commands) -> None:
    """Add `run`."""
    run = commands.add(
        "run",
        _run,
        summary="serve the memories in the foreground until Ctrl+C",
        text="Serve the memories over HTTP on 127.0.0.1 until Ctrl+C or SIGTERM.",
    )
    run.add_argument(
        "--port",
        type=port,
        metavar="P",
        help="0 takes any free one (default: MEMTRAY_PORT, the setting `port`, 37777)",
    )


def _run(args: argparse.Namespace) -> int:
    from worker.run import run

    paths = paths_of(args)
    run(paths, port=args.port, on_serving=lambda port: _welcome(paths, port))
    return 0


def _welcome(paths: "Paths", port: int) -> None:
    """Say where it is and what to do next."""
    print(f"Serving {paths.database} on http://127.0.0.1:{port} until Ctrl+C.")
    print(f"Try:  curl 'http://127.0.0.1:{port}/api/search?query=WORDS'", flush=True)
