"""What is not to be remembered: excludes, and pauses."""

import argparse
from collections.abc import Iterable, Mapping
from typing import Any

from worker.commands.options import Commands, print_json, with_json
from worker.commands.transfer import client_of
from worker.shared.errors import BadRequestError

_ACTIONS = ("list", "add", "remove", "test")
_EXCLUDE = """Keep projects and folders out: they are not imported, not watched, and not saved.

A pattern is as in .gitignore, the case of letters aside:
  secret-*          each project and each folder of such a name, and all below it
  ~/code/secret     this folder and all below it
  work/*/keys       these folders one below the other, wherever they are
  **/old/**         ** stands for any number of folders
  !secret-demo      not this one after all: the last pattern that matches decides

What is stored already stays; `memtray-worker delete --project NAME` lets it go, with undo.

examples:
  memtray-worker exclude test 'secret-*'      what of the known projects it means
  memtray-worker exclude add 'secret-*'
  memtray-worker exclude remove 'secret-*'
  memtray-worker exclude                      all patterns
"""
_PAUSE = """Remember nothing for a while: nothing is watched, imported or saved.

What Claude Code writes meanwhile stays out later, too. Searching goes on.

examples:
  memtray-worker pause                  until `memtray-worker resume`
  memtray-worker pause --minutes 60
"""


def add_to(commands: Commands) -> None:
    """Add `exclude`, `pause` and `resume`."""
    exclude = commands.add("exclude", _exclude, summary="keep projects out", text=_EXCLUDE)
    exclude.add_argument("words", nargs="*", metavar="list | add | remove | test PATTERN")
    pause = commands.add("pause", _pause, summary="remember nothing for a while", text=_PAUSE)
    pause.add_argument("--minutes", type=int, metavar="N", help="for how long")
    resume = commands.add(
        "resume", _resume, summary="go on remembering", text="Go on remembering after a pause."
    )
    for command in (exclude, pause, resume):
        with_json(command)


def _exclude(args: argparse.Namespace) -> int:
    action, *patterns = args.words or ["list"]
    if action not in _ACTIONS or len(patterns) != (action != "list"):
        raise BadRequestError("say list, or add, remove or test and one pattern in quotes")
    client = client_of(args)
    body = {"pattern": "".join(patterns)}
    match action:
        case "test":
            reply = client.get("/api/excludes/test", body)
        case "add":
            reply = client.post("/api/excludes", body)
        case "remove":
            reply = client.post("/api/excludes/remove", body)
        case _:
            reply = client.get("/api/excludes")
    if args.json:
        print_json(reply)
    else:
        print(*(_tested(reply) if action == "test" else _listed(reply)), sep="\n")
    return 0


def _tested(reply: Mapping[str, Any]) -> Iterable[str]:
    yield f"{reply['pattern']} means {len(reply['matches'])} of {reply['known']} known projects."
    for place in reply["matches"]:
        yield f"  {place['project']}  {place['memories']:,} memories  {place['folder']}".rstrip()


def _listed(reply: Mapping[str, Any]) -> Iterable[str]:
    if not reply["excludes"]:
        yield "Nothing is excluded."
    for exclude in reply["excludes"]:
        names = ", ".join(place["project"] for place in exclude["matches"])
        yield f"{exclude['pattern']}  {names and f'({names})'}".rstrip()
    for note in reply["notes"]:
        yield f"{note}. To let it go: memtray-worker delete --project NAME"


def _pause(args: argparse.Namespace) -> int:
    body = {} if args.minutes is None else {"minutes": args.minutes}
    return _told(args, client_of(args).post("/api/capture/pause", body))


def _resume(args: argparse.Namespace) -> int:
    return _told(args, client_of(args).post("/api/capture/resume", {}))


def _told(args: argparse.Namespace, reply: Mapping[str, Any]) -> int:
    if args.json:
        print_json(reply)
    elif not reply["paused"]:
        print("What is new is remembered.")
    else:
        end = reply["until"]
        until = f"until {end[:16].replace('T', ' ')}" if end else "until memtray-worker resume"
        print(f"Nothing new is remembered {until}.")
    return 0
