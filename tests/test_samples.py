"""The sample memories are as varied as the demo says, and as regular as real ones."""

import itertools
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "assets" / "demo"
TYPES = {"bugfix", "feature", "decision", "discovery", "refactor", "change"}
CONCEPTS = {
    "how-it-works",
    "why-it-exists",
    "what-changed",
    "problem-solution",
    "gotcha",
    "pattern",
    "trade-off",
}
SUMMARY = {"request", "investigated", "learned", "completed", "next_steps", "notes"}
KANA = re.compile("[\u3040-\u30ff]")
HAN = re.compile("[\u4e00-\u9fff]")

Sample = dict[str, Any]

FILES = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
SESSIONS: list[Sample] = [session for file in FILES for session in file["sessions"]]
OBSERVATIONS: list[Sample] = [o for session in SESSIONS for o in session["observations"]]


def language(observation: Sample) -> str:
    title = observation["title"]
    return "ja" if KANA.search(title) else "zh" if HAN.search(title) else "en"


def test_there_are_several_projects_and_a_year_of_sessions() -> None:
    assert len(FILES) == len({file["project"] for file in FILES}) == 6
    assert len(OBSERVATIONS) > 140
    days = [session["days_ago"] for session in SESSIONS]
    assert min(days) >= 1
    assert 330 < max(days) < 365


def test_all_types_and_three_languages_occur() -> None:
    types = Counter(observation["type"] for observation in OBSERVATIONS)
    assert set(types) == TYPES
    assert min(types.values()) >= 8
    languages = Counter(map(language, OBSERVATIONS))
    assert languages["zh"] >= 15
    assert languages["ja"] >= 10


def test_each_session_is_complete_and_in_time_order() -> None:
    for session in SESSIONS:
        assert set(session["summary"]) == SUMMARY
        assert all(session["summary"].values())
        assert 1 <= len(session["prompts"]) <= 3
        assert session["prompts"][0]["minute"] == 0
        minutes = [observation["minute"] for observation in session["observations"]]
        assert all(a < b for a, b in itertools.pairwise([0, *minutes])), session["days_ago"]


def test_no_title_and_no_narrative_occurs_twice() -> None:
    for field in ("title", "subtitle", "narrative"):
        assert len({observation[field] for observation in OBSERVATIONS}) == len(OBSERVATIONS)


def test_each_observation_is_like_a_real_one() -> None:
    for observation in OBSERVATIONS:
        title, narrative = observation["title"], observation["narrative"]
        assert observation["subtitle"], title
        assert 2 <= len(observation["facts"]) <= 4, title
        assert 1 <= len(observation["concepts"]) <= 3, title
        assert set(observation["concepts"]) <= CONCEPTS, title
        assert observation["files_read"] or observation["files_modified"], title
        if language(observation) == "en":
            assert 40 <= len(title) <= 80, title
            assert 50 <= len(narrative.split()) <= 110, title
        else:
            assert len(title) <= 80, title
            assert 100 <= len(narrative) <= 300, title
