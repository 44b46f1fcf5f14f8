"""Claude Desktop, which reads its servers from one JSON file."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from worker.shared.clients.entry import NAME, Entry, System, is_ours, verify
from worker.shared.clients.files import ConfigError, ConfigFile, read, replace, text_of
from worker.shared.clients.json_text import (
    BrokenJsonError,
    object_in,
    remove_member,
    set_member,
)
from worker.shared.clients.state import (
    SERVERS,
    ClientReport,
    ClientState,
    config_in,
    notes_on,
    report_on,
    servers_in,
)

CLIENT = "claude-desktop"
RESTART = "Quit Claude Desktop and start it again; closing its window is not enough."

_FILE = "claude_desktop_config.json"


@dataclass(frozen=True, slots=True)
class Change:
    """What would be written, and what is to be said about it."""

    file: ConfigFile
    text: str | None  # None: all is as it should be
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """What was written, if anything, and where that is which was there."""

    path: Path
    changed: bool
    backup: Path | None
    notes: tuple[str, ...]


def config_paths(system: System) -> list[Path]:
    """Return the files that Claude Desktop may read here: one, or those of several Store builds.

    A Store build reads a folder of its own, never %APPDATA%.
    """
    environ = {key.upper(): value for key, value in system.environ.items()}
    if system.platform == "win32":
        local = Path(environ.get("LOCALAPPDATA") or system.home / "AppData" / "Local")
        roaming = Path(environ.get("APPDATA") or system.home / "AppData" / "Roaming")
        builds = sorted(local.glob("Packages/Claude_*/LocalCache/Roaming/Claude"))
        used = [build / _FILE for build in builds if (build / _FILE).exists()]
        return used or [build / _FILE for build in builds] or [roaming / "Claude" / _FILE]
    if system.platform == "darwin":
        return [system.home / "Library" / "Application Support" / "Claude" / _FILE]
    base = environ.get("XDG_CONFIG_HOME", "")
    config = Path(base) if base.startswith("/") else system.home / ".config"
    return [config / "Claude" / _FILE]


def config_path(system: System) -> Path:
    """Return the one file to change; raise ConfigError where only the user can know which."""
    found = config_paths(system)
    if len(found) > 1:
        listed = "\n".join(str(path) for path in found)
        raise ConfigError(
            f"there are {len(found)} Claude Desktops; say which with --config:\n{listed}"
        )
    return found[0]


def report(system: System, entry: Entry | None) -> ClientReport:
    """Return how Claude Desktop is; quick, and writes nothing."""
    found = config_paths(system)
    reports = [
        report_on(CLIENT, path, entry)
        if path.parent.is_dir()
        else ClientReport(CLIENT, ClientState.NOT_INSTALLED, path, f"There is no {path.parent}.")
        for path in found
    ]
    return min(reports, key=lambda each: each.state is ClientState.CONNECTED)  # one to mend first


def plan_connect(path: Path, entry: Entry) -> Change:
    """Return the change that gives Claude Desktop our tools.

    Raises BrokenJsonError or ConfigError, naming file and place, for a file to be left alone.
    """
    file = read(path)
    with _at(path):
        text, note = text_of(file)
        servers = servers_in(text)
        changed = _connected(text, entry)
    notes = (*notes_on(servers), *([note] if note else []))
    return Change(file, None if changed == text and not note else changed, notes)


def plan_disconnect(path: Path) -> Change:
    """Return the change that takes our entry away, and nothing else; raises as connecting does."""
    file = read(path)
    with _at(path):
        text, note = text_of(file)
        servers = servers_in(text)
        member = servers.get(NAME) if servers else None
        if servers is None or member is None:
            return Change(file, None, (f"{path} does not name {NAME}.",))
        _require_ours(member.value)
        return Change(file, remove_member(servers, NAME), (note,) if note else ())


def connect(path: Path, entry: Entry, system: System, planned: Change | None = None) -> Done:
    """Prove that the command answers, then write it; raises as `plan_connect` and `verify` do.

    `planned` is a change that the user has seen: it is written as it is, or not at all.
    """
    change = planned or plan_connect(path, entry)
    if not path.parent.is_dir():
        raise ConfigError(f"there is no {path.parent}: install Claude Desktop, start it once")
    verify(entry, system)
    done = _apply(change)
    found = report_on(CLIENT, path, entry)
    if found.state is not ClientState.CONNECTED:
        raise ConfigError(f"{path} was changed again at once: {found.cause or found.state}")
    return done


def disconnect(path: Path, planned: Change | None = None) -> Done:
    """Take our entry away; raises as `plan_disconnect` does, with `planned` as for `connect`."""
    return _apply(planned or plan_disconnect(path))


def _apply(change: Change) -> Done:
    path = change.file.path
    if change.text is None:
        return Done(path, changed=False, backup=None, notes=change.notes)
    try:
        content = change.text.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise ConfigError(f"the path of Memtray cannot be written as UTF-8: {exc}") from exc
    return Done(path, changed=True, backup=replace(change.file, content), notes=change.notes)


def _connected(text: str, entry: Entry) -> str:
    """Return the text with our entry, in which keys that we do not know stay."""
    servers = servers_in(text)
    if servers is None:
        return set_member(config_in(text), SERVERS, {NAME: entry.as_json()})
    member = servers.get(NAME)
    if member is None:
        return set_member(servers, NAME, entry.as_json())
    _require_ours(member.value)
    for key, value in entry.as_json().items():
        if member.value.get(key, []) != value:
            text = set_member(object_in(text, SERVERS, NAME), key, value)
    return text


@contextmanager
def _at(path: Path) -> Iterator[None]:
    """Name the file in what is said about its content."""
    try:
        yield
    except (BrokenJsonError, ConfigError) as exc:
        raise type(exc)(f"{path}: {exc.detail}. The file is as it was") from exc


def _require_ours(value: object) -> None:
    if not is_ours(value):
        command = value.get("command") if isinstance(value, dict) else value
        raise ConfigError(
            f"its server {NAME} is another one ({str(command)[:200]}); give that one another name"
        )
