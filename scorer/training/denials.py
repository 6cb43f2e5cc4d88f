"""Statements about texts that say so, deny it or leave it open.

Rows of other kinds rarely deny what they are about, so a model that learns from them alone takes a
statement to hold of every text about its matter: "The customer received a refund" of "The refund never
arrived". Here a text that says so and one that denies it share their words, and words of negation stand
in both.
"""

from random import Random

from . import wrap
from .asked import Asked, Request, noul
from .mails import received
from .present import Presenter
from .shelf import shelf

KINDS = {"says": 0.42, "denies": 0.44, "open": 0.14}
ALSO_ELSEWHERE = 0.15  # the share of texts that stand among others
COMPARED = 0.12  # the share of requests with several texts of one matter in one state
OPEN_SIDE = ("not said", "it cannot be told", "unclear", "unknown", "neither")
UNSAID = ("otherwise, or not said", "not so, or it cannot be told", "anything else")


class Denials:
    def __init__(self, in_mails: float, unseen: bool = False):
        self.in_mails = in_mails  # the share of texts that stand in a mail or a talk
        self.entries = [entry for book in shelf("denied", unseen) for entry in book]

    def request(self, random: Random, presenter: Presenter) -> Request:
        entry = random.choice(self.entries)
        if random.random() < COMPARED:
            kinds = random.sample(("says", "denies", "says", "denies", "open"), random.choice((2, 2, 3, 4)))
            drawn = [(random.choice(entry[kind]), [ask(entry, kind, random, presenter)]) for kind in kinds]
            return wrap.together(drawn, random)
        kind = random.choices(list(KINDS), list(KINDS.values()))[0]
        text = random.choice(entry[kind])
        asked = [ask(entry, kind, random, presenter) for _ in range(random.choice((1, 1, 2)))]
        if random.random() < ALSO_ELSEWHERE:
            text = self._among_others(text, entry, random)
        elif random.random() < self.in_mails and len(text) > 60:
            text = received(text, random)
        return wrap.in_object(text, random) if random.random() < 0.1 else text, asked

    def _among_others(self, text: str, entry: dict, random: Random) -> str:
        """Other matters before and after it. None of them says anything about the statement."""
        others = [other for other in random.sample(self.entries, 3) if other is not entry]
        texts = [random.choice(other["open"]) for other in others[: random.choice((1, 2))]] + [text]
        random.shuffle(texts)
        return random.choice((" ", "\n", "\n\n")).join(texts)


def ask(entry: dict, kind: str, random: Random, presenter: Presenter) -> Asked:
    """What is left open does not hold, and neither does its denial ("No refund has been paid"), which is a
    claim of its own. A formal denial ("It is not the case that …") turns the answer round, so it holds."""
    statement, holds = random.choice(entry["statement"]), kind == "says"
    yes, no = random.choice(entry["sides"])
    draw = random.random()
    if draw < 0.16:
        return presenter.noul(random.choice(entry["denial"]), kind == "denies")
    if draw < 0.28:
        against = no if kind != "open" and random.random() < 0.7 else random.choice(UNSAID)
        told = statement if random.random() < 0.7 else None
        return noul(told, {"true": yes if told else statement, "false": against}, holds)
    if draw < 0.42:
        options = [(yes, None), (no, None)]
        if kind == "open" or random.random() < 0.3:
            options.append((random.choice(OPEN_SIDE), None))
        return presenter.shuffled(f"{statement}?", options, list(KINDS).index(kind))
    return presenter.noul(statement, holds)
