"""A conversation as turns: what was asked, and all that came of it until the next question."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from worker.ingest.transcripts.messages import Message
from worker.ingest.transcripts.tools import ToolResult, ToolUse


@dataclass(slots=True)
class Turn:
    """One question and what the assistant said and did."""

    prompt: Message
    texts: list[str] = field(default_factory=list)
    uses: list[ToolUse] = field(default_factory=list)
    results: dict[str, ToolResult] = field(default_factory=dict)  # by the id of the call
    last_line: int = 0
    ended_at: int = 0  # milliseconds
    ended: bool = False  # another question came, or the assistant had its last word

    def add(self, message: Message) -> None:
        """Take in what followed."""
        self.last_line = max(self.last_line, message.line)
        self.ended_at = max(self.ended_at, message.at)
        self.results |= {result.id: result for result in message.results}
        if message.role == "assistant":
            self.uses += message.uses
            self.ended = message.ended
            if message.text:
                self.texts.append(message.text)


@dataclass(slots=True)
class Conversation:
    """One session of one file."""

    session: str
    sidechain: bool = False  # what a sub-agent said to itself
    turns: list[Turn] = field(default_factory=list)
    compacted: list[Message] = field(default_factory=list)
    title: str = ""
    project: str = ""
    cwd: str = ""
    branch: str = ""

    @property
    def started_at(self) -> int:
        """Milliseconds; 0 where no message tells its time."""
        return min((turn.prompt.at for turn in self.turns if turn.prompt.at), default=0)

    @property
    def ended_at(self) -> int:
        return max((turn.ended_at for turn in self.turns), default=0)


def conversations(
    messages: Iterable[Message], fallback: str, *, sidechains: bool = False
) -> list[Conversation]:
    """Return the sessions of a file, each with its turns; `fallback` names one without a name.

    What a sub-agent said is left out unless `sidechains`; its result is part of the turn anyway.
    """
    found: dict[tuple[str, bool], Conversation] = {}
    titles: list[str] = []
    for message in messages:
        if message.role == "title":
            titles.append(message.text)
            continue
        if message.sidechain and not sidechains:
            continue
        session = message.session or fallback
        key = (session, message.sidechain)
        _add(found.setdefault(key, Conversation(*key)), message)
    for conversation in found.values():
        conversation.title = titles[-1] if titles else ""
    return [conversation for conversation in found.values() if conversation.turns]


def _add(conversation: Conversation, message: Message) -> None:
    conversation.cwd = conversation.cwd or message.cwd
    conversation.branch = message.branch or conversation.branch
    if message.role == "compacted":
        conversation.compacted.append(message)
    elif message.role == "prompt":
        if conversation.turns:
            conversation.turns[-1].ended = True
        turn = Turn(message, last_line=message.line, ended_at=message.at)
        conversation.turns.append(turn)
    else:
        if not conversation.turns:  # the file begins amid a turn: its question is not known
            conversation.turns.append(Turn(replace(message, role="prompt", text="")))
        conversation.turns[-1].add(message)
