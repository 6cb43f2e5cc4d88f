"""What a decision must beat: the commonest label, the label with the most
similar words, and a classifier trained on some labels."""

import math
from collections import Counter
from random import Random

import numpy as np

from .classifier import WORD, classified
from .corpus import Corpus
from .development import Item, divided
from .metrics import Answer
from .render import option_texts, text_of

LABELS = 200
DRAWS = 5
LEARNED = f"logistic regression on {LABELS} labels"
NAMES = ("majority", "TF-IDF", "untouched base", LEARNED)


def majority(items: list[Item]) -> list[np.ndarray]:
    """Always the place that is right most often in the task. It knows the labels, so it is an upper bound."""
    commonest = Counter(item.gold for item in items).most_common(1)[0][0]
    return [_certain(commonest, len(option_texts(item.question))) for item in items]


def nearest_words(items: list[Item]) -> list[np.ndarray]:
    """The option whose TF-IDF vector lies nearest to the state's. A noul statement holds if it is
    at least as near as in the median row of its task."""
    texts = [text_of(item.state) for item in items]
    rarity = _rarity(texts + [o for item in items for o in _candidates(item)])
    nearness = [
        [_cosine(_weigh(text, rarity), _weigh(o, rarity)) for o in _candidates(item)]
        for text, item in zip(texts, items)
    ]
    if items[0].question["type"] == "noul":
        return _from_the_middle([near[0] for near in nearness])
    return [_certain(int(np.argmax(near)), len(near)) for near in nearness]


def nearest_meaning(items: list[Item], probabilities: list[np.ndarray]) -> list[np.ndarray]:
    """What the untouched base answers by cosines. They only tell how near a statement is, so whether it
    holds is decided as in nearest_words."""
    if items[0].question["type"] == "noul":
        return _from_the_middle([float(yes) for yes, _ in probabilities])
    return probabilities


def learned(corpus: Corpus, task: str, rows: int) -> list[Answer]:
    """What a classifier trained on other rows of the task answers about those that are judged, in several
    draws of what it is trained on. If a task has too few rows for both, fewer are judged."""
    judged, others = divided(corpus, task, rows, LABELS)
    options = 1 + max(row["y"] for row in judged + others)
    draws = (Random(draw).sample(others, LABELS) for draw in range(DRAWS))
    return [answer for known in draws for answer in classifier_answers(known, judged, options)]


def classifier_answers(known: list[dict], judged: list[dict], options: int) -> list[Answer]:
    found = classified(
        [said(row) for row in known], [row["y"] for row in known], options, [said(row) for row in judged]
    )
    return [Answer(probabilities, row["y"]) for probabilities, row in zip(found, judged)]


def said(row: dict) -> str:
    """All that differs from row to row: the state, with both texts of a pair, and the row's own question."""
    return f"{text_of(row['s'])} {row.get('q', '')}"


def _from_the_middle(near: list[float]) -> list[np.ndarray]:
    middle = float(np.median(near))
    return [_certain(0 if value >= middle else 1, 2) for value in near]


def _candidates(item: Item) -> list[str]:
    if item.question["type"] == "noul":
        return [text_of(item.question["instructions"])]
    return option_texts(item.question)


def _certain(place: int, options: int) -> np.ndarray:
    out = np.zeros(options)
    out[min(place, options - 1)] = 1.0
    return out


def _rarity(texts: list[str]) -> dict[str, float]:
    seen = Counter(word for text in texts for word in set(WORD.findall(text.lower())))
    return {word: math.log(len(texts) / count) + 1 for word, count in seen.items()}


def _weigh(text: str, rarity: dict[str, float]) -> dict[str, float]:
    return {word: count * rarity[word] for word, count in Counter(WORD.findall(text.lower())).items()}


def _cosine(a: dict[str, float], b: dict[str, float]) -> float:
    norm = math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
    return sum(weight * b[word] for word, weight in a.items() if word in b) / norm if norm else 0.0
