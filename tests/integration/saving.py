"""Saving by HTTP, as our own clients do."""

from typing import Any

from tests.integration.processes import Worker
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths


def save(worker: Worker, text: str, **more: object) -> dict[str, Any]:
    """Save one memory and return the answer; raises the MemtrayError that the worker answers."""
    client = WorkerClient(Paths(worker.data_dir), "test")
    saved: dict[str, Any] = client.post("/api/memory/save", {"text": text, **more})
    return saved
