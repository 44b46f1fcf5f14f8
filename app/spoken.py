"""What the worker says in English, said in the language of the app.

The worker writes whole sentences, with paths and numbers in them. A catalogue beside the
translations has them as templates; what it does not know stays English.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypeVar

from PySide6.QtCore import QCoreApplication

from app.language import FOLDER
from worker.shared.errors import MemtrayError

_PLACE = re.compile(r"\{(\d)\}")
_SENTENCES = re.compile(r"(?<=[.!?…]) (?=[^a-z])|(?<=\n)")
_SHORT = 12  # characters; a template as short as that tells nothing of more than one sentence
_IN_ONE_SENTENCE = r"((?:(?!\. ).)*?)"
_TEXTS = frozenset({"cause", "remedy", "reason", "why", "problem"})  # fields of replies

_Error = TypeVar("_Error", bound=Exception)


@dataclass(frozen=True, slots=True)
class _Template:
    """One sentence with places for what varies."""

    pattern: re.Pattern[str]
    numbers: tuple[str, ...]  # of its places, in order
    translation: str
    is_frame: bool  # nothing but places and signs: worth something only if a part is known

    def filled(self, parts: Sequence[str]) -> str:
        """Return the translation with these parts in its places."""
        part_of = dict(zip(self.numbers, parts, strict=True))
        return _PLACE.sub(lambda place: part_of[place[1]], self.translation)


def said(text: str) -> str:
    """Return a text of the worker in the language of the app, as far as it is known."""
    language = QCoreApplication.translate("Language", "en")
    return text if language == "en" else _said(text, language)


def told(error: _Error) -> _Error:
    """Return an error whose title and text are said in the language of the app."""
    if isinstance(error, MemtrayError):
        error.title, error.detail = said(error.title), said(error.detail)
        error.args = (error.detail,)
    return error


def reply_told(answer: object) -> object:
    """Return the JSON of a reply; what the worker says in it is in the language of the app."""
    if isinstance(answer, list):
        return [reply_told(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    return {name: _field(name, value) for name, value in answer.items()}


def _field(name: str, value: object) -> object:
    if name in _TEXTS and isinstance(value, str):
        return said(value)
    if name == "notes" and isinstance(value, list):
        return [said(note) if isinstance(note, str) else note for note in value]
    return reply_told(value)


@lru_cache(maxsize=512)
def _said(text: str, language: str) -> str:
    whole = _whole(text, language)
    if whole is not None:
        return whole
    sentences = _SENTENCES.split(text)
    if len(sentences) == 1:
        return text
    spoken = ""
    for sentence in sentences:  # Chinese ones end in a wide sign, which parts them well enough
        parted = not spoken or spoken.endswith(("。", "\n"))
        spoken += _said(sentence, language) if parted else f" {_said(sentence, language)}"
    return spoken


def _whole(text: str, language: str) -> str | None:
    """Return the translation of the template that a text comes of; None for none."""
    for template in _templates(language):
        if match := template.pattern.fullmatch(text):
            spoken = tuple(_said(part, language) for part in match.groups())
            if not template.is_frame or spoken != match.groups():
                return template.filled(spoken)
    return None


@cache
def _templates(language: str) -> tuple[_Template, ...]:
    """Return the templates of a language, the most telling first; none of one without any."""
    path = FOLDER / f"worker_{language}.json"
    if not path.is_file():
        return ()
    catalogue: Mapping[str, str] = json.loads(path.read_text(encoding="utf-8"))
    telling = sorted(catalogue, key=lambda source: -len(_PLACE.sub("", source)))
    return tuple(_template(source, catalogue[source]) for source in telling)


def _template(source: str, translation: str) -> _Template:
    words = _PLACE.split(source)[::2]
    place = "(.*?)" if len("".join(words)) > _SHORT else _IN_ONE_SENTENCE
    pattern = re.compile(place.join(map(re.escape, words)), re.DOTALL)
    is_frame = not any(word.strip(" .,:;()") for word in words)
    return _Template(pattern, tuple(_PLACE.findall(source)), translation, is_frame)
