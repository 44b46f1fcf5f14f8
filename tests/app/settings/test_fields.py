"""Every setting has its place, and whatever is typed is a value or is refused."""

from collections import Counter
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.settings.fields import Field, Kind, all_defaults, pages
from worker.shared.settings import Settings, fits

FIELDS = [field for page in pages() for field in page.fields]


def test_each_setting_is_on_a_page_but_that_the_first_run_is_over() -> None:
    assert set(all_defaults()) == set(asdict(Settings())) - {"welcomed"}
    assert all_defaults() == {name: getattr(Settings(), name) for name in all_defaults()}


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_a_field_offers_only_what_fits_and_knows_its_default(field: Field) -> None:
    default = getattr(Settings(), field.name)
    assert all(fits(field.name, value) for value, _ in field.choices)
    if field.kind is Kind.CHOICE:
        assert default in [value for value, _ in field.choices]
    elif field.kind is Kind.SWITCH:
        assert default in (True, False)
    else:
        assert field.value_of("" if default is None else str(default)) == default
        assert field.reason


def test_no_two_fields_of_a_page_have_the_same_key_to_press() -> None:
    for page in pages():
        marked = [field.label.partition("&")[2][:1].lower() for field in page.fields]
        assert all(marked), page.key
        assert max(Counter(marked).values(), default=1) == 1, page.key


@given(st.sampled_from([f for f in FIELDS if f.kind in (Kind.TEXT, Kind.NUMBER)]), st.text())
def test_any_text_is_a_value_or_none_that_fits(field: Field, text: str) -> None:
    value = field.value_of(text)
    if fits(field.name, value):
        assert (
            value is None
            or str(value).lstrip("0") == text.strip().lstrip("0")
            or (field.kind is Kind.NUMBER and int(text) == value)
        )
