"""Make the plugins for Claude Code and Claude Desktop that start the installed MCP server.

python packaging/plugin/build.py FOLDER [COMMAND]    COMMAND: where a package installs memtray-mcp
"""

import json
import re
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
# where the packages install it; Claude fills in the variables
USUAL = {
    "linux": "/usr/bin/memtray-mcp",
    "darwin": "/Applications/Memtray.app/Contents/MacOS/memtray-mcp",
    "win32": "${LOCALAPPDATA}\\Programs\\Memtray\\memtray-mcp.exe",
}
_VERSION = re.compile(r"(\d+(?:\.\d+)*)(?:\.?(a|b|rc|dev)(\d+))?")
_BESIDE_HOME = {"${LOCALAPPDATA}": "${HOME}\\AppData\\Local"}  # of what Claude Desktop fills in


def semantic(version: str) -> str:
    """Return one of Python's versions as Claude wants it: 1.0.0-rc.1 for 1.0.0rc1."""
    found = _VERSION.fullmatch(version)
    if not found:
        raise SystemExit(f"The version {version} cannot be told to Claude")
    numbers = ".".join([*found[1].split("."), "0", "0"][:3])
    return f"{numbers}-{found[2]}.{found[3]}" if found[2] else numbers


def for_code(servers: dict[str, Any], command: str) -> dict[str, Any]:
    """Return `.mcp.json` with the command that a package installs; MEMTRAY_MCP names another.

    Claude Code fills in no variable inside a variable.
    """
    found = json.loads(json.dumps(servers))
    chosen = command if "${" in command else f"${{MEMTRAY_MCP:-{command}}}"
    found["mcpServers"]["memtray"]["command"] = chosen
    return dict(found)


def for_desktop(manifest: dict[str, Any], command: str, version: str) -> dict[str, Any]:
    """Return the manifest of the extension, with version and command of what is installed."""
    for name, meant in _BESIDE_HOME.items():
        command = command.replace(name, meant)
    found = json.loads(json.dumps(manifest))
    found["user_config"]["program"]["default"] = command
    return {**found, "version": version}


def build(folder: Path, command: str, icon: bytes, version: str) -> tuple[Path, Path]:
    """Write both; return the marketplace of Claude Code and the extension of Claude Desktop."""
    version = semantic(version)
    market, extension = folder / "claude-code-plugin", folder / "memtray.mcpb"
    shutil.rmtree(market, ignore_errors=True)
    shutil.copytree(HERE / "claude-code", market)
    servers = market / "memtray" / ".mcp.json"
    plugin = market / "memtray" / ".claude-plugin" / "plugin.json"
    plugin.with_name("icon.png").write_bytes(icon)
    _write(plugin, {**json.loads(plugin.read_bytes()), "version": version})
    _write(servers, for_code(json.loads(servers.read_bytes()), command))
    manifest = json.loads((HERE / "claude-desktop" / "manifest.json").read_bytes())
    text = json.dumps(for_desktop(manifest, command, version), indent=2, ensure_ascii=False) + "\n"
    with zipfile.ZipFile(extension, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", text)
        archive.writestr("icon.png", icon)
    return market, extension


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Build both for the system on which this runs, or for the command that is given."""
    sys.path.insert(0, str(ROOT))
    from worker import __version__

    folder = Path(sys.argv[1])
    command = sys.argv[2] if len(sys.argv) > 2 else USUAL[sys.platform]
    icon = (ROOT / "build" / "made" / "memtray-512.png").read_bytes()
    build(folder, command, icon, __version__)


if __name__ == "__main__":
    main()
