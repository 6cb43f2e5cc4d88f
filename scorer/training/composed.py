"""Texts composed from phrase books: what such a text says is known, because it was put in.

A book describes one kind of text by its aspects, and holds phrases for every label of each. A
text takes a phrase of the main aspect and often some of other aspects, and is asked about all of
them. So a few phrases make many texts, and every book brings questions that no data set asks.
"""

import json
import re
from dataclasses import dataclass
from random import Random

from .alike import Group
from .asked import Asked, Request
from .corpus import Corpus
from .present import Presenter
from .shelf import BOOKS
from .slots import filled
from .wording import restyled

MATTER_ASKS = (
    "What is it about?",
    "What does the writer want?",
    "Choose the intent.",
    "Which of these is it?",
    "Assign the text to one of the labels.",
    "Which label describes the message best?",
)
KIND_ASKS = (
    "What kind of text is this?",
    "Where does this come from?",
    "What sort of writing is it?",
    "Which inbox does this belong to?",
    "Source of the text",
)
OTHER_ASPECTS = ((0, 3), (1, 4), (2, 3), (3, 1))  # how many in addition to the main one, and how often
# How often an absent statement, a question from another book, and the kind of text are asked.
ABSENT, FOREIGN, KIND = 0.3, 0.02, 0.12
# Of the texts with aspects that any text may have, the share from the book those aspects come from.
COMMON = 0.35
POOLED = 0.15  # how often the main aspect is asked with labels of other books added to its own
MOST_POOLED = 32
STATED = 0.5  # for a text with no other aspect, how often what it wants is claimed as well
HOLDS = 0.73  # the share of statements put in that hold: with the absent ones, half are true


@dataclass(frozen=True)
class Book:
    kind: str
    about: str
    aspects: dict[str, dict]  # by the name of their task; the first is the main one
    everywhere: dict[str, dict]  # those that texts of any kind may have

    @property
    def main(self) -> dict:
        """What such a text is about, always a choice."""
        return next(iter(self.aspects.values()))


@dataclass(frozen=True)
class Label:
    name: str
    about: str
    # Beginnings of the words it goes by: labels of two books that share one may mean the same.
    words: frozenset[str]


class Books:
    def __init__(self, corpus: Corpus):
        """Reads the books and registers each of their choices and scores as a task."""
        self.books: list[Book] = []
        for path in sorted(BOOKS.glob("*.json")):
            found = json.loads(path.read_text(encoding="utf-8"))
            aspects = {f"{path.stem}.{name}": aspect for name, aspect in found["aspects"].items()}
            everywhere = {
                f"{path.stem}.{name}": found["aspects"][name] for name in found.get("everywhere", ())
            }
            self.books.append(Book(found["kind_of_text"], found["about"], aspects, everywhere))
            for name, aspect in aspects.items():
                if aspect["type"] != "noul":
                    corpus.tasks[name] = _task(aspect)
        self.common = [book for book in self.books if book.everywhere]
        self.everywhere = [aspect for book in self.books for aspect in book.everywhere.items()]
        self.degrees = [
            (book, name)
            for book in self.books
            for name, aspect in book.aspects.items()
            if aspect["type"] == "score"
        ]
        self.weights = [len(book.main["labels"]) for book in self.books]

    def request(self, random: Random, presenter: Presenter) -> Request:
        return self._composed(self._book(random), random, presenter)

    def everyday(self, random: Random, presenter: Presenter) -> Request:
        """What a text is about, and one or two of the aspects that texts of any kind may have, those with
        many labels more often. The text says nothing else that they could contradict."""
        book = random.choice(self.common) if random.random() < COMMON else self._book(random)
        weights = [len(_phrases(aspect)) for _, aspect in self.everywhere]
        joined = dict(random.choices(self.everywhere, weights, k=random.choice((1, 1, 2))))
        main = next(iter(book.aspects))
        return self._told(book, {main: book.main, **joined}, random, presenter)

    def requests(self, count: int, random: Random, presenter: Presenter) -> list[Request]:
        """Several texts of one kind."""
        book = self._book(random)
        return [self._composed(book, random, presenter) for _ in range(count)]

    def scored(self, random: Random, presenter: Presenter) -> Request:
        """A text with an aspect of degree, asked about that alone."""
        book, name = random.choice(self.degrees)
        aspect = book.aspects[name]
        (_, matter), (level, clause) = _drawn(book.main, random), _drawn(aspect, random)
        return _text([matter, clause], random), [
            _ask(presenter, name, aspect, level) for _ in range(random.choice((1, 2)))
        ]

    def matters(self, random: Random) -> Group:
        """What texts of one book are about, as texts next to texts. In books of nothing but requests, texts
        that share a label want the same. Two texts of one kind of junk mail, or two clauses on one matter,
        are only alike."""
        book = self._book(random)
        main = book.main
        phrases = _phrases(main)
        return Group(
            main["asks"],
            len(book.aspects) == 1,
            range(len(phrases)),
            lambda label, random: filled(random.choice(phrases[label]), random),
        )

    def _book(self, random: Random) -> Book:
        return random.choices(self.books, self.weights)[0]

    def _composed(self, book: Book, random: Random, presenter: Presenter) -> Request:
        main, *others = book.aspects
        many, weights = zip(*OTHER_ASPECTS)
        chosen = [main, *random.sample(others, min(len(others), random.choices(many, weights)[0]))]
        return self._told(book, {name: book.aspects[name] for name in chosen}, random, presenter)

    def _told(self, book: Book, aspects: dict[str, dict], random: Random, presenter: Presenter) -> Request:
        main, *others = book.aspects
        clauses, asked = [], []
        for name, aspect in aspects.items():
            label, clause = _drawn(aspect, random)
            clauses.append(clause)
            asked.append(_ask(presenter, name, aspect, label))
            if name != main:
                continue
            if random.random() < 0.3:
                asked.append(_ask(presenter, name, book.main, label))
            if not others and random.random() < STATED:
                asked += presenter.statement(name, {"y": label})
            if random.random() < POOLED:
                asked.append(self._pooled(book, label, random, presenter))
        for name in others:
            aspect = book.aspects[name]
            if (
                name not in aspects
                and aspects.keys() <= book.aspects.keys()
                and aspect.get("absent_is_false")
                and random.random() < ABSENT
            ):
                asked.append(_ask(presenter, name, aspect, 1))
        if random.random() < FOREIGN:
            asked.append(self._foreign(book, random, presenter))
        if random.random() < KIND:
            asked.append(self._kind(book, random, presenter))
        return _text(clauses, random), asked

    def _foreign(self, book: Book, random: Random, presenter: Presenter) -> Asked:
        other = random.choice([b for b in self.books if b is not book])
        name = next(iter(other.aspects))
        return presenter.misfit(name, {"y": 0})

    def _pooled(self, book: Book, label: int, random: Random, presenter: Presenter) -> Asked:
        """The main aspect asked with the labels of several books: no data set
        here has as many options as callers do."""
        naming, described = random.randrange(3), random.random() < 0.25
        own = _labels(book, naming)
        gold = own.pop(label)
        others = [
            found
            for other in random.sample(self.books, 6)
            if other is not book
            for found in _labels(other, naming)
        ]
        fitting = [found for found in others if not found.words & gold.words]
        count = round((MOST_POOLED / 2 if described else MOST_POOLED) ** random.uniform(0.6, 1.0))
        options = [gold, *random.sample(own + fitting, min(count, len(own + fitting)))]
        named = restyled([(found.name, found.about if described else None) for found in options], random)
        return presenter.shuffled(random.choice(MATTER_ASKS), named, 0)

    def _kind(self, book: Book, random: Random, presenter: Presenter) -> Asked:
        others = random.sample([b for b in self.books if b is not book], random.choice((2, 3, 5, 9)))
        draw = random.random()
        option = lambda b: (
            (b.kind, None) if draw < 0.5 else (b.kind, b.about) if draw < 0.8 else (b.about, None)
        )
        return presenter.shuffled(random.choice(KIND_ASKS), [option(b) for b in (book, *others)], 0)


def _phrases(aspect: dict) -> list[list[str]]:
    """Phrases by label. For a statement, those for which it holds come first."""
    if aspect["type"] == "noul":
        return [aspect["holds"], aspect["fails"]]
    return [
        label["phrases"]
        for label in (aspect["labels"].values() if aspect["type"] == "choice" else aspect["levels"])
    ]


def _labels(book: Book, naming: int) -> list[Label]:
    """The labels of the main aspect, in one of its three namings."""
    labels = book.main["labels"]
    namings = [[name, *label["also"]] for name, label in labels.items()]
    return [
        Label(
            names[naming],
            label["about"],
            frozenset(
                word[:4] for name in names for word in re.findall(r"\w{4,}", name.replace("_", " ").lower())
            ),
        )
        for names, label in zip(namings, labels.values())
    ]


def _task(aspect: dict) -> dict:
    """The aspect described the way the corpus describes a task, with three namings."""
    task = {"type": aspect["type"], "instructions": aspect["asks"]}
    if aspect["type"] == "score":
        return task | {"levels": [[level["names"][n] for level in aspect["levels"]] for n in range(3)]}
    namings = [[[name, label["about"]] for name, label in aspect["labels"].items()]]
    return task | {
        "variants": namings
        + [[[label["also"][n], label["about"]] for label in aspect["labels"].values()] for n in range(2)]
    }


def _drawn(aspect: dict, random: Random) -> tuple[int, str]:
    phrases = _phrases(aspect)
    label = int(random.random() > HOLDS) if aspect["type"] == "noul" else random.randrange(len(phrases))
    return label, filled(random.choice(phrases[label]), random)


def _ask(presenter: Presenter, name: str, aspect: dict, label: int) -> Asked:
    if aspect["type"] != "noul":
        return presenter.ask(name, {"y": label})
    return presenter.claim(aspect["says"], aspect["denies"], label == 0)


def _text(clauses: list[str], random: Random) -> str:
    if random.random() < 0.5:
        random.shuffle(clauses)
    ended = [
        clause if clause[-1] in '.!?…)"' else clause + random.choice((".", ".", "!", " -"))
        for clause in clauses[:-1]
    ]
    return random.choice((" ", " ", " ", "\n", "\n\n")).join([*ended, clauses[-1]])
