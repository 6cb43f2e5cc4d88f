"""How sure to be about tasks never trained on: one temperature per question type and number of options,
and how much the cosine counts in a choice.

    python -m scorer.training.temperature --corpus C --base B --checkpoint IN --out OUT
"""

import argparse
import copy
import math
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np

from . import checkpoint, corpus, development
from .development import Item
from .heldout import NEVER_TRAINED_TASKS
from .metrics import Answer, CalibrationErrors, calibration_errors, figures
from .model import FIRST_SIDE, Decider
from .outputs import new_file
from .predict import predict, softmax
from .render import OPEN, Rendered
from .tokenizer import Tokenizer

# The comparison learns the trained tasks best. Beyond them the cosine carries furthest, so there it counts
# for more.
COSINE_FACTORS = (1.0, 1.4, 2.0, 2.8, 4.0, 5.6)
BUCKETS = ("2", "3-4", "5-8", "9-16", "17-64", "65+")
BOUNDS = (2, 4, 8, 16, 64)
LOWEST, HIGHEST = math.log(0.2), math.log(8.0)
SEED = 11

Temperatures = dict[str, float | dict[str, float]]
Scored = tuple[np.ndarray, int]  # logits and the place of the right option


def bucket(options: int) -> str:
    return next((name for name, bound in zip(BUCKETS, BOUNDS) if options <= bound), BUCKETS[-1])


def tempered(logits: np.ndarray, temperatures: Temperatures, kind: str) -> np.ndarray:
    """The probabilities of the options of a question of this type."""
    found = temperatures.get(kind, 1.0)
    return softmax(logits / (found.get(bucket(len(logits)), 1.0) if isinstance(found, dict) else found))


def fit(scored: dict[str, list[tuple[str, Scored]]]) -> Temperatures:
    """Fits temperatures to answers by type, each with its task; every task weighs the same. A choice is
    also fitted on random subsets of its options, so that every bucket is seen. An empty bucket takes
    its neighbour's temperature."""
    out: Temperatures = {
        kind: round(_best(scored[kind]), 3) for kind in ("noul", "score") if scored.get(kind)
    }
    random = Random(SEED)
    by_bucket: dict[str, list[tuple[str, Scored]]] = {name: [] for name in BUCKETS}
    for task, item in scored.get("choice", []):
        for one in (item, *_subsets(item, random)):
            by_bucket[bucket(len(one[0]))].append((task, one))
    choice: dict[str, float] = {}
    for name in BUCKETS:
        nearest = list(choice.values())[-1:] or [1.0]
        choice[name] = round(_best(by_bucket[name]), 3) if by_bucket[name] else nearest[0]
    out["choice"] = choice
    return out


def _subsets(item: Scored, random: Random):
    logits, gold = item
    for size in (2, 3, 4, 6, 8, 12, 16, 24, 40):
        if size < len(logits) and random.random() < 0.5:
            others = random.sample([i for i in range(len(logits)) if i != gold], size - 1)
            yield logits[[gold, *others]], 0


def _best(scored: list[tuple[str, Scored]]) -> float:
    """The temperature with the lowest mean cross-entropy, all tasks
    weighing the same, by golden-section search."""
    counts = Counter(task for task, _ in scored)

    def cost(log_temperature: float) -> float:
        scale = math.exp(-log_temperature)
        total = 0.0
        for task, (logits, gold) in scored:
            z = logits.astype(float) * scale
            total += (z.max() + math.log(np.exp(z - z.max()).sum()) - z[gold]) / counts[task]
        return total

    low, high = LOWEST, HIGHEST
    ratio = (math.sqrt(5) - 1) / 2
    while high - low > 0.01:
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if cost(a) < cost(b) else (a, high)
    return math.exp((low + high) / 2)


def left_out_errors(scored: dict[str, list[tuple[str, Scored]]]) -> CalibrationErrors:
    """The calibration errors if each task has temperatures fitted without it."""
    tasks = sorted({task for rows in scored.values() for task, _ in rows})
    answers = []
    for task in tasks:
        others = {kind: [x for x in rows if x[0] != task] for kind, rows in scored.items()}
        temperatures = fit(others)
        answers.append(
            [
                Answer(tempered(logits, temperatures, kind), gold)
                for kind, rows in scored.items()
                for name, (logits, gold) in rows
                if name == task
            ]
        )
    return calibration_errors(answers)


def loss(scored: dict[str, list[tuple[str, Scored]]]) -> float:
    """The mean cross-entropy over tasks at the temperatures fitted to them."""
    temperatures, tasks = fit(scored), {}
    for kind, rows in scored.items():
        for task, (logits, gold) in rows:
            likely = tempered(logits, temperatures, kind)[gold]
            tasks.setdefault(task, []).append(-math.log(max(likely, 1e-12)))
    return float(np.mean([np.mean(losses) for losses in tasks.values()]))


def weigh_cosine(model: Decider, items: list[Item], requests: list[Rendered]) -> list[np.ndarray]:
    """Sets the scale of the choices' cosine to what answers these items
    best, and returns their logits then."""
    side = OPEN["choice"] - FIRST_SIDE
    most = copy.deepcopy(model)
    most.gs.data[side] += math.log(COSINE_FACTORS[-1])
    first, last = ([answer[0] for answer in predict(scaled, requests)] for scaled in (model, most))
    # A logit is linear in the scale.
    at = lambda factor: [a + (factor - 1) / (COSINE_FACTORS[-1] - 1) * (b - a) for a, b in zip(first, last)]
    best = min(COSINE_FACTORS, key=lambda factor: loss({"choice": by_type(items, at(factor))["choice"]}))
    model.gs.data[side] += math.log(best)
    print(f"the cosine of a choice counts {best} times what was learned")
    return at(best)


def by_type(items: list[Item], answers: list[np.ndarray]) -> dict[str, list[tuple[str, Scored]]]:
    out: dict[str, list[tuple[str, Scored]]] = {}
    for item, logits in zip(items, answers):
        out.setdefault(item.question["type"], []).append((item.task, (logits, item.gold)))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("corpus", "base", "checkpoint"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--out", required=True, type=new_file)
    parser.add_argument("--rows", type=int, default=1000, help="rows a task")
    args = parser.parse_args()
    tokenizer = Tokenizer.from_file(args.base / "vocab.txt")
    model, metadata = checkpoint.load(args.checkpoint)
    data = corpus.load_never_trained(args.corpus)
    items = development.items(data, NEVER_TRAINED_TASKS, args.rows)
    answers = weigh_cosine(model, items, development.rendered(items, tokenizer))
    scored = by_type(items, answers)
    temperatures, left_out = fit(scored), left_out_errors(scored)
    checkpoint.save(
        model,
        args.out,
        {
            **metadata,
            "temperatures": temperatures,
            "calibration_error_left_out": {how: round(error, 5) for how, error in left_out.items()},
        },
    )
    for task in NEVER_TRAINED_TASKS:
        found = figures(
            [
                Answer(tempered(logits, temperatures, item.question["type"]), item.gold)
                for item, logits in zip(items, answers)
                if item.task == task
            ]
        )
        print(
            f"{task:24} accuracy {found.accuracy:.3f} ± {found.standard_error:.3f}  lift {found.lift:+.3f}  ECE {found.calibration_error:.3f}"
        )
    print(temperatures, f"calibration error of tasks left out of the fit: {left_out}")


if __name__ == "__main__":
    main()
