"""The command line says what it takes."""

import os
import sys

import pytest

from worker import __version__
from worker.__main__ import main
from worker.commands.upkeep import INDEXES
from worker.shared.upkeep import Index


def exit_code(*args: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(args)
    code = caught.value.code
    assert isinstance(code, int)
    return code


def test_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--version") == 0
    assert capsys.readouterr().out == f"memtray-worker {__version__}\n"


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("dance",),
        ("run", "--port", "x"),
        ("run", "--port", "-1"),
        ("run", "--port", "65536"),
        ("run", "--port", "٣"),
        ("run", "extra"),
        ("search",),
        ("search", "x", "--limit", "many"),
        ("search", "x", "--nonsense"),
    ],
)
def test_wrong_usage_is_exit_code_2(args: tuple[str, ...]) -> None:
    assert exit_code(*args) == 2


def test_a_wrong_port_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code("run", "--port", "99999")

    assert "'99999' is no port; a port is a number up to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("args", [("--help",), ("run", "--help"), ("search", "--help")])
def test_help_teaches(args: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(*args) == 0

    shown = " ".join(capsys.readouterr().out.split())
    assert "memtray-worker" in shown
    assert "~/.claude-mem" in shown


def test_each_index_can_be_made_anew_by_name() -> None:
    assert set(INDEXES) == set(Index)


def test_libraries_find_their_settings_before_they_load(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "ORT_DISABLE_TELEMETRY")
    for name in (*names, "ANONYMIZED_TELEMETRY"):
        monkeypatch.setenv(name, "unset")  # put back afterwards

    exit_code("--version")

    assert [os.environ[name] for name in names] == ["1", "1", "1"]
    assert os.environ["ANONYMIZED_TELEMETRY"] == "False"


def test_it_lives_without_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)

    try:
        assert exit_code("run", "--port", "x") == 2
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.close()
