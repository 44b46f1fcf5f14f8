"""Finding memories."""

import argparse

from worker.commands.options import Commands, note_new_database, paths_of, print_json, with_json


def add_to(commands: Commands) -> None:
    """Add `search`."""
    search = commands.add(
        "search",
        _search,
        summary="search from the command line; starts the worker if there is none",
        text="Search the memories: words, phrases, AND OR NOT, -word, title:word, prefix*.",
    )
    search.add_argument("words", nargs="+", metavar="WORDS", help="what to look for")
    search.add_argument("--project", help="only this project")
    search.add_argument("--type", help="observations, sessions, prompts, or an observation type")
    search.add_argument("--limit", type=int, help="how many rows, at most 100 (default: 20)")
    with_json(search)


def _search(args: argparse.Namespace) -> int:
    from worker.shared.client import WorkerClient
    from worker.shared.launch import ensure_running

    paths = paths_of(args)
    note_new_database(paths)
    ensure_running(paths)
    params = {
        "query": " ".join(args.words),
        "project": args.project,
        "type": args.type,
        "limit": args.limit,
        "format": "json" if args.json else "text",
    }
    reply = WorkerClient(paths, name="command-line").get("/api/search", params)
    if args.json:
        print_json(reply)
    else:
        print(reply["content"][0]["text"])
    return 0
