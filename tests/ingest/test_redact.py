"""What must never be kept is taken out, and what only looks like it stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ingest.planted import HARMLESS, PLANTED
from worker.ingest.redact import Report, redact, redact_all


@pytest.mark.parametrize(("text", "secret"), PLANTED.items())
def test_a_secret_goes_and_is_counted(text: str, secret: str) -> None:
    report = Report()

    kept = redact(text, report)

    assert secret not in kept
    assert "[redacted: " in kept
    assert report.found.total() == 1
    assert secret not in report.notes()[0]


@pytest.mark.parametrize(("text", "secret"), PLANTED.items())
def test_a_secret_goes_from_the_midst_of_other_text(text: str, secret: str) -> None:
    assert secret not in redact(f"We saw this:\n\n    {text}\n\nand went on.", Report())


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_harmless_stays(text: str) -> None:
    assert redact(text, Report()) == text
    assert redact(f"({text})\n", Report()) == f"({text})\n"


def test_the_words_around_a_secret_stay() -> None:
    text = "postgres://app:Tr0ub4dor@db:5432/shop is the address"

    assert (
        redact(text, Report()) == "postgres://app:[redacted: password]@db:5432/shop is the address"
    )


def test_each_text_of_a_row_is_looked_at_and_numbers_stay() -> None:
    report = Report()

    row = redact_all({"id": 7, "title": "DB_PASSWORD=hunter22", "text": "none"}, report)

    assert row == {"id": 7, "title": "DB_PASSWORD=[redacted: secret]", "text": "none"}
    assert report.notes() == ["Secrets were left out: 1 secret"]


_PIECES = st.sampled_from(
    [*PLANTED, *HARMLESS, "<private>", '"', "'", "\n", " ", "=", ":", "-----"]
)


@given(st.lists(st.one_of(_PIECES, st.text(max_size=20)), max_size=8).map("".join))
def test_doing_it_again_changes_nothing(text: str) -> None:
    once = redact(text, Report())
    again = Report()

    assert redact(once, again) == once
    assert not again.found


@given(st.lists(st.sampled_from(list(PLANTED.items())), min_size=1, max_size=4))
def test_several_secrets_in_one_text_all_go(planted: list[tuple[str, str]]) -> None:
    kept = redact("\n\n".join(text for text, _ in planted), Report())

    assert not [secret for _, secret in planted if secret in kept]
