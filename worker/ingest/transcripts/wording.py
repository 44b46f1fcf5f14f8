"""Titles and narratives out of what an assistant said: what happened, not what it planned."""

import re
from itertools import islice

MAX_TITLE = 110  # characters
MAX_NARRATIVE = 8_000
_MIN_TITLE = 14
_SENTENCES = 12  # of an answer that are looked at
_STRONG = 1.7  # a score below it says little; what was asked says more

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MARKUP = re.compile(
    r"\*\*|__|`|^#{1,6}\s+|^\s*(?:[-*•]|\d{1,2}[.)])\s+|[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]",
    re.MULTILINE,
)
_LEADING = re.compile(r"^\s*#{1,6}\s|[:：]\W*\Z")  # a heading, or what ends in a colon
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_PLAN = re.compile(
    r"(?:ok(?:ay)?|now|next|first|so|great|perfect|excellent|good|sure|done|success)?[,.!:\s]*"
    r"(?:i'll|i will|i'm going to|i am going to|i need to|i should|i can|let me|let's|we should|"
    r"we need to|now i|going to|time to|step \d+)\b|"
    r"(?:让我|我来|我将|接下来|现在我|首先)|(?:では|それでは|まず|次に|これから)",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:perfect|great|excellent|awesome|done|success|all set|good (?:question|catch|point|idea)|"
    r"you'?re (?:absolutely )?(?:right|welcome)|absolutely|sure|of course|thanks?(?: you)?|"
    r"ok(?:ay)?|got it|understood|yes|no|hi|hello|sorry|i apologi[sz]e|wait|ah|oh|hmm|"
    r"好的|完成|明白|没问题|はい|了解(?:しました)?|わかりました)\b[\s,.!:—–-]*",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:fixed|added|implemented|created|updated|removed|renamed|replaced|moved|refactored|"
    r"installed|configured|merged|committed|found|discovered|identified|caused?|because|root cause|"
    r"the (?:problem|issue|bug|error|reason|cause|fix|solution)|fail(?:s|ed|ing)|passe?[sd]|works?|"
    r"decided|chose|recommend|should use|(?!^)use[sd]?|now)\b|"
    r"(?:修复|添加|实现|创建|更新|删除|原因|问题|发现|通过|失败|决定|选择)|"
    r"(?:修正|追加|実装|作成|更新|削除|原因|問題|成功|失敗|決定)",
    re.IGNORECASE,
)


def title_of(texts: list[str], prompt: str) -> str:
    """Return one line that says what a turn came to; the question, where no answer says it."""
    best, best_score = "", 0.0
    for place, text in enumerate(reversed(texts[-4:])):  # the last word first
        for order, (sentence, tells) in enumerate(_sentences(text)):
            score = (_score(sentence) if tells else 0.0) - 0.6 * place - 0.12 * order
            if score > best_score:
                best, best_score = sentence, score
    asked = first_line(prompt)
    weak = best_score < _STRONG and len(asked) >= _MIN_TITLE
    return shortened(best if best and not weak else asked, MAX_TITLE)


def narrative_of(texts: list[str]) -> str:
    """Return what was said that is worth reading again: the conclusion whole, the way shortened."""
    if not texts:
        return ""
    conclusion = texts[-1].strip()
    way = [told for text in texts[:-1] if (told := _without_plans(text))]
    room = MAX_NARRATIVE - len(conclusion)
    kept: list[str] = []
    for text in reversed(way):  # what is nearest to the end matters most
        if room < len(text) + 2:
            break
        kept.insert(0, text)
        room -= len(text) + 2
    return shortened("\n\n".join([*kept, conclusion]), MAX_NARRATIVE)


def first_line(text: str) -> str:
    """Return the first line that says something."""
    lines = (plain(line) for line in text.splitlines())
    return next((line for line in lines if len(line) > 2), text.strip()[:MAX_TITLE])


def plain(text: str) -> str:
    """Return text without the marks of Markdown, in one line."""
    return " ".join(_MARKUP.sub("", text).split()).strip(" :–—-")


def shortened(text: str, length: int) -> str:
    """Return at most so many characters, cut at a word and marked where something is missing."""
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    at = max(cut.rfind(" "), cut.rfind("\n"))
    return f"{cut[: at if at > length * 0.6 else None].rstrip(' ,;:')}…"


def _sentences(text: str) -> list[tuple[str, bool]]:
    """Return the first sentences of a text, false for those that only lead to what follows."""
    pieces = ((plain(piece), piece) for piece in _SENTENCE.split(_FENCE.sub("\n", text)))
    said = ((line, piece) for line, piece in pieces if line and not line.startswith("|"))
    return [
        (_without_greeting(line), not _LEADING.search(piece))
        for line, piece in islice(said, _SENTENCES)
    ]


def _without_greeting(sentence: str) -> str:
    while greeting := _GREETING.match(sentence):
        if not greeting.end():
            break
        sentence = sentence[greeting.end() :]
    return sentence[:1].upper() + sentence[1:]


def _score(sentence: str) -> float:
    """Rate a sentence as a title: long enough to tell, short enough to read, about what is done."""
    length = len(sentence)
    if not sentence.isascii():
        length += sum(ord(c) > 0x2E7F for c in sentence)  # CJK says more in a character
    if length < _MIN_TITLE or sentence.endswith("?") or _PLAN.match(sentence):
        return 0.0
    score = 1.0 + 1.5 * bool(_TELLING.search(sentence))
    return score - (0.5 if length > MAX_TITLE else 0)


def _without_plans(text: str) -> str:
    """Return the paragraphs that tell something, without those that only announce."""
    told = []
    for paragraph in text.split("\n\n"):
        line = plain(paragraph)
        if line and not (_PLAN.match(line) and len(line) < 200) and _TELLING.search(line):
            told.append(paragraph.strip())
    return "\n\n".join(told)
