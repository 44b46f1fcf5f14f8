"""What programs write to a stream can be read by whoever reads it."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.integration.processes import COMMAND, ROOT, environment
from worker.shared.streams import json_line


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("utf-8", '"死锁"'),
        ("UTF8", '"死锁"'),
        ("cp936", r'"\u6b7b\u9501"'),
        ("cp1252", r'"\u6b7b\u9501"'),
    ],
)
def test_json_is_utf_8_whatever_the_encoding_of_the_stream(encoding: str, line: str) -> None:
    assert json_line("死锁", encoding) == line
    assert json.loads(line.encode(encoding).decode("utf-8")) == "死锁"


def test_a_script_of_windows_reads_what_a_command_prints(tmp_path: Path) -> None:
    """There a pipe has the encoding of the region, which lacks most characters."""
    folder = tmp_path / "数据"
    done = subprocess.run(
        [*COMMAND, "status", "--json", "--data-dir", str(folder)],
        cwd=ROOT,
        env=environment(tmp_path) | {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert json.loads(done.stdout.decode("utf-8"))["data_dir"] == str(folder)
