"""While the keyword index is missing, the store is searched row by row, and meaning helps."""

from tests.search.conftest import Searching


def without_words(searching: Searching) -> None:
    """Index everything, then take the words away for good."""
    searching.start()
    searching.sync.stop()
    searching.keyword.destroy()


def test_a_question_in_other_words_is_answered_by_meaning(searching: Searching) -> None:
    searching.remember(title="automobile repair")
    searching.remember(title="garden work")
    without_words(searching)

    reply = searching.search("car")

    assert [(item.ref, item.leg) for item in reply.items] == [("#1", "meaning")]
    assert [why.part for why in reply.degraded] == ["keyword"]


def test_rows_that_hold_the_words_come_before_those_of_their_meaning(searching: Searching) -> None:
    searching.remember(title="automobile repair")
    searching.remember(title="car repair")
    without_words(searching)

    reply = searching.search("car repair")

    assert [(item.ref, item.leg) for item in reply.items] == [("#2", "keyword"), ("#1", "meaning")]
    assert reply.total == 2


def test_made_up_words_find_nothing(searching: Searching) -> None:
    searching.remember(title="automobile repair")
    without_words(searching)

    assert searching.search("zxqv plugh").outcome == "none"
