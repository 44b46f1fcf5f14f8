"""What holds for all tests of the app."""

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.background import Background
from app.theme import Choice, Theme


@pytest.fixture(scope="session", autouse=True)
def _imported_modules_are_no_garbage() -> None:
    """What is loaded by now stays: looking through it after each test takes most of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _collected_in_this_thread() -> Iterator[None]:
    """What a test leaves behind is not deleted by a thread of the next one: Qt forbids it."""
    gc.disable()
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # by Qt, children in order
    gc.collect()
    gc.enable()


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme(qapp, Choice.LIGHT)
    yield made
    made.deleteLater()


@pytest.fixture
def background() -> Iterator[Background]:
    made = Background()
    yield made
    made.stop()
