"""Texts by degree: how promising a lead is, how polite a mail, how sure a
claim. Only the degree tells the levels apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from . import wrap
from .asked import Asked, Request
from .present import Presenter
from .shelf import shelf

THIRDS = (0, 0, 1, 2, 2)  # which of three levels each of the five is
MIDDLE = 2  # the level nothing is claimed about


@dataclass(frozen=True)
class Book:
    attribute: str
    asks: Sequence[str]
    scales: Sequence[Sequence[str]]
    thirds: Sequence[Sequence[str]]
    high: Sequence[str]
    low: Sequence[str]
    levels: Sequence[Sequence[str]]


class Degrees:
    def __init__(self, unseen: bool = False):
        self.books = [Book(**book) for book in shelf("degrees", unseen)]

    def request(self, random: Random, presenter: Presenter) -> Request:
        book, level = random.choice(self.books), random.randrange(5)
        asked = [_scored(book, level, random, presenter)]
        if level != MIDDLE and random.random() < 0.5:
            claims, holds = random.choice(((book.high, level > MIDDLE), (book.low, level < MIDDLE)))
            asked.append(presenter.noul(random.choice(claims), holds))
        if random.random() < 0.4:
            asked.append(_scored(book, level, random, presenter))
        text = random.choice(book.levels[level])
        return wrap.in_object(text, random) if random.random() < 0.2 else text, asked


def _scored(book: Book, level: int, random: Random, presenter: Presenter) -> Asked:
    told = random.choice(book.asks)
    return (
        presenter.score(book.thirds, told, THIRDS[level])
        if random.random() < 0.3
        else presenter.score(book.scales, told, level)
    )
