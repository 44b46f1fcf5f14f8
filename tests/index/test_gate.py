"""Who wants to be alone waits for those inside, and keeps the others out."""

import threading

import pytest

from worker.index.gate import Gate


def test_those_inside_are_waited_for_and_those_outside_wait() -> None:
    gate, order = Gate(), list[str]()
    entered, go_on = threading.Event(), threading.Event()

    def read() -> None:
        with gate.passing(), gate.passing():  # a reader may read once more
            entered.set()
            assert go_on.wait(10)
            order.append("read")

    def begin_anew() -> None:
        with gate.alone():
            order.append("begun anew")

    def read_later() -> None:
        with gate.passing():
            order.append("read later")

    reader, owner, later = (threading.Thread(target=f) for f in (read, begin_anew, read_later))
    reader.start()
    assert entered.wait(10)
    owner.start()
    while not gate.closed:
        owner.join(0.01)
    later.start()
    go_on.set()
    for thread in (reader, owner, later):
        thread.join(10)

    assert order == ["read", "begun anew", "read later"]


def test_after_an_error_the_gate_is_as_before() -> None:
    gate = Gate()
    for way in (gate.passing, gate.alone):
        with pytest.raises(ZeroDivisionError), way():
            _ = 1 / 0

    with gate.alone():
        assert gate.closed
    with gate.passing():
        assert not gate.closed
