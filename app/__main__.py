"""The command line of the desktop app."""

import argparse
import sys
import time
from collections.abc import Sequence

from filelock import FileLock

from app.single_instance import NoAnswerError, ask, take_place
from worker import __version__
from worker.shared.errors import FolderUnavailableError, MemtrayError
from worker.shared.paths import Paths, default_paths
from worker.shared.streams import fill_streams, json_line

_FAILED = 1
_QUIT_SECONDS = 8.0  # an app ends within five
_POLL_SECONDS = 0.05


def main(argv: Sequence[str] | None = None) -> int:
    """Run the app, or ask the one that runs; return the exit code: 0 good, 1 failed, 2 usage."""
    fill_streams()
    args = _arguments(argv)
    if args.self_test:
        return _self_test()
    paths = default_paths(args.data_dir)
    try:
        return _run_or_ask(paths, args)
    except MemtrayError as exc:
        return _complain(exc)
    except OSError as exc:
        trouble = FolderUnavailableError.of(exc)
        _complain(trouble)
        if not (args.status or args.quit):
            _show(trouble, paths)
        return _FAILED


def _run_or_ask(paths: Paths, args: argparse.Namespace) -> int:
    if args.status:
        return _say(json_line(ask(paths, "status"), sys.stdout.encoding))
    if args.quit:
        return _quit(paths)
    lock = take_place(paths)
    if lock is None:
        ask(paths, "show")
        return 0
    return _run(paths, args, lock)


def _self_test() -> int:
    from app.self_test import self_test

    return self_test()


def _run(paths: Paths, args: argparse.Namespace, lock: FileLock) -> int:
    from app.application import run  # what only asks the running app loads no windows

    with lock:
        return run(paths, background=args.background, heartbeat=args.heartbeat)


def _quit(paths: Paths) -> int:
    """Return once no app of this folder runs any more."""
    lock = take_place(paths)
    if lock is None:
        ask(paths, "quit")
        deadline = time.monotonic() + _QUIT_SECONDS
        while (lock := take_place(paths)) is None:
            if time.monotonic() > deadline:
                raise NoAnswerError(f"it was asked to quit, and goes on after {_QUIT_SECONDS:g} s")
            time.sleep(_POLL_SECONDS)
    lock.release()
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="memtray", description="The memory of past coding sessions, as an icon in the tray."
    )
    parser.add_argument("--version", action="version", version=f"memtray {__version__}")
    parser.add_argument("--data-dir", metavar="DIR", help="instead of ~/.claude-mem")
    parser.add_argument("--background", action="store_true", help="open no window")
    parser.add_argument("--heartbeat", action="store_true", help="measure how long windows hang")
    parser.add_argument("--self-test", action="store_true", help="check that all windows open")
    asking = parser.add_mutually_exclusive_group()
    asking.add_argument("--status", action="store_true", help="print what the running app shows")
    asking.add_argument("--quit", action="store_true", help="have the running app end")
    return parser.parse_args(argv)


def _say(text: str) -> int:
    sys.stdout.write(f"{text}\n")
    return 0


def _complain(exc: MemtrayError) -> int:
    sys.stderr.write(f"{exc.title}: {exc.detail}\n")
    return _FAILED


def _show(trouble: MemtrayError, paths: Paths) -> None:
    """Show it in a window: who starts the app by an icon sees no terminal."""
    from app.cannot_start import show

    show(trouble, paths)


if __name__ == "__main__":
    sys.exit(main())
