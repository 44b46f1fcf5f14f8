"""Looking whether all is well, and mending what is not; `mending.py` does it."""

import argparse
import sys

from worker.commands.options import Commands, with_json

INDEXES = ("keyword", "vectors", "chroma", "all")  # as in the contract, which loads slowly

_DOCTOR = """Check each part and say what is wrong, why, and what helps. Nothing is changed
unless you say --repair; the memories themselves never are.

A running worker is asked how its parts are; without one, its files are looked at.
The exit code is 0 when all is well, 1 when a part is not.

examples:
  memtray-worker doctor
  memtray-worker doctor --repair      mend what can be mended, and say what was done
  memtray-worker doctor --json
"""
_REINDEX = """Make indexes anew. They are made from the memories, which stay as they are, and
searching goes on meanwhile. The worker is started if there is none.

  keyword   the words, from the memories: some seconds for each 10,000
  chroma    from the kept vectors; nothing is embedded again
  vectors   each memory is embedded anew: minutes for each 10,000
  all       all three

examples:
  memtray-worker reindex              keyword and chroma
  memtray-worker reindex keyword
"""


def add_to(commands: Commands) -> None:
    """Add `doctor` and `reindex`."""
    doctor = commands.add(
        "doctor", _doctor, summary="check each part, and mend what is broken", text=_DOCTOR
    )
    doctor.add_argument("--repair", action="store_true", help="mend what can be mended")
    with_json(doctor)
    reindex = commands.add("reindex", _reindex, summary="make indexes anew", text=_REINDEX)
    reindex.add_argument("what", nargs="?", choices=INDEXES, metavar="WHAT")
    with_json(reindex)


class SelfTest(argparse.Action):
    """`--self-test`: look whether this installation works, without any data folder, and end."""

    def __call__(self, *_: object) -> None:
        """Print one line a part; the exit code says whether all of them work."""
        from worker.commands.mending import self_test

        sys.exit(self_test())


def _doctor(args: argparse.Namespace) -> int:
    from worker.commands.mending import doctor

    return doctor(args)


def _reindex(args: argparse.Namespace) -> int:
    from worker.commands.mending import reindex

    return reindex(args)
