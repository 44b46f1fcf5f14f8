"""The command line of the worker."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from worker import __version__
from worker.shared.errors import MemtrayError

if TYPE_CHECKING:
    from worker.shared.paths import Paths

_ENVIRONMENT = {  # each is read when its library loads, so before anything else
    "OPENBLAS_NUM_THREADS": "1",  # eight request threads share the cores well, BLAS's own do not
    "OMP_NUM_THREADS": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",
}

_EXAMPLES = """examples:
  memtray-worker run                      serve the memories on http://127.0.0.1:37777
  memtray-worker search connection pool   find memories about connection pools
  memtray-worker search '"exact phrase"' --type bugfix --limit 5

The memories are read from ~/.claude-mem unless --data-dir or CLAUDE_MEM_DATA_DIR says otherwise.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 good, 1 failed, 2 wrong usage."""
    _fill_streams()
    os.environ.update(_ENVIRONMENT)
    args = _arguments(argv)
    try:
        code: int = args.command(args)
        sys.stdout.flush()
    except MemtrayError as exc:
        print(f"{exc.title}: {exc.detail}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as exc:  # a full disk, a folder without rights: the text names the file
        print(f"The system refuses: {exc}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 1
    return code


def _fill_streams() -> None:
    """Give a process without standard streams the null device, and never die of a character."""
    descriptor = 0
    while descriptor <= 2:  # else the next file opened, maybe the database, becomes stdout
        descriptor = os.open(os.devnull, os.O_RDWR)
    os.close(descriptor)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; `search pool -redis` means the words as a search understands them."""
    parser = _parser()
    args, unknown = parser.parse_known_args(argv)
    words = [word for word in unknown if not word.startswith("--")]
    if "words" in args and words == unknown:
        args.words += words
    elif unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return args


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="memtray-worker",
        description="Search the memory of your past coding sessions.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"memtray-worker {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--data-dir",
        metavar="D",
        help="the folder of claude-mem.db (default: ~/.claude-mem)",
    )

    run = commands.add_parser(
        "run",
        parents=[common],
        help="serve the memories in the foreground until Ctrl+C",
        description="Serve the memories over HTTP on 127.0.0.1 until Ctrl+C or SIGTERM.",
    )
    run.add_argument(
        "--port",
        type=_port,
        metavar="P",
        help="0 takes any free one (default: MEMTRAY_PORT, the setting `port`, 37777)",
    )
    run.set_defaults(command=_run)

    search = commands.add_parser(
        "search",
        parents=[common],
        help="search from the command line; starts the worker if there is none",
        description="Search the memories: words, phrases, AND OR NOT, -word, title:word, prefix*.",
    )
    search.add_argument("words", nargs="+", metavar="WORDS", help="what to look for")
    search.add_argument("--project", help="only this project")
    search.add_argument("--type", help="observations, sessions, prompts, or an observation type")
    search.add_argument("--limit", type=int, help="how many rows, at most 100 (default: 20)")
    search.add_argument("--json", action="store_true", help="print the reply as JSON")
    search.set_defaults(command=_search)
    return parser


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= port <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; a port is a number up to 65535")
    return port


def _run(args: argparse.Namespace) -> int:
    from worker.run import run
    from worker.shared.paths import default_paths

    paths = default_paths(args.data_dir)
    run(paths, port=args.port, on_serving=lambda port: _welcome(paths, port))
    return 0


def _welcome(paths: "Paths", port: int) -> None:
    """Say where it is and what to do next."""
    print(f"Serving {paths.database} on http://127.0.0.1:{port} until Ctrl+C.")
    print(f"Try:  curl 'http://127.0.0.1:{port}/api/search?query=WORDS'", flush=True)


def _search(args: argparse.Namespace) -> int:
    from worker.shared.client import WorkerClient
    from worker.shared.launch import ensure_running
    from worker.shared.paths import default_paths

    paths = default_paths(args.data_dir)
    ensure_running(paths)
    params = {
        "query": " ".join(args.words),
        "project": args.project,
        "type": args.type,
        "limit": args.limit,
        "format": "json" if args.json else "text",
    }
    reply = WorkerClient(paths, name="command-line").get("/api/search", params)
    print(json.dumps(reply, ensure_ascii=False) if args.json else reply["content"][0]["text"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
