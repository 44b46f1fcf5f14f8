"""The command line, and what it needs from outside the project."""

from pathlib import Path

import pytest

from tests.bench.__main__ import PARTS, parse
from tests.bench.material import find_material, run_tool


def test_by_default_everything_is_measured_at_two_sizes() -> None:
    options = parse([])
    assert options.sizes == (1000, 10_000)
    assert options.parts == set(PARTS)
    assert options.main_size == 10_000


def test_quick_measures_one_small_database() -> None:
    assert parse(["--quick"]).sizes == (1000,)
    assert parse(["--quick"]).main_size == 1000
    assert parse(["--quick", "--sizes", "2000,5000"]).main_size == 5000


def test_parts_and_cache_are_chosen(tmp_path: Path) -> None:
    options = parse(["--only", "mcp,tokens", "--cache", str(tmp_path)])
    assert options.parts == {"mcp", "tokens"}
    assert options.cache == tmp_path


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--only", "speed"])
    assert "choose among latency" in capsys.readouterr().err


def test_missing_material_is_named(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "gen_db.py").touch()
    with pytest.raises(FileNotFoundError, match=r"bench_http\.py") as caught:
        find_material(tmp_path)
    assert "gen_db.py" not in str(caught.value)


def test_a_tool_that_fails_is_quoted(tmp_path: Path) -> None:
    script = tmp_path / "tool.py"
    script.write_text("import sys; sys.exit('no such set')", encoding="utf-8")
    with pytest.raises(RuntimeError, match=r"tool\.py ended with 1: no such set"):
        run_tool(script)
