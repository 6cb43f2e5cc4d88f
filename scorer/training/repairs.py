"""Repairs of rows that give their answers away or that no reader could answer."""

import json
import re
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from .wording import leaves_open

# What the intents of services are about, by words of their names and descriptions. The first match counts.
FIELDS = (
    "alarm",
    "calendar|available times",
    "dentist|stylist|doctor|therapist|medical",
    "house|hotel|accommodation|rooms|apartment|property",
    "bus ",
    "train",
    "event|concert",
    "movie",
    "bank|money|balance|payment",
    "attraction",
    "restaurant",
    "rental|cars",
    "cab|taxi",
    "weather",
    "song|music",
    "flight",
    "location",
)
Repair = Callable[[list[dict]], list[dict]]
DENIED = 1 / 3  # the share kept of rows that say something is not settled: of whole talks, most rows do
# The share kept of rows with the answer "it cannot be told", or "yes", if these are the majority.
UNKNOWN = READY = 1 / 2


# Labels that say where a text was filed, not what it says.
UNTELLABLE = {
    "trivia_category": ("newest", "rated", "general"),
    "netflix_genre": ("Movies", "International Movies", "International TV Shows"),
}


def repaired(task: str, lines: Sequence[str], described: dict) -> list[str]:
    """The task's repaired rows. Labels that no reader could tell are removed from its description."""
    repair = _tellable_labels(described, UNTELLABLE[task]) if task in UNTELLABLE else REPAIRS.get(task)
    return (
        [json.dumps(row, ensure_ascii=False) for row in repair([json.loads(line) for line in lines])]
        if repair
        else list(lines)
    )


def _settled(denies: Callable[[dict], bool]) -> Repair:
    """Rows that ask what a whole talk has settled. Longer talks are dropped: their rows
    hold only the last turns, but ask about earlier ones too."""
    whole = lambda row: row["s"]["conversation"][0].startswith("user:")
    return lambda rows: [
        row for row in rows if whole(row) and (not denies(row) or _random(row).random() < DENIED)
    ]


def _services(rows: list[dict]) -> list[dict]:
    """Every service has six names, "Buses_1" and "Buses_11" to "Buses_15", and the
    right one always had the first. Now it may have any."""
    about = {name: told for row in rows for name, told in row["o"]}
    for row in rows:
        name = row["o"][row["y"]][0]
        forms = [name, *(form for form in sorted(about) if re.fullmatch(rf"{name}\d", form))]
        form = _random(row).choice(forms)
        row["o"][row["y"]] = [form, about[form]]
    return rows


def _intents(rows: list[dict]) -> list[dict]:
    """Two in three of the wrong options were other words for an intent, which were never right. They are
    replaced by intents that are right elsewhere, of fields not there yet, because each field has several that
    say the same."""
    right = sorted({tuple(row["o"][row["y"]]) for row in rows})
    for row in rows:
        random, gold, count = _random(row), tuple(row["o"][row["y"]]), len(row["o"])
        shown = {name: told for name, told in map(tuple, row["o"]) if (name, told) in right}
        taken = {_field(option) for option in shown.items()}
        others = [option for option in right if _field(option) not in taken]
        for name, told in random.sample(others, len(others))[: 2 * count]:
            if len(shown) < count:
                shown.setdefault(name, told)
        row["o"] = [list(option) for option in random.sample(sorted(shown.items()), len(shown))]
        row["y"] = row["o"].index(list(gold))
    return rows


@cache
def _field(option: tuple[str, str]) -> int:
    return next(
        (n for n, words in enumerate(FIELDS) if re.search(words, " ".join(option), re.IGNORECASE)), -1
    )


def _ready(rows: list[dict]) -> list[dict]:
    """Rows whose answer agrees with whether everything required is there. Most rows denied it although it
    was, because the service had been called before or a yes was awaited."""
    complete = lambda row: set(row["s"]["required"]) <= row["s"]["collected"].keys()
    return [
        row
        for row in rows
        if complete(row) == bool(row["y"]) and (not row["y"] or _random(row).random() < READY)
    ]


def _tellable(rows: list[dict]) -> list[dict]:
    """The option that it cannot be told is one of three, but was right in half of the rows."""
    return [row for row in rows if not leaves_open(row["o"][row["y"]]) or _random(row).random() < UNKNOWN]


def _tellable_labels(described: dict, names: Sequence[str]) -> Repair:
    kept = [label for label, (name, _) in enumerate(described["variants"][0]) if name not in names]
    described["variants"] = [[variant[label] for label in kept] for variant in described["variants"]]
    return lambda rows: [{**row, "y": kept.index(row["y"])} for row in rows if row["y"] in kept]


def _random(row: dict) -> Random:
    return Random(zlib.crc32(json.dumps(row).encode()))


REPAIRS: dict[str, Repair] = {
    "sgd_slot_known": _settled(lambda row: row["y"] == 0),
    "sgd_slot_value": _settled(lambda row: row["o"][row["y"]] == "not mentioned"),
    "sgd_service": _services,
    "sgd_intent": _intents,
    "sgd_ready_to_call": _ready,
    "bbq": _tellable,
}
