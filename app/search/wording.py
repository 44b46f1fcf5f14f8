"""What the rows of the list say, in words."""

import html

from PySide6.QtCore import QCoreApplication, QLocale

from app.search.marks import matched_words
from worker.shared.contract import Item

translate = QCoreApplication.translate

SIGNS = {"keyword": "≡", "meaning": "≈", "both": "≡≈", "filter": ""}  # who found it


def leg_name(leg: str) -> str:
    """Return who found a hit; nothing where it only passed the filters."""
    names = {
        "keyword": translate("Hits", "words"),
        "meaning": translate("Hits", "meaning"),
        "both": translate("Hits", "both"),
    }
    return names.get(leg, "")


def found_by(item: Item) -> str:
    """Return who found a hit, with a sign, and whether it is weak."""
    weak = translate("Hits", "weak") if item.weak else ""
    leg = f"{SIGNS[item.leg]} {leg_name(item.leg)}".strip()
    return " · ".join(part for part in (weak, leg) if part)


def type_name(type_: str) -> str:
    """Return the type of a memory for a person; one that is not known as it is stored."""
    names = {
        "bugfix": translate("Hits", "bugfix"),
        "feature": translate("Hits", "feature"),
        "decision": translate("Hits", "decision"),
        "discovery": translate("Hits", "discovery"),
        "refactor": translate("Hits", "refactor"),
        "change": translate("Hits", "change"),
        "observation": translate("Hits", "observation"),
        "session": translate("Hits", "session"),
        "prompt": translate("Hits", "prompt"),
    }
    return names.get(type_, type_)


def kind_name(kind: str) -> str:
    """Return a kind of memories, as filters name it, for a person."""
    names = {
        "observations": translate("Hits", "observations"),
        "sessions": translate("Hits", "session summaries"),
        "prompts": translate("Hits", "prompts"),
    }
    return names.get(kind, kind)


def local_time(item: Item) -> str:
    """Return day and time as filters take them: 2026-03-14 09:30."""
    return item.created_at[:16].replace("T", " ")


def spoken(item: Item) -> str:
    """Return a whole row as a screen reader says it."""
    parts = [type_name(item.type), item.title, item.project, local_time(item)]
    snippet = item.snippet.text if item.snippet else ""
    weak = translate("Hits", "weak") if item.weak else ""
    return ", ".join(part for part in (*parts, weak, leg_name(item.leg), snippet) if part)


def why(item: Item) -> str:
    """Return why this is a hit, as a tool tip; what is foreign in it is escaped."""
    titles = {
        "keyword": translate("Hits", "Found by its words."),
        "meaning": translate("Hits", "Found by its meaning: it holds none of the words."),
        "both": translate("Hits", "Found by its words and by its meaning."),
        "filter": translate("Hits", "It passes the filters; newest first."),
    }
    lines = [f"<b>{html.escape(titles[item.leg])}</b>"]
    if item.weak:
        weak = translate("Hits", "Weak: little in it speaks for an answer.")
        lines.append(html.escape(weak))
    words = matched_words(item.title, item.title_marks)
    if item.snippet:
        words += matched_words(item.snippet.text, item.snippet.marks)
    if words:
        shown = ", ".join(dict.fromkeys(word.casefold() for word in words))
        lines.append(html.escape(translate("Hits", "Matched: {words}").format(words=shown)))
    if item.leg != "filter":
        score = QLocale().toString(item.score, "f", 2)
        lines.append(html.escape(translate("Hits", "Score: {score}").format(score=score)))
    lines.append(html.escape(f"{item.ref} · {item.project}"))
    return "<br>".join(lines)
