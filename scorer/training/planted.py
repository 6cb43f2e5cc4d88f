"""Facts we make up, planted in other people's text: the answer is in one place only."""

from pathlib import Path
from random import Random

from .asked import Asked, Request
from .corpus_files import lines_of
from .facts import FACTS, UNSEEN_FACTS
from .telling import Fact, about_the_same, asked, choice, claim, said, values

MAX_CHARACTERS_READ = 3_000_000
UNSEEN_BACKGROUND = ("encyclopedic",)  # for evaluation only
RIVALS = (0, 1, 1, 1, 2, 4)  # how many other subjects have another value
FORMERLY = (
    "(Before: {0}.)",
    "(Formerly {0}.)",
    "That has changed; it had been {0}.",
    "Until last week it was {0}.",
    "Not {0}, as was said at first.",
    "(Changed, earlier entry: {0}.)",
    "{0} is no longer right.",
)
NOTES = (("about", "note"), ("id", "text"), ("name", "entry"), ("subject", "message"))


class Planter:
    def __init__(
        self,
        text_folder: Path,
        files: tuple[str, ...] = ("books", "news", "docs", "reviews"),
        facts: tuple[Fact, ...] = FACTS,
    ):
        self.facts = facts
        self.passages = [p for name in files for p in _passages(text_folder / f"{name}.txt.xz")]

    @classmethod
    def unseen(cls, text_folder: Path) -> "Planter":
        """For evaluation: with background and kinds of fact that no training request has."""
        return cls(text_folder, UNSEEN_BACKGROUND, UNSEEN_FACTS)

    def background(self, characters: int, random: Random) -> list[str]:
        """Consecutive passages from random places, about `characters` long in all."""
        out: list[str] = []
        while characters > 0:
            at = random.randrange(len(self.passages))
            for passage in self.passages[at : at + random.choice((1, 3, 20))]:
                out.append(passage)
                characters -= len(passage)
                if characters <= 0:
                    break
        return out

    def request(self, characters: int, random: Random) -> Request:
        questions: list[Asked] = []
        subjects: set[str] = set()
        told: list[tuple[str, str]] = []  # the subject, and the sentence about it
        for _ in range(random.choice((1, 1, 2, 3))):
            fact = random.choice(self.facts)
            subject = fact.subject(random)
            if subject in subjects:
                continue
            subjects.add(subject)
            value, *wrong = values(fact, subject, random)
            told.append(
                (subject, _perhaps_formerly(said(fact, subject, value, wrong[0], random), wrong[0], random))
            )
            # Other subjects with other values make the subject matter, not only the kind of fact.
            for other_value in wrong[: random.choice(RIVALS)]:
                rival = fact.subject.beside(subject, random)
                if rival not in subjects:
                    subjects.add(rival)
                    told.append((rival, said(fact, rival, other_value, value, random)))
            # Another fact about the subject makes the kind of fact matter.
            others = about_the_same(fact, self.facts)
            if others and random.random() < 0.4:
                other = random.choice(others)
                told.append((subject, said(other, subject, *values(other, subject, random)[:2], random)))
            questions += asked(fact, subject, value, wrong, random)
        return self._state(told, characters, random), questions

    def _state(self, told: list[tuple[str, str]], characters: int, random: Random) -> object:
        random.shuffle(told)
        draw = random.random()
        if not characters and draw < 0.2 and len({subject for subject, _ in told}) == len(told):
            return dict(told)
        if not characters and draw < 0.3:
            keys = random.choice(NOTES)
            return [dict(zip(keys, pair)) for pair in told]
        parts = self.background(characters, random)
        for _, sentence in told:
            parts.insert(random.randint(0, len(parts)), sentence)
        return (
            {random.choice(("notes", "log", "document", "text")): parts}
            if draw > 0.85
            else random.choice(("\n", " ", "\n\n")).join(parts)
        )

    def lone(self, characters: int, random: Random, rival: bool) -> Request:
        """For evaluation: one fact, asked for and claimed. With a rival,
        another subject has the wrong value."""
        parts = self.background(characters, random)
        fact = random.choice(self.facts)
        subject = fact.subject(random)
        value, *wrong = values(fact, subject, random)
        told = [said(fact, subject, value, wrong[0], random)]
        while rival and len(told) < 2:
            if (other := fact.subject(random)) != subject:
                told.append(said(fact, other, wrong[0], value, random))
        for sentence in told:
            parts.insert(random.randint(0, len(parts)), sentence)
        return "\n".join(parts), [
            choice(fact, subject, value, wrong, random),
            claim(fact, subject, value, wrong, random),
        ]


def _perhaps_formerly(sentence: str, former: str, random: Random) -> str:
    """The sentence, sometimes with a former value, which is not the present one however it is said."""
    return f"{sentence} {random.choice(FORMERLY).format(former)}" if random.random() < 0.12 else sentence


def _passages(path: Path) -> list[str]:
    lines = (line.strip() for line in lines_of(path, MAX_CHARACTERS_READ))
    return [line[:600] for line in lines if len(line) > 20]
