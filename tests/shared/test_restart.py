"""Which of two versions is the older one."""

import pytest

from worker.shared.restart import is_older

IN_ORDER = ["0.9", "0.10.0", "1.0.0.dev1", "1.0.0a2", "1.0.0b1", "1.0.0rc1", "1.0.0rc10", "1.0.0"]


@pytest.mark.parametrize("number", range(len(IN_ORDER) - 1))
def test_a_release_follows_what_led_to_it(number: int) -> None:
    older, newer = IN_ORDER[number : number + 2]

    assert is_older(older, newer)
    assert not is_older(newer, older)
    assert not is_older(newer, newer)


@pytest.mark.parametrize("version", ["", "unknown", "1.0.0-rc.1", "1..0", "9" * 5000, "१.०"])
def test_what_is_no_version_is_older_than_nothing(version: str) -> None:
    assert not is_older(version, "1.0.0")
    assert not is_older("1.0.0", version)
