"""Nothing private survives, whatever stands around it."""

import json
import string
from pathlib import Path, PureWindowsPath
from urllib.parse import quote

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.health.redaction import Private, redact

ANN = Private(Path("/home/ann"), "ann", ("the-token-of-the-worker",))
TEXT = st.text(max_size=30)
WORD = st.text(string.ascii_letters + string.digits, min_size=20, max_size=40)
NAME = st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1, max_size=12)


@given(before=TEXT, after=TEXT, name=NAME)
def test_neither_home_nor_user_name_survives(before: str, after: str, name: str) -> None:
    private = Private(Path("/home") / name, name)
    text = f"{before}/home/{name}/.claude-mem {after} {name}: {before}"
    assume("/.claude-mem" in redact(f"{before}/srv/x/.claude-mem", ANN))  # `PASSWD=` hides more

    found = redact(text, private)

    assert f"/home/{name}" not in found
    assert name not in found.split()
    assert "/.claude-mem" in found


@settings(max_examples=40)
@given(before=TEXT, secret=WORD, after=TEXT)
@pytest.mark.parametrize(
    "shape",
    [
        "Authorization: Bearer {}",
        "bearer  {}",
        "sk-{}",
        "sk-ant-api03-{}",
        "ghp_{}",
        "github_pat_{}",
        "xoxb-{}",
        "https://ann:{}@example.org/x",
        "http://{}@proxy:8080",
        "postgres://u:p@{}@host",
        "password={}",
        'ANTHROPIC_API_KEY="{} and more"',
        "'token': '{}'",
        '"client_secret": "{}"',
        "eyJ{}.eyJ{}.sig",
        "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n{}",
    ],
)
def test_no_secret_survives(shape: str, before: str, secret: str, after: str) -> None:
    assume(secret not in before + after)  # there it looks like nothing secret
    planted = shape.replace("{}", secret)

    assert secret not in redact(f"{before} {planted} {after}", ANN)


@pytest.mark.parametrize(
    "spelling",
    [
        r"C:\Users\Ann B\.claude-mem",
        "C:/Users/Ann B/.claude-mem",
        json.dumps(r"C:\Users\Ann B"),
        r"c:\users\ann b",
        quote(r"C:\Users\Ann B"),
        quote("C:/Users/Ann B"),
        "C--Users-Ann-B",
    ],
)
def test_a_windows_home_is_known_however_it_is_written(spelling: str) -> None:
    private = Private(PureWindowsPath(r"C:\Users\Ann B"), "Ann B")  # type: ignore[arg-type]

    found = redact(f"in {spelling} there", private)

    assert "ann" not in found.lower()
    assert found.startswith("in ")
    assert found.endswith(" there")


def test_what_is_known_to_be_secret_is_removed_wherever_it_stands() -> None:
    assert redact("x/the-token-of-the-worker/y", ANN) == "x/(removed)/y"


@pytest.mark.parametrize(
    "text",
    [
        "annabel banned the channel",
        "require_token: False",
        "the risk-assessment and the task-list of 2026",
        "commit 1a24096f03c1d1d1c32b0205be6fe087c4b6f0a2",
        "GET http://127.0.0.1:37777/api/ready 200 in 3 ms",
        "disk-usage: 3 of 5",
    ],
)
def test_what_is_not_private_stays(text: str) -> None:
    assert redact(text, ANN) == text


def test_a_home_that_is_the_root_spoils_no_path() -> None:
    assert redact("/etc/hosts", Private(Path("/"), "")) == "/etc/hosts"


@given(text=TEXT)
def test_any_text_can_be_redacted_twice(text: str) -> None:
    once = redact(text, ANN)

    assert redact(once, ANN) == once
