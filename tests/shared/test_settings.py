"""Whatever is in the settings file, each value that fits counts, and the others are named."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.shared.settings import Settings, load_settings, read_settings


def read(folder: Path, value: object) -> tuple[Settings, str]:
    path = folder / "settings.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return read_settings(path)


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "none.json") == (Settings(), "")


def test_values_that_fit_are_taken_and_unknown_keys_ignored(tmp_path: Path) -> None:
    given_values = {
        "port": 40_000,
        "require_token": True,
        "important_tool_name": "IMPORTANT",
        "semantic": False,
        "chroma_server": "http://127.0.0.1:8000",
        "log_level": "DEBUG",
    }
    expected = (Settings(40_000, True, "IMPORTANT", False, "http://127.0.0.1:8000", "DEBUG"), "")
    assert read(tmp_path, {**given_values, "colour": "red"}) == expected
    assert read(tmp_path, {"chroma_server": None}) == (Settings(), "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", 0),
        ("port", 65_536),
        ("port", True),
        ("port", "37777"),
        ("require_token", "yes"),
        ("semantic", 1),
        ("important_tool_name", "two words"),
        ("important_tool_name", "x" * 65),
        ("chroma_server", "ftp://x"),
        ("chroma_server", "http://x\n"),
        ("log_level", "LOUD"),
        ("log_level", None),
    ],
)
def test_a_value_that_does_not_fit_is_named_and_the_others_hold(
    tmp_path: Path, name: str, value: object
) -> None:
    settings, problem = read(tmp_path, {"port": 40_000, "log_level": "DEBUG", name: value})

    fitting = Settings(port=40_000, log_level="DEBUG")
    assert settings == replace(fitting, **{name: getattr(Settings(), name)})
    assert f"bad value for {name}" in problem
    assert str(tmp_path) in problem


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff", b"null", b"[" * 100_000])
def test_a_file_that_cannot_be_read_gives_the_defaults_and_says_so(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)

    assert load_settings(path) == Settings()
    assert str(path) in caplog.text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=3
)


@given(values=st.dictionaries(st.sampled_from([*Settings.__slots__, "other"]), JSON))
def test_no_value_is_an_error(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    settings, _ = read(tmp_path_factory.mktemp("settings"), values)
    assert 1 <= settings.port <= 65_535
