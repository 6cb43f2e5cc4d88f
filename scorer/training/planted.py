"""Facts we make up, planted in other people's text: the answer is in one place only."""

import lzma
from pathlib import Path
from random import Random

from .facts import FACTS, UNSEEN_FACTS, Fact
from .present import Asked
from .records import laid_out
from .wording import negated

MAX_CHARACTERS_READ = 3_000_000
UNSEEN_BACKGROUND = ("encyclopedic",)  # for evaluation only
RIVALS = (0, 1, 1, 1, 2, 4)  # how many subjects have another value
RECORDS = (("about", "note"), ("id", "text"), ("name", "entry"), ("subject", "message"))


class Planter:
    def __init__(self, text_folder: Path, files: tuple[str, ...] = ("books", "news", "docs", "reviews"), facts: tuple[Fact, ...] = FACTS):
        self.facts = facts
        self.passages = [p for name in files for p in _passages(text_folder / f"{name}.txt.xz")]

    @classmethod
    def unseen(cls, text_folder: Path) -> "Planter":
        """For evaluation: of background and of kinds of fact that no training request has."""
        return cls(text_folder, UNSEEN_BACKGROUND, UNSEEN_FACTS)

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
        return self.records(random) if not characters and random.random() < 0.6 else self._sentences(characters, random)

    def records(self, random: Random) -> tuple[object, list[Asked]]:
        """Several subjects with several facts each, as the fields of records."""
        first = random.choice(self.facts)
        others = self._others(first)
        facts = [first, *random.sample(others, min(len(others), random.choice((0, 1, 2, 3))))]
        subjects = list(dict.fromkeys(first.subject(random) for _ in range(random.choice((2, 2, 3, 4, 6)))))
        columns = [[_values(fact, subject, random)[0] for subject in subjects] for fact in facts]
        questions: list[Asked] = []
        for fact, column in zip(facts, columns):
            subject, value = random.choice(list(zip(subjects, column)))
            wrong = list(dict.fromkeys(other for other in column if other != value)) or [v for v in _values(fact, subject, random) if v != value]
            if wrong:
                questions += _asked(fact, subject, value, random.sample(wrong, len(wrong)), random)
        fields = [random.choice(fact.field.split("|")) for fact in facts]
        return laid_out(subjects, fields, list(zip(*columns)), random), questions

    def _sentences(self, characters: int, random: Random) -> tuple[object, list[Asked]]:
        questions: list[Asked] = []
        subjects: set[str] = set()
        told: list[tuple[str, str]] = []  # of whom or what, and the sentence
        for _ in range(random.choice((1, 1, 2, 3))):
            fact = random.choice(self.facts)
            subject = fact.subject(random)
            if subject in subjects:
                continue
            subjects.add(subject)
            value, *wrong = _values(fact, subject, random)
            told.append((subject, _said(fact, subject, value, random)))
            # Other subjects with the other values make the subject matter, not only the kind of fact.
            for other_value in wrong[: random.choice(RIVALS)]:
                rival = fact.subject(random)
                if rival not in subjects:
                    subjects.add(rival)
                    told.append((rival, _said(fact, rival, other_value, random)))
            # And what else is said of the subject makes the kind of fact matter.
            others = self._others(fact)
            if others and random.random() < 0.4:
                other = random.choice(others)
                told.append((subject, _said(other, subject, _values(other, subject, random)[0], random)))
            questions += _asked(fact, subject, value, wrong, random)
        return self._state(told, characters, random), questions

    def _state(self, told: list[tuple[str, str]], characters: int, random: Random) -> object:
        random.shuffle(told)
        draw = random.random()
        if not characters and draw < 0.2 and len({subject for subject, _ in told}) == len(told):
            return dict(told)
        if not characters and draw < 0.3:
            keys = random.choice(RECORDS)
            return [dict(zip(keys, pair)) for pair in told]
        parts = self.background(characters, random)
        for _, sentence in told:
            parts.insert(random.randint(0, len(parts)), sentence)
        return {random.choice(("notes", "log", "document", "text")): parts} if draw > 0.85 else random.choice(("\n", " ", "\n\n")).join(parts)

    def _others(self, fact: Fact) -> list[Fact]:
        """What else can be said of its subject."""
        return [other for other in self.facts if other.subject is fact.subject and other is not fact]

    def lone(self, characters: int, random: Random, rival: bool) -> tuple[str, list[Asked]]:
        """For evaluation: one fact, asked for and claimed; with a rival, another subject has the value that is wrong."""
        parts = self.background(characters, random)
        fact = random.choice(self.facts)
        subject = fact.subject(random)
        value, *wrong = _values(fact, subject, random)
        said = [_said(fact, subject, value, random)]
        while rival and len(said) < 2:
            if (other := fact.subject(random)) != subject:
                said.append(_said(fact, other, wrong[0], random))
        for sentence in said:
            parts.insert(random.randint(0, len(parts)), sentence)
        return "\n".join(parts), [_choice(fact, subject, value, wrong, random), _claim(fact, subject, value, wrong, random)]


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


def _asked(fact: Fact, subject: str, value: str, wrong: list[str], random: Random) -> list[Asked]:
    """Asked for, claimed or both."""
    ways = random.choice(((_choice,), (_claim,), (_choice, _claim)))
    return [way(fact, subject, value, wrong, random) for way in ways]


def _choice(fact: Fact, subject: str, value: str, wrong: list[str], random: Random) -> Asked:
    options = [value, *wrong]
    order = random.sample(range(len(options)), len(options))
    asked = _worded(fact.asked, subject, value, random)
    return {"type": "choice", "instructions": asked, "criteria": {options[i]: None for i in order}}, order.index(0)


def _claim(fact: Fact, subject: str, value: str, wrong: list[str], random: Random) -> Asked:
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
