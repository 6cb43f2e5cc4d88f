"""Facts we make up, planted in other people's text: the answer is in one place only."""

import lzma
from pathlib import Path
from random import Random

from .facts import FACTS, Fact
from .present import Asked
from .wording import negated

MAX_CHARACTERS_READ = 3_000_000
UNSEEN_BACKGROUND = ("encyclopedic",)  # for evaluation only


class Planter:
    def __init__(self, text_folder: Path, files: tuple[str, ...] = ("books", "news", "docs", "reviews"), facts: tuple[Fact, ...] = FACTS):
        self.facts = facts
        self.passages = [p for name in files for p in _passages(text_folder / f"{name}.txt.xz")]

    def background(self, characters: int, random: Random) -> list[str]:
        """Consecutive passages from random places, about so long in all."""
        out: list[str] = []
        while characters > 0:
            at = random.randrange(len(self.passages))
            for passage in self.passages[at : at + random.choice((1, 3, 20))]:
                out.append(passage)
                characters -= len(passage)
                if characters <= 0:
                    break
        return out

    def request(self, characters: int, random: Random) -> tuple[object, list[Asked]]:
        parts = self.background(characters, random) if characters else []
        questions: list[Asked] = []
        subjects: set[str] = set()
        for _ in range(random.choice((1, 1, 2, 3))):
            fact = random.choice(self.facts)
            subject = fact.subject(random)
            if subject in subjects:
                continue
            subjects.add(subject)
            value, *wrong = _values(fact, subject, random)
            planted = [_said(fact, subject, value, random)]
            # Another subject with another value makes the subject matter, not only the kind of fact.
            rival = fact.subject(random)
            if random.random() < 0.5 and rival not in subjects:
                subjects.add(rival)
                planted.append(_said(fact, rival, wrong[0], random))
            # And what else is said of the subject makes the kind of fact matter.
            others = [other for other in self.facts if other.subject is fact.subject and other is not fact]
            if others and random.random() < 0.4:
                other = random.choice(others)
                planted.append(_said(other, subject, _values(other, subject, random)[0], random))
            for sentence in planted:
                parts.insert(random.randint(0, len(parts)), sentence)
            questions.append(_question(fact, subject, value, wrong, random))
        separator = random.choice(("\n", " ", "\n\n"))
        state: object = separator.join(parts)
        if random.random() < 0.15:
            state = {random.choice(("notes", "log", "document", "text")): parts}
        return state, questions


def _values(fact: Fact, subject: str, random: Random) -> list[str]:
    """What is so, and some that are not."""
    found: list[str] = []
    while len(found) < 1 + random.choice((1, 2, 3, 5)):  # drawn anew each time: some facts have few values
        value = fact.value(random)
        if value != subject and value not in found:
            found.append(value)
    return found


def _said(fact: Fact, subject: str, value: str, random: Random) -> str:
    return _worded(fact.said, subject, value, random)


def _worded(wordings: str, subject: str, value: str, random: Random) -> str:
    told = random.choice(wordings.split("|")).format(s=subject, v=value)
    return told[:1].upper() + told[1:]


def _question(fact: Fact, subject: str, value: str, wrong: list[str], random: Random) -> Asked:
    if random.random() < 0.5:
        options = [value, *wrong]
        order = random.sample(range(len(options)), len(options))
        asked = _worded(fact.asked, subject, value, random)
        return {"type": "choice", "instructions": asked, "criteria": {options[i]: None for i in order}}, order.index(0)
    holds = random.random() < 0.5
    told = _worded(fact.claimed, subject, value if holds else wrong[0], random)
    if random.random() < 0.1:
        told, holds = negated(told, random), not holds
    return {"type": "noul", "instructions": told, "criteria": None}, 0 if holds else 1


def _passages(path: Path) -> list[str]:
    out, read = [], 0
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            read += len(line)
            if read > MAX_CHARACTERS_READ:
                break
            line = line.strip()
            if len(line) > 20:
                out.append(line[:600])
    return out
