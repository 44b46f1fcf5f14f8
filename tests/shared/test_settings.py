"""Whatever is in the settings file, each value that fits counts, and the others are named."""

import json
import os
import subprocess
import sys
import threading
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.nobody import as_nobody
from worker.shared.settings import (
    Settings,
    fits,
    load_settings,
    read_settings,
    save_settings,
)

ROOT = Path(__file__).parents[2]


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


NAMES = [*Settings.__slots__]
# Any text, half characters too, as a JSON file may spell them.
TEXT = st.text(alphabet=st.characters(exclude_categories=[]), max_size=20)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
FITTING = st.fixed_dictionaries(
    {},
    optional={
        "port": st.integers(1, 65_535),
        "chroma_server": st.none() | st.just("http://127.0.0.1:8000"),
        "important_tool_name": st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True),
        "log_level": st.sampled_from(["DEBUG", "INFO", "WARNING", "ERROR"]),
        "language": st.sampled_from(["auto", "en", "zh_CN"]),
        "theme": st.sampled_from(["auto", "light", "dark"]),
        **{
            name: st.booleans()
            for name, value in asdict(Settings()).items()
            if value in (True, False)
        },
    },
)


@given(values=st.dictionaries(st.sampled_from([*NAMES, "other"]), JSON))
def test_no_value_is_an_error(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    settings, _ = read(tmp_path_factory.mktemp("settings"), values)
    assert 1 <= settings.port <= 65_535


@given(stored=st.dictionaries(TEXT, ANY, max_size=4), changes=FITTING)
def test_what_is_saved_is_read_again_and_every_other_key_stays(
    tmp_path_factory: pytest.TempPathFactory,
    stored: dict[str, object],
    changes: dict[str, object],
) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.json"
    before = json.dumps({key: value for key, value in stored.items() if key not in NAMES})
    path.write_text(before, encoding="utf-8")

    assert save_settings(path, changes) is None

    after = json.loads(path.read_bytes())
    assert json.dumps({k: v for k, v in after.items() if k not in NAMES}) == before
    assert read_settings(path) == (Settings(**changes), "")  # type: ignore[arg-type]


@given(name=st.sampled_from(NAMES), value=ANY)
def test_a_value_is_saved_or_refused_by_name(
    tmp_path_factory: pytest.TempPathFactory, name: str, value: object
) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.json"
    if fits(name, value):
        save_settings(path, {name: value})
        assert getattr(read_settings(path)[0], name) == value
    else:
        with pytest.raises(ValueError, match=name):
            save_settings(path, {name: value})
        assert not path.exists()


def test_an_unknown_setting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="colour"):
        save_settings(tmp_path / "settings.json", {"colour": "red"})


def test_of_several_changes_all_are_saved_or_none(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    with pytest.raises(ValueError, match="theme"):
        save_settings(path, {"port": 40_000, "theme": "pink"})
    assert not path.exists()


def test_it_is_the_users_alone_and_leaves_nothing_beside_but_its_lock(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "settings.json"
    save_settings(path, {"port": 40_000})

    assert path.read_text(encoding="utf-8") == '{\n  "port": 40000\n}\n'
    assert [file.name for file in path.parent.iterdir() if file.suffix != ".lock"] == [path.name]
    if os.name == "posix":
        assert {file.stat().st_mode & 0o077 for file in path.parent.iterdir()} == {0}


@pytest.mark.parametrize("content", [b"{", b'{"port": 4', b"[1]", b"\xff", b"null", b"\0" * 40])
def test_a_broken_file_is_set_aside_whole(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    asides = []
    for port in (40_000, 40_001):
        path.write_bytes(content)
        asides.append(save_settings(path, {"port": port}))

        assert read_settings(path) == (Settings(port=port), "")
    assert len(set(asides)) == 2
    for aside in asides:
        assert aside
        assert aside.read_bytes() == content


def test_an_empty_file_needs_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.touch()
    assert save_settings(path, {"theme": "dark"}) is None


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "memtray.json"
    real.parent.mkdir()
    real.write_text('{"mine": 1}', encoding="utf-8")
    path = tmp_path / "settings.json"
    path.symlink_to(real)

    save_settings(path, {"theme": "dark"})

    assert path.is_symlink()
    assert json.loads(real.read_bytes()) == {"mine": 1, "theme": "dark"}


def test_a_broken_file_behind_a_link_is_set_aside_where_it_is(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "memtray.json"
    real.parent.mkdir()
    real.write_bytes(b"{")
    path = tmp_path / "settings.json"
    path.symlink_to(real)

    aside = save_settings(path, {"theme": "dark"})

    assert aside
    assert aside.parent == real.parent
    assert aside.read_bytes() == b"{"
    assert path.is_symlink()


def test_writers_at_the_same_time_lose_nothing_and_tear_nothing(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    save_settings(path, {})
    names = [name for name, value in asdict(Settings()).items() if isinstance(value, bool)]
    torn: list[str] = []

    def write(name: str) -> None:
        for on in (True, False, not getattr(Settings(), name)):
            save_settings(path, {name: on})
            torn.append(read_settings(path)[1])

    threads = [threading.Thread(target=write, args=(name,)) for name in names[:6]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    settings, problem = read_settings(path)
    assert not problem
    assert set(torn) == {""}
    changed = {name for name in names if getattr(settings, name) != getattr(Settings(), name)}
    assert changed == set(names[:6])


@pytest.mark.parametrize("kind", ["a folder in its place", "a file as folder", "a link to itself"])
def test_where_it_cannot_be_written_the_error_says_what_to_do(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "memtray" / "settings.json"
    if kind == "a file as folder":
        path.parent.touch()
    else:
        path.parent.mkdir()
    if kind == "a folder in its place":
        path.mkdir()
    elif kind == "a link to itself":
        path.symlink_to(path)

    with pytest.raises(OSError, match="check who owns it") as raised:
        save_settings(path, {"port": 40_000})
    assert str(path) in str(raised.value)


def test_in_a_folder_that_may_not_be_written_the_error_names_it(tmp_path: Path) -> None:
    become = as_nobody()
    path = tmp_path / "settings.json"
    path.write_text("{}", encoding="utf-8")
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o755)
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1]);"
        "from worker.shared.settings import save_settings;"
        "save_settings(pathlib.Path(sys.argv[2]), {'port': 40000})"
    )
    done = subprocess.run(
        [*become, sys.executable, "-c", code, ROOT, path],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd="/",
    )
    assert f"OSError: {path} cannot be saved" in done.stderr
    assert path.read_text(encoding="utf-8") == "{}"
