"""A worker that nobody uses leaves, but not while it works."""

from worker.idle import Idle


class Clock:
    """Shows what a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def lazy() -> bool:
    return False


def test_it_is_over_after_the_time_without_use() -> None:
    clock = Clock()
    idle = Idle(3600, clock=clock)
    clock.now += 3599
    assert not idle.is_over(lazy)
    clock.now += 1
    assert idle.is_over(lazy)


def test_use_begins_the_time_anew() -> None:
    clock = Clock()
    idle = Idle(3600, clock=clock)
    clock.now += 3599
    idle.touch()
    clock.now += 3599
    assert not idle.is_over(lazy)
    clock.now += 1
    assert idle.is_over(lazy)


def test_work_is_use() -> None:
    clock = Clock()
    idle = Idle(3600, clock=clock)
    clock.now += 4000
    assert not idle.is_over(lambda: True)
    assert not idle.is_over(lazy)
    clock.now += 3600
    assert idle.is_over(lazy)


def test_without_a_time_it_is_never_over() -> None:
    clock = Clock()
    idle = Idle(None, clock=clock)
    clock.now += 1e9
    assert not idle.is_over(lazy)
