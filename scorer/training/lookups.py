"""Records with several fields, and questions about one record: by its name, by
another field, for its name, or whether there is one."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from .asked import Asked, Request
from .records import laid_out
from .telling import Fact, Flag, Subject, about_the_same, among, claimed, worded

MOST_OPTIONS = 8
BY_NAME = (
    "What is the {f} of {s}?",
    "Which {f} does {s} have?",
    "{f} of {s}",
    "{s}: which {f}?",
    "Look up the {f} of {s}.",
    "Give the {f} for {s}.",
)
SAYS_BY_NAME = (
    "The {f} of {s} is {v}.",
    "{s} has the {f} {v}.",
    "{s}: {f} is {v}",
    "For {s} the {f} is {v}.",
    "{f} of {s}: {v}",
)
BY_FIELD = (
    "the {n} whose {f} is {v}",
    "the {n} with {f} {v}",
    "the {n} with the {f} {v}",
    "the {n} where {f} = {v}",
)
FOR_NAME = (
    "Which {n} has the {f} {v}?",
    "Which {n} has {f} {v}?",
    "{f} is {v}: which {n}?",
    "Find the {n} with {f} {v}.",
    "Whose {f} is {v}?",
)
SAYS_THERE_IS = (
    "There is {a} {n} with the {f} {v}.",
    "At least one {n} has the {f} {v}.",
    "One {n} has {f} {v}.",
    "{f} {v} occurs.",
)
SAYS_THERE_IS_NONE = (
    "No {n} has the {f} {v}.",
    "There is no {n} with {f} {v}.",
    "None of them has the {f} {v}.",
)
UNIT = re.compile(r"(\D*?)(\d+)(\D*)")
ONE_PERSON = ("the user", "the customer", "the person", "this person", "the employee", "the member")
ANSWERS = ((True, False), (True, False), (True, False), ("yes", "no"), ("true", "false"), (1, 0), ("Y", "N"))


@dataclass(frozen=True)
class Column:
    fact: Fact
    field: str
    values: list[str]  # one a record, as questions say them
    others: list[str]  # values that no record has
    cells: list  # one a record, as the records say them

    @property
    def label(self) -> str:
        return self.field.replace("_", " ")


@dataclass(frozen=True)
class Table:
    subject: Subject
    names: list[str]
    columns: list[Column]
    flags: dict[str, tuple[Flag, list[bool]]]

    def who(self, at: int, random: Random) -> str:
        """A record by its name. If it is the only one, often without its name."""
        if len(self.names) > 1 or random.random() < 0.3:
            return self.names[at]
        return (
            random.choice(ONE_PERSON)
            if self.subject.noun == "person"
            else random.choice(("the {0}", "the {0}", "this {0}", "it")).format(self.subject.noun)
        )


Way = Callable[[Table, Random], Asked | None]


def looked_up(facts: Sequence[Fact], flags: Sequence[Flag], random: Random, ways: Sequence[Way]) -> Request:
    first = random.choice(facts)
    more = about_the_same(first, facts)
    chosen = [first, *random.sample(more, min(len(more), random.choice((0, 1, 2, 3, 4))))]
    names = first.subject.several(random.choices((1, 2, 3, 4, 6, 9), (2.5, 3, 4, 3, 2, 1))[0], random)
    columns: dict[str, Column] = {}
    for fact in chosen:
        column = _column(fact, len(names), random)
        columns.setdefault(column.field, column)
    fields = {
        random.choice(found.field.split("|")): found
        for found in random.sample(flags, random.choice((0, 1, 1, 2)))
    }
    flagged = {
        field: (found, [random.random() < 0.5 for _ in names])
        for field, found in fields.items()
        if field not in columns
    }
    table = Table(first.subject, names, list(columns.values()), flagged)
    drawn = (random.choice(ways)(table, random) for _ in range(random.choice((2, 3, 4))))
    return _state(table, random), [question for question in drawn if question]


def _state(table: Table, random: Random) -> object:
    cells = {column.field: column.cells for column in table.columns}
    for field, (_, held) in table.flags.items():
        yes, no = random.choice(ANSWERS)
        cells[field] = [yes if holds else no for holds in held]
    fields = random.sample(list(cells), len(cells))
    return laid_out(table.names, fields, list(zip(*(cells[field] for field in fields))), random)


def _column(fact: Fact, count: int, random: Random) -> Column:
    """Values may repeat, as they do in records."""
    domain = list(dict.fromkeys(fact.value(random) for _ in range(random.choice((3, 6, 12)))))
    found = [random.choice(domain) for _ in range(count)]
    others = [value for value in domain if value not in found] or [
        v for v in (fact.value(random) for _ in range(20)) if v not in found
    ][:1]
    field = random.choice(fact.field.split("|"))
    say = random.choice((str, partial(_without_unit, field), partial(_without_unit, field)))
    cells = [say(value) for value in found]
    if say is not str and random.random() < 0.6:  # questions use the records' wording
        found, others = cells, [say(value) for value in others]
    if all(cell.isdecimal() for cell in cells) and random.random() < 0.5:
        cells = [int(cell) for cell in cells]
    return Column(fact, field, list(map(str, found)), list(dict.fromkeys(map(str, others))), cells)


def _without_unit(field: str, value: str) -> str:
    """The value as a cell holds it: "shipped" for "was shipped", "12" for "room 12"."""
    value = re.sub(r"^(was|is|an?|the) ", "", value)
    parts = UNIT.fullmatch(value)
    if not parts or ":" in value or parts[3].strip() in ("am", "pm"):
        return value
    return parts[2] if parts[1].strip() in ("", "$", "version", "room", "platform", "number") else value


def by_name(table: Table, random: Random) -> Asked | None:
    column, at = random.choice(table.columns), random.randrange(len(table.names))
    return _about(column, at, table.who(at, random), random.random() < 0.6, random)


def by_field(table: Table, random: Random) -> Asked | None:
    """A question about the only record with some value in another field."""
    if len(table.columns) < 2:
        return None
    known, wanted = random.sample(table.columns, 2)
    at = random.randrange(len(table.names))
    if known.values.count(known.values[at]) > 1:
        return None
    who = random.choice(BY_FIELD).format(n=table.subject.noun, f=_field(known, random), v=known.values[at])
    return _about(wanted, at, who, table.subject.bare and random.random() < 0.4, random)


def _about(column: Column, at: int, who: str, naturally: bool, random: Random) -> Asked | None:
    """A question for, or a claim about, one field of one record."""
    right, field = column.values[at], _field(column, random)
    wrong = _wrong(column, right, random)
    if not wrong:
        return None
    generic = lambda wordings: [told.replace("{f}", field) for told in wordings]
    if random.random() < 0.5:
        return among(
            worded(column.fact.asked if naturally else generic(BY_NAME), who, right, random),
            right,
            wrong,
            random,
        )
    holds = random.random() < 0.5
    told = worded(
        column.fact.claimed if naturally else generic(SAYS_BY_NAME), who, right if holds else wrong[0], random
    )
    return claimed(told, holds, random)


def for_name(table: Table, random: Random) -> Asked | None:
    column, at = random.choice(table.columns), random.randrange(len(table.names))
    value, subject = column.values[at], table.subject
    if len(table.names) < 2 or column.values.count(value) > 1:
        return None
    questions = [told.format(n=subject.noun, f=_field(column, random), v=value) for told in FOR_NAME]
    who = "Who" if subject.noun == "person" else f"Which {subject.noun}"
    questions += [
        told.format(s=who, v=value)[:-1] + "?"
        for told in column.fact.claimed.split("|")
        if told.startswith("{s} ") and subject.bare
    ]
    shown = (
        [name.removeprefix(f"{subject.noun} ") for name in table.names]
        if random.random() < 0.4
        else table.names
    )
    return among(random.choice(questions), shown[at], [name for name in shown if name != shown[at]], random)


def existence(table: Table, random: Random) -> Asked | None:
    column, there = random.choice(table.columns), random.random() < 0.5
    found = column.values if there else column.others
    if not found:
        return None
    noun, denied = table.subject.noun, random.random() < 0.3
    told = random.choice(SAYS_THERE_IS_NONE if denied else SAYS_THERE_IS)
    return claimed(
        told.format(
            a="an" if noun[0] in "aeiou" else "a", n=noun, f=_field(column, random), v=random.choice(found)
        ),
        there != denied,
        random,
    )


def flag(table: Table, random: Random) -> Asked | None:
    """Whether something is true of a record."""
    if not table.flags:
        return None
    (about, held), at = random.choice(list(table.flags.values())), random.randrange(len(table.names))
    says = random.random() < 0.6
    told = worded(about.holds if says else about.fails, table.who(at, random), "", random)
    if random.random() < 0.15:
        right, wrong = ("yes", "no") if held[at] == says else ("no", "yes")
        return among(told, right, [wrong], random)
    return claimed(told, held[at] == says, random)


def _wrong(column: Column, right: str, random: Random) -> list[str]:
    """The values of other records come first, because the model must tell whose is which."""
    near = [value for value in dict.fromkeys(column.values) if value != right]
    elsewhere = [value for value in column.others if value not in column.values]
    far = random.sample(elsewhere, min(len(elsewhere), random.choice((0, 1, 3)) if near else 3))
    return [*random.sample(near, len(near)), *far][: MOST_OPTIONS - 1]


def _field(column: Column, random: Random) -> str:
    return column.field if random.random() < 0.3 else column.label


WAYS: dict[str, Way] = {
    "by its name": by_name,
    "by another field": by_field,
    "for its name": for_name,
    "whether there is one": existence,
    "whether a flag is set": flag,
}
MIXED = (*[by_name] * 3, *[by_field] * 3, *[for_name] * 2, existence, *[flag] * 4)
