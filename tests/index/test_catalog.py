"""The catalog: columns that readers hold while the writer goes on."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worker.index.catalog import K1, B, Catalog, Line, Snapshot
from worker.index.keys import to_key
from worker.shared.refs import Kind, Ref


def line(
    id_: int,
    kind: Kind = Kind.OBSERVATION,
    *,
    project: str = "p",
    merged: str | None = None,
    type_: str = "bugfix",
    epoch: int = 1,
    length: int = 10,
) -> Line:
    return Line(to_key(Ref(kind, id_)), project, merged, type_, epoch, length)


def living(lines: Snapshot) -> dict[int, tuple[str, str | None, str, int]]:
    """Return what a snapshot says of each living record."""
    return {
        int(lines.keys[i]): (
            lines.names[lines.project[i]],
            lines.names[lines.merged[i]] if lines.merged[i] >= 0 else None,
            lines.names[lines.type[i]],
            int(lines.epoch[i]),
        )
        for i in np.flatnonzero(lines.alive)
    }


LINES = st.builds(
    line,
    st.integers(1, 8),
    st.sampled_from(Kind),
    project=st.sampled_from(["p", "q", ""]),
    merged=st.sampled_from([None, "q", "r"]),
    type_=st.sampled_from(["bugfix", "decision"]),
    epoch=st.integers(0, 10**14),
)
CHANGES = st.lists(
    st.tuples(st.just("put"), st.lists(LINES, max_size=5))
    | st.tuples(st.just("remove"), st.lists(st.integers(4, 35), max_size=3))
)


@settings(max_examples=50, deadline=None)
@given(CHANGES)
def test_after_any_changes_each_living_record_has_one_line(
    changes: list[tuple[str, list[Line | int]]],
) -> None:
    catalog = Catalog()
    model: dict[int, Line] = {}
    for _, values in changes:
        added = [value for value in values if isinstance(value, Line)]
        keys = [value for value in values if isinstance(value, int)]
        catalog.put(added)
        catalog.remove(keys)
        model |= {each.key: each for each in added}
        model = {key: each for key, each in model.items() if key not in keys}

    lines = catalog.snapshot
    assert living(lines) == {e.key: (e.project, e.merged, e.type, e.epoch) for e in model.values()}
    assert lines.rows == len(model)
    wanted = np.array([*model, 999], dtype=np.int64)
    found = catalog.ordinals(wanted)
    assert lines.keys[found[:-1]].tolist() == list(model)
    assert found[-1] == -1


def test_a_snapshot_stays_as_it_was_taken() -> None:
    catalog = Catalog()
    catalog.put([line(1), line(2, project="q")])
    before = catalog.snapshot

    catalog.put([line(1, project="new"), *(line(i) for i in range(3, 2_000))])
    catalog.remove([to_key(Ref(Kind.OBSERVATION, 2))])
    catalog.replace_all([(0, line(7, project="other"))], size=1)

    assert [project for project, *_ in living(before).values()] == ["p", "q"]
    assert before.size == len(before.norm) == len(before.kind) == 2
    assert list(living(catalog.snapshot)) == [to_key(Ref(Kind.OBSERVATION, 7))]


def test_a_mask_passes_over_what_is_not_in_the_snapshot() -> None:
    catalog = Catalog()
    catalog.put([line(1), line(2), line(3)])
    lines = catalog.snapshot

    mask = lines.mask(np.array([-1, 2, 0, 7], dtype=np.int32))

    assert mask.tolist() == [True, False, True]


def test_only_types_of_living_observations_count() -> None:
    catalog = Catalog()
    catalog.put([line(1, type_="bugfix"), line(2, type_="gone"), line(1, Kind.SESSION, type_="s")])
    catalog.remove([to_key(Ref(Kind.OBSERVATION, 2))])

    assert catalog.snapshot.observation_types == ["bugfix"]


def test_the_norm_is_that_of_bm25_against_the_average_of_its_kind() -> None:
    catalog = Catalog()
    catalog.put([line(1, length=10), line(2, length=30), line(1, Kind.PROMPT, length=4)])
    catalog.put([line(3, length=10_000)])
    catalog.remove([to_key(Ref(Kind.OBSERVATION, 3))])

    norm = catalog.snapshot.norm

    shares = [K1 * (1 - B + B * length / 20) for length in (10, 30)]
    assert norm[:3].tolist() == pytest.approx([*shares, K1], rel=1e-6)


def test_readers_never_see_half_a_change() -> None:
    """Every line is put with its key as its time, in batches of ten."""
    catalog = Catalog()
    done = threading.Event()
    torn: list[str] = []

    def read() -> None:
        while not done.is_set():
            lines = catalog.snapshot
            if lines.size % 10 or lines.rows != lines.size or (lines.epoch != lines.keys).any():
                torn.append(f"{lines.size} lines, {lines.rows} of them alive")

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for first in range(0, 2_000, 10):
        ids = range(first, first + 10)
        catalog.put(line(i, epoch=to_key(Ref(Kind.OBSERVATION, i))) for i in ids)
    done.set()
    for reader in readers:
        reader.join()

    assert not torn
