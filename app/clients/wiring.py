"""Looking at the clients' configs and changing them: blocking, without a window, in one thread."""

import contextlib
import difflib
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.clients import kept as memory
from app.clients.kept import Kept, fingerprint
from worker.shared.clients import code, desktop
from worker.shared.clients.entry import NAME, CannotConnectError, Entry, System, entry_for
from worker.shared.clients.files import ConfigError, read, replace, text_of
from worker.shared.clients.state import ClientReport, ClientState, report_on
from worker.shared.paths import Paths
from worker.shared.programs import as_typed

_GONE = (ClientState.NOT_CONNECTED, ClientState.OTHER_PLACE, ClientState.NAME_TAKEN)
_OURS = (ClientState.CONNECTED, ClientState.OTHER_PLACE)

_MARK = re.compile(rb'"%s"\s*:[^}]*' % NAME.encode())  # no text holds it: there, \" is written

_Signature = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What connecting or disconnecting would do, to be shown before it is done."""

    client: str
    connects: bool
    path: Path
    diff: str = ""  # unified; empty where the file stays as it is
    command: str = ""  # Claude Code's own, which changes its file
    runs: bool = True  # False: there is no `claude` here, the user types the command
    notes: tuple[str, ...] = ()
    change: desktop.Change | None = None

    @property
    def changes(self) -> bool:
        """False where everything is as wanted already."""
        return bool(self.command) or (self.change is not None and self.change.text is not None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done."""

    client: str
    path: Path
    changed: bool
    connected: bool
    backup: Path | None = None
    to_type: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """How all clients are."""

    reports: tuple[ClientReport, ...] = ()
    kept: Mapping[str, Kept] | None = None
    undoable: frozenset[str] = frozenset()
    suspected: frozenset[str] = frozenset()  # it may be gone, or be written just now
    vanished: frozenset[str] = frozenset()  # it is gone: told once


class Wiring:
    """The two clients of one user."""

    def __init__(self, paths: Paths, system: System, *, executable: Path | None = None) -> None:
        self._paths, self._system, self._executable = paths, system, executable
        self._file = memory.file_of(paths)
        self._kept = memory.load(self._file)
        self._marks = _Marks(code.config_path(system))
        self._signature: _Signature = ()

    def look(self, suspected: frozenset[str] = frozenset()) -> Sight:
        """Return how the clients are; an entry that is missing in two looks has vanished."""
        self._signature = self._looks_like()
        entry = self._entry()
        reports = (desktop.report(self._system, entry), code.report(self._system, entry))
        gone = frozenset(
            each.client
            for each in reports
            if each.state in _GONE and self._of(each.client).connected
        )
        vanished = gone & suspected
        for each in reports:
            if each.state is ClientState.CONNECTED:
                self._remember(each.client, connected=True, missing=False)
            elif each.client in vanished:
                self._remember(each.client, connected=False, missing=True)
        undoable = frozenset(each.client for each in reports if self._is_as_left(each.client))
        return Sight(reports, dict(self._kept), undoable, gone - vanished, vanished)

    def look_if_changed(self, suspected: frozenset[str] = frozenset()) -> Sight | None:
        """Return the same, or None where no file has changed since the last look."""
        if not suspected and self._looks_like() == self._signature:
            return None
        return self.look(suspected)

    def plan(self, client: str, *, connects: bool) -> Plan:
        """Return what would be done; raises MemtrayError for a file that is to be left alone."""
        if client == code.CLIENT:
            return self._plan_code(connects=connects)
        path = self._desktop_path(connects=connects)
        change = (
            desktop.plan_connect(path, self._our_entry())
            if connects
            else desktop.plan_disconnect(path)
        )
        return Plan(client, connects, path, _diff(change), notes=change.notes, change=change)

    def carry_out(self, plan: Plan) -> Outcome:
        """Do what a plan says, if the file is still what it was; raises MemtrayError."""
        if plan.client == code.CLIENT:
            return self._carry_out_code(connects=plan.connects)
        if plan.connects:
            entry = self._our_entry()
            done = desktop.connect(plan.path, entry, self._system, plan.change)
        else:
            done = desktop.disconnect(plan.path, plan.change)
        self._after(plan.client, connected=plan.connects)
        if done.changed:
            self._remember(
                plan.client,
                path=str(plan.path),
                backup=str(done.backup or ""),
                left=fingerprint(read(plan.path).content),
            )
        return Outcome(
            plan.client, plan.path, done.changed, plan.connects, done.backup, notes=done.notes
        )

    def undo(self, client: str) -> Outcome:
        """Put back what was there before our last change; raises MemtrayError."""
        kept = self._of(client)
        if not kept.left:
            raise ConfigError("there is nothing to undo")
        path = Path(kept.path)
        file = read(path)
        if fingerprint(file.content) != kept.left:
            where = f"; what was in it before is in {kept.backup}" if kept.backup else ""
            raise ConfigError(f"{path} was changed by another program since{where}")
        try:
            if kept.backup:
                replace(file, Path(kept.backup).read_bytes())
            else:
                path.unlink()
        except OSError as exc:
            raise ConfigError(f"{exc}; {path} is as it was") from exc
        connected = report_on(client, path, None).state in _OURS
        self._after(client, connected=connected)
        self._remember(client, path="", backup="", left="")
        return Outcome(client, path, changed=True, connected=connected)

    def _our_entry(self) -> Entry:
        return entry_for(self._paths, self._system, executable=self._executable)

    def _entry(self) -> Entry | None:
        try:
            return self._our_entry()
        except CannotConnectError:
            return None

    def _desktop_path(self, *, connects: bool) -> Path:
        """Return the file to change: of several Store builds, the first that needs it."""
        entry, found = self._entry(), desktop.config_paths(self._system)
        for path in found:
            state = report_on(desktop.CLIENT, path, entry).state
            if state is not ClientState.CONNECTED if connects else state in _OURS:
                return path
        return found[0]

    def _plan_code(self, *, connects: bool) -> Plan:
        entry = self._our_entry()
        found = code.report(self._system, entry)
        if found.state in (ClientState.BROKEN, ClientState.NAME_TAKEN):
            raise ConfigError(f"{found.cause} {found.remedy}")
        claude = code.find_claude(self._system)
        remove = code.remove_command(claude or "claude")
        commands = [remove] if found.state in _OURS else []
        if connects:
            add = code.add_command(entry, claude or "claude")
            commands = [] if found.state is ClientState.CONNECTED else [*commands, add]
        lines = "\n".join(as_typed(each, self._system.platform) for each in commands)
        path = code.config_path(self._system)
        return Plan(
            code.CLIENT, connects, path, command=lines, runs=claude is not None, notes=found.notes
        )

    def _carry_out_code(self, *, connects: bool) -> Outcome:
        if connects:
            entry = self._our_entry()
            done = code.connect(self._system, entry)
        else:
            done = code.disconnect(self._system)
        if not done.to_type:
            self._after(code.CLIENT, connected=connects)
        return Outcome(code.CLIENT, done.path, done.changed, connects, to_type=done.to_type)

    def _after(self, client: str, *, connected: bool) -> None:
        since = int(time.time() * 1000) if connected else 0
        self._remember(client, connected=connected, missing=False, since=since)

    def _of(self, client: str) -> Kept:
        return self._kept.get(client, Kept())

    def _remember(self, client: str, **changes: object) -> None:
        before = self._of(client)
        after = before.model_copy(update=changes)
        if after == before:
            return
        self._kept[client] = after
        with contextlib.suppress(OSError):  # it is known until the app ends, then
            memory.save(self._file, self._kept)

    def _is_as_left(self, client: str) -> bool:
        kept = self._of(client)
        try:
            return bool(kept.left) and fingerprint(read(Path(kept.path)).content) == kept.left
        except ConfigError:
            return False

    def _looks_like(self) -> _Signature:
        """Return what changes with anything that matters, without reading what is big as JSON."""
        files = (_stat(path) for path in desktop.config_paths(self._system))
        return (self._entry(), self._marks.now(), *files)


class _Marks:
    """Our entry as it is written in the file of Claude Code, which is big and often changed.

    To read 5 MB of JSON each time would hold up the windows for 0.2 s.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: _Signature = ()
        self._found: _Signature = ()

    def now(self) -> _Signature:
        """Return what stands there; the file is read if it has changed."""
        seen = _stat(self._path)
        if seen != self._seen:
            self._seen, self._found = seen, _marks_in(self._path)
        return self._found


def _marks_in(path: Path) -> _Signature:
    try:
        content = path.read_bytes()
    except OSError as exc:
        return (type(exc).__name__, path.parent.is_dir())
    return tuple(_MARK.findall(content))


def _stat(path: Path) -> _Signature:
    try:
        found = path.stat()
    except OSError as exc:
        return (path, path.parent.is_dir(), type(exc).__name__)
    return (path, found.st_mtime_ns, found.st_size, found.st_ino)


def _diff(change: desktop.Change) -> str:
    """Return the change to the text as a unified diff."""
    if change.text is None:
        return ""
    before = text_of(change.file)[0]
    name = change.file.path.name
    lines = difflib.unified_diff(
        before.splitlines(), change.text.splitlines(), name, name, lineterm=""
    )
    return "\n".join(lines)
