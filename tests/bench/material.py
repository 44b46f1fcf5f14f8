"""Finds the tools and data that the benchmark needs and does not carry, and runs the tools."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"


@dataclass(frozen=True, slots=True)
class Material:
    """The generator, the two clients and the retrieval sets."""

    gen_db: Path
    bench_http: Path
    retrieval_http: Path
    sets: Path


def find_material(shared: Path = SHARED) -> Material:
    """Return where everything is; raise FileNotFoundError that names what is missing."""
    tools = shared / "tools"
    found = Material(
        gen_db=tools / "gen_db.py",
        bench_http=tools / "bench_http.py",
        retrieval_http=tools / "retrieval_http.py",
        sets=shared / "data" / "bench",
    )
    needed = (found.gen_db, found.bench_http, found.retrieval_http, found.sets)
    missing = [str(path) for path in needed if not path.exists()]
    if missing:
        raise FileNotFoundError(
            f"The benchmark needs {', '.join(missing)}. Put the folder with its tools and data at "
            f"{shared}; nothing else in this project depends on it."
        )
    return found


def run_tool(script: Path, *args: object) -> str:
    """Return what `script` prints; raise RuntimeError with its last words when it fails."""
    done = subprocess.run(
        [sys.executable, str(script), *map(str, args)],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise RuntimeError(f"{script.name} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout
