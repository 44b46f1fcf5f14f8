"""Recalls as text, for curl and scripts."""

from worker.shared.recalls_contract import Recall, RecallsReply

_SHOWN = 5  # ids in a row; format=json has all


def recalls_page(found: RecallsReply) -> str:
    """Return the sum of today and a table of calls, newest first."""
    today = f"Today: {found.today.recalls} recalls, about {found.today.tokens} tokens."
    if not found.recalls:
        return f"{today}\n\nNothing was asked that passes."
    head = ("| id | time | client | tool | asked | got | tokens | ms |", "|---|" + "---|" * 7)
    rest = f"\n\nThere are more: before={found.next}" if found.next else ""
    return f"{today}\n\n" + "\n".join((*head, *map(_row, found.recalls))) + rest


def _row(recall: Recall) -> str:
    asked = f"{recall.asked} ({recall.filters})" if recall.filters else recall.asked
    cells = (recall.id, recall.at, recall.client, recall.tool, asked, _got(recall))
    texts = (_cell(str(cell)) for cell in (*cells, recall.tokens, recall.ms))
    return f"| {' | '.join(texts)} |"


def _got(recall: Recall) -> str:
    if recall.problem:
        return recall.problem
    refs = [seen.ref for seen in recall.seen]
    more = [f"and {len(refs) - _SHOWN} more"] if len(refs) > _SHOWN else []
    return " ".join([*refs[:_SHOWN], *more]) or "nothing"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
