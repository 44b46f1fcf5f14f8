"""Statuses as the supervisor tells them."""

from app.status import AppStatus, Impairment, Look

SLOW_MODEL = Impairment("model", "its weights cannot be read", "install it again")
RUNNING = AppStatus(Look.RUNNING, "Running", "1,204 memories", can_stop=True)
OURS = AppStatus(Look.RUNNING, "Running", "1,204 memories", can_stop=True, quit_stops_worker=True)
BUSY = AppStatus(Look.BUSY, "Indexing", "40 of 1,204", can_stop=True)
DEGRADED = AppStatus(Look.DEGRADED, "Degraded", "", (SLOW_MODEL,), can_stop=True)
STOPPED = AppStatus(Look.STOPPED, "Stopped", can_start=True)
FAILED = AppStatus(Look.ERROR, "Given up", "5 crashes in ten minutes", can_start=True)
ALL = (RUNNING, OURS, BUSY, DEGRADED, STOPPED, FAILED)
