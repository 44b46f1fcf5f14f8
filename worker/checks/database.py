"""The store: opens, is whole, is what it should be."""

import os
import threading
from pathlib import Path

from worker.checks.report import FAULTY, degraded, down, off, ok
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths, no_database
from worker.shared.readiness import PartReport, PartState
from worker.store.store import Store

RESTORE = "memtray-worker restore"
_DAMAGED = (
    "Stop the programs that use it and copy it with its -wal file; nothing of it is deleted or "
    f"changed. Then go back to a backup: {RESTORE}"
)
_TORN = (
    "All else is there, and new memories are kept. If something is missing, older states are shown"
    " by memtray-worker backup --list; this line is gone after memtray-worker restart."
)


def check_store(store: Store) -> PartReport:
    """Read from the database; say what is wrong with it, and whether claude-mem made it."""
    try:
        total = sum(store.counts().values())
        missing = store.missing()
    except MemtrayError as exc:
        return down("store", exc.detail, "It is tried again every few seconds.")
    if missing:
        return degraded(
            "store",
            f"{store.path} is not as claude-mem makes it: {', '.join(missing)} is missing.",
            "What there is, is searched. Another program's file? Choose another --data-dir.",
        )
    if store.torn_log:
        return degraded("store", store.torn_log, _TORN)
    for path in (store.path, store.path.parent):
        if not os.access(path, os.W_OK):
            return degraded(
                "store",
                f"{path} may not be written by you: it is searched, but nothing can be stored.",
                "Check who owns it and its rights.",
            )
    return ok("store").model_copy(update={"done": total, "total": total})


def check_pages(store: Store, stopping: threading.Event) -> PartReport:
    """Look at every page of the memories; takes a second for each few hundred MB."""
    try:
        store.damage(stopping)
    except MemtrayError as exc:
        return off("store", exc.detail)  # locked or away: nothing is known of its pages
    return known_damage(store) or ok("store")


def known_damage(store: Store) -> PartReport | None:
    """Return what the last look at every page found wrong."""
    if not store.known_damage:
        return None
    return degraded("store", f"{store.path} is damaged: {store.known_damage}.", _DAMAGED)


def check_closed_store(paths: Paths, home: Path) -> PartReport:
    """Do both to a database that no worker of ours has open; nothing is made or changed."""
    if not paths.database.exists():
        return off("store", f"{no_database(paths, home)} The first start makes an empty one.")
    store = Store(paths.database)
    try:
        store.open(create=False)
        found = check_store(store)
        pages = check_pages(store, threading.Event())
    except MemtrayError as exc:
        return down("store", exc.detail, f"A backup, if there is one, comes back with: {RESTORE}")
    finally:
        store.close()
    return worse(found, pages)


def worse(found: PartReport, pages: PartReport) -> PartReport:
    """Return what `check_store` found or, where that is well, the damage of the pages."""
    return pages if found.state is PartState.OK and pages.state in FAULTY else found
