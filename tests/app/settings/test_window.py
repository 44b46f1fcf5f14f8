"""What a person changes is saved at once, or refused beside its field with the reason."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.settings.fields import pages
from app.settings.rows import Row
from app.status import AppStatus, Look
from tests.app.settings.conftest import Scene
from worker.shared.readiness import Health
from worker.shared.settings import Settings, read_settings, save_settings
from worker.shared.state import State, WorkerState


def page(scene: Scene) -> QWidget:
    shown = scene.window.findChildren(QStackedWidget)[0].currentWidget()
    assert shown
    return shown


def row(scene: Scene, name: str) -> Row:
    """Return the row of a setting on the page that is shown."""
    return next(each for each in page(scene).findChildren(Row) if each.field.name == name)


def texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def switch(scene: Scene, name: str) -> None:
    box = row(scene, name).findChildren(QCheckBox)[0]
    QTest.keyClick(box, Qt.Key.Key_Space)


def enter(scene: Scene, name: str, text: str) -> QLineEdit:
    line = row(scene, name).findChildren(QLineEdit)[0]
    line.clear()
    line.insert(text)  # as an input method does
    QTest.keyClick(line, Qt.Key.Key_Return)
    return line


def press(scene: Scene, text: str) -> None:
    button = next(
        b for b in scene.window.findChildren(QPushButton) if b.text() == text and b.isVisible()
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def confirm(qtbot: QtBot, scene: Scene, button: QMessageBox.StandardButton) -> None:
    boxes = scene.window.findChildren(QMessageBox)
    qtbot.waitUntil(lambda: any(box.isVisible() for box in boxes))
    shown = next(box for box in boxes if box.isVisible())
    QTest.mouseClick(shown.button(button), Qt.MouseButton.LeftButton)


def stored(scene: Scene) -> Settings:
    return read_settings(scene.store.path)[0]


def running(instance: str) -> AppStatus:
    health = Health(
        version="1",
        instance=instance,
        pid=1,
        port=40_000,
        uptime_seconds=1,
        observations=1,
        data_dir="/",
    )
    worker = WorkerState(state=State.RUNNING, data_dir="/", port=40_000, health=health)
    return AppStatus(Look.RUNNING, "Running", worker=worker)


def test_the_pages_are_in_their_order_and_open_by_name(scene: Scene) -> None:
    scene.window.open()
    names = scene.window.findChildren(QListWidget)[0]
    listed = [names.item(number).text() for number in range(names.count())]
    assert listed == [each.title for each in pages()]
    for each in pages():
        scene.window.open(each.key)
        assert each.title in texts(page(scene))


def test_a_page_is_made_when_it_is_looked_at(scene: Scene) -> None:
    scene.window.open("general")
    made = {each.field.name for each in scene.window.findChildren(Row)}
    assert "theme" in made
    assert "port" not in made

    scene.window.show_status(running("one"))
    scene.store.change(port=41_000)

    assert "holds once the worker is started anew" in texts(scene.window)
    scene.window.open("worker")
    assert row(scene, "port").findChildren(QLineEdit)[0].text() == "41000"


def test_a_switch_is_saved_at_once(scene: Scene) -> None:
    scene.window.open("privacy")
    switch(scene, "record_recalls")
    assert stored(scene) == Settings(record_recalls=False)
    switch(scene, "record_recalls")
    assert stored(scene) == Settings()


def test_a_choice_is_saved_at_once(scene: Scene) -> None:
    scene.window.open("general")
    box = row(scene, "theme").findChildren(QComboBox)[0]
    QTest.keyClick(box, Qt.Key.Key_End)
    assert stored(scene) == Settings(theme="dark")


def test_a_number_is_saved_when_it_is_finished(scene: Scene) -> None:
    scene.window.open("worker")
    enter(scene, "port", " 40000 ")
    assert stored(scene) == Settings(port=40_000)


@pytest.mark.parametrize("text", ["0", "65536", "many", "", "4e4", "٤٠٠٠٠٠", "9" * 50])
def test_a_bad_value_is_refused_beside_its_field(scene: Scene, text: str) -> None:
    scene.window.open("worker")
    enter(scene, "port", text)

    assert "from 1 to 65535" in texts(row(scene, "port"))
    assert stored(scene) == Settings()
    enter(scene, "port", "40000")
    assert "from 1 to 65535" not in texts(row(scene, "port"))


def test_what_was_refused_is_gone_when_the_window_opens_again(scene: Scene) -> None:
    scene.window.open("worker")
    line = enter(scene, "port", "many")
    scene.window.close()
    scene.window.open()

    assert line.text() == "37777"
    assert "from 1 to 65535" not in texts(row(scene, "port"))


def test_an_empty_address_means_none(scene: Scene) -> None:
    scene.window.open("advanced")
    enter(scene, "chroma_server", "http://127.0.0.1:8000")
    assert stored(scene).chroma_server == "http://127.0.0.1:8000"
    enter(scene, "chroma_server", "nonsense")
    assert "looks like" in texts(row(scene, "chroma_server"))
    enter(scene, "chroma_server", "")
    assert stored(scene).chroma_server is None


def test_a_page_is_put_back_to_its_defaults_and_no_other(scene: Scene) -> None:
    scene.store.change(port=40_000, require_token=True, theme="dark")
    scene.window.open("worker")

    press(scene, "Reset this page")

    assert stored(scene) == Settings(theme="dark")
    assert row(scene, "port").findChildren(QLineEdit)[0].text() == "37777"


def test_all_is_put_back_after_a_question(qtbot: QtBot, scene: Scene) -> None:
    scene.store.change(port=40_000, theme="dark", welcomed=True)
    scene.window.open("advanced")
    press(scene, "Reset &all settings…")
    confirm(qtbot, scene, QMessageBox.StandardButton.Cancel)
    assert stored(scene).port == 40_000

    press(scene, "Reset &all settings…")
    confirm(qtbot, scene, QMessageBox.StandardButton.Yes)

    assert stored(scene) == Settings(welcomed=True)


def test_a_change_of_the_file_shows_in_the_open_window(qtbot: QtBot, scene: Scene) -> None:
    scene.window.open("worker")
    with qtbot.waitSignal(scene.store.changed):
        save_settings(scene.store.path, {"port": 41_000, "require_token": True})

    assert row(scene, "port").findChildren(QLineEdit)[0].text() == "41000"
    assert row(scene, "require_token").findChildren(QCheckBox)[0].isChecked()


def test_a_broken_file_is_told(qtbot: QtBot, scene: Scene) -> None:
    scene.window.open()
    with qtbot.waitSignal(scene.store.changed):
        scene.store.path.write_bytes(b"{")
    assert str(scene.store.path) in texts(scene.window)


def test_what_cannot_be_saved_is_told_and_shown_as_it_is(scene: Scene) -> None:
    scene.window.open("privacy")
    scene.store.path.unlink(missing_ok=True)
    scene.store.path.mkdir()

    switch(scene, "record_recalls")

    assert "cannot be saved" in texts(scene.window)
    assert row(scene, "record_recalls").findChildren(QCheckBox)[0].isChecked()


def test_the_fields_of_a_page_begin_at_the_same_place(scene: Scene, qtbot: QtBot) -> None:
    scene.window.open("general")

    def begins(name: str) -> int:
        editor = row(scene, name).editor
        return editor.mapTo(page(scene), editor.rect().topLeft()).x()

    qtbot.waitUntil(lambda: begins("language") == begins("theme") > 0)


def test_a_restart_is_offered_for_what_needs_one(qtbot: QtBot, scene: Scene) -> None:
    scene.window.show_status(running("one"))
    scene.window.open("worker")
    offer = "once the worker is started anew"
    assert offer not in texts(scene.window)

    enter(scene, "port", "40000")
    assert offer in texts(scene.window)
    with qtbot.waitSignal(scene.window.restart_requested):
        press(scene, "Restart &now")
    scene.window.show_status(running("two"))
    assert offer not in texts(scene.window)

    switch(scene, "require_token")
    assert offer in texts(scene.window)
    switch(scene, "require_token")
    assert offer not in texts(scene.window)


def test_no_restart_is_offered_where_none_is_needed(scene: Scene) -> None:
    offer = "once the worker is started anew"
    scene.window.show_status(AppStatus(Look.STOPPED, "Stopped"))
    scene.window.open("worker")
    enter(scene, "port", "40000")
    assert offer not in texts(scene.window)

    scene.window.show_status(running("one"))
    scene.window.open("privacy")
    switch(scene, "record_recalls")
    assert offer not in texts(scene.window)


def test_start_at_login_mirrors_the_entry_each_time(qtbot: QtBot, scene: Scene) -> None:
    def box() -> QCheckBox:
        return next(b for b in page(scene).findChildren(QCheckBox) if "lo&gin" in b.text())

    scene.entry.on = True
    scene.window.open("general")
    qtbot.waitUntil(lambda: box().isChecked())
    QTest.keyClick(box(), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not scene.entry.on)
    scene.window.close()
    scene.entry.on = True
    scene.window.open("general")
    qtbot.waitUntil(lambda: box().isChecked())


def test_a_system_that_refuses_the_entry_is_told(qtbot: QtBot, scene: Scene) -> None:
    scene.entry.refuses = True
    scene.window.open("general")
    box = next(b for b in page(scene).findChildren(QCheckBox) if "lo&gin" in b.text())
    QTest.keyClick(box, Qt.Key.Key_Space)

    qtbot.waitUntil(lambda: "autostart is not yours" in texts(scene.window))
    qtbot.waitUntil(lambda: not box.isChecked())


def test_recalls_are_forgotten_after_a_question(qtbot: QtBot, scene: Scene) -> None:
    scene.window.open("privacy")
    press(scene, "&Forget all calls…")
    confirm(qtbot, scene, QMessageBox.StandardButton.Cancel)
    assert len(scene.recorded.recalls) == 3
    press(scene, "&Forget all calls…")
    confirm(qtbot, scene, QMessageBox.StandardButton.Yes)

    qtbot.waitUntil(lambda: "3 calls were forgotten" in texts(scene.window))
    assert scene.recorded.recalls == []


def test_what_stands_against_forgetting_is_told(qtbot: QtBot, scene: Scene) -> None:
    scene.recorded.broken = True
    scene.window.open("privacy")
    press(scene, "&Forget all calls…")
    confirm(qtbot, scene, QMessageBox.StandardButton.Yes)
    qtbot.waitUntil(lambda: "database is locked" in texts(scene.window))


def test_searches_are_forgotten_after_a_question(qtbot: QtBot, scene: Scene) -> None:
    scene.window.open("search")
    press(scene, "Forget recent s&earches…")
    with qtbot.waitSignal(scene.window.forget_queries_requested):
        confirm(qtbot, scene, QMessageBox.StandardButton.Yes)


def test_sources_show_the_folder(scene: Scene) -> None:
    scene.window.open("sources")
    assert str(scene.store.path.parent.parent) in texts(page(scene))


@pytest.mark.parametrize("key", [each.key for each in pages()])
def test_every_control_is_reached_by_tab_and_has_a_name(scene: Scene, key: str) -> None:
    scene.window.open(key)
    wanted = {
        widget
        for kind in (QCheckBox, QComboBox, QLineEdit, QPushButton)
        for widget in page(scene).findChildren(kind)
        if widget.isVisible() and widget.isEnabled()
    }
    seen = set()
    current: QWidget | None = scene.window
    for _ in range(400):
        current = current.nextInFocusChain() if current else None
        if current and current.focusPolicy() & Qt.FocusPolicy.TabFocus:
            seen.add(current)
    assert wanted <= seen
    for widget in wanted:
        text = widget.text() if isinstance(widget, QCheckBox | QPushButton) else ""
        assert text or widget.accessibleName(), widget


@pytest.mark.parametrize("key", [each.key for each in pages()])
def test_a_narrow_window_scrolls_down_only(scene: Scene, key: str) -> None:
    scene.window.open(key)
    scene.window.resize(560, 300)
    area = page(scene)
    assert isinstance(area, QScrollArea)
    assert area.horizontalScrollBar().maximum() == 0
