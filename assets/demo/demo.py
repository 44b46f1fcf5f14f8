"""Shows the three steps of a memory search on sample memories, in a folder that goes away."""

import argparse
import datetime as dt
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from samples import write_samples

from worker.shared.client import WorkerClient
from worker.shared.contract import Item, SearchReply, TextReply
from worker.shared.errors import MemtrayError
from worker.shared.launch import ensure_running
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState, Ready
from worker.shared.refs import Kind
from worker.shared.settings import save_settings

_READY_SECONDS = 180
_STOP_SECONDS = 20
_POLL_SECONDS = 0.1
_WINDOW_SECONDS = 20
_SHOWN = 6  # rows of a table that are printed

_NEXT = """
Next, with your own memory (claude-mem's, in ~/.claude-mem; none yet is fine too):
  {bin}/memtray
  {bin}/memtray-worker search connection pool

Next, with Claude:
  claude mcp add --scope user memtray -- {bin}/memtray-mcp
Claude Desktop and all the rest: README.md
"""


class DemoFailedError(Exception):
    """A step did not work or found nothing."""


@dataclass(frozen=True, slots=True)
class Demo:
    """Asks the worker; prints each call as a curl line, and its answer."""

    client: WorkerClient
    url: str

    def search(self, query: str, said: str) -> tuple[list[Item], str]:
        """Search, print the first rows, return all rows of the page and the page."""
        _say(said, f"curl -G {self.url}/api/search --data-urlencode 'query={query}'")
        page = _text(self.client.get("/api/search", {"query": query}))
        answer = self.client.get("/api/search", {"query": query, "format": "json"})
        items = SearchReply.model_validate(answer).items
        if not items:
            raise DemoFailedError(f"The search for {query!r} found nothing:\n{page}")
        print(_shortened(page))
        return items, page

    def timeline(self, anchor: Item, said: str) -> str:
        """Print what happened around a memory; return the page."""
        _say(said, f"curl '{self.url}/api/timeline?anchor={anchor.id}'")
        page = _text(self.client.get("/api/timeline", {"anchor": anchor.id}))
        if anchor.ref not in page:
            raise DemoFailedError(f"The timeline around {anchor.ref} lacks it:\n{page}")
        print(page)
        return page

    def details(self, items: Sequence[Item], said: str) -> str:
        """Print memories word by word; return the page."""
        body = json.dumps({"ids": [item.id for item in items]})
        header = "-H 'Content-Type: application/json'"
        _say(said, f"curl {self.url}/api/observations/batch {header} -d '{body}'")
        page = self.full(items)
        if not all(item.title in page for item in items):
            raise DemoFailedError(f"The details of {body} are not complete:\n{page}")
        print(page)
        return page

    def full(self, items: Sequence[Item]) -> str:
        """Return memories word by word."""
        answer = self.client.post("/api/observations/batch", {"ids": [item.ref for item in items]})
        return _text(answer)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demo; return 0, or 1 with a text on stderr that says what failed."""
    parser = argparse.ArgumentParser(prog="demo.py", description=__doc__)
    parser.add_argument("--keep", action="store_true", help="leave the worker and its folder")
    parser.add_argument("--no-window", action="store_true", help="in the terminal alone")
    args = parser.parse_args(argv)
    keep = args.keep
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every terminal can show Chinese
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl+C does
    folder = Path(tempfile.mkdtemp(prefix="memtray-demo-"))
    done = False
    try:
        url = show(Paths(folder))
        if not keep and not args.no_window and has_screen(sys.platform, os.environ):
            show_window(Paths(folder))
        done = True
    except (DemoFailedError, MemtrayError, OSError) as exc:
        print(f"\nThe demo failed. {exc}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nThe demo was stopped.", file=sys.stderr)
    finally:
        if not (keep and done):
            clean_up(folder)
    if not done:
        return 1
    if keep:
        print(f"\nStill running: curl '{url}/api/search?query=webhook'")
        print(f"To end it: kill {' '.join(str(p.pid) for p in _children())}; rm -r {folder}")
    print(_NEXT.format(bin=Path(sys.executable).parent))
    return 0


def show(paths: Paths) -> str:
    """Write the samples, start a worker on them and go through the steps; return its address."""
    number = write_samples(paths.database, dt.datetime.now().astimezone())
    print(f"{number} sample memories of six made-up projects, in {paths.data_dir}")
    health = ensure_running(paths, port=0, wait_seconds=60, explicit=True)
    client = WorkerClient(paths, "demo")
    wait_until_ready(client)
    demo = Demo(client, f"http://127.0.0.1:{health.port}")

    hits, index = demo.search("payment booked twice", "STEP 1, SEARCH. A table, cheap to read:")
    chinese, _ = demo.search("死锁", "The same in Chinese. Two characters are enough:")
    if not any("死锁" in item.title for item in chinese):
        raise DemoFailedError("The search for 死锁 found other memories only.")
    question = "Why are pictures cloned?"
    said = "By meaning. No memory holds these words, the first row answers all the same:"
    meant, _ = demo.search(question, said)
    if any(item.leg != "meaning" for item in meant):
        raise DemoFailedError(f"{question!r} was not answered by meaning alone.")

    chosen = [item for item in hits if item.kind is Kind.OBSERVATION][:2]
    if not chosen:
        raise DemoFailedError("The search for a payment found no observation.")
    said = f"STEP 2, TIMELINE. What happened around {chosen[0].ref}:"
    context = demo.timeline(chosen[0], said)
    details = demo.details(chosen, "STEP 3, DETAILS. Every word, of the two that matter:")
    _print_saving((index, context, details), demo.full(hits), len(hits))
    return demo.url


def has_screen(platform: str, environ: Mapping[str, str]) -> bool:
    """Say whether windows can be shown."""
    if not platform.startswith("linux"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def show_window(paths: Paths) -> None:
    """Open the app on the samples until it is quit; where nobody can quit it, for a while."""
    save_settings(paths.settings, {"welcomed": True, "notify_errors": False})
    print("\nTHE WINDOW searches the same memories: type three words. Quit in the icon's menu, or")
    print("Ctrl+C here, ends the demo.")
    command = [sys.executable, "-m", "app", "--data-dir", str(paths.data_dir)]
    app = subprocess.Popen(command)  # noqa: S603 - our own program
    with suppress(subprocess.TimeoutExpired):
        app.wait(None if sys.stdin.isatty() else _WINDOW_SECONDS)


def wait_until_ready(client: WorkerClient) -> None:
    """Wait for the indexes with one line of progress; raise DemoFailedError when that fails."""
    began = time.monotonic()
    while True:
        report = Ready.model_validate(client.get("/api/ready"))
        if report.state is PartState.DOWN:
            raise DemoFailedError("; ".join(part.cause for part in report.parts if part.cause))
        building = [part for part in report.parts if _unfinished(part)]
        waited = time.monotonic() - began
        if not building:
            print(f"\rIndexes built in {waited:.1f} s".ljust(90))
            return
        told = ", ".join(f"{p.part} {p.done or 0} of {p.total or '?'}" for p in building)
        if waited > _READY_SECONDS:
            raise DemoFailedError(f"The indexes are not ready after {waited:.0f} s: {told}")
        if sys.stdout.isatty():
            print(f"\rBuilding the indexes: {told}".ljust(90), end="", flush=True)
        time.sleep(_POLL_SECONDS)


def _unfinished(part: PartReport) -> bool:
    """A few rows may be missing in an index that is reported as good."""
    return part.state is PartState.BUILDING or (part.done or 0) < (part.total or 0)


def clean_up(folder: Path) -> None:
    """Stop the worker that this process started and remove the folder, whatever is pressed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    children = _children()
    for child in children:
        child.terminate()
    _, alive = psutil.wait_procs(children, timeout=_STOP_SECONDS)
    for child in alive:
        child.kill()
    psutil.wait_procs(alive, timeout=_STOP_SECONDS)
    shutil.rmtree(folder)


def _children() -> list[psutil.Process]:
    """Return the worker; on Windows a script of pip's starts it, and both are ours."""
    return psutil.Process().children(recursive=True)


def _text(answer: object) -> str:
    return "\n".join(part.text for part in TextReply.model_validate(answer).content)


def _say(said: str, command: str) -> None:
    print(f"\n{said}\n  $ {command}\n")


def _shortened(page: str) -> str:
    """Return a page without the later rows of its table."""
    lines = page.splitlines()
    rows = [place for place, line in enumerate(lines) if line.startswith("| #")]
    hidden = rows[_SHOWN:]
    if hidden:
        lines[hidden[0] : hidden[-1] + 1] = [f"  ... and {len(hidden)} more"]
    return "\n".join(lines)


def _print_saving(steps: Sequence[str], everything: str, number: int) -> None:
    tokens = sum(map(len, steps)) // 4
    whole = len(everything) // 4
    print("\nTOKENS, estimated as characters / 4")
    print(f"  the three steps: {tokens:,}")
    print(f"  the {number} rows of step 1 in full: {whole:,}; {1 - tokens / whole:.0%} saved")


if __name__ == "__main__":
    sys.exit(main())
