"""The command line of the worker."""

import argparse
import os
import sys
from collections.abc import Sequence

from worker import __version__
from worker.commands import (
    backups,
    connecting,
    excluding,
    importing,
    installing,
    keeping,
    letting_go,
    life,
    memories,
    saving,
    transfer,
    upkeep,
    watching,
)
from worker.commands.options import Commands, common
from worker.shared.errors import MemtrayError, refusal
from worker.shared.streams import fill_streams

_ENVIRONMENT = {  # each is read when its library loads, so before anything else
    "OPENBLAS_NUM_THREADS": "1",  # eight request threads share the cores well, BLAS's own do not
    "OMP_NUM_THREADS": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # there are none; looking for them takes time
}

_GROUPS = (
    life, memories, saving, importing, letting_go, excluding, keeping, transfer, backups, upkeep,
    connecting, installing, watching,
)  # fmt: skip

_EXAMPLES = """examples:
  memtray-worker start                    serve the memories on http://127.0.0.1:37777
  memtray-worker status                   how it is, and what helps where it is not well
  memtray-worker search connection pool   find memories about connection pools
  memtray-worker search '"exact phrase"' --type bugfix --limit 5

The memories are read from ~/.claude-mem unless --data-dir or CLAUDE_MEM_DATA_DIR says otherwise.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 good, 1 failed, 2 wrong usage, others its own."""
    fill_streams()
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
        print(refusal(exc), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 1
    return code


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
    parser.add_argument(
        "--self-test", action=upkeep.SelfTest, nargs=0, help="check this installation and exit"
    )
    commands = Commands(parser.add_subparsers(required=True, metavar="COMMAND"), common())
    for group in _GROUPS:
        group.add_to(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
