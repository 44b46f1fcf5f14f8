"""A conversation of claude.ai as turns: each branch of its tree is told once."""

from collections.abc import Iterator, Mapping
from typing import Any

from worker.ingest.transcripts.content import blocks_of, joined, mappings, text_at, time_of
from worker.ingest.transcripts.messages import Message
from worker.ingest.transcripts.turns import Conversation, Turn

PROJECT = "claude.ai"  # a conversation does not say to which project it belongs


def conversation_of(record: Mapping[str, Any]) -> Conversation | None:
    """Return the turns of a conversation; None where nothing was said in it.

    A question that was edited, or answered again, is a turn or an answer more: what several
    branches share stands in the export once, and so it does here.
    """
    name = text_at(record, "uuid") or text_at(record, "id")
    said = [message for message in _messages(record, name) if message.text]
    turns: dict[str, Turn] = {}  # by the id of each message in it
    parents = _parents(record)
    last: Turn | None = None
    for message in said:
        asker = turns.get(_nearest(message.uuid, parents, turns)) or last
        if message.role == "prompt" or asker is None:
            asker = last = _turn(message)
        if message.role == "assistant":
            asker.add(message)
        turns[message.uuid] = asker
    found = list({id(turn): turn for turn in turns.values()}.values())
    if not name or not found:
        return None
    for turn in found:
        turn.ended = True
    return Conversation(
        name,
        turns=found,
        compacted=[_summary(record, name)] if text_at(record, "summary").strip() else [],
        title=text_at(record, "name").strip() or text_at(record, "title").strip(),
        project=PROJECT,
    )


def _turn(message: Message) -> Turn:
    text = message.text if message.role == "prompt" else ""
    prompt = Message("prompt", message.line, message.uuid, message.session, message.at, text)
    return Turn(prompt, last_line=message.line, ended_at=message.at)


def _messages(record: Mapping[str, Any], session: str) -> Iterator[Message]:
    begun = time_of(record.get("created_at"))
    for number, said in enumerate(mappings(record.get("chat_messages")), 1):
        person = text_at(said, "sender") != "assistant"
        yield Message(
            role="prompt" if person else "assistant",
            line=number,
            uuid=text_at(said, "uuid") or str(number),
            session=session,
            at=time_of(said.get("created_at")) or begun,
            text="\n\n".join(_texts(said)),
            ended=True,
        )


def _texts(said: Mapping[str, Any]) -> Iterator[str]:
    """Give what was written and what was attached; thoughts and plumbing of tools are neither."""
    text = joined(blocks_of(said.get("content"))) or text_at(said, "text").strip()
    if text:
        yield text
    for attached in mappings(said.get("attachments")):
        if content := text_at(attached, "extracted_content").strip():
            yield f"[{text_at(attached, 'file_name') or 'attachment'}]\n{content}"


def _parents(record: Mapping[str, Any]) -> dict[str, str]:
    """Return which message each follows; where that is not told, the one before it."""
    return {
        text_at(said, "uuid"): text_at(said, "parent_message_uuid")
        for said in mappings(record.get("chat_messages"))
    }


def _nearest(uuid: str, parents: Mapping[str, str], turns: Mapping[str, Turn]) -> str:
    """Return the nearest message above that belongs to a turn; "" where there is none."""
    seen = set()
    while uuid and uuid not in seen:
        seen.add(uuid)
        uuid = parents.get(uuid, "")
        if uuid in turns:
            return uuid
    return ""


def _summary(record: Mapping[str, Any], session: str) -> Message:
    text = text_at(record, "summary").strip()
    return Message("compacted", 0, "", session, time_of(record.get("updated_at")), text)
