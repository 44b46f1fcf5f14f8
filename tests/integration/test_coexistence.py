"""claude-mem itself and Memtray on one database at once, and neither is taken for the other."""

import json
import os
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.bench.workers import free_port
from tests.integration.answers import search, until_whole
from tests.integration.beside import ClaudeMem, claude_mem, surroundings, until_found
from tests.integration.memories import NOON, add_prompt, add_summary, new_database, some, writing
from tests.integration.processes import Worker, environment, running
from tests.integration.saving import save
from worker.shared.paths import Paths

BY_MEANING = "Which beast of Australia might be smiling at us?"
QUOKKA = "Quokkas are friendly marsupials of an island near Perth that seem to grin"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Worker, ClaudeMem]]:
    """Both workers on a database that we made and filled."""
    data_dir = tmp_path_factory.mktemp("both") / "data"
    environ = surroundings(data_dir)
    new_database(Paths(data_dir).database, some(30))
    with writing(Paths(data_dir).database) as connection:
        add_summary(connection, "Looked at wombats", project="zoo", at=NOON)
        add_prompt(connection, "Tell me about wombats", project="zoo", at=NOON)
        connection.execute("UPDATE user_prompts SET session_db_id = 1")  # claude-mem goes by that
    with running(data_dir, environ=environ) as ours:
        until_whole(ours)
        save(ours, "Ours: an echidna rolls into a ball", project="zoo")
        with claude_mem(environ) as theirs:
            yield ours, theirs


@pytest.mark.slow
def test_claude_mem_shows_what_we_made_and_saved(both: tuple[Worker, ClaudeMem]) -> None:
    _, theirs = both

    shown = theirs.ask("/api/observations?limit=100")["items"]
    assert len(shown) >= 31
    echidna = next(row for row in shown if "echidna" in row["title"])
    assert (echidna["project"], echidna["subtitle"]) == ("zoo", "Manual memory")
    assert "wombats" in str(theirs.ask("/api/summaries?limit=10"))
    assert "wombats" in str(theirs.ask("/api/prompts?limit=10"))
    assert "echidna" in str(theirs.ask("/api/search?query=echidna"))


@pytest.mark.slow
def test_we_find_what_claude_mem_writes(both: tuple[Worker, ClaudeMem]) -> None:
    ours, theirs = both

    written = theirs.ask("/api/memory/save", {"text": QUOKKA, "project": "zoo"})

    until_found(ours, "marsupials grin", written["id"])
    until_found(ours, BY_MEANING, written["id"])


@pytest.mark.slow
def test_a_memory_is_kept_once_whoever_saves_it_first(both: tuple[Worker, ClaudeMem]) -> None:
    ours, theirs = both
    first, second = ({"text": f"Said to both, {n}", "project": "zoo"} for n in ("once", "twice"))

    by_them = theirs.ask("/api/memory/save", first)
    by_us = save(ours, **second)

    again = save(ours, **first)
    assert (again["id"], again["saved"]) == (by_them["id"], False)
    assert theirs.ask("/api/memory/save", second)["id"] == by_us["id"]


@pytest.mark.slow
def test_both_write_in_turn_without_an_error(both: tuple[Worker, ClaudeMem]) -> None:
    ours, theirs = both
    ids = []
    for number in range(50):
        ids.append(save(ours, f"Kookaburra {number} of ours", project="turns")["id"])
        theirs_too = {"text": f"Kookaburra {number} of theirs", "project": "turns"}
        ids.append(theirs.ask("/api/memory/save", theirs_too)["id"])

    assert len(set(ids)) == 100
    assert len(theirs.ask("/api/observations?limit=100&project=turns")["items"]) == 100
    until_found(ours, "kookaburra 49 theirs", ids[-1])
    assert search(ours, query="kookaburra", project="turns").total == 100


# ---------------------------------------------------------------------- nobody takes us for them
def hook_port(data_dir: Path, environ: Mapping[str, str]) -> int:
    """Return where claude-mem's hooks look for their worker: environment, settings, default."""
    settings = data_dir / "settings.json"
    chosen = json.loads(settings.read_text(encoding="utf-8")) if settings.exists() else {}
    default = 37700 + os.getuid() % 100
    named = environ.get("CLAUDE_MEM_WORKER_PORT") or chosen.get("CLAUDE_MEM_WORKER_PORT", default)
    return int(named)


def answers_hooks(port: int) -> bool:
    """Say whether a hook would hand its memories to who is on a port: all that it asks is 200."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


@pytest.mark.parametrize("claim", ["environment", "settings", "default"])
def test_hooks_never_take_us_for_their_worker(tmp_path: Path, claim: str) -> None:
    if os.name != "posix":
        pytest.skip("the default port there has tests of its own")
    environ = environment(tmp_path) | {"CLAUDE_MEM_DATA_DIR": str(tmp_path)}
    wanted = free_port()
    if claim == "environment":
        environ["CLAUDE_MEM_WORKER_PORT"] = str(wanted)
    elif claim == "settings":
        settings = json.dumps({"CLAUDE_MEM_WORKER_PORT": str(wanted)})
        (tmp_path / "settings.json").write_text(settings, encoding="utf-8")
    asked = hook_port(tmp_path, environ)
    if answers_hooks(asked):
        pytest.skip("a claude-mem of this machine runs there")

    with running(tmp_path, environ=environ, port=asked) as worker:  # as if told to take that one
        assert answers_hooks(worker.port)  # so it matters where we are
        assert worker.port != asked
        assert not answers_hooks(asked)
