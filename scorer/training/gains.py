"""What a snapshot gains by learning labels of a never-trained task, next to a classifier trained on the same,
and what other tasks lose.

    python -m scorer.training.gains scorer/models/<id> --corpus $CORPUS --base $BASE \
        --labels 200 --tasks snips isear

Each task is asked in one wording. The figures are those of the weights that the export writes, read in
float32: where the service computes with 8-bit integers, its answers differ a little.
"""

import argparse
from pathlib import Path
from random import Random

import numpy as np
import torch

from . import checkpoint, corpus
from .askers import of_model
from .baselines import classifier_answers
from .corpus import Corpus, sample
from .development import SAMPLE_SEED, divided, worded
from .examples import Example
from .heldout import NEVER_TRAINED_TASKS
from .judged import judged
from .metrics import Figures, figures
from .model import Decider
from .render import text_of
from .restore import as_served, described, restore
from .temperature import Temperatures
from .tokenizer import Tokenizer
from .tune import EPOCHS, tune

# Short ones of many kinds, among them choices, statements and scores.
OTHERS = (
    "yelp_sentences",
    "snips",
    "hwu64_scenario",
    "isear",
    "emobank_valence",
    "medical_question_pairs",
    "dnc_sentiment",
    "davidson_hate",
    "disaster_tweets",
    "github_issue_type",
)
SHORT = 600  # characters
QUESTION = "q"


class Gains:
    def __init__(self, snapshot: Path, base: Path, data: Corpus, rows: int, others: int, threads: int):
        self.snapshot, self.base, self.data, self.rows, self.threads = snapshot, base, data, rows, threads
        about = described(snapshot)
        self.temperatures: Temperatures = about["temperatures"]
        self.arithmetic: str = about["arithmetic"]
        self.tokenizer = Tokenizer.from_file(base / "vocab.txt")
        self.untouched = restore(snapshot, checkpoint.from_base(base))
        self.others = {task: self._others(task, others) for task in OTHERS}
        self.before = {
            task: self._figures(self.untouched, examples).accuracy for task, examples in self.others.items()
        }

    def of(self, task: str, labels: int, epochs: int) -> str:
        """A line of the table."""
        asked, others = divided(self.data, task, self.rows)
        known = Random(0).sample(others, min(labels, len(others)))
        examples = [self._example(task, row) for row in asked]
        model = restore(self.snapshot, checkpoint.from_base(self.base))
        tune(model, [self._example(task, row) for row in known], self.tokenizer, epochs, self.threads)
        model = as_served(model, checkpoint.from_base(self.base), self.arithmetic)
        found = (
            self._figures(self.untouched, examples),
            figures(classifier_answers(known, asked, 1 + max(row["y"] for row in known + asked))),
            self._figures(model, examples),
        )
        changes = {
            other: self._figures(model, of).accuracy - self.before[other]
            for other, of in self.others.items()
            if other != task
        }
        worst = min(changes, key=changes.get)
        return (
            f"{task:24} {len(known):6} "
            + " ".join(f"{f.accuracy:8.3f}" for f in found)
            + "  "
            + " ".join(f"{f.brier:8.3f}" for f in found)
            + f"  {np.mean(list(changes.values())):+8.3f}  {changes[worst]:+.3f} ({worst})"
        )

    def _others(self, task: str, rows: int) -> list[Example]:
        short = [
            row
            for row in sample(self.data.measured(task), 4 * rows, SAMPLE_SEED)
            if len(text_of(row["s"])) < SHORT
        ]
        return [self._example(task, row, n) for n, row in enumerate(short[:rows])]

    def _example(self, task: str, row: dict, template: int = 0) -> Example:
        state, question, gold = worded(self.data, task, row, template)
        return Example("", state, {QUESTION: (question, gold)})

    def _figures(self, model: Decider, examples: list[Example]) -> Figures:
        ask = of_model(model, self.temperatures, self.tokenizer, threads=self.threads)
        return judged(ask, examples)[QUESTION]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("snapshot", type=Path)
    for name in ("corpus", "base"):
        add(f"--{name}", type=Path, required=True)
    add("--tasks", nargs="+", choices=NEVER_TRAINED_TASKS, default=NEVER_TRAINED_TASKS, metavar="TASK")
    add("--labels", type=int, nargs="+", default=[200])
    add("--rows", type=int, default=300, help="rows a task is judged on")
    add("--others", type=int, default=30, help="rows of each other task")
    add("--epochs", type=int, default=EPOCHS)
    add("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    gains = Gains(
        args.snapshot, args.base, corpus.load_never_trained(args.corpus), args.rows, args.others, args.threads
    )
    print(
        "accuracy, then Brier score: without labels, of the classifier, tuned; then how the accuracy of other tasks changes: mean and worst"
    )
    for task in args.tasks:
        for labels in args.labels:
            print(gains.of(task, labels, args.epochs), flush=True)


if __name__ == "__main__":
    main()
