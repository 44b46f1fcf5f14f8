"""One entry is edited; every other byte stays."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.shared.clients.json_text import (
    BrokenJsonError,
    object_in,
    parse,
    remove_member,
    set_member,
)

VALUE = {"command": "/opt/ä b/x", "args": ["--data-dir", "D:\\é"]}

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(st.text(), values, max_size=6)
styles = st.tuples(
    st.sampled_from([None, 0, 2, 4, "\t"]), st.booleans(), st.sampled_from(["\n", "\r\n"])
)


def written(value: Any, style: tuple[Any, bool, str]) -> str:  # noqa: ANN401 - JSON
    indent, escaped, newline = style
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    return text.replace("\n", newline) + newline


@given(objects, styles)
def test_what_is_added_and_removed_leaves_every_other_byte(
    value: dict[str, Any], style: tuple[Any, bool, str]
) -> None:
    value.pop("memtray", None)
    text = written(value, style)

    added = set_member(parse(text), "memtray", VALUE)
    removed = remove_member(parse(added), "memtray")

    assert json.loads(added) == {**value, "memtray": VALUE}
    assert list(json.loads(added)) == [*value, "memtray"]
    assert removed == text


@given(objects.filter(bool), styles, st.data())
def test_what_is_replaced_keeps_its_place_and_all_others(
    value: dict[str, Any], style: tuple[Any, bool, str], data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(value)))
    text = written(value, style)
    member = parse(text).get(key)
    assert member

    changed = set_member(parse(text), key, VALUE)

    assert json.loads(changed) == {**value, key: VALUE}
    assert list(json.loads(changed)) == list(value)
    assert changed.startswith(text[: member.value_start])
    assert changed.endswith(text[member.end :])


@given(st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_an_object_or_refused(text: str) -> None:
    try:
        parsed = parse(text)
    except BrokenJsonError:
        return
    assert isinstance(json.loads(text), dict)
    assert {member.key for member in parsed.members} == set(json.loads(text))


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("{}", '{"m": {"a": [1]}}'),
        ('{"x":1}', '{"x":1, "m": {"a": [1]}}'),
        ("{\n}\n", '{\n  "m": {\n    "a": [\n      1\n    ]\n  }\n}\n'),
        ('{\n\t"x": 1\n}', '{\n\t"x": 1,\n\t"m": {\n\t\t"a": [\n\t\t\t1\n\t\t]\n\t}\n}'),
        (
            '{\r\n    "x": 1\r\n}',
            '{\r\n    "x": 1,\r\n    "m": {\r\n        "a": [\r\n            1\r\n        ]\r\n'
            "    }\r\n}",
        ),
    ],
)
def test_it_is_written_as_its_neighbours_are(text: str, changed: str) -> None:
    assert set_member(parse(text), "m", {"a": [1]}) == changed


@pytest.mark.parametrize("key", ["a", "b", "c"])
@pytest.mark.parametrize("text", ['{"a":1 , "b":2,"c" : 3}', '{\n "a":1,\n "b":2,\n "c":3\n}'])
def test_the_comma_goes_with_the_member(text: str, key: str) -> None:
    found = json.loads(remove_member(parse(text), key))

    assert found == {name: value for name, value in json.loads(text).items() if name != key}


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ('{\n  "a": 1,\n}', "line 3, column 1", "remove the comma"),
        ('{\n  "a": [1,\n  ]\n}', "line 3, column 3", "remove the comma"),
        ('{\n  // mine\n  "a": 1\n}', "line 2, column 3", "a comment"),
        ('{"a": 1 /* x */}', "line 1, column 9", "a comment"),
        ('{\n "a": {"b": ', "line 2, column", "cut off"),
        ('{"a": "b', "line 1, column 7", "cut off"),
        ('"a": {}', "line 1, column 4", "braces around the whole are missing"),
        ('{"a": 1}}', "line 1, column 9", "behind the end"),
        ('{"NaN": "NaN",\n "a": -Infinity}', "line 2, column 7", "-Infinity is no JSON"),
        ("[]", "", "is a list"),
        ("null", "", "is null"),
        ("[" * 100_000, "", "nested too deeply"),
    ],
)
def test_what_is_broken_is_told_with_its_place(text: str, place: str, reason: str) -> None:
    with pytest.raises(BrokenJsonError) as caught:
        parse(text)

    assert place in caught.value.detail
    assert reason in caught.value.detail


def test_a_key_that_is_there_twice_is_refused_where_it_counts() -> None:
    parsed = parse('{"a": 1,\n"b": 2,\n"a": 3}')

    with pytest.raises(BrokenJsonError, match=r"line 3: 'a' is there once more"):
        parsed.get("a")
    assert parsed.get("b")


def test_keys_lead_to_an_object_or_are_refused() -> None:
    assert object_in('{"a": {"b": {"c": 1}}}', "a", "b").get("c")
    for keys in (("x",), ("a", "b", "c")):
        with pytest.raises(BrokenJsonError, match="no object"):
            object_in('{"a": {"b": {"c": 1}}}', *keys)
