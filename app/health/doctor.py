"""What `memtray-worker doctor` says of a folder, also while no worker runs."""

import sys
from pathlib import Path

from pydantic import ValidationError

from worker.shared.launch import ROOT, worker_program
from worker.shared.paths import Paths
from worker.shared.programs import ProgramError, run_program
from worker.shared.readiness import Ready

_SECONDS = 120.0  # it reads the whole database and loads the model


def ask_doctor(paths: Paths) -> Ready:
    """Have each part looked at, in a process of its own; raise ProgramError. Takes seconds."""
    program = worker_program(executable=Path(sys.executable), frozen=hasattr(sys, "frozen"))
    command = [*program, "doctor", "--json", "--data-dir", str(paths.data_dir)]
    outcome = run_program(command, timeout=_SECONDS, cwd=ROOT)
    try:
        return Ready.model_validate_json(outcome.stdout)
    except ValidationError:
        raise ProgramError(
            f"memtray-worker doctor ended with code {outcome.code} and said: {outcome.said}"
        ) from None
