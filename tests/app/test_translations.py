"""Everything that is said is said in Chinese, too, and as it should be."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.language import FOLDER
from tests.app.worker_says import causes, complaints, titles

ROOT = Path(__file__).resolve().parents[2]
CHINESE, ENGLISH = FOLDER / "memtray_zh_CN.ts", FOLDER / "memtray_en.ts"
HELP = "make texts gathers it, then translate what is unfinished in app/translations"
_PLACE = re.compile(r"\{\w*\}|%L?n")
_MNEMONIC = re.compile(r"&(\w)")


@dataclass(frozen=True, slots=True)
class Message:
    """One text of the app and its translation."""

    context: str
    source: str
    forms: tuple[str, ...]
    is_finished: bool


def _messages(path: Path) -> Iterator[Message]:
    for context in ElementTree.parse(path).iter("context"):  # noqa: S314 - our own file
        for node in context.iter("message"):
            told = node.find("translation")
            assert told is not None
            forms = tuple(form.text or "" for form in told.iter("numerusform"))
            yield Message(
                context.findtext("name", ""),
                node.findtext("source", ""),
                forms or (told.text or "",),
                told.get("type") is None,
            )


@pytest.mark.parametrize("path", [CHINESE, ENGLISH], ids=lambda path: path.stem)
def test_no_text_is_without_its_translation(path: Path) -> None:
    unfinished = [each for each in _messages(path) if not (each.is_finished and all(each.forms))]
    assert not unfinished, HELP


@pytest.mark.parametrize("path", [CHINESE, ENGLISH], ids=lambda path: path.stem)
def test_what_varies_is_in_each_translation(path: Path) -> None:
    for message in _messages(path):
        for form in message.forms:
            wanted = sorted(_PLACE.findall(message.source))
            if path == ENGLISH and form.endswith("the last ten minutes and is not started again."):
                continue  # "crashed 1 times" would be odd
            assert sorted(_PLACE.findall(form)) == wanted, message


def test_each_key_of_a_menu_is_the_same_in_chinese() -> None:
    for message in _messages(CHINESE):
        keys = [found.upper() for found in _MNEMONIC.findall(message.source)]
        (form,) = message.forms
        assert _MNEMONIC.findall(form) == keys, message
        assert not keys or f"(&{keys[0]})" in form, message


def test_chinese_ends_as_the_english_does() -> None:
    for message in _messages(CHINESE):
        (form,) = message.forms
        assert message.source.rstrip().endswith("…") == form.rstrip().endswith("…"), message


def test_no_text_of_the_source_is_missing_or_left_over(tmp_path: Path) -> None:
    gathered = tmp_path / "memtray_zh_CN.ts"
    sources = [str(path) for path in sorted((ROOT / "app").rglob("*.py"))]
    program = Path(sys.executable).with_name("pyside6-lupdate")
    line = [str(program), "-silent", "-locations", "none", *sources, "-ts", str(gathered)]
    subprocess.run(line, check=True, timeout=60)
    now = {(each.context, each.source) for each in _messages(gathered)}
    assert now == {(each.context, each.source) for each in _messages(CHINESE)}, HELP


# ---------------------------------------------------------------------- the worker


def _catalogue() -> dict[str, str]:
    loaded = json.loads((FOLDER / "worker_zh_CN.json").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


@pytest.mark.parametrize("gathered", [titles, causes, complaints], ids=lambda each: each.__name__)
def test_all_that_the_worker_complains_of_is_known_in_chinese(gathered: object) -> None:
    assert callable(gathered)
    missing = sorted(gathered() - set(_catalogue()))
    assert not missing, "translate them in app/translations/worker_zh_CN.json"


def test_the_templates_of_the_worker_keep_their_places_and_commands() -> None:
    for source, told in _catalogue().items():
        assert sorted(_PLACE.findall(told)) == sorted(set(_PLACE.findall(source))) or (
            source.startswith("[Errno")
        ), source
        for command in re.findall(r"memtray-worker [a-z]+", source):
            assert command in told, source
