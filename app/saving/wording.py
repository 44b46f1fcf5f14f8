"""What is said of a memory that was saved."""

from PySide6.QtCore import QCoreApplication

from worker.shared.contract import SaveReply


def saved_line(reply: SaveReply) -> str:
    """Return where the memory is, and what was left out of it."""
    text = QCoreApplication.translate("Saving", "Saved as {ref}: {title}")
    if not reply.saved:
        text = QCoreApplication.translate("Saving", "Nothing added: it is there already, as {ref}.")
    said = text.format(ref=reply.ref, title=reply.title)
    return "\n".join([said, *reply.notes])
