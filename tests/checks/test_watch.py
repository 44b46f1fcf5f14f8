"""A slow check holds nobody up, and says how old its answer is."""

import threading

import pytest

from worker.checks.report import degraded, ok
from worker.checks.watch import HANGS_SECONDS, Watch
from worker.shared.readiness import PartReport, PartState


class Check:
    """A check that counts, answers as told, and waits while its gate is shut."""

    def __init__(self) -> None:
        self.asked = 0
        self.answer: PartReport | Exception = ok("part")
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self) -> PartReport:
        self.asked += 1
        self.gate.wait(20)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def check() -> Check:
    return Check()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_answer_is_kept_with_its_age_until_it_is_old(check: Check, clock: Clock) -> None:
    watch = Watch("part", check, every=60, patience=5, clock=clock)
    first = watch.report()
    clock.now += 59
    kept = watch.report()
    clock.now += 1
    new = watch.report()

    assert (first.state, first.age_seconds) == (PartState.OK, 0)
    assert (kept.age_seconds, new.age_seconds) == (59, 0)
    assert check.asked == 2


def test_what_was_not_well_is_looked_at_sooner(check: Check, clock: Clock) -> None:
    check.answer = degraded("part", "broken", "mend it")
    watch = Watch("part", check, every=60, again=5, patience=5, clock=clock)
    watch.report()
    check.answer = ok("part")
    clock.now += 5

    assert watch.report().state is PartState.OK


def test_nobody_waits_for_a_check_that_takes_long(check: Check, clock: Clock) -> None:
    check.gate.clear()
    watch = Watch("part", check, every=60, clock=clock)

    first = watch.report()
    watch.report()
    clock.now += 100
    late = watch.report()
    check.gate.set()
    watch.join(20)

    assert first.state is late.state is PartState.OFF
    assert watch.last().state is PartState.OK
    assert check.asked == 1


def test_a_check_that_should_be_quick_and_hangs_is_named(check: Check, clock: Clock) -> None:
    watch = Watch("part", check, every=1, patience=0.01, clock=clock)
    watch.run()
    check.gate.clear()
    clock.now += 2
    watch.report()
    clock.now += HANGS_SECONDS + 1
    hanging = watch.report()
    check.gate.set()
    watch.join(20)

    assert hanging.state is PartState.DEGRADED
    assert "holds a lock" in hanging.cause
    assert watch.last().state is PartState.OK


def test_a_check_that_fails_is_a_line_and_no_error(check: Check) -> None:
    check.answer = ZeroDivisionError("oh")
    watch = Watch("part", check, every=60, patience=5)

    report = watch.report()

    assert report.state is PartState.DEGRADED
    assert "ZeroDivisionError: oh" in report.cause


def test_what_is_outdated_is_looked_at_again(check: Check, clock: Clock) -> None:
    watch = Watch("part", check, every=60, patience=5, clock=clock)
    watch.report()
    watch.forget()

    assert watch.last().state is PartState.OFF
    assert watch.report().state is PartState.OK
    assert check.asked == 2
