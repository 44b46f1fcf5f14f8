"""Searches that are under way while the keyword index is begun anew end with an answer."""

from pathlib import Path

from tests.index.records import observation
from worker.index.catalog import Catalog, Snapshot
from worker.index.keyword import KeywordIndex


class Catalogue(Catalog):
    """A catalog that another thread empties right after somebody looked at it, if `emptied`."""

    emptied = False

    @property
    def snapshot(self) -> Snapshot:
        seen = super().snapshot
        if self.emptied:
            self.replace_all(())
        return seen


def test_a_term_that_is_being_read_is_read_to_its_end(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path / "keyword.db")
    index.catalog = catalog = Catalogue()
    index.open()
    index.put([(observation(1, "pool"), bytes(16))])

    catalog.emptied = True

    assert len(index.postings("pool").ordinals) == 1
    index.close()
