"""Lines of logs that name their own level, and questions that this level answers.

The word in the line decides, whatever the rest of it sounds like: "INFO 0 errors in the last batch" is
information, and so is "INFO retrying in 5 s".
"""

from random import Random

from .asked import Asked
from .present import Presenter

# The mildest first. Each with the ways to write it, and the levels of events (`events.py`) logged so.
LEVELS = (
    (("debug", "DEBUG", "DBG", "D"), (0,)),
    (("info", "INFO", "INF", "I"), (0,)),
    (("warn", "WARN", "WARNING", "W"), (1,)),
    (("error", "ERROR", "ERR", "E"), (2,)),
    (("critical", "CRITICAL", "FATAL", "crit"), (3, 4)),
)
LINES = (
    "{tag} {line}",
    "[{tag}] {line}",
    "{tag}: {line}",
    "{source} {tag}: {line}",
    "{time} {tag} {line}",
    "{time} [{tag}] {source} - {line}",
    "{time} {source} [{tag}] {line}",
    'level={tag} logger={source} msg="{line}"',
)
TAG_KEYS = ("level", "severity", "lvl", "levelname", "priority")
NAMINGS = (
    ("debug", "info", "warning", "error", "critical"),
    ("DEBUG", "INFO", "WARN", "ERROR", "FATAL"),
    ("debugging", "informational", "warning", "error", "fatal"),
    ("details for developers", "information", "warning", "error", "critical error"),
    ("debug output", "normal operation", "something to watch", "something failed", "the worst there is"),
)
ASKS = (
    "Log level",
    "At which level is this logged?",
    "Which level does the line have?",
    "Severity",
    "How severe is this entry?",
    "How serious is what is logged?",
    "Level of the entry",
)
NAMED = (
    "Its level is {0}.",
    "This is logged at level {0}.",
    "The entry is of level {0}.",
    "A line of level {0}",
)
FROM = (
    ("It is logged as a warning or something worse.", 2),
    ("The entry is more than information.", 2),
    ("It is logged as an error or something worse.", 3),
    ("The line is worse than a warning.", 3),
)
TOLD = 0.4  # of the lines of logs; the others leave their level to be judged


def drawn(random: Random) -> tuple[int, int]:
    """A level of a log, and the level of the event that is logged so."""
    level = random.randrange(len(LEVELS))
    return level, random.choice(LEVELS[level][1])


def told(level: int, line: str, source: str, time: str, random: Random) -> object:
    tag = random.choice(LEVELS[level][0])
    if random.random() < 0.2:
        return {random.choice(TAG_KEYS): tag, "logger": source, "message": line}
    return random.choice(LINES).format(tag=tag, line=line, source=source, time=time)


def asked(level: int, random: Random, presenter: Presenter) -> Asked:
    draw = random.random()
    if draw < 0.6:
        least, most = random.choice((0, min(1, level))), random.choice((4, max(3, level)))
        namings = [naming[least : most + 1] for naming in NAMINGS]
        return presenter.score(namings, random.choice(ASKS), level - least)
    if draw < 0.8:
        names = random.choice(NAMINGS[:3])
        other = random.choice([n for n in range(len(names)) if n != level])
        holds = random.random() < 0.5
        return presenter.noul(random.choice(NAMED).format(names[level if holds else other]), holds)
    claim, least = random.choice(FROM)
    return presenter.noul(claim, level >= least)
