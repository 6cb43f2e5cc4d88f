"""Requests of made-up words, for proofs and measurements."""

import random
from collections.abc import Callable

from . import render
from .render import Question, Rendered

WORDS = (1000, 30_000)
LONG = 0.03  # the share of instructions, and of options, that are longer than a block


def random_request(chance: random.Random) -> Rendered:
    form = chance.choice(list(render.FORM.values()))
    words = lambda count: [chance.randrange(*WORDS) for _ in range(count)]
    told = chance.choice([3, 40, 200, 600])
    state = [render.STATE_OPEN, form, *words(told), render.STATE_CLOSE, render.REST]
    return Rendered(state, [_random_question(chance, words, told, form) for _ in range(chance.randint(1, 3))])


def _random_question(
    chance: random.Random, words: Callable[[int], list[int]], told: int, form: int
) -> Question:
    kind = chance.choice(list(render.TYPE))
    some = lambda most: words(chance.randint(250, 600) if chance.random() < LONG else chance.randint(0, most))
    instructions = some(40)
    options = [some(12) for _ in range(2 if kind == "noul" else chance.randint(2, 8))]
    focus = []
    if form == render.FORM["json"] and chance.random() < 0.5:
        start = chance.randrange(2, told + 2)
        focus = list(range(start, min(told + 2, start + chance.randint(1, 60))))
    return render.assembled(kind, instructions, options, focus)
