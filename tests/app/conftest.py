"""What holds for all tests of the app."""

import gc
from collections.abc import Generator, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.background import Background
from app.theme import Choice, Theme
from app.tray.actions import Actions


@pytest.fixture(scope="session", autouse=True)
def _imported_modules_are_no_garbage() -> None:
    """What is loaded by now stays: looking through it after each test takes most of the time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Delete what a test leaves behind in this thread, once nothing of pytest holds it any more.

    In a thread of the next test Qt could not stop the timers among it, and would fall over them.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # children in order
        gc.collect()
        gc.enable()


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme(qapp, Choice.LIGHT)
    yield made
    made.deleteLater()


@pytest.fixture
def actions(qapp: QApplication) -> Iterator[Actions]:
    made = Actions()
    yield made
    for menu in (made.recent, made.recalls, made.imports, made.capture):
        menu.deleteLater()  # on their own, as a menu does not own those in it


@pytest.fixture
def background() -> Iterator[Background]:
    made = Background()
    yield made
    made.stop()
