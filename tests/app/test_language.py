"""Which language the app speaks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.language import language_of


@pytest.mark.parametrize(
    ("choice", "system", "language"),
    [
        ("auto", "en_US", "en"),
        ("auto", "C", "en"),
        ("auto", "de_DE", "en"),
        ("auto", "zh_CN", "zh_CN"),
        ("auto", "zh_SG", "zh_CN"),
        ("auto", "zh_Hans_HK", "zh_CN"),
        ("auto", "zh-Hans-CN", "zh_CN"),
        ("auto", "zh-CN", "zh_CN"),
        ("auto", "zh-Hant-TW", "en"),
        ("auto", "zh_TW", "en"),  # another script; the half-right one would be worse
        ("en", "zh_CN", "en"),
        ("zh_CN", "en_US", "zh_CN"),
        ("fr", "zh_CN", "en"),
    ],
)
def test_the_choice_comes_first_then_the_system(choice: str, system: str, language: str) -> None:
    assert language_of(choice, system) == language


@given(st.text(), st.text())
def test_any_names_give_a_language_that_there_is(choice: str, system: str) -> None:
    assert language_of(choice, system) in ("en", "zh_CN")
