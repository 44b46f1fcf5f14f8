"""Running, starting and stopping the worker."""

import argparse
from typing import TYPE_CHECKING

from worker import __version__
from worker.commands.options import (
    Commands,
    note_new_database,
    other_version,
    paths_of,
    port,
    print_json,
    with_json,
)

if TYPE_CHECKING:
    from worker.shared.paths import Paths
    from worker.shared.readiness import Health

_STOPPED_TEXTS = {
    "not running": "No worker runs.",
    "asked": "The worker has ended.",
    "terminated": "The worker has ended; it had to be told by a signal.",
    "killed": "The worker did not answer and has been killed; nothing that was stored is lost.",
}


def add_to(commands: Commands) -> None:
    """Add `run`, `start`, `stop` and `restart`."""
    run = commands.add(
        "run",
        _run,
        summary="serve the memories in the foreground until Ctrl+C",
        text="Serve the memories over HTTP on 127.0.0.1 until Ctrl+C or SIGTERM.",
    )
    _with_port(run)
    run.add_argument("--leave-when-idle", type=float, help=argparse.SUPPRESS)  # seconds
    start = commands.add(
        "start",
        _start,
        summary="start the worker in the background",
        text="Start the worker in the background, unless it runs, and wait until it answers.\n"
        "After an hour in which nobody asked it anything, it leaves by itself.\n\n"
        "examples:\n"
        "  memtray-worker start                 on the usual port\n"
        "  memtray-worker start --port 37800    on another, for this time",
    )
    stop = commands.add(
        "stop",
        _stop,
        summary="stop the worker; it is not started again on its own",
        text="Stop the worker, within 15 seconds even if it hangs; what was saved is kept.\n"
        "Claude and other clients do not start it again: only start, restart and run do.",
    )
    restart = commands.add(
        "restart",
        _restart,
        summary="stop the worker and start it on the same port",
        text="Stop the worker if it runs, and start it on the same port unless --port is given\n"
        "or the settings have got another since it started.",
    )
    for command in (start, restart):
        _with_port(command)
    for command in (start, stop, restart):
        with_json(command)


def _with_port(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        type=port,
        metavar="P",
        help="0 takes any free one (default: MEMTRAY_PORT, the setting `port`, 37777)",
    )


def _run(args: argparse.Namespace) -> int:
    from worker.run import run

    paths = paths_of(args)
    note_new_database(paths)
    run(
        paths,
        port=args.port,
        on_serving=lambda port: _welcome(paths, port),
        leave_after=args.leave_when_idle,
    )
    return 0


def _welcome(paths: "Paths", port: int) -> None:
    """Say where it is and what to do next."""
    print(f"Serving {paths.database} on http://127.0.0.1:{port} until Ctrl+C.")
    print(f"Try:  curl 'http://127.0.0.1:{port}/api/search?query=WORDS'", flush=True)


def _start(args: argparse.Namespace) -> int:
    from worker.shared.launch import ensure_running

    paths = paths_of(args)
    note_new_database(paths)
    health = ensure_running(paths, port=args.port, explicit=True)
    _report(health, args)
    if args.port and health.port != args.port and not args.json:
        print(f"To move it: memtray-worker restart --port {args.port}")
    return 0


def _restart(args: argparse.Namespace) -> int:
    from worker.shared.restart import restart

    _report(restart(paths_of(args), port=args.port), args)
    return 0


def _report(health: "Health", args: argparse.Namespace) -> None:
    if args.json:
        print_json(health.model_dump(mode="json"))
        return
    print(f"The worker serves {health.data_dir} on http://127.0.0.1:{health.port}.")
    if health.version != __version__:
        print(other_version(health))


def _stop(args: argparse.Namespace) -> int:
    from worker.shared.stop import stop_worker

    how = stop_worker(paths_of(args))
    if args.json:
        print_json({"stopped": how})
    else:
        print(_STOPPED_TEXTS[how])
    return 0
