"""What holds for all tests of the app."""

import gc
from collections.abc import Iterator

import pytest


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
    gc.collect()
    gc.enable()
