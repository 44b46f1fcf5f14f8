"""Secrets and look-alikes written by somebody who had not seen the rules."""

import pytest

from tests.bench.harmless_texts import HARMLESS
from tests.bench.planted_secrets import PLANTED
from worker.ingest.redact import Report, redact


@pytest.mark.parametrize(("text", "secret"), PLANTED)
def test_none_of_the_planted_is_kept(text: str, secret: str) -> None:
    assert secret not in redact(text, Report())


def test_no_look_alike_is_changed() -> None:
    assert [text for text in HARMLESS if redact(text, Report()) != text] == []
