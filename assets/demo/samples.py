"""Writes the sample memories into a database, as claude-mem itself would have written them."""

import datetime as dt
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worker.store.store import Store

FOLDER = Path(__file__).parent
_SUMMARY_AFTER = dt.timedelta(minutes=5)  # the session's last observation


@dataclass(frozen=True, slots=True)
class Session:
    """One session of a file: its project, when it began, and what the file says of it."""

    project: str
    start: dt.datetime
    content: Mapping[str, Any]

    def at(self, minute: int) -> dt.datetime:
        return self.start + dt.timedelta(minutes=minute)


def sessions(now: dt.datetime, folder: Path = FOLDER) -> list[Session]:
    """Return the sessions of all files in time order; the last one lies days before `now`."""
    return sorted(_sessions(now, folder), key=lambda session: session.start)


def _sessions(now: dt.datetime, folder: Path) -> Iterator[Session]:
    for path in sorted(folder.glob("*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        for content in file["sessions"]:
            day = now.date() - dt.timedelta(days=content["days_ago"])
            clock = dt.time.fromisoformat(content["at"])
            yield Session(file["project"], dt.datetime.combine(day, clock).astimezone(), content)


def write_samples(database: Path, now: dt.datetime) -> int:
    """Make the database with all sample sessions; return the number of observations."""
    store = Store(database)
    store.open()
    try:
        with store.atomic() as connection:
            found = sessions(now)
            for number, session in enumerate(found, start=1):
                _write(connection, session, f"demo-{number:02}")
    finally:
        store.close()
    return sum(len(session.content["observations"]) for session in found)


def _write(connection: sqlite3.Connection, session: Session, name: str) -> None:
    prompts = session.content["prompts"]
    observations = session.content["observations"]
    end = session.at(observations[-1]["minute"]) + _SUMMARY_AFTER
    both = {"memory_session_id": f"memory-{name}", "project": session.project}
    row = _insert(
        connection,
        "sdk_sessions",
        {
            **both,
            "content_session_id": name,
            "user_prompt": prompts[0]["text"],
            **_time("started_at", session.start),
            **_time("completed_at", end),
            "status": "completed",
            "prompt_counter": len(prompts),
        },
    )
    for number, prompt in enumerate(prompts, start=1):
        prompt_row = {
            "session_db_id": row,
            "content_session_id": name,
            "prompt_number": number,
            "prompt_text": prompt["text"],
            **_time("created_at", session.at(prompt["minute"])),
        }
        _insert(connection, "user_prompts", prompt_row)
    for observation in observations:
        prompted = sum(prompt["minute"] <= observation["minute"] for prompt in prompts)
        text = both["memory_session_id"] + observation["title"] + observation["narrative"]
        observation_row = {
            **both,
            **observation,
            "prompt_number": prompted,
            "content_hash": hashlib.sha256(text.encode()).hexdigest()[:16],
            **_time("created_at", session.at(observation["minute"])),
        }
        _insert(connection, "observations", observation_row)
    summary = {**both, **session.content["summary"], "prompt_number": len(prompts)}
    _insert(connection, "session_summaries", {**summary, **_time("created_at", end)})


def _time(column: str, moment: dt.datetime) -> dict[str, str | int]:
    """Return a time in both of the columns that hold it: ISO in UTC and epoch milliseconds."""
    text = moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return {column: text, f"{column}_epoch": int(moment.timestamp()) * 1000}


def _insert(connection: sqlite3.Connection, table: str, row: Mapping[str, object]) -> int | None:
    """Insert what the table has columns for and return the new id."""
    columns = {name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")}
    known = {key: _stored(value) for key, value in row.items() if key in columns}
    return connection.execute(
        f"INSERT INTO {table} ({', '.join(known)}) VALUES ({', '.join('?' * len(known))})",
        list(known.values()),
    ).lastrowid


def _stored(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
