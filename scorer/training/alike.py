"""Texts next to texts: which of them wants the same, or has the same answer to a question.

Other texts say at length what a label says in a word: duplicates of a ticket, examples of a kind.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from .asked import Asked, DrawAgain, Request
from .pairs import side_by_side
from .present import Presenter
from .shelf import BOOKS

LONGEST = 220  # characters of a text in the question
SAME_MATTER = (
    "This is about the same matter: {b}",
    "Both want the same. The other one: {b}",
    "A duplicate of: {b}",
    "The same reply would do for: {b}",
    'Same request as "{b}"',
    "Someone else wrote this and wants the same: {b}",
    "{b} - the text asks for this too",
    "Merge with: {b}",
)
WHICH_MATTER = (
    "Which of these wants the same?",
    "Find the duplicate.",
    "Which message is about the same matter?",
    "Same request, other words:",
    "Which of these would get the same reply?",
)
SAME_ANSWER = (
    'To the question "{ask}" this has the same answer as the text: {b}',
    "{ask} The same as for: {b}",
    'Like the text, if one asks "{ask}": {b}',
    'Same answer to "{ask}" as: {b}',
)
WHICH_ANSWER = (
    "Which of these has the same answer as the text? {ask}",
    "{ask} The same as which of these?",
    'Which of these is like the text, if one asks "{ask}"?',
)
TOGETHER = (
    "`{a}` and `{b}` want the same.",
    "{a} and {b} are about the same matter.",
    "The {b} is a duplicate of the {a}.",
    "One reply would do for {a} and {b}.",
    "Do {a} and {b} ask for the same?",
)
NAMES = (
    ("a", "b"),
    ("first", "second"),
    ("ticket", "earlier_ticket"),
    ("message_1", "message_2"),
    ("new", "known"),
    ("question", "faq_entry"),
    ("left", "right"),
)
MOST_TEXTS = 10
WORD = re.compile(r"\w{3,}")
# Shared words must not decide. So if the answer is no, the text that shares the most words is taken, out of
# this number of draws. If it is yes, it is the one that shares the fewest, out of one draw more.
DRAWS = (1, 4, 12)
SAME = 0.35  # of the pairs: duplicates are rare, and texts on one subject are not yet duplicates


@dataclass(frozen=True)
class Group:
    """Texts by label."""

    asks: Sequence[str]  # what the label answers
    matter: bool  # one label is one request: texts that share it want the same
    labels: Sequence[int]
    draw: Callable[[int, Random], str]  # a text of a label


class Questions:
    """Questions asked four times in different words, each with three that only look like it."""

    def __init__(self):
        blocks = [
            block.splitlines()
            for block in (BOOKS / "questions.txt").read_text(encoding="utf-8").split("\n\n")
        ]
        self.blocks = [
            ([line for line in block if line[:2] != "- "], [line[2:] for line in block if line[:2] == "- "])
            for block in blocks
        ]

    def group(self, random: Random) -> Group:
        """The question, those that look like it, and another with its own wordings."""
        (same, near), (other, _) = random.sample(self.blocks, 2)
        texts = {0: same} | {n: [question] for n, question in enumerate(near, 1)} | {-1: other}
        return Group(
            ("What does the question ask?", "What does the person want to know?"),
            True,
            (0, 0, 0, 0, *texts),
            lambda label, random: random.choice(texts[label]),
        )


def request(group: Group, random: Random, presenter: Presenter) -> Request:
    label = random.choice(group.labels)
    text = group.draw(label, random)
    if group.matter and random.random() < 0.2:
        return _together(group, label, text, random, presenter)
    ways = random.choices((_claim, _among), (2, 1), k=random.choice((1, 2, 3)))
    return text, [way(group, label, text, random, presenter) for way in ways]


def _claim(group: Group, label: int, text: str, random: Random, presenter: Presenter) -> Asked:
    other, holds = _another(group, label, text, random)
    told = random.choice(SAME_MATTER if group.matter else SAME_ANSWER).format(
        ask=random.choice(group.asks), b=other
    )
    return presenter.noul(told, holds)


def _together(group: Group, label: int, text: str, random: Random, presenter: Presenter) -> Request:
    other, holds = _another(group, label, text, random)
    first, second = random.sample((text, other), 2)
    state, told = side_by_side((first, second), NAMES, TOGETHER, random)
    return state, [presenter.noul(told, holds)]


def _among(group: Group, label: int, text: str, random: Random, presenter: Presenter) -> Asked:
    wrong = [other for other in group.labels if other != label]
    chosen = random.sample(wrong, min(len(wrong), random.randint(1, MOST_TEXTS - 1)))
    right = _like(group, label, text, random)
    options = list(dict.fromkeys([right, *(_shown(group.draw(other, random)) for other in chosen)]))
    told = random.choice(WHICH_MATTER if group.matter else WHICH_ANSWER).format(ask=random.choice(group.asks))
    named = [(option, None) for option in options]
    return presenter.shuffled(
        told, presenter.behind_opaque_keys(named) if random.random() < 0.5 else named, 0
    )


def _another(group: Group, label: int, text: str, random: Random) -> tuple[str, bool]:
    if random.random() < SAME:
        return _like(group, label, text, random), True
    others = random.choices([other for other in group.labels if other != label], k=random.choice(DRAWS))
    return max(
        (_shown(group.draw(other, random)) for other in others), key=lambda found: _shared(found, text)
    ), False


def _like(group: Group, label: int, text: str, random: Random) -> str:
    found = [
        other
        for other in (_shown(group.draw(label, random)) for _ in range(1 + random.choice(DRAWS)))
        if other != _shown(text)
    ]
    if not found:
        raise DrawAgain("the label has one text")
    return min(found, key=lambda other: _shared(other, text))


def _shared(one: str, other: str) -> float:
    """The share of words that the two have in common."""
    words, theirs = (set(WORD.findall(text.lower())) for text in (one, other))
    return len(words & theirs) / max(1, len(words | theirs))


def _shown(text: str) -> str:
    return text if len(text) <= LONGEST else text[: text.rfind(" ", 60, LONGEST)] + "…"
