"""Self-checks of what figures are compared with: `python -m scorer.training.check` runs them."""

import json
from random import Random

import numpy as np

from . import baselines, calibrated, card, evaluate, probes
from .classifier import classified
from .corpus import Corpus
from .development import Item, divided
from .examples import read
from .judged import judged
from .metrics import Answer, figures
from .render import option_texts


def baselines_have_their_chance() -> None:
    """A base that says yes to everything, but is surest where yes is right, is right about everything."""
    items = [
        Item(
            "task",
            "a red row",
            {"type": "noul", "instructions": "red row" if holds else "blue text", "criteria": None},
            1 - holds,
        )
        for holds in (1, 0, 1, 0)
    ]
    sure = [np.array([0.9, 0.1]) if item.gold == 0 else np.array([0.8, 0.2]) for item in items]
    for answers in (baselines.nearest_words(items), baselines.nearest_meaning(items, sure)):
        assert [int(answer.argmax()) for answer in answers] == [item.gold for item in items]


def the_classifier_is_that_of_scikit_learn() -> None:
    """Like LogisticRegression(C=10, fit_intercept=False) on a column of ones and
    TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, smooth_idf=False) with words of one letter."""
    texts = [
        "The red, red rose",
        "a red apple",
        "the green grass",
        "green, or nearly green",
        "the blue sky",
        "A blue whale, the sea",
    ]
    found = classified(texts, [0, 0, 1, 1, 2, 2], 3, ["the apple is red", "grass grass of the sea"])
    assert np.allclose(found, [[0.74282, 0.12281, 0.13437], [0.17123, 0.42347, 0.40530]], atol=1e-5), found


def the_classifier_learns_only_what_labels_tell() -> None:
    """A word that gives the label away is learned, labels at random are not, and no
    row is judged by a classifier that was trained on it."""
    random = Random(2)
    labels = [random.randrange(2) for _ in range(500)]
    accuracy = {}
    for name, says in {"telling": lambda label: ("red", "blue")[label], "silent": lambda _: "text"}.items():
        rows = [{"s": f"row{n} {says(label)}", "y": label} for n, label in enumerate(labels)]
        corpus = Corpus({}, never_trained={"task": [json.dumps(row) for row in rows]})
        once, again = (baselines.learned(corpus, "task", 1000) for _ in range(2))
        assert len(once) == baselines.DRAWS * (500 - baselines.LABELS)
        assert all((a.probabilities == b.probabilities).all() for a, b in zip(once, again))
        accuracy[name] = figures(once).accuracy
    assert accuracy["telling"] == 1 and 0.4 < accuracy["silent"] < 0.6, accuracy


def accuracies_stand_next_to_chance() -> None:
    first = lambda requests: [
        [np.eye(len(option_texts(question)))[0] for question in questions] for _, questions in requests
    ]
    right, chance = card._accuracies(judged(first, read(evaluate.EXAMPLES)))
    assert right != chance == "team 0.25, urgent 0.50, mood 0.33", (right, chance)
    for name, found in probes.skills(first, 9).items():
        assert min(of.chance for of in found.values()) <= found["all"].chance <= 0.5, name
    always = {name: of.accuracy for name, of in probes.statements(first).items()}
    assert always == {"said": 1, "denied": 0, "left open": 0}, always


def a_profile_is_judged_on_rows_it_never_saw() -> None:
    lines = [json.dumps({"s": f"row {n}", "y": n % 3}) for n in range(450)]
    judged, others = divided(Corpus({}, never_trained={"task": lines}), "task", 300, labels=200)
    states = lambda rows: {row["s"] for row in rows}
    assert len(judged) == 250 and len(others) == 200 and not states(judged) & states(others)
    labels = {
        kind: calibrated.label_of({"type": kind, "criteria": {"a": None, "b": None}}, 1)
        for kind in ("choice", "noul", "score")
    }
    assert labels == {"choice": "b", "noul": False, "score": 1}, labels


def only_what_is_let_through_counts_as_wrong() -> None:
    found = [
        calibrated.Judged(Answer(np.array([0.9, 0.1]), gold), let)
        for gold, let in ((0, True), (1, True), (0, True), (0, True), (1, False))
    ]
    assert calibrated.through(found) == (0.8, 0.25)
    assert np.isnan(calibrated.through(found[4:])[1])


CHECKS = (
    baselines_have_their_chance,
    the_classifier_is_that_of_scikit_learn,
    the_classifier_learns_only_what_labels_tell,
    accuracies_stand_next_to_chance,
    a_profile_is_judged_on_rows_it_never_saw,
    only_what_is_let_through_counts_as_wrong,
)
