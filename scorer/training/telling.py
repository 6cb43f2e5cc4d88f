"""A fact about a subject: drawn, said, asked for and claimed."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from .asked import Asked, noul
from .wording import negated

Draw = Callable[[Random], str]
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Subject:
    """What facts may be about. Each is one object, so that facts about
    the same kind of subject can be found."""

    noun: str
    draw: Draw
    hardly_other: Callable[[str, Random], str]  # another name that looks much like it
    bare: bool = True  # said without an article: "Ana", "order 18", but "the red folder"

    def __call__(self, random: Random) -> str:
        return self.draw(random)

    def beside(self, name: str, random: Random) -> str:
        """Another subject's name, often one that hardly differs."""
        while (other := self.hardly_other(name, random) if random.random() < 0.4 else self(random)) == name:
            pass
        return other

    def several(self, count: int, random: Random) -> list[str]:
        """At most `count` names, none twice."""
        found = [self(random)]
        for _ in range(count - 1):
            found.append(self.beside(random.choice(found), random))
        return random.sample(unique := list(dict.fromkeys(found)), len(unique))


@dataclass(frozen=True)
class Fact:
    """In each wording {s} is the subject and {v} the value; in `said`, {o} is a former value.
    | separates wordings, and names of a field."""

    subject: Subject
    value: Draw
    said: str
    asked: str
    claimed: str
    field: str


@dataclass(frozen=True)
class Flag:
    """Something that is true of a subject or is not: the names of its field, and how both are said."""

    field: str
    holds: str
    fails: str


def near_number(name: str, random: Random) -> str:
    """A nearby number, or the same digits in another order."""
    digits = NUMBER.search(name)[0]
    turned = "".join(random.sample(digits, len(digits)))
    if random.random() < 0.25 and turned[0] != "0":
        return NUMBER.sub(turned, name)
    return NUMBER.sub(str(max(1, int(digits) + random.choice((-10, -2, -1, 1, 1, 1, 2, 10)))), name)


def about_the_same(fact: Fact, facts: Sequence[Fact]) -> list[Fact]:
    """The other facts about its kind of subject."""
    return [other for other in facts if other.subject is fact.subject and other is not fact]


def values(fact: Fact, subject: str, random: Random) -> list[str]:
    """The right value, and some wrong ones."""
    found: list[str] = []
    while len(found) < 1 + random.choice((1, 2, 3, 5)):  # drawn anew each time: some facts have few values
        value = fact.value(random)
        if value != subject and value not in found:
            found.append(value)
    return found


def said(fact: Fact, subject: str, value: str, former: str, random: Random) -> str:
    return worded(fact.said, subject, value, random, former)


def worded(wordings: str | Sequence[str], subject: str, value: str, random: Random, former: str = "") -> str:
    told = random.choice(wordings.split("|") if isinstance(wordings, str) else wordings).format(
        s=subject, v=value, o=former
    )
    return told[:1].upper() + told[1:]


def asked(fact: Fact, subject: str, value: str, wrong: list[str], random: Random) -> list[Asked]:
    """Questions that ask for the fact, claim it, or both."""
    ways = random.choice(((choice,), (claim,), (choice, claim)))
    return [way(fact, subject, value, wrong, random) for way in ways]


def choice(fact: Fact, subject: str, value: str, wrong: list[str], random: Random) -> Asked:
    return among(worded(fact.asked, subject, value, random), value, wrong, random)


def claim(fact: Fact, subject: str, value: str, wrong: list[str], random: Random) -> Asked:
    holds = random.random() < 0.5
    return claimed(worded(fact.claimed, subject, value if holds else wrong[0], random), holds, random)


def among(told: str, right: str, wrong: Sequence[str], random: Random) -> Asked:
    options = [right, *wrong]
    order = random.sample(range(len(options)), len(options))
    return {
        "type": "choice",
        "instructions": told,
        "criteria": {options[i]: None for i in order},
    }, order.index(0)


def claimed(told: str, holds: bool, random: Random) -> Asked:
    if random.random() < 0.1:
        told, holds = negated(told, random), not holds
    return noul(told, None, holds)
