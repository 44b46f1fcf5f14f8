"""Runs before each packaged program."""

import sys

from worker.shared.frozen import begin

begin()
if "--multiprocessing-fork" in sys.argv:  # else such a child would be a whole program again
    import multiprocessing

    multiprocessing.freeze_support()
