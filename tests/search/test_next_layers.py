"""Timeline and details: what follows a search."""

import random

import pytest

from tests.index.records import HOUR, MARCH
from tests.search.conftest import Searching
from worker.index.keys import to_ref
from worker.search.timeline import neighbours
from worker.shared.contract import BatchRequest, TimelineRequest
from worker.shared.errors import BadRequestError, NotFoundError
from worker.shared.refs import Kind, Ref


def timeline(worker: Searching, **asked: object) -> list[str]:
    request = TimelineRequest.model_validate(asked)
    return [item.ref for item in worker.service.timeline(request).items]


def test_a_timeline_is_found_by_anchor_or_query_and_stays_in_the_project(
    searching: Searching,
) -> None:
    for i in range(6):
        searching.remember(
            title=f"event{i}", project="ab"[i % 2], created_at_epoch=MARCH + i * HOUR
        )
    searching.start()

    assert timeline(searching, anchor="#3", depth_before=1, depth_after=1) == ["#1", "#3", "#5"]
    assert timeline(searching, query="event2", depth_before=0, depth_after=1) == ["#3", "#5"]
    assert timeline(searching, anchor=3, project="*", depth_before=1, depth_after=1) == [
        "#2",
        "#3",
        "#4",
    ]
    assert timeline(searching, query="event2 OR event3", project="b", depth_before=0) == [
        "#4",
        "#6",
    ]
    deep = searching.service.timeline(TimelineRequest(anchor="3", depth_before=900))
    assert "reduced to 50" in deep.notes[0]
    with pytest.raises(BadRequestError, match="anchor"):
        timeline(searching)
    with pytest.raises(NotFoundError, match="zxqv"):
        timeline(searching, query="zxqv")
    with pytest.raises(NotFoundError, match="#1 to #6"):
        timeline(searching, anchor=77)


def test_the_catalog_knows_the_same_neighbours_as_the_store(searching: Searching) -> None:
    chance = random.Random(5)
    tables = ("observations", "observations", "session_summaries", "user_prompts")
    for _ in range(400):  # many at the same moment, ids not in the order of time
        moment = MARCH + chance.randrange(150) * HOUR
        project = chance.choice(["a", "a", "b", "rare"])
        if (table := chance.choice(tables)) == "user_prompts":
            searching.remember(table, prompt_text="why", created_at_epoch=moment)
        else:
            searching.remember(table, project=project, created_at_epoch=moment)
    searching.start()
    lines = searching.service._parts.keyword.catalog.snapshot

    for _ in range(300):
        anchor = to_ref(int(chance.choice(lines.keys.tolist())))
        before, after = chance.randrange(8), chance.randrange(8)
        within = chance.choice([None, "a", "b", "rare", "none"])
        found = neighbours(lines, anchor, before=before, after=after, project=within)
        heads = searching.store.window(anchor, before=before, after=after, project=within)
        assert found == [head.ref for head in heads], (anchor, before, after, within)


def test_details_come_in_the_order_asked_for_and_name_what_is_missing(searching: Searching) -> None:
    for i in range(3):
        searching.remember(
            title=f"event{i}", project="ab"[i % 2], created_at_epoch=MARCH - i * HOUR
        )
    searching.remember("user_prompts", prompt_text="why")

    def ids(**asked: object) -> list[str]:
        reply = searching.service.details(BatchRequest.model_validate(asked))
        return [item.ref for item in reply.items]

    assert ids(ids='[3, 1, "P1", 9]') == ["#3", "#1", "#P1"]
    assert ids(ids=[3, 1, 2], orderBy="date_desc") == ["#1", "#2", "#3"]
    assert ids(ids=[3, 1, 2], orderBy="date_asc", limit=2) == ["#3", "#2"]
    assert ids(ids=[3, 1, 2], project="b") == ["#2"]
    reply = searching.service.details(
        BatchRequest.model_validate({"ids": [1, "S4"], "project": "b"})
    )
    assert reply.not_found == ["#S4"]
    assert reply.notes == [
        "Of another project than b, left out: #1.",
        "There are observations #1 to #3, prompts #P1 to #P1.",
    ]
    many = searching.service.details(BatchRequest.model_validate({"ids": list(range(1, 300))}))
    assert "first 200 of 299" in many.notes[0]


def test_a_single_record_that_is_missing_says_which_there_are(searching: Searching) -> None:
    with pytest.raises(NotFoundError, match="empty so far"):
        searching.service.record(Ref(Kind.SESSION, 3))
    searching.remember(title="pool")

    assert searching.service.record(Ref(Kind.OBSERVATION, 1)).title == "pool"
    with pytest.raises(NotFoundError, match=r"no session #S3\. There are observations #1 to #1"):
        searching.service.record(Ref(Kind.SESSION, 3))
