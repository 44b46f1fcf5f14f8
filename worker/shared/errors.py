"""Errors with a title and a text that says what happened and what to do; no heavy imports."""

import errno

_RIGHTS = (errno.EACCES, errno.EPERM, errno.EROFS)
_NO_FOLDER = (errno.EEXIST, errno.ENOTDIR)


class MemtrayError(Exception):
    """Something outside our code is not as it should be; the message may be shown to a person."""

    title = "Something went wrong"
    code = "error"
    status = 500

    def __init__(self, detail: str, *, field: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field


class BadRequestError(MemtrayError):
    title = "The request cannot be understood"
    code = "bad_request"
    status = 400


class NotFoundError(MemtrayError):
    title = "There is no such memory"
    code = "not_found"
    status = 404


class NothingToUndoError(NotFoundError):
    title = "There is nothing to undo"


class StoreUnavailableError(MemtrayError):
    title = "The memory database cannot be read"
    code = "store_unavailable"
    status = 503


class NotWrittenError(StoreUnavailableError):
    title = "Nothing was written"
    code = "not_written"


class RefusedError(MemtrayError):
    title = "The memory database refuses it"
    code = "refused"
    status = 409


class ReadOnlyError(RefusedError):
    title = "The memory database can only be read"
    code = "read_only"


class FolderUnavailableError(MemtrayError):
    """Our own folder cannot be made or written."""

    title = "The data folder cannot be used"
    code = "folder_unavailable"

    @classmethod
    def of(cls, exc: OSError) -> "FolderUnavailableError":
        """Return it with which file or folder the system refuses, why, and what to do."""
        return cls(refusal(exc))


class WorkerUnavailableError(MemtrayError):
    title = "The Memtray worker does not answer"
    code = "worker_unavailable"
    status = 503


def refusal(exc: OSError) -> str:
    """Return which file or folder the system refuses, why, and what to do."""
    if exc.filename is not None and exc.errno in _NO_FOLDER:
        return (
            f"{exc.filename} is no folder, or lies in a file ({exc.strerror}). Choose another data "
            "folder: --data-dir DIR or CLAUDE_MEM_DATA_DIR"
        )
    if exc.filename is None or exc.errno not in _RIGHTS:
        return f"The system refuses: {exc}"
    return (
        f"{exc.filename} cannot be used ({exc.strerror}). Check who owns it and its folder, and "
        "that they may be read and written, or choose another data folder: --data-dir DIR or "
        "CLAUDE_MEM_DATA_DIR"
    )
