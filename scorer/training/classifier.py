"""What an ordinary text classifier answers: logistic regression over the words and word pairs of a text.

It stands in for scikit-learn's `TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)` and
`LogisticRegression(C=10)`.
"""

import re
from collections import Counter
from itertools import pairwise

import numpy as np

from .predict import softmax

WORD = re.compile(r"\w+")
FREEDOM = 10.0  # scikit-learn's C: the higher, the less the weights are held back
STEPS = 500


def classified(texts: list[str], labels: list[int], options: int, asked: list[str]) -> np.ndarray:
    """One probability an option, for each text asked, learnt from texts and their labels."""
    columns = {
        term: n for n, term in enumerate(dict.fromkeys(term for text in texts for term in _terms(text)))
    }
    counts = _counts(texts, columns)
    rarity = np.log(len(texts) / (counts > 0).sum(axis=0)) + 1
    known, new = _unit(counts * rarity), _unit(_counts(asked, columns) * rarity)
    weights = _fitted(known @ known.T + 1, np.eye(options)[labels])
    return softmax((new @ known.T + 1) @ weights)


def _fitted(alike: np.ndarray, told: np.ndarray) -> np.ndarray:
    """The weight of each known text for each option. The best weights of terms are sums of the texts' own
    terms, so these say the same with far fewer numbers. The 1 in `alike` is a term that every text has."""
    # Softmax curves by no more than a half (Böhning 1992), so with this step the loss falls every time.
    step = np.linalg.inv(alike / 2 + np.eye(len(alike)) / FREEDOM)
    weights = np.zeros_like(told)
    for _ in range(STEPS):
        weights -= step @ (softmax(alike @ weights) - told + weights / FREEDOM)
    return weights


def _terms(text: str) -> Counter[str]:
    words = WORD.findall(text.lower())
    return Counter(words + [f"{first} {second}" for first, second in pairwise(words)])


def _counts(texts: list[str], columns: dict[str, int]) -> np.ndarray:
    """How often each term stands in each text, counting the first time in full and others ever less."""
    found = np.zeros((len(texts), len(columns)))
    for row, text in zip(found, texts):
        for term, count in _terms(text).items():
            if term in columns:
                row[columns[term]] = 1 + np.log(count)
    return found


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
