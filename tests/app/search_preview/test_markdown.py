"""The light Markdown of memories: lines that are stretches of the text, whatever the text is."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.search.preview.markdown import LONGEST, Line, Shape, Style, lines_of

_PIECES = st.sampled_from(
    [
        "word ",
        "`code`",
        "`",
        "**",
        "**bold**",
        "```",
        "\n",
        "\r\n",
        "\u2028",
        "- ",
        "1. ",
        "# ",
        "\t",
        "é🎉",
    ]
)
TEXTS = st.text() | st.lists(_PIECES, max_size=60).map("".join)


def said(text: str) -> list[tuple[Shape, str]]:
    """Return the shape and the words of each line."""
    return [(line.shape, _words(text, line)) for line in lines_of(text)]


def _words(text: str, line: Line) -> str:
    return "".join(text[part.start : part.end] for part in line.stretches)


@settings(deadline=None)
@given(TEXTS)
def test_stretches_follow_each_other_in_the_text(text: str) -> None:
    at = 0
    for line in lines_of(text):
        for part in line.stretches:
            assert at <= part.start <= part.end <= len(text)
            at = part.start if line.shape is Shape.CODE_HEAD else part.end


@settings(deadline=None)
@given(TEXTS)
def test_only_signs_of_markdown_are_left_out(text: str) -> None:
    seen = "".join(said for shape, said in said(text) if shape is not Shape.CODE_HEAD)

    if "```" not in text:  # whose first line names a language
        for letter in "wrdcbéu🎉":
            assert seen.count(letter) == text.count(letter)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo", [(Shape.TEXT, "one"), (Shape.TEXT, "two")]),
        ("# Head\n- a\n2) b", [(Shape.HEADING, "Head"), (Shape.ITEM, "a"), (Shape.ITEM, "b")]),
        ("#12 is no heading", [(Shape.TEXT, "#12 is no heading")]),
        ("-1 is no item", [(Shape.TEXT, "-1 is no item")]),
        ("```sh\nmake\n```", [(Shape.CODE_HEAD, "make"), (Shape.CODE, "make")]),
        ("```\n# a\n\n", [(Shape.CODE_HEAD, "# a\n"), (Shape.CODE, "# a"), (Shape.CODE, "")]),
        ("```\n```", []),
        ("```make``` works", [(Shape.TEXT, "``make`` works")]),
        ("``` said he\nno code", [(Shape.TEXT, "``` said he"), (Shape.TEXT, "no code")]),
        ("```\n```py\n```", [(Shape.CODE_HEAD, "```py"), (Shape.CODE, "```py")]),
        ("run `make test` **now**", [(Shape.TEXT, "run make test now")]),
        ("a ` b ** c", [(Shape.TEXT, "a ` b ** c")]),
        ("snake_case_name *is* kept", [(Shape.TEXT, "snake_case_name *is* kept")]),
        ("<b>&amp;</b> ![x](http://x/y.png)", [(Shape.TEXT, "<b>&amp;</b> ![x](http://x/y.png)")]),
        ("[x](javascript:alert(1))", [(Shape.TEXT, "[x](javascript:alert(1))")]),
        ("", []),
        ("\n\n", []),
    ],
)  # fmt: skip
def test_each_line_has_its_shape(text: str, expected: list[tuple[Shape, str]]) -> None:
    assert said(text) == expected


def test_code_and_strong_text_are_set_off() -> None:
    (line,) = lines_of("run `make` **now**")

    assert [part.style for part in line.stretches] == [
        Style.PLAIN, Style.CODE, Style.PLAIN, Style.STRONG,
    ]  # fmt: skip


def test_a_paragraph_and_a_list_begin_once() -> None:
    lines = list(lines_of("a\nb\n\nc\n- d\n    - e\n"))

    assert [line.begins for line in lines] == [True, False, True, True, False]
    assert [line.depth for line in lines] == [0, 0, 0, 0, 2]


def test_a_long_line_is_cut_and_nothing_is_lost() -> None:
    text = "- " + "x" * (3 * LONGEST) + " end"

    lines = list(lines_of(text))

    assert [line.bullet for line in lines] == ["•", "", "", ""]
    assert [line.begins for line in lines] == [True, False, False, False]
    assert "".join(_words(text, line) for line in lines) == "x" * (3 * LONGEST) + " end"
    assert all(len(_words(text, line)) <= LONGEST for line in lines)


@pytest.mark.parametrize("hostile", ["`", "**", "`a``", "- ", "```\n", "*", " ", "\r"])
def test_a_megabyte_of_signs_takes_no_longer_than_of_words(hostile: str) -> None:
    text = hostile * (1_000_000 // len(hostile))
    begun = time.perf_counter()

    for _ in lines_of(text):
        pass

    assert time.perf_counter() - begun < 5
