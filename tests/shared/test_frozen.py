"""What a packaged program starts meets the environment that the system had before it."""

from worker.shared.frozen import clean_environ


def test_the_library_path_of_before_comes_back() -> None:
    packaged = {"LD_LIBRARY_PATH": "/opt/x/_internal", "LD_LIBRARY_PATH_ORIG": "/usr/y", "A": "1"}
    assert dict(clean_environ(packaged)) == {"LD_LIBRARY_PATH": "/usr/y", "A": "1"}


def test_where_there_was_no_library_path_there_is_none() -> None:
    packaged = {"LD_LIBRARY_PATH": "/opt/x/_internal", "_PYI_ARCHIVE_FILE": "/opt/x/memtray"}
    assert dict(clean_environ(packaged)) == {}
