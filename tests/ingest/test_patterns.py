"""Patterns mean what .gitignore's readers expect, on each system's paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.ingest.patterns import MAX_PATTERN, Place, barring, parse_pattern

HOME = "/home/me"


def means(pattern: str, place: Place) -> bool:
    return parse_pattern(pattern, HOME).matches(place)


@pytest.mark.parametrize(
    ("pattern", "folder"),
    [
        ("secret", "/home/me/secret"),
        ("secret", "/home/me/secret/src/deep"),
        ("SECRET-*", "/home/me/Secret-Plans"),
        ("~/work", "/home/me/work/shop"),
        ("~", "/home/me/anything"),
        ("/home/*/work", "/home/you/work"),
        ("work/keys/", "/srv/work/keys/old"),
        ("**/old/**", "/srv/a/old"),
        ("/srv/**/keys", "/srv/keys"),
        ("/srv/**/keys", "/srv/a/b/keys/c"),
        ("v[12]", "/srv/v2"),
        ("v[!12]", "/srv/v3"),
        ("?ab", "/srv/lab"),
        ("c:/users/me", "C:\\Users\\Me\\shop"),
        ("C:\\Users\\me", "C:\\Users\\Me\\shop"),
        ("caf\u00e9", "/srv/cafe\u0301"),  # as macOS spells it
        ("秘密*", "/srv/秘密项目"),
    ],
)
def test_a_pattern_means_a_folder_and_all_below_it(pattern: str, folder: str) -> None:
    assert means(pattern, Place(folder=folder))


@pytest.mark.parametrize(
    ("pattern", "folder"),
    [
        ("secret", "/home/me/secrets"),
        ("~/work", "/home/you/work"),
        ("~/work", "/home/me/workshop"),
        ("work/keys", "/srv/keys/work"),
        ("work/*/keys", "/srv/work/keys"),
        ("/work", "/srv/work"),
        ("v[12]", "/srv/v3"),
    ],
)
def test_it_means_nothing_else(pattern: str, folder: str) -> None:
    assert not means(pattern, Place(folder=folder))


def test_a_name_means_projects_too_but_not_the_folders_that_transcripts_lie_in() -> None:
    place = Place("shop (work)", "/srv/a", "/home/me/.claude/projects/-srv-a/1.jsonl")

    assert means("shop*", place)
    assert not means("projects", place)
    assert means(".claude/projects/-srv-*", place)


def test_the_last_pattern_that_matches_decides() -> None:
    known = [parse_pattern(text, HOME) for text in ("secret-*", "!secret-demo", "~/x")]

    assert barring(known, Place("secret-plan")) is known[0]
    assert barring(known, Place("secret-demo")) is None
    assert barring(known, Place("secret-demo", "/home/me/x")) is known[2]
    assert barring(known, Place("garden")) is None


@pytest.mark.parametrize("text", ["", "  ", "!", "! ", "/", "//", "\\", "x" * (MAX_PATTERN + 1)])
def test_what_names_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="pattern"):
        parse_pattern(text, HOME)


@given(st.text(max_size=MAX_PATTERN), st.text(), st.text())
def test_no_text_causes_any_other_error(text: str, project: str, folder: str) -> None:
    try:
        pattern = parse_pattern(text, HOME)
    except ValueError:
        return
    pattern.matches(Place(project, folder))


def test_many_stars_take_no_time() -> None:
    assert not means("*a" * 90, Place(folder="/srv/" + "a" * 80))
    assert not means("/**/a" * 30 + "/b", Place(folder="/a" * 500))
