"""How long ago, and what fields are called."""

import pytest

from app.search.preview.names import DAY, HOUR, MINUTE, ago, field_name, moment


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (-5 * MINUTE, "just now"),
        (-2 * HOUR, "in the future"),
        (59, "just now"),
        (60, "a minute ago"),
        (59 * MINUTE, "59 minutes ago"),
        (HOUR, "an hour ago"),
        (23 * HOUR, "23 hours ago"),
        (DAY, "a day ago"),
        (29 * DAY, "29 days ago"),
        (30 * DAY, "a month ago"),
        (364 * DAY, "12 months ago"),
        (365 * DAY, "a year ago"),
        (20 * 365 * DAY, "20 years ago"),
    ],
)
def test_time_passes_in_one_unit(seconds: int, words: str) -> None:
    now = 1_773_477_000_000

    assert ago(now - seconds * 1000, now) == words


def test_a_field_has_a_label_even_if_it_is_new() -> None:
    assert field_name("next_steps") == "Next steps"
    assert field_name("some_new_field") == "Some new field"


@pytest.mark.parametrize("epoch_ms", [0, -(10**13), 10**17, 1_773_477_000_000])
def test_any_time_can_be_said(epoch_ms: int) -> None:
    assert moment(epoch_ms)
