"""The parts of the worker as a person calls them."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def part_name(part: str) -> str:
    """Return the name of a part of /api/ready; one that is not known here keeps its own."""
    return {
        "store": translate("Parts", "Memories"),
        "search": translate("Parts", "Search"),
        "keyword": translate("Parts", "Keyword index"),
        "vectors": translate("Parts", "Vectors"),
        "chroma": translate("Parts", "Vector index"),
        "model": translate("Parts", "Language model"),
        "canary": translate("Parts", "Trial search"),
        "worker": translate("Parts", "Worker"),
        "port": translate("Parts", "Port"),
        "clients": translate("Parts", "Claude's connection"),
        "mcp": translate("Parts", "MCP server"),
        "backup": translate("Parts", "Backups"),
        "recalls": translate("Parts", "Claude's recalls"),
        "transcripts": translate("Parts", "Claude Code's sessions"),
        "capture": translate("Parts", "Capture"),
        "size": translate("Parts", "Size of the data"),
        "disk": translate("Parts", "Disk"),
        "paths": translate("Parts", "Data folder"),
        "settings": translate("Parts", "Settings"),
    }.get(part, part)
