"""Accuracy, macro-F1, calibration error and Brier score of a task's answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

BINS = 15


@dataclass(frozen=True)
class Answer:
    probabilities: np.ndarray  # one an option, in the order asked
    gold: int


@dataclass(frozen=True)
class Figures:
    rows: int
    accuracy: float
    standard_error: float
    macro_f1: float
    calibration_error: float
    brier: float
    chance: float

    @property
    def lift(self) -> float:
        """(accuracy - chance) / (1 - chance)"""
        return (self.accuracy - self.chance) / (1 - self.chance)


def figures(answers: list[Answer]) -> Figures:
    right = np.array([a.probabilities.argmax() == a.gold for a in answers], float)
    accuracy = float(right.mean())
    return Figures(
        rows=len(answers),
        accuracy=accuracy,
        standard_error=float(np.sqrt(accuracy * (1 - accuracy) / len(answers))),
        macro_f1=_macro_f1(answers),
        calibration_error=calibration_error(answers),
        brier=float(np.mean([_brier(a) for a in answers])),
        chance=float(np.mean([1 / len(a.probabilities) for a in answers])),
    )


def calibration_error(answers: list[Answer]) -> float:
    """Expected calibration error of the top probability, in bins of equal width."""
    top = np.array([a.probabilities.max() for a in answers])
    right = np.array([a.probabilities.argmax() == a.gold for a in answers], float)
    place = np.minimum((top * BINS).astype(int), BINS - 1)
    gaps = [
        abs(top[place == b].mean() - right[place == b].mean()) * (place == b).mean()
        for b in range(BINS)
        if (place == b).any()
    ]
    return float(sum(gaps))


class CalibrationErrors(TypedDict):
    tasks: float  # the mean of the tasks: how far off if only one thing is asked
    together: float  # all answers in the same bins: how far off over a mixture of what is asked


def calibration_errors(tasks: Sequence[list[Answer]]) -> CalibrationErrors:
    every = [answer for answers in tasks for answer in answers]
    mean = float(np.mean([calibration_error(answers) for answers in tasks]))
    return {"tasks": mean, "together": calibration_error(every)}


def _brier(answer: Answer) -> float:
    missing = answer.probabilities.copy()
    missing[answer.gold] -= 1
    return float((missing**2).sum())


def _macro_f1(answers: list[Answer]) -> float:
    """The mean over the labels that occur or, if options differ by row, over their places."""
    chosen = [int(a.probabilities.argmax()) for a in answers]
    labels = sorted({a.gold for a in answers})
    scores = []
    for label in labels:
        hit = sum(c == label == a.gold for c, a in zip(chosen, answers))
        claimed, there = chosen.count(label), sum(a.gold == label for a in answers)
        scores.append(2 * hit / (claimed + there) if hit else 0.0)
    return float(np.mean(scores))
