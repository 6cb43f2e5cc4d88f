"""What a profile fitted on a few labels makes of a served model, on the never-trained tasks whose question
never changes.

    python -m scorer.training.calibrated --corpus C --service http://127.0.0.1:8787 --key K

Prints a table: accuracy without a profile, with one that has offsets, and of a classifier trained on as many
labels; and how much each profile answers of what was kept out of its fit, and how much of that is wrong.
"""

import argparse
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from . import baselines, corpus
from .asked import plain
from .askers import ANY_SNAPSHOT, PARALLEL_REQUESTS, post, probabilities_in, request_form
from .corpus import Corpus
from .development import divided
from .heldout import NEVER_TRAINED_TASKS
from .metrics import Answer, figures

LABELS = baselines.LABELS
TARGET_ERROR = 0.1
Row = tuple[object, dict, int]  # state, question, and the place of the right option


@dataclass(frozen=True)
class Judged:
    answer: Answer
    let_through: bool


class Service:
    def __init__(self, base: str, key: str, snapshot: str):
        self.base, self.key, self.snapshot = base, key, snapshot

    def profile(self, rows: list[Row], offsets: bool) -> str:
        examples = [
            {"state": state, "questions": {"q": request_form(question) | {"label": label_of(question, gold)}}}
            for state, question, gold in rows
        ]
        body = {"examples": examples, "target_error": TARGET_ERROR, "offsets": offsets}
        return self._ask("calibrations", body)["profile"]

    def decide(self, rows: list[Row], profile: str | None) -> list[Judged]:
        def one(row: Row) -> Judged:
            state, question, gold = row
            body = {"state": state, "questions": {"q": request_form(question)}, "calibration": profile}
            answer = self._ask("decisions", body)["answers"]["q"]
            return Judged(
                Answer(probabilities_in(answer, question), gold), answer["decider"]["abstain"] is False
            )

        with ThreadPoolExecutor(PARALLEL_REQUESTS) as pool:
            return list(pool.map(one, rows))

    def _ask(self, what: str, body: dict) -> dict:
        return post(self.base, what, self.key, body | {"model": self.snapshot})


def label_of(question: dict, gold: int) -> str | bool | int:
    if question["type"] == "choice":
        return list(question["criteria"])[gold]
    return gold if question["type"] == "score" else gold == 0


def asked(data: Corpus, task: str, rows: list[dict]) -> list[Row]:
    """In the one wording that a caller would have."""
    return [(row["s"], *plain(data.tasks[task], row)) for row in rows]


def measured(service: Service, data: Corpus, task: str, rows: int, draws: int) -> list[float] | None:
    """Accuracy without and with offsets and of the classifier; share let through and share of it wrong, for a
    profile without and with offsets. None if the question is another in each row: then no profile knows
    it."""
    judged, others = (asked(data, task, some) for some in divided(data, task, rows, LABELS))
    if len({json.dumps(question) for _, question, _ in judged}) > 1:
        return None
    raw = figures([found.answer for found in service.decide(judged, None)]).accuracy
    by_offsets: dict[bool, list[Judged]] = {False: [], True: []}
    for draw in range(draws):
        known = Random(draw).sample(others, LABELS)
        for offsets, found in by_offsets.items():
            found += service.decide(judged, service.profile(known, offsets))
    learned = figures(baselines.learned(data, task, rows)).accuracy
    return [
        raw,
        figures([f.answer for f in by_offsets[True]]).accuracy,
        learned,
        *through(by_offsets[False]),
        *through(by_offsets[True]),
    ]


def through(found: list[Judged]) -> tuple[float, float]:
    wrong = [f.answer.probabilities.argmax() != f.answer.gold for f in found if f.let_through]
    return len(wrong) / len(found), float(np.mean(wrong)) if wrong else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", required=True, type=Path)
    parser.add_argument("--service", required=True)
    parser.add_argument("--key", required=True, help="its bearer key")
    parser.add_argument("--model", default=ANY_SNAPSHOT, help="which of its snapshots")
    parser.add_argument("--rows", type=int, default=500, help="rows a task that are judged")
    parser.add_argument("--draws", type=int, default=3, help="how often other labels are drawn")
    args = parser.parse_args()
    service, data = Service(args.service, args.key, args.model), corpus.load_never_trained(args.corpus)
    print(
        f"| task | accuracy | with offsets | classifier on {LABELS} labels | answered | wrong of it | with offsets: answered | wrong of it |"
    )
    print("|---|---|---|---|---|---|---|---|")
    lines = []
    for task in NEVER_TRAINED_TASKS:
        found = measured(service, data, task, args.rows, args.draws)
        if found is None:
            continue
        lines.append(found)
        print(written(task, found), flush=True)
    print(written("mean", [float(np.mean(column)) for column in zip(*lines)]))


def written(task: str, found: list[float]) -> str:
    accuracies = [f"{share:.3f}" for share in found[:3]]
    shares = ["" if np.isnan(share) else f"{share:.0%}" for share in found[3:]]
    return f"| {' | '.join([task, *accuracies, *shares])} |"


if __name__ == "__main__":
    main()
