"""The menu: its order, what can be chosen when, and what it says."""

import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.status import AppStatus
from app.tray.actions import Actions
from app.tray.described import described_menu
from app.tray.menu import TrayMenu
from app.tray.wording import TITLE_CHARACTERS, in_menu, quit_line, tooltip
from tests.app.statuses import ALL, DEGRADED, OURS, RUNNING, SLOW_MODEL, STOPPED
from worker.shared.contract import Item, SearchReply
from worker.shared.recalls_contract import Recall, RecallsReply, Tally
from worker.shared.refs import Kind


def memories(*rows: tuple[str, str]) -> SearchReply:
    items = [
        Item(
            id=1,
            ref=ref,
            kind=Kind.OBSERVATION,
            type="discovery",
            title=title,
            project="garden",
            created_at="2026-05-28T21:00:00+00:00",
            created_at_epoch=1_780_000_000_000,
        )
        for ref, title in rows
    ]
    return SearchReply(items=items, total=len(items), limit=5, offset=0, outcome="hits")


def recall(asked: str, at: dt.datetime) -> Recall:
    return Recall(
        id=1,
        at=at.isoformat(),
        at_epoch=int(at.timestamp() * 1000),
        client="claude-ai",
        tool="search",
        asked=asked,
        filters="",
        seen=[],
        tokens=700,
        ms=12,
        outcome="hits",
    )


def recalls(today: Tally, *calls: Recall) -> RecallsReply:
    return RecallsReply(
        recalls=list(calls), next=None, today=today, days=[], clients=[], recording=True
    )


def texts(menu: TrayMenu) -> list[str]:
    return [str(line["text"]) for line in described_menu(menu)]


def enabled(menu: QMenu) -> dict[str, bool]:
    return {str(line["text"]): bool(line["enabled"]) for line in described_menu(menu)}


def test_the_lines_stand_in_their_order(actions: Actions, menu: TrayMenu) -> None:
    actions.show_status(DEGRADED)

    assert texts(menu) == [
        "Search memory…",
        "Degraded",
        "model: its weights cannot be read",
        "Start worker",
        "Stop worker",
        "Restart worker",
        "Recent memories",
        "Claude's recalls today",
        "Import",
        "Pause capture",
        "Backups…",
        "Logs…",
        "Health…",
        "Start at login",
        "Settings…",
        "About and diagnostics…",
        "Quit Memtray (worker keeps running)",
    ]


def test_a_pause_is_told_and_ended_by_one_line(
    qtbot: QtBot, actions: Actions, menu: TrayMenu
) -> None:
    actions.show_paused("Capture is paused until 13:00")

    assert enabled(menu)["Capture is paused until 13:00 – go on"]
    assert enabled(actions.capture)["Go on capturing"]

    actions.show_paused("")

    assert not any("paused" in text for text in texts(menu))
    assert not enabled(actions.capture)["Go on capturing"]


@pytest.mark.parametrize("status", ALL, ids=lambda status: status.headline)
def test_start_and_stop_are_never_both_enabled(
    actions: Actions, menu: TrayMenu, status: AppStatus
) -> None:
    actions.show_status(status)

    assert not (enabled(menu)["Start worker"] and enabled(menu)["Stop worker"])
    assert enabled(menu)["Start worker"] == status.can_start


def test_a_cause_line_goes_when_the_cause_does(actions: Actions, menu: TrayMenu) -> None:
    actions.show_status(DEGRADED)
    actions.show_status(RUNNING)

    assert texts(menu)[1:3] == ["Running – 1,204 memories", "Start worker"]


def test_a_cause_line_opens_its_remedy(qtbot: QtBot, actions: Actions, menu: TrayMenu) -> None:
    actions.show_status(DEGRADED)

    with qtbot.waitSignal(actions.cause_chosen) as chosen:
        menu.actions()[3].trigger()

    assert chosen.args == [SLOW_MODEL]


def test_recent_memories_are_listed_and_open(qtbot: QtBot, actions: Actions) -> None:
    actions.show_memories(memories(("#12", "Cats & dogs\nin the pool"), ("S3", "x" * 200)))

    shown = described_menu(actions.recent)
    with qtbot.waitSignal(actions.memory_chosen) as chosen:
        actions.recent.actions()[0].trigger()

    assert shown[0]["text"] == "Cats & dogs in the pool"
    assert len(str(shown[1]["text"])) == TITLE_CHARACTERS
    assert chosen.args == ["#12"]


def test_lists_say_when_they_have_nothing(actions: Actions) -> None:
    (before,) = described_menu(actions.recent)
    actions.show_memories(memories())
    (after,) = described_menu(actions.recent)

    assert (before["text"], before["enabled"]) == ("Not known yet", False)
    assert (after["text"], after["enabled"]) == ("There are no memories yet", False)


def test_todays_recalls_are_summed_up_and_open(qtbot: QtBot, actions: Actions) -> None:
    now = dt.datetime.now().astimezone()
    reply = recalls(
        Tally(recalls=3, tokens=2_140),
        recall("pool & leak", now),
        recall("long ago", now - dt.timedelta(days=1)),
    )

    actions.show_recalls(reply)
    lines = [line["text"] for line in described_menu(actions.recalls)]
    with qtbot.waitSignal(actions.recalls_chosen):
        actions.recalls.actions()[0].trigger()

    assert lines == [
        "3 recalls today, about 2.1k tokens",
        f"{now:%H:%M} pool & leak",
        "All recalls and charts…",
    ]


def test_a_day_without_recalls_is_called_one(actions: Actions) -> None:
    actions.show_recalls(recalls(Tally()))

    assert described_menu(actions.recalls)[0]["text"] == "No recalls today"


def test_quit_says_what_becomes_of_the_worker() -> None:
    assert quit_line(OURS) == "&Quit"
    assert quit_line(STOPPED) == "&Quit"
    assert quit_line(RUNNING) == "&Quit Memtray (worker keeps running)"


def test_the_tooltip_has_the_state_and_one_detail() -> None:
    assert tooltip(RUNNING) == "Memtray – running\n1,204 memories"
    assert tooltip(STOPPED) == "Memtray – stopped"


def test_a_menu_knows_how_long_its_opening_took(
    qtbot: QtBot, actions: Actions, menu: TrayMenu
) -> None:
    actions.show_status(RUNNING)
    assert menu.opened_ms is None

    menu.popup(menu.pos())
    qtbot.waitUntil(lambda: menu.opened_ms is not None)
    menu.close()

    assert menu.opened_ms is not None
    assert menu.opened_ms >= 0


def test_each_letter_opens_one_line(actions: Actions, menu: TrayMenu) -> None:
    actions.show_status(RUNNING)

    keys = [
        after.lower()
        for action in menu.actions()
        for before, after in pairwise(action.text())
        if before == "&"
    ]

    assert len(keys) == len(set(keys))


@given(st.text())
def test_foreign_text_makes_one_line_of_a_menu_and_no_letter_of_it_a_key(text: str) -> None:
    line = in_menu(text)

    assert "&" not in line.replace("&&", "")
    assert len(line.replace("&&", "&")) <= TITLE_CHARACTERS
    assert "\n" not in line
