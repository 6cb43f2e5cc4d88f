"""What the wording of options and statements is worth: the figures of docs/questions.md.

python -m scorer.training.wordings --corpus C --base B --checkpoint X
"""

import argparse
from pathlib import Path

import numpy as np

from . import askers, corpus, development
from .asked import noul
from .pairs import PAIRS
from .probes import behind_opaque_keys
from .tokenizer import Tokenizer

STATEMENTS = {
    "disaster_tweets": (
        "The tweet reports a real disaster or emergency.",
        "Does the tweet report a real disaster or emergency?",
    ),
    "tweet_irony": ("This tweet is ironic.", "Is this tweet ironic?"),
}
# Rows never trained on, from tasks that were.
TEXTS = {
    "snli": (
        "The text implies: {}",
        ("premise", "hypothesis"),
        "The hypothesis is supported by the premise.",
    ),
    "mrpc": ("The text says the same as: {}", ("a", "b"), "a and b mean the same."),
}
CHOICES = ("davidson_hate", "stance_climate", "github_issue_type", "snips", "bbc_news", "isear")
# Named by an area and an action: "alarm query", "iot hue lightoff".
INTENTS, INTENT_ROWS = "hwu64", 2000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("corpus", "base", "checkpoint"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--rows", type=int, default=400, help="rows a task")
    args = parser.parse_args()
    ask = askers.of_checkpoint(args.checkpoint, Tokenizer.from_file(args.base / "vocab.txt"))
    data = corpus.load(args.corpus, None)

    def report(items: list[development.Item], questions: list[dict], how: str) -> None:
        answers = askers.singly(ask, [(i.state, q) for i, q in zip(items, questions)])
        right = np.mean([int(a.argmax()) == i.gold for i, a in zip(items, answers)])
        print(f"{items[0].task:20} {right:.3f}  {how}", flush=True)

    for task, wordings in STATEMENTS.items():
        items = development.items(data, (task,), args.rows)
        for told in wordings:
            report(items, [noul(told, None, True)[0]] * len(items), told)
    for task, (told, names, both) in TEXTS.items():
        pair = PAIRS[task]
        rows = corpus.sample(data.validation[task], args.rows, development.SAMPLE_SEED)
        texts = [(row["s"][pair.kept], row["s"][pair.asked[0]], pair.holds(row["y"])) for row in rows]
        apart = [
            development.Item(task, kept, *noul(told.format(other), None, holds))
            for kept, other, holds in texts
        ]
        together = [
            development.Item(task, dict(zip(names, (kept, other))), *noul(both, None, holds))
            for kept, other, holds in texts
        ]
        report(apart, [i.question for i in apart], "one text in the question")
        report(together, [i.question for i in together], "both in the state")
    for task in CHOICES:
        items = development.items(data, (task,), args.rows)
        report(items, [i.question for i in items], "as given")
        report(
            items,
            [_with(i.question, dict.fromkeys(i.question["criteria"])) for i in items],
            "names without descriptions",
        )
        report(
            items,
            [_with(i.question, behind_opaque_keys(i.question["criteria"])) for i in items],
            "opaque keys, names as descriptions",
        )
    items = development.items(data, (INTENTS,), INTENT_ROWS)
    for naming in data.tasks[INTENTS]["variants"]:
        report(items, [_with(i.question, dict(naming)) for i in items], f"named as {naming[0][0]}")


def _with(question: dict, criteria: dict) -> dict:
    return {**question, "criteria": criteria}


if __name__ == "__main__":
    main()
