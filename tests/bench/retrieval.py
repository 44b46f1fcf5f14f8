"""Whether the judged documents of public retrieval sets come first."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.databases import Corpus
from tests.bench.material import Material, run_tool
from tests.bench.table import Group, Row
from tests.bench.targets import row

QUERIES = 300
CHOICE = 5  # the seed that chooses them


@dataclass(frozen=True, slots=True)
class Trial:
    """The questions of one set, put to the documents of one set."""

    documents: str
    questions: str

    @property
    def name(self) -> str:
        same = self.documents == self.questions
        return self.questions if same else f"{self.questions} on {self.documents}"


TRIALS = (
    Trial("scifact", "scifact"),
    Trial("xquad_zh", "xquad_zh"),
    Trial("xquad_en", "xquad_zh"),
    Trial("devbench", "devbench"),
)


def measure(
    trial: Trial, corpus: Corpus, material: Material, url: str, *, queries: int = QUERIES
) -> list[Row]:
    """Return R@10 and MRR@10 of one trial."""
    out = corpus.data_dir / "scores.json"
    asked = ("--queries", queries, "--seed", CHOICE, "--format", "json", "--out", out)
    run_tool(
        material.retrieval_http, "run", material.sets / trial.questions, corpus.map, url, *asked
    )
    return score_rows(trial, read_scores(out))


def read_scores(path: Path) -> Mapping[str, Any]:
    """Return what the scoring tool wrote."""
    scores: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return scores


def score_rows(trial: Trial, scores: Mapping[str, Any]) -> list[Row]:
    """Return the two rows; the note says what would make them worthless."""
    odd = {source: n for source, n in scores["order_source"].items() if source != "items"}
    trouble = [f"{n} answers by {source}" for source, n in odd.items()]
    if scores["judgements_not_loaded"]:
        trouble.append(f"{scores['judgements_not_loaded']} judgements not loaded")
    note = "; ".join([f"n = {scores['n']}, {scores['p50_ms']} ms", *trouble])
    return [
        row(
            f"retrieval {trial.name} {metric}",
            f"{trial.name}, {metric}",
            round(100 * scores[metric], 1),
            unit="%",
            limit=100,
            note=note,
        )
        for metric in ("R@10", "MRR@10")
    ]


def group(rows: list[Row]) -> Group:
    """Return the table of all trials."""
    return Group("Retrieval", tuple(rows))
