"""The schema of a new database: claude-mem's own, so that it can go on with the file."""

import datetime as dt
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from worker.store.connection import BUSY_SECONDS, connect, transaction

VERSIONS = (*range(4, 12), 16, 17, *range(20, 25), *range(26, 36), 39, 41, 42, *range(44, 53))

_ID = "id INTEGER PRIMARY KEY AUTOINCREMENT"
_CREATED = "created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL"
_SYNC = (
    "synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, "
    "sync_rev TEXT NOT NULL DEFAULT '1'"
)
_KIND = "TEXT NOT NULL CHECK (kind IN ('observation', 'summary', 'prompt'))"
_DELETED = "CHECK (deleted IN (0, 1))"
_OF_SESSION = (
    "FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) "
    "ON DELETE CASCADE ON UPDATE CASCADE"
)

_TABLES = {
    "schema_versions": """
        id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL""",
    "sdk_sessions": f"""
        {_ID}, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE,
        project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT,
        started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL,
        completed_at TEXT, completed_at_epoch INTEGER,
        status TEXT CHECK(status IN ('active', 'completed', 'failed')) NOT NULL DEFAULT 'active',
        worker_port INTEGER, prompt_counter INTEGER DEFAULT 0, custom_title TEXT,
        observed_model TEXT, observed_billing TEXT""",
    "observations": f"""
        {_ID}, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT,
        type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT,
        files_read TEXT, files_modified TEXT, prompt_number INTEGER, {_CREATED},
        discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, generated_by_model TEXT,
        relevance_count INTEGER DEFAULT 0, merged_into_project TEXT, agent_type TEXT,
        agent_id TEXT, metadata TEXT, {_SYNC}, {_OF_SESSION}""",
    "session_summaries": f"""
        {_ID}, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT,
        investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT,
        files_edited TEXT, notes TEXT, prompt_number INTEGER, {_CREATED},
        discovery_tokens INTEGER DEFAULT 0, merged_into_project TEXT, {_SYNC}, {_OF_SESSION}""",
    "user_prompts": f"""
        {_ID}, session_db_id INTEGER, content_session_id TEXT NOT NULL,
        prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, {_CREATED}, {_SYNC},
        FOREIGN KEY(session_db_id) REFERENCES sdk_sessions(id) ON DELETE CASCADE""",
    "pending_messages": f"""
        {_ID}, session_db_id INTEGER NOT NULL, content_session_id TEXT NOT NULL,
        message_type TEXT NOT NULL CHECK(message_type IN ('observation', 'summarize')),
        tool_name TEXT, tool_input TEXT, tool_response TEXT, cwd TEXT, last_user_message TEXT,
        last_assistant_message TEXT, prompt_number INTEGER,
        status TEXT NOT NULL DEFAULT 'pending' CHECK(status IN ('pending', 'processing')),
        created_at_epoch INTEGER NOT NULL, agent_type TEXT, agent_id TEXT, tool_use_id TEXT,
        FOREIGN KEY (session_db_id) REFERENCES sdk_sessions(id) ON DELETE CASCADE""",
    "tool_uses": f"""
        {_ID}, tool_use_id TEXT NOT NULL, content_session_id TEXT NOT NULL,
        memory_session_id TEXT, session_db_id INTEGER, project TEXT NOT NULL,
        platform_source TEXT NOT NULL DEFAULT 'claude', tool_name TEXT NOT NULL, tool_input TEXT,
        tool_response TEXT, cwd TEXT, prompt_number INTEGER, agent_type TEXT, agent_id TEXT,
        observation_id INTEGER, or_generation_id TEXT, or_session_id TEXT, content_hash TEXT,
        {_CREATED}, UNIQUE(content_session_id, tool_use_id)""",
    "telegram_wrapups": f"""
        {_ID}, platform_source TEXT NOT NULL, content_session_id TEXT NOT NULL,
        project TEXT NOT NULL, route_key TEXT NOT NULL, summary_created_at_epoch INTEGER NOT NULL,
        status TEXT NOT NULL CHECK(status IN ('claimed', 'sent')),
        claimed_at_epoch INTEGER NOT NULL, sent_at_epoch INTEGER,
        UNIQUE(platform_source, content_session_id, project, route_key)""",
    "sync_state": "k TEXT PRIMARY KEY, v TEXT",
    "sync_outbox": f"""
        {_ID}, op_uuid TEXT NOT NULL UNIQUE, rev TEXT NOT NULL DEFAULT '1', body TEXT NOT NULL,
        canonical_body TEXT, operation_sha256 TEXT, created_at_epoch INTEGER NOT NULL""",
    "sync_entity_heads": f"""
        entity_id TEXT PRIMARY KEY, kind {_KIND}, origin_device_id TEXT NOT NULL,
        origin_local_id TEXT NOT NULL, entity_rev TEXT NOT NULL, operation_sha256 TEXT NOT NULL,
        deleted INTEGER NOT NULL {_DELETED}, updated_at_epoch INTEGER NOT NULL""",
    "sync_content_outbox": f"""
        {_ID}, entity_id TEXT NOT NULL, kind {_KIND}, origin_local_id TEXT NOT NULL,
        entity_rev TEXT NOT NULL, body TEXT NOT NULL, operation_sha256 TEXT NOT NULL,
        deleted INTEGER NOT NULL DEFAULT 0 {_DELETED}, created_at_epoch INTEGER NOT NULL,
        UNIQUE(entity_id, entity_rev)""",
    "sync_dead_letter": f"""
        {_ID}, lane TEXT NOT NULL CHECK (lane IN ('content', 'mutation')),
        queue_key TEXT NOT NULL, kind TEXT, origin_local_id TEXT, entity_rev TEXT,
        reason TEXT NOT NULL, raw_body TEXT, created_at_epoch INTEGER NOT NULL,
        UNIQUE(lane, queue_key, entity_rev, reason)""",
    "sync_launch_exclusions": f"""
        kind {_KIND}, origin_local_id TEXT NOT NULL, through_rev TEXT NOT NULL,
        PRIMARY KEY (kind, origin_local_id)""",
}

_PLATFORM_CONTENT = "(platform_source, content_session_id)"
_INDEXES = {
    "idx_sdk_sessions_claude_id": "sdk_sessions(content_session_id)",
    "idx_sdk_sessions_sdk_id": "sdk_sessions(memory_session_id)",
    "idx_sdk_sessions_project": "sdk_sessions(project)",
    "idx_sdk_sessions_status": "sdk_sessions(status)",
    "idx_sdk_sessions_started": "sdk_sessions(started_at_epoch DESC)",
    "idx_sdk_sessions_platform_source": "sdk_sessions(platform_source)",
    "idx_observations_sdk_session": "observations(memory_session_id)",
    "idx_observations_project": "observations(project)",
    "idx_observations_type": "observations(type)",
    "idx_observations_created": "observations(created_at_epoch DESC)",
    "idx_observations_content_hash": "observations(content_hash, created_at_epoch)",
    "idx_observations_merged_into": "observations(merged_into_project)",
    "idx_observations_agent_type": "observations(agent_type)",
    "idx_observations_agent_id": "observations(agent_id)",
    "idx_observations_unsynced": "observations(id) WHERE synced_at IS NULL",
    "idx_session_summaries_sdk_session": "session_summaries(memory_session_id)",
    "idx_session_summaries_project": "session_summaries(project)",
    "idx_session_summaries_created": "session_summaries(created_at_epoch DESC)",
    "idx_summaries_merged_into": "session_summaries(merged_into_project)",
    "idx_session_summaries_unsynced": "session_summaries(id) WHERE synced_at IS NULL",
    "idx_user_prompts_session": "user_prompts(session_db_id)",
    "idx_user_prompts_claude_session": "user_prompts(content_session_id)",
    "idx_user_prompts_created": "user_prompts(created_at_epoch DESC)",
    "idx_user_prompts_prompt_number": "user_prompts(prompt_number)",
    "idx_user_prompts_lookup": "user_prompts(session_db_id, prompt_number)",
    "idx_user_prompts_content_lookup": "user_prompts(content_session_id, prompt_number)",
    "idx_user_prompts_unsynced": "user_prompts(id) WHERE synced_at IS NULL",
    "idx_pending_messages_session": "pending_messages(session_db_id)",
    "idx_pending_messages_status": "pending_messages(status)",
    "idx_pending_messages_claude_session": "pending_messages(content_session_id)",
    "idx_tool_uses_project": "tool_uses(project)",
    "idx_tool_uses_memory_session": "tool_uses(memory_session_id)",
    "idx_tool_uses_content_session": "tool_uses(content_session_id)",
    "idx_tool_uses_session_db_id": "tool_uses(session_db_id)",
    "idx_tool_uses_tool_name": "tool_uses(tool_name)",
    "idx_tool_uses_created_at_epoch": "tool_uses(created_at_epoch)",
    "idx_tool_uses_observation_id": "tool_uses(observation_id)",
    "idx_tool_uses_or_generation_id": "tool_uses(or_generation_id)",
    "idx_telegram_wrapups_platform_content": f"telegram_wrapups{_PLATFORM_CONTENT}",
}

_ORIGIN = "(origin_device_id, origin_local_id) WHERE origin_device_id IS NOT NULL"
_UNIQUE_INDEXES = {
    "ux_sdk_sessions_platform_content": f"sdk_sessions{_PLATFORM_CONTENT}",
    "ux_observations_session_hash": "observations(memory_session_id, content_hash)",
    "ux_observations_origin": f"observations{_ORIGIN}",
    "ux_session_summaries_origin": f"session_summaries{_ORIGIN}",
    "ux_user_prompts_origin": f"user_prompts{_ORIGIN}",
    "ux_pending_session_tool": (
        "pending_messages(session_db_id, tool_use_id) WHERE tool_use_id IS NOT NULL"
    ),
}

_FULL_TEXT = {
    "observations": ("title", "subtitle", "narrative", "text", "facts", "concepts"),
    "session_summaries": (
        "request", "investigated", "learned", "completed", "next_steps", "notes",
    ),
    "user_prompts": ("prompt_text",),
}  # fmt: skip


def ensure_database(path: Path) -> None:
    """Make a file that is absent or has no tables a database as claude-mem would have made it.

    One that has tables stays as it is. Raises sqlite3.DatabaseError for a file that is no
    database, OSError where none can be made.
    """
    if not path.exists():
        path.touch(mode=0o600)
    connection = connect(path, query_only=False)
    try:
        if _is_empty(connection):
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # possible on no other day
            _to_wal(connection)
            with transaction(connection):
                if _is_empty(connection):  # claude-mem may start at the same moment
                    _fill(connection)
    finally:
        connection.close()


def _to_wal(connection: sqlite3.Connection) -> None:
    """Change the journal; where others do so at once, SQLite refuses without waiting."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as exc:
            if exc.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def _fill(connection: sqlite3.Connection) -> None:
    for statement in _statements():
        connection.execute(statement)
    now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    connection.executemany(
        "INSERT INTO schema_versions (version, applied_at) VALUES (?, ?)",
        [(version, now) for version in VERSIONS],
    )


def _statements() -> Iterator[str]:
    for name, columns in _TABLES.items():
        yield f"CREATE TABLE {name} ({columns})"
    for name, target in _INDEXES.items():
        yield f"CREATE INDEX {name} ON {target}"
    for name, target in _UNIQUE_INDEXES.items():
        yield f"CREATE UNIQUE INDEX {name} ON {target}"
    for name, texts in _FULL_TEXT.items():
        yield from _full_text(name, ", ".join(texts))


def _full_text(table: str, columns: str) -> Iterator[str]:
    """An external-content FTS5 table and the three triggers that keep it equal to `table`."""
    fts = f"{table}_fts"
    new, old = (
        ", ".join(f"{row}.{name}" for name in columns.split(", ")) for row in ("new", "old")
    )
    add = f"INSERT INTO {fts}(rowid, {columns}) VALUES (new.id, {new});"
    drop = f"INSERT INTO {fts}({fts}, rowid, {columns}) VALUES ('delete', old.id, {old});"
    yield f"CREATE VIRTUAL TABLE {fts} USING fts5({columns}, content='{table}', content_rowid='id')"
    yield f"CREATE TRIGGER {table}_ai AFTER INSERT ON {table} BEGIN {add} END"
    yield f"CREATE TRIGGER {table}_ad AFTER DELETE ON {table} BEGIN {drop} END"
    yield f"CREATE TRIGGER {table}_au AFTER UPDATE ON {table} BEGIN {drop} {add} END"
