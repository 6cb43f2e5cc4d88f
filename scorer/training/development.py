"""Zero-shot figures on the never-trained tasks, quickly: for watching a run."""

from dataclasses import dataclass

import numpy as np

from . import metrics
from .asked import plain
from .corpus import Corpus, sample, sample_and_rest
from .heldout import NEVER_TRAINED_TASKS, PROTOTYPE_TASKS
from .model import Decider
from .pairs import NEVER_TRAINED_PAIRS, plain_pair
from .predict import predict, softmax
from .render import Rendered, render
from .tokenizer import Tokenizer

SAMPLE_SEED = 3


@dataclass(frozen=True)
class Item:
    task: str
    state: object
    question: dict
    gold: int


def items(corpus: Corpus, tasks: tuple[str, ...], rows: int) -> list[Item]:
    """The same rows every time, each worded by one of its task's templates in turn."""
    out = []
    for task in tasks:
        for n, row in enumerate(sample(corpus.measured(task), rows, SAMPLE_SEED)):
            out.append(Item(task, *worded(corpus, task, row, n)))
    return out


def divided(corpus: Corpus, task: str, rows: int, labels: int = 0) -> tuple[list[dict], list[dict]]:
    """The rows of a task to judge, and all others. If there are too few for both, fewer are judged, so that
    `labels` are left to learn."""
    lines = corpus.measured(task)
    return sample_and_rest(lines, min(rows, len(lines) - labels), SAMPLE_SEED)


def pairs_in_one_state(corpus: Corpus, rows: int) -> dict[str, list[Item]]:
    """The rows about two texts once more, with both texts in the state."""
    return {
        task: [
            Item(task, row["s"], *plain(corpus.tasks[task], row, template=n))
            for n, row in enumerate(sample(corpus.measured(task), rows, SAMPLE_SEED))
        ]
        for task in NEVER_TRAINED_PAIRS
    }


def worded(corpus: Corpus, task: str, row: dict, template: int) -> tuple[object, dict, int]:
    """State, question and gold. If two texts are compared, one is the
    state and the other is in the question."""
    if task in NEVER_TRAINED_PAIRS:
        state, asked = plain_pair(task, row, template)
        return state, *asked
    return row["s"], *plain(corpus.tasks[task], row, template)


def rendered(chosen: list[Item], tokenizer: Tokenizer) -> list[Rendered]:
    return [render(item.state, [item.question], tokenizer) for item in chosen]


def answered(chosen: list[Item], probabilities: list[np.ndarray]) -> list[metrics.Answer]:
    return [metrics.Answer(found, item.gold) for item, found in zip(chosen, probabilities)]


def figures(model: Decider, chosen: list[Item], requests: list[Rendered]) -> dict:
    """The figures for items of all never-trained tasks."""
    answers = answered(chosen, [softmax(answer[0]) for answer in predict(model, requests)])
    by_task = {
        task: metrics.figures([answer for item, answer in zip(chosen, answers) if item.task == task])
        for task in NEVER_TRAINED_TASKS
    }
    mean = lambda tasks: round(float(np.mean([by_task[t].lift for t in tasks])), 4)
    return {
        "lift": mean(NEVER_TRAINED_TASKS),
        "lift_of_prototype_tasks": mean(PROTOTYPE_TASKS),
        "accuracy": {task: round(found.accuracy, 3) for task, found in by_task.items()},
    }
