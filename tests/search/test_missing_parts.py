"""Parts that are missing, building or damaged are named, and what is there is found."""

from collections.abc import Callable

import pytest

from tests.index.records import HOUR, MARCH
from tests.index.running import until
from tests.search.conftest import Searching, remember
from tests.store.rows import plain
from worker.shared.readiness import PartState
from worker.shared.refs import Ref


def test_while_the_index_is_built_rows_are_searched_one_by_one(searching: Searching) -> None:
    searching.remember(title="The pool", type="bugfix", project="a")
    searching.remember(title="The POOL and a timeout", concepts=["gotcha"], project="b")
    searching.remember("user_prompts", prompt_text="连接池 [100%]")

    reply = searching.search("pool")
    assert [item.ref for item in reply.items] == ["#2", "#1"]
    assert [why.part for why in reply.degraded] == ["keyword"]
    assert "being built" in reply.degraded[0].reason
    assert reply.outcome == "hits"
    assert searching.hits("pool -timeout") == ["#1"]
    assert searching.hits("title:pool AND title:timeout") == ["#2"]
    assert searching.hits('"a timeout"') == ["#2"]
    assert searching.hits("timeo*") == ["#2"]
    assert searching.hits("接池") == ["#P1"]
    assert searching.hits("100%") == ["#P1"]
    assert searching.hits("timeout zxqv") == ["#2"]  # none has both: the longest word decides
    assert searching.hits("pool", project="a") == ["#1"]
    assert searching.hits("pool", excludeProjects="a", excludeTypes="prompts") == ["#2"]
    assert searching.hits("pool", projects="a,b", mode="keyword") == ["#2", "#1"]
    assert searching.hits("pool", type="prompts") == []
    assert searching.hits("pool", concepts="gotcha") == ["#2"]
    assert searching.hits("pool", limit=1, offset=1) == ["#1"]
    assert searching.hits("*") == []


def test_while_the_index_is_built_what_was_found_is_marked(searching: Searching) -> None:
    searching.remember(title="One", narrative=f"{'filler ' * 40}the spoolDirectory is full")

    (item,) = searching.search("pooldir", format="json").items

    assert item.snippet is not None
    assert [item.snippet.text[a:b] for a, b in item.snippet.marks] == ["poolDir"]
    whole = searching.service.record(Ref(item.kind, item.id), "pooldir")
    assert [whole.fields["narrative"][a:b] for a, b in whole.marks["narrative"][0]] == ["poolDir"]


def test_while_the_index_is_built_the_newest_can_be_listed(searching: Searching) -> None:
    for hour in range(5):
        searching.remember(title="pool", created_at_epoch=MARCH + hour * HOUR, type="bugfix")

    assert searching.hits(limit=2) == ["#5", "#4"]
    assert searching.hits(limit=2, offset=2, orderBy="date_asc") == ["#3", "#4"]
    assert searching.search().total == 5
    reply = searching.search(type="bugfx")
    assert (reply.total, reply.outcome) == (0, "none")
    assert "bugfix" in reply.notes[0]


def test_what_is_indexed_already_is_found_before_its_vector_is_made(searching: Searching) -> None:
    searching.remember(title="the pool")
    searching.embedder.load = lambda: None  # type: ignore[method-assign]  # never ready
    searching.sync.start()
    until(lambda: searching.report("keyword").state is PartState.OK)

    reply = searching.search("pool")

    assert [item.ref for item in reply.items] == ["#1"]
    assert reply.items[0].leg == "keyword"
    assert [(why.part, why.reason) for why in reply.degraded] == [("model", "not loaded")]


def garbage(content: bytes) -> bytes:
    return b"\xa5" * len(content)


def emptied(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [garbage, emptied])
def test_a_damaged_index_is_told_and_healed_and_rows_are_found_all_the_while(
    searching: Searching, damage: Callable[[bytes], bytes]
) -> None:
    with plain(searching.store.path) as db:
        for i in range(300):
            remember(db, title=f"pool number{i}", narrative="of many words " * 20)
    searching.start()
    for suffix in ("", "-wal"):
        file = searching.keyword.path.with_name(searching.keyword.path.name + suffix)
        file.write_bytes(damage(file.read_bytes()))

    query = '"pool number123"'  # a phrase: single words may still be in memory
    reply = searching.search(query)
    assert [why.part for why in reply.degraded] == ["keyword"]
    assert reply.outcome == "hits"

    def healed() -> bool:
        reply = searching.search(query)
        assert [item.ref for item in reply.items] == ["#124"]
        return not reply.degraded

    until(healed)
    assert searching.search("pool").total == 300


def test_a_row_that_was_deleted_a_moment_ago_is_not_shown(searching: Searching) -> None:
    searching.remember(title="pool one")
    searching.remember(title="pool two")
    searching.start()
    searching.sync.stop()  # it has not seen it yet
    with plain(searching.store.path) as db:
        db.execute("DELETE FROM observations WHERE id = 1")

    assert [item.ref for item in searching.search("pool", format="json").items] == ["#2"]


def test_a_part_that_fails_while_it_serves_is_named(searching: Searching) -> None:
    searching.remember(title="pool")
    searching.start()
    searching.sync.stop()  # which would open it again
    searching.kept.close()

    reply = searching.search("pool")

    assert [item.ref for item in reply.items] == ["#1"]
    assert {why.part for why in reply.degraded} == {"vectors"}
