"""Messages from machines, stations and crews, and lines of logs, and how serious the reported event is.

Single words do not show it: "fire drill ended without findings" is nothing, "no pulse on bed 4" is the
worst there is. So the messages stand in books of their own, sorted by level. Every scale that orders
events by how bad they are is a way to name or to join those levels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from . import logged, wrap
from .asked import Asked, Request
from .present import Presenter
from .shelf import shelf
from .slots import filled

ASKS = (
    "How serious is what is reported?",
    "How bad is it?",
    "Rate how grave the report is.",
    "Alarm level",
    "How quickly does somebody have to act on this?",
    "Gravity of the event",
    "Which level should this be given?",
    "How much of a problem is this?",
    "How alarming is the message?",
    "Put the event on the scale.",
    "Severity",
    "How severe is this entry?",
)
# Which level of a scale each of the books' five levels is, and what the levels may be called.
SCALES = (
    (
        (0, 1, 2, 3, 4),
        (
            ("routine", "notable", "fault", "serious", "emergency"),
            (
                "nothing to do",
                "keep an eye on it",
                "repair when there is time",
                "repair at once",
                "stop everything and call for help",
            ),
            ("harmless", "slight", "moderate", "grave", "catastrophic"),
            ("none", "low", "medium", "high", "extreme"),
            (
                "all in order",
                "to be watched",
                "something is broken",
                "a main function is lost",
                "everything stands still or lives are in danger",
            ),
            ("all quiet", "unusual", "trouble", "damage", "disaster"),
            ("P5: no action", "P4: note it", "P3: plan a repair", "P2: act today", "P1: act this minute"),
            ("info", "warning", "error", "critical", "fatal"),
        ),
    ),
    (
        (0, 1, 2, 2, 3),
        (
            ("normal", "remarkable", "failure", "breakdown"),
            ("fine", "hint", "defect", "collapse"),
            ("as planned", "out of the ordinary", "not working", "nothing works any more"),
            ("notice", "warning", "failure", "emergency"),
        ),
    ),
    (
        (0, 1, 1, 2, 3),
        (
            ("ok", "minor", "major", "worst case"),
            ("white", "yellow", "orange", "red"),
            ("for the record", "for the next shift", "for the person on duty", "for everybody"),
            ("note", "warning", "alarm", "evacuation"),
        ),
    ),
    (
        (0, 1, 2, 3, 3),
        (
            ("status", "caution", "malfunction", "alarm"),
            ("trivial", "low", "considerable", "very high"),
            ("display only", "lamp", "buzzer", "siren"),
        ),
    ),
    (
        (0, 1, 1, 2, 2),
        (
            ("unimportant", "worth knowing", "urgent"),
            ("normal", "warning", "alarm"),
            ("green", "amber", "red"),
            ("low", "medium", "high"),
        ),
    ),
    (
        (0, 1, 2, 2, 3),
        (("info", "warning", "error", "fatal"), ("informational", "warn", "error", "critical")),
    ),
    ((0, 1, 2, 2, 2), (("info", "warning", "error"), ("fine", "suspicious", "failed"))),
    ((0, 0, 1, 2, 2), (("no problem", "problem", "grave problem"), ("ignore", "handle later", "handle now"))),
)
# Claims that hold from a level on; those in BELOW hold below theirs.
FROM = (
    ("Something deserves attention.", 1),
    ("This is out of the ordinary.", 1),
    ("Something failed or is broken.", 2),
    ("There is a fault.", 2),
    ("Something has to be repaired or put right.", 2),
    ("Somebody has to act right now.", 3),
    ("Whoever is on duty should be woken up for this.", 3),
    ("This cannot wait until tomorrow.", 3),
    ("Lives are in danger, or everything stands still.", 4),
    ("It is the worst kind of event there is here.", 4),
)
BELOW = (
    ("Everything is as it should be.", 1),
    ("It reports normal operation.", 1),
    ("Nothing has to be done about it.", 1),
    ("Everything still works.", 2),
    ("Nothing is broken.", 2),
    ("It can wait until the next working day.", 3),
    ("Nobody needs to be called out.", 3),
)
SOURCE_KEYS = (
    "source",
    "unit",
    "station",
    "part",
    "from",
    "origin",
    "device",
    "reported_by",
    "place",
    "component",
    "service",
    "logger",
)
MESSAGE_KEYS = ("message", "event", "text", "report", "entry", "note", "status", "msg", "line")
TIMES = (
    "{:02d}:{:02d}",
    "{:02d}:{:02d}:17",
    "[{:02d}:{:02d}]",
    "{:02d}h{:02d}",
    "2026-03-14T{:02d}:{:02d}:06Z",
    "2026-05-02 {:02d}:{:02d}:41,207",
)
ROUTINE = 0.4  # of the messages; the other levels are equally often drawn


@dataclass(frozen=True)
class Book:
    kind: str
    sources: Sequence[str]
    levels: Sequence[Sequence[str]]

    @property
    def is_log(self) -> bool:
        return self.kind.startswith("log line")


class Events:
    def __init__(self, unseen: bool = False):
        self.books = [
            Book(book["kind_of_text"], book["sources"], book["levels"]) for book in shelf("events", unseen)
        ]

    def request(self, random: Random, presenter: Presenter) -> Request:
        if random.random() < 0.8:
            return self._one(random.choice(self.books), random, presenter)
        book = random.choice(self.books)
        drawn = [self._one(book, random, presenter) for _ in range(random.choice((2, 3, 3, 4, 6)))]
        state, asked = wrap.together([(state, asked[:1]) for state, asked in drawn], random)
        return state, random.sample(asked, min(len(asked), 3))

    def _one(self, book: Book, random: Random, presenter: Presenter) -> Request:
        if book.is_log and random.random() < logged.TOLD:
            return _logged(book, random, presenter)
        level = 0 if random.random() < ROUTINE else random.randrange(1, 5)
        asked = [_scored(level, random, presenter)]
        if random.random() < 0.5:
            asked.append(_claimed(level, random, presenter))
        if random.random() < 0.3:
            asked.append(_scored(level, random, presenter))
        random.shuffle(asked)
        return _told(book, filled(random.choice(book.levels[level]), random), random), asked


def _logged(book: Book, random: Random, presenter: Presenter) -> Request:
    named, level = logged.drawn(random)
    line, source = (filled(random.choice(choices), random) for choices in (book.levels[level], book.sources))
    asked = [logged.asked(named, random, presenter) for _ in range(random.choice((1, 1, 2)))]
    return logged.told(named, line, source, _time(random), random), asked


def _scored(level: int, random: Random, presenter: Presenter) -> Asked:
    joined, namings = random.choice(SCALES)
    return presenter.score(namings, random.choice(ASKS), joined[level])


def _claimed(level: int, random: Random, presenter: Presenter) -> Asked:
    if random.random() < 0.6:
        claim, least = random.choice(FROM)
        return presenter.noul(claim, level >= least)
    claim, least = random.choice(BELOW)
    return presenter.noul(claim, level < least)


def _told(book: Book, message: str, random: Random) -> object:
    source, draw = filled(random.choice(book.sources), random), random.random()
    if draw < 0.35:
        return message
    if draw < 0.55:
        return random.choice(("{t} {s}: {m}", "{s}: {m}", "{s} - {m}", "{t} {m}", "{m} ({s}, {t})")).format(
            t=_time(random), s=source, m=message
        )
    fields = {random.choice(SOURCE_KEYS): source, random.choice(MESSAGE_KEYS): message}
    return wrap.in_object(fields, random) if draw < 0.75 else fields


def _time(random: Random) -> str:
    return random.choice(TIMES).format(random.randrange(24), random.randrange(60))
