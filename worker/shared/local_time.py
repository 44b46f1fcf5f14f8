"""Stored times as a person reads them."""

import datetime as dt


def local_time(epoch_ms: int) -> dt.datetime:
    """Return the local time of epoch milliseconds; what no calendar holds becomes 1970."""
    try:
        return dt.datetime.fromtimestamp(epoch_ms / 1000, dt.UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        return dt.datetime.fromtimestamp(0, dt.UTC).astimezone()


def local_iso(epoch_ms: int) -> str:
    """Return it as ISO text with seconds and offset."""
    return local_time(epoch_ms).isoformat(timespec="seconds")
