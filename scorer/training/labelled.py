"""Rows that are whole requests: their questions carry their right answers."""

import json
from random import Random

from .asked import Asked, Request, noul
from .wording import negated


def from_request(line: str, random: Random, denied: float, most: int = 4) -> Request:
    """The request of a corpus row. Its questions are shuffled and thinned:
    `denied` is the share kept of those answered "no"."""
    request = json.loads(line)
    questions = [q for q in request["questions"].values() if random.random() < _kept(q, denied)]
    random.shuffle(questions)
    return request["state"], [_varied(*labelled(q), random) for q in questions[:most]]


def labelled(question: dict) -> Asked:
    """A question that carries its right answer as `label`."""
    kind, told, criteria = question["type"], question.get("instructions"), question.get("criteria")
    label = question["label"]
    if kind == "noul":
        return noul(told, criteria, label)
    gold = list(criteria).index(label) if kind == "choice" else int(label)
    return {"type": kind, "instructions": told, "criteria": criteria}, gold


def _kept(question: dict, denied: float) -> float:
    """Of questions answered "not stated" even fewer are kept: it was right in most places where it stands."""
    return denied if question["label"] is False else denied**2 if question["label"] == "not_stated" else 1.0


def _varied(question: dict, gold: int, random: Random) -> Asked:
    """The question with its options in another order, sometimes with its levels or its statement reversed."""
    kind, told, criteria = question["type"], question["instructions"], question["criteria"]
    if kind == "choice":
        order = random.sample(range(len(criteria)), len(criteria))
        options = list(criteria.items())
        return {**question, "criteria": dict(options[i] for i in order)}, order.index(gold)
    if kind == "noul" and isinstance(told, str) and not criteria and random.random() < 0.1:
        return noul(negated(told, random), criteria, gold == 1)
    if kind == "score" and random.random() < 0.3:
        return {**question, "criteria": criteria[::-1]}, len(criteria) - 1 - gold
    return question, gold
