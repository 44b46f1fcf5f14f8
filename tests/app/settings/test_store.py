"""The settings in the app are those of the file, whoever changes it and however."""

import os
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.settings.store import SettingsStore
from worker.shared.settings import Settings, save_settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memtray" / "settings.json"


def test_a_change_is_on_the_disk_and_told_once(qtbot: QtBot, path: Path) -> None:
    store = SettingsStore(path)
    told: list[Settings] = []
    store.changed.connect(told.append)

    store.change(theme="dark", port=40_000)
    store.change(theme="dark")

    assert told == [Settings(theme="dark", port=40_000)]
    assert store.current == told[0]
    assert SettingsStore(path).current == told[0]


def test_a_bad_value_is_refused_and_nothing_changes(qtbot: QtBot, path: Path) -> None:
    store = SettingsStore(path)
    with qtbot.assertNotEmitted(store.changed), pytest.raises(ValueError, match="port"):
        store.change(port=0, theme="dark")

    assert store.current == Settings()
    assert not path.exists()


def test_what_cannot_be_saved_is_an_error_and_the_old_value_holds(qtbot: QtBot, path: Path) -> None:
    store = SettingsStore(path)
    path.parent.touch()  # where the folder should be

    with qtbot.assertNotEmitted(store.changed), pytest.raises(OSError, match="cannot be saved"):
        store.change(theme="dark")
    assert store.current == Settings()


def test_a_change_from_outside_is_seen_again_and_again(qtbot: QtBot, path: Path) -> None:
    store = SettingsStore(path)
    for port in (40_000, 40_001, 40_002):  # each save puts another file in its place
        with qtbot.waitSignal(store.changed):
            save_settings(path, {"port": port})
        assert store.current.port == port


def test_a_file_that_is_written_in_place_is_seen(qtbot: QtBot, path: Path) -> None:
    save_settings(path, {})
    store = SettingsStore(path)
    with qtbot.waitSignal(store.changed):
        path.write_text('{"theme": "light"}', encoding="utf-8")
    assert store.current.theme == "light"


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_file_behind_a_link_is_seen(qtbot: QtBot, path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "memtray.json"
    save_settings(real, {})
    path.parent.mkdir()
    path.symlink_to(real)
    store = SettingsStore(path)
    for theme in ("dark", "light"):
        with qtbot.waitSignal(store.changed):
            save_settings(path, {"theme": theme})


def test_a_deleted_file_means_the_defaults(qtbot: QtBot, path: Path) -> None:
    save_settings(path, {"theme": "dark"})
    store = SettingsStore(path)
    with qtbot.waitSignal(store.changed):
        path.unlink()
    assert store.current == Settings()


def test_a_broken_file_is_told_and_kept_when_something_is_changed(qtbot: QtBot, path: Path) -> None:
    save_settings(path, {"theme": "dark"})
    store = SettingsStore(path)
    with qtbot.waitSignal(store.changed):
        path.write_bytes(b'{"theme": "da')
    assert str(path) in store.problem
    assert store.current == Settings()

    store.change(theme="auto")

    (aside,) = path.parent.glob("settings.json.broken-*")
    assert aside.read_bytes() == b'{"theme": "da'
    assert aside.name in store.problem
    store.change(theme="dark")
    assert store.problem == ""


def test_a_bad_value_in_the_file_is_told_until_it_is_put_right(qtbot: QtBot, path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"port": "many", "theme": "dark"}', encoding="utf-8")
    store = SettingsStore(path)
    assert "port" in store.problem

    store.change(port=Settings().port)

    assert store.problem == ""
    assert store.current == Settings(theme="dark")
