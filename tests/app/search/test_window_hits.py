"""The search window: its list, its filters, and what it says where there are no hits."""

import threading
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QToolTip
from pytestqt.qtbot import QtBot

from app.search.chip_bar import ChipBar
from app.search.empty_panel import EmptyPanel, StepButton
from app.search.hits_model import PAGE
from app.search.preview.notice import Notice
from app.search.preview.preview import Preview
from app.status import AppStatus, Impairment, Look
from tests.app.search.conftest import Scene
from tests.app.search.seen import child, press, texts_in
from tests.app.search.window_parts import Key, banner_of, box_of, hits_of, opened, rows_in
from worker.shared.contract import Degraded
from worker.shared.readiness import Health, PartReport, PartState, Ready
from worker.shared.state import State, WorkerState

RUNNING = AppStatus(
    Look.RUNNING,
    "Running",
    worker=WorkerState(state=State.RUNNING, data_dir="d", port=1),
)


STOPPED = AppStatus(Look.STOPPED, "Stopped", can_start=True)


def with_parts(**parts: PartState) -> AppStatus:
    """Return the status of a worker whose parts are so."""
    reports = [PartReport(part=part, state=state) for part, state in parts.items()]
    health = Health(
        version="1", instance="one", pid=1, port=1, uptime_seconds=1, observations=1, data_dir="d"
    )
    ready = Ready(state=PartState.OK, parts=reports)
    worker = WorkerState(state=State.RUNNING, data_dir="d", port=1, health=health, ready=ready)
    return AppStatus(Look.RUNNING, "Running", worker=worker)


# ---------------------------------------------------------------------- the list
def test_a_hundred_thousand_hits_are_fetched_where_one_looks(scene: Scene, qtbot: QtBot) -> None:
    scene.rows.count = 100_000
    window = opened(scene, qtbot)
    hits = hits_of(window)

    hits.scrollToBottom()

    last = hits.model().index(99_999, 0)
    qtbot.waitUntil(lambda: last.data(Qt.ItemDataRole.UserRole) is not None)
    assert last.data(Qt.ItemDataRole.UserRole).ref == "#99999"
    assert len(scene.rows.asked) < 6


def test_down_goes_into_the_list_and_up_back_into_the_box(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    box, hits = box_of(window), hits_of(window)

    QTest.keyClick(box, Key.Key_Down)
    assert hits.hasFocus()
    QTest.keyClick(hits, Key.Key_Down)
    assert hits.currentIndex().row() == 1
    QTest.keyClick(hits, Key.Key_Up)
    QTest.keyClick(hits, Key.Key_Up)

    assert box.hasFocus()


def test_a_chosen_hit_is_read_with_the_words_of_the_query(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    QTest.keyClicks(box_of(window), "pool")
    qtbot.waitUntil(lambda: len(scene.rows.queries()) == 2)
    qtbot.waitUntil(lambda: rows_in(window) == 120)

    QTest.keyClick(box_of(window), Key.Key_Down)

    qtbot.waitUntil(
        lambda: any(
            asked.path == "/api/observation/0" and asked.params.get("query") == "pool"
            for asked in scene.stub.asked
        )
    )


def test_a_click_brings_back_a_hit_that_the_timeline_has_left(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    hits, preview = hits_of(window), child(window, Preview)
    place = hits.visualRect(hits.model().index(1, 0)).center()

    def is_asked(times: int) -> bool:
        paths = [asked.path for asked in scene.stub.asked]
        return paths.count("/api/observation/1") == times

    for wanted in (1, 2):
        QTest.mouseClick(
            hits.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
        )
        qtbot.waitUntil(partial(is_asked, wanted))
        preview.anchor_changed.emit("#99999")  # one click in the timeline


def test_why_a_row_is_a_hit_is_told_by_a_key(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    QTest.keyClick(box_of(window), Key.Key_Down)

    QTest.keyClick(window, Key.Key_I, Qt.KeyboardModifier.ControlModifier)

    qtbot.waitUntil(lambda: "Found by its words and by its meaning." in QToolTip.text())
    QToolTip.hideText()


def test_words_meaning_or_both_can_be_chosen(scene: Scene, qtbot: QtBot) -> None:
    modes, _ = opened(scene, qtbot).findChildren(QComboBox)
    modes.setFocus()

    for key, mode in ((Key.Key_Down, "keyword"), (Key.Key_Down, "meaning"), (Key.Key_Home, None)):
        scene.rows.asked.clear()
        QTest.keyClick(modes, key)
        qtbot.waitUntil(lambda: bool(scene.rows.asked))
        assert scene.rows.asked[0].get("mode") == mode


# ---------------------------------------------------------------------- filters
def test_a_filter_that_is_typed_becomes_a_chip(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)

    QTest.keyClicks(box_of(window), "pool -project:web type:bugfix ")

    chips = child(window, ChipBar)
    assert [label.chip.text for label in chips.labels()] == ["-project:web", "type:bugfix"]
    assert box_of(window).text() == "pool "
    qtbot.waitUntil(lambda: scene.rows.asked[-1].get("query") == "pool")
    first = next(
        p for p in scene.rows.asked if p.get("query") == "pool" and p["limit"] == str(PAGE)
    )
    assert (first["excludeProjects"], first["obs_type"]) == ('["web"]', '["bugfix"]')


def test_a_filter_that_is_being_typed_hides_nothing(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)

    QTest.keyClicks(box_of(window), "pool project:we")

    qtbot.waitUntil(lambda: scene.rows.queries() == ["", "pool"])
    assert "projects" not in scene.rows.asked[-1]


def test_a_chip_is_removed_by_key_and_by_mouse_and_typed_again(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    window.open("project:web type:bugfix kind:prompts after:2026 pool")
    window.open("project:web type:bugfix -kind:prompts pool")
    chips = child(window, ChipBar)

    QTest.keyClick(chips.labels()[0], Key.Key_Delete)
    assert [label.chip.text for label in chips.labels()] == ["type:bugfix", "-kind:prompts"]
    box_of(window).home(False)
    QTest.keyClick(box_of(window), Key.Key_Backspace)
    assert box_of(window).text() == "pool -kind:prompts"
    assert [label.chip.text for label in chips.labels()] == ["type:bugfix"]
    press(chips.labels()[0])

    assert chips.labels() == []
    assert not chips.isVisible()


# ---------------------------------------------------------------------- nothing found
def test_nothing_found_says_how_many_there_are_without_a_filter(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    scene.rows.found = {'pool {"obs_type": "[\\"bugfix\\"]"}': 0, "pool": 12}

    window.open("type:bugfix pool")
    panel = child(window, EmptyPanel)
    qtbot.waitUntil(lambda: bool(panel.findChildren(StepButton)) and "120" in texts_in(panel))
    (button,) = panel.findChildren(StepButton)
    assert button.accessibleName() == "Remove the filter type:bugfix (12 found without it)"
    assert "120 memories were searched" in texts_in(panel)

    button.click()
    qtbot.waitUntil(lambda: rows_in(window) == 12)
    assert hits_of(window).isVisible()


def test_nothing_stored_is_told_as_such(scene: Scene, qtbot: QtBot) -> None:
    scene.rows.count = 0

    scene.window.open("pool")

    panel = child(scene.window, EmptyPanel)
    qtbot.waitUntil(lambda: "Nothing is stored yet" in texts_in(panel))


# ---------------------------------------------------------------------- the worker
def test_with_the_worker_down_it_offers_to_start_it_and_goes_on_by_itself(
    scene: Scene, qtbot: QtBot
) -> None:
    window = opened(scene, qtbot)
    scene.stub.healthy = False
    window.show_status(STOPPED)
    scene.paths.worker_json.write_text("{}", encoding="utf-8")
    QTest.keyClicks(box_of(window), "pool")
    banner = banner_of(window)
    qtbot.waitUntil(banner.isVisible)

    with qtbot.waitSignal(window.start_requested):
        press(banner)
    assert "Stopped" in texts_in(banner)
    assert rows_in(window) == 120

    qtbot.waitUntil(lambda: "Searching" not in window.findChildren(QLabel)[-1].text())
    hits_of(window).select_row(3)
    qtbot.waitUntil(child(window, Notice).isVisible, timeout=15_000)
    scene.stub.healthy = True
    scene.stub.announce()
    window.show_status(RUNNING)
    qtbot.waitUntil(lambda: scene.rows.queries()[-1] == "pool")
    qtbot.waitUntil(lambda: any(each.path == "/api/observation/3" for each in scene.stub.asked))
    qtbot.waitUntil(lambda: not banner.isVisible())


def test_what_a_part_missed_is_searched_anew_once_it_is_whole(scene: Scene, qtbot: QtBot) -> None:
    scene.rows.degraded = [Degraded(part="keyword", reason="It is being built.", remedy="Wait.")]
    window = opened(scene, qtbot)
    window.show_status(with_parts(keyword=PartState.BUILDING, vectors=PartState.BUILDING))
    status = window.findChildren(QLabel)[-1]
    qtbot.waitUntil(lambda: "being built" in status.text())

    scene.rows.degraded = []
    window.show_status(with_parts(keyword=PartState.OK, vectors=PartState.BUILDING))

    qtbot.waitUntil(lambda: scene.rows.queries() == ["", ""])
    qtbot.waitUntil(lambda: status.text().startswith("120 memories"))
    assert "being built" not in status.text()


def test_a_part_that_became_whole_during_a_search_has_it_repeated_once(
    scene: Scene, qtbot: QtBot
) -> None:
    scene.rows.degraded = [Degraded(part="keyword", reason="It is being built.", remedy="Wait.")]
    scene.rows.held["pool"] = threading.Event()
    window = opened(scene, qtbot)
    window.show_status(with_parts(keyword=PartState.BUILDING))
    QTest.keyClicks(box_of(window), "pool")
    qtbot.waitUntil(lambda: scene.rows.queries()[-1] == "pool")

    window.show_status(with_parts(keyword=PartState.OK))
    scene.rows.held["pool"].set()

    qtbot.waitUntil(lambda: scene.rows.queries() == ["", "pool", "pool"])
    qtbot.waitUntil(lambda: "Searching" not in window.findChildren(QLabel)[-1].text())
    assert scene.rows.queries() == ["", "pool", "pool"]  # though it still says so


def test_a_sentence_that_tells_of_the_worker_does_not_end_twice(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)

    window.show_status(AppStatus(Look.ERROR, "Crashed", "It is being started again."))

    assert "(Crashed – It is being started again)." in texts_in(banner_of(window))


def test_what_is_impaired_is_named_and_leads_to_health(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    ill = (
        Impairment("backup", "no room", "x"),
        Impairment("vectors", "Chroma cannot be read", "x"),
    )
    window.show_status(AppStatus(Look.DEGRADED, "Degraded", impairments=ill, worker=RUNNING.worker))

    assert "Chroma cannot be read" in texts_in(banner_of(window))
    with qtbot.waitSignal(window.health_requested) as asked:
        press(banner_of(window))
    assert asked.args == ["vectors"]


def test_a_bad_answer_is_told_and_can_be_asked_again(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    scene.stub.instance = "another"  # not who worker.json names

    QTest.keyClicks(box_of(window), "pool")

    banner = banner_of(window)
    qtbot.waitUntil(banner.isVisible)
    scene.stub.instance = "stub"
    press(banner)
    qtbot.waitUntil(lambda: not banner.isVisible())


def test_a_query_that_is_too_long_to_be_asked_is_told(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)

    window.open(" ".join(f"project:{'长' * 3_000}{n}" for n in range(10)))

    qtbot.waitUntil(lambda: "too long" in texts_in(banner_of(window)))
    window.open("pool")
    QTest.keyClick(window, Key.Key_Escape)
    qtbot.waitUntil(lambda: not banner_of(window).isVisible())
