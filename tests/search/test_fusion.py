"""Two rankings become one, whatever the numbers are."""

import math
import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.search.conftest import few_examples
from worker.search.fusion import (
    SPREAD,
    UNKNOWN,
    WEIGHT,
    Background,
    Floats,
    best_first,
    fuse,
    meaning_share,
)

SHARES = st.floats(0, 2, width=32)
COSINES = st.floats(-1, 1, width=32) | st.just(math.nan)
CANDIDATES = st.lists(st.tuples(SHARES, COSINES), min_size=1, max_size=20)
BACKGROUNDS = st.builds(Background, st.floats(-0.5, 0.5), st.floats(0.001, 0.5)) | st.just(UNKNOWN)


def floats(values: list[float]) -> Floats:
    return np.array(values, dtype=np.float32)


def fused(candidates: list[tuple[float, float]], background: Background) -> list[float]:
    keyword, cosines = zip(*candidates, strict=True)
    scores: list[float] = fuse(floats(list(keyword)), floats(list(cosines)), background).tolist()
    return scores


@few_examples
@given(CANDIDATES, BACKGROUNDS)
def test_scores_are_numbers_within_their_bounds(
    candidates: list[tuple[float, float]], background: Background
) -> None:
    for (keyword, _), score in zip(candidates, fused(candidates, background), strict=True):
        least = (1 - WEIGHT) * keyword
        assert least - 1e-6 <= score <= least + WEIGHT + 1e-6


@few_examples
@given(CANDIDATES, BACKGROUNDS, st.randoms())
def test_a_score_depends_on_nothing_but_its_own_candidate(
    candidates: list[tuple[float, float]], background: Background, chance: random.Random
) -> None:
    order = list(range(len(candidates)))
    chance.shuffle(order)

    shuffled = fused([candidates[i] for i in order], background)

    straight = fused(candidates, background)
    assert shuffled == [straight[i] for i in order]


@few_examples
@given(SHARES, SHARES, COSINES, BACKGROUNDS)
def test_more_by_words_is_never_less_in_the_end(
    one: float, other: float, cosine: float, background: Background
) -> None:
    low, high = sorted((one, other))

    scores = fused([(low, cosine), (high, cosine)], background)

    assert scores[0] <= scores[1]


@few_examples
@given(SHARES, COSINES, COSINES, BACKGROUNDS)
def test_more_by_meaning_is_never_less_in_the_end(
    keyword: float, one: float, other: float, background: Background
) -> None:
    assume(not math.isnan(one) and not math.isnan(other))
    low, high = sorted((one, other))

    scores = fused([(keyword, low), (keyword, high)], background)

    assert scores[0] <= scores[1]


@few_examples
@given(SHARES, BACKGROUNDS)
def test_without_a_vector_meaning_has_no_say(keyword: float, background: Background) -> None:
    (score,) = fused([(keyword, math.nan)], background)

    assert score == pytest.approx((1 - WEIGHT) * keyword, rel=1e-6)


def test_without_a_background_meaning_has_no_say() -> None:
    assert meaning_share(floats([0.9, math.nan]), UNKNOWN).tolist() == [0.0, 0.0]


def test_meaning_is_how_far_a_cosine_stands_out() -> None:
    background = Background(mean=0.1, deviation=0.05)
    at = [0.1, 0.1 + 0.05 * SPREAD / 2, 0.1 + 0.05 * SPREAD, 0.9, -1.0]

    assert meaning_share(floats(at), background).tolist() == pytest.approx([0, 0.5, 1, 1, 0])


@few_examples
@given(st.dictionaries(st.integers(4, 1_000), st.sampled_from([0.0, 0.5, 1.0]), min_size=1))
def test_the_best_come_first_and_of_equals_the_newest(scores: dict[int, float]) -> None:
    keys = np.array(list(scores), dtype=np.int64)
    order = best_first(floats(list(scores.values())), keys)

    expected = sorted(scores, key=lambda key: (-scores[key], -key))
    assert keys[order].tolist() == expected
