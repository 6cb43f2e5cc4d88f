"""Rows with names and fields, laid out as callers lay them out: JSON of several shapes, lines, tables."""

import re
from collections.abc import Sequence
from random import Random

KEYS = ("name", "id", "item", "key", "subject", "who_or_what")
LISTS = ("records", "rows", "items", "entries", "data", "list")
GROUPS = ("details", "data", "info", "attributes", "fields")
NUMBERED = re.compile(r"(\w+) (\d+)")


def laid_out(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence], random: Random) -> object:
    shape = random.choice((_objects, _objects, _by_name, _lines, _table))
    return shape(names, fields, rows, random)


def _objects(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence], random: Random) -> object:
    kind, key, called = _key(names, random)
    found = [{key: name, **dict(zip(fields, row))} for name, row in zip(called, rows)]
    if len(found) == 1 and random.random() < 0.8:
        return {field: value for field, value in found[0].items() if field != key or random.random() < 0.7}
    if len(fields) > 2 and random.random() < 0.15:
        found = _nested(found, random)
    return {random.choice((*LISTS, kind, kind)): found} if random.random() < 0.5 else found


def _nested(records: list[dict], random: Random) -> list[dict]:
    """The records with their last fields in an object of their own."""
    fields = list(records[0])
    at, group = random.randint(2, len(fields) - 1), random.choice(GROUPS)
    part = lambda record, names: {name: record[name] for name in names}
    return [{**part(record, fields[:at]), group: part(record, fields[at:])} for record in records]


def _by_name(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence], random: Random) -> object:
    if len(fields) == 1 and random.random() < 0.6:
        found: dict = {name: row[0] for name, row in zip(names, rows)}
        return {fields[0]: found} if random.random() < 0.6 else found
    return {name: dict(zip(fields, row)) for name, row in zip(names, rows)}


def _lines(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence], random: Random) -> str:
    between, equals = random.choice(((", ", ": "), ("; ", "="), (" | ", ": ")))
    mark = random.choice(("", "- ", "* "))
    said = lambda row: between.join(f"{field}{equals}{value}" for field, value in zip(fields, row))
    return "\n".join(f"{mark}{name} - {said(row)}" for name, row in zip(names, rows))


def _table(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence], random: Random) -> str:
    _, key, called = _key(names, random)
    between = random.choice((",", " | ", "\t", ";"))
    return "\n".join(
        between.join(map(str, line))
        for line in ((key, *fields), *((name, *row) for name, row in zip(called, rows)))
    )


def _key(names: Sequence[str], random: Random) -> tuple[str, str, list]:
    """What a list of records and its column of names are called.
    Numbered things often stand there as numbers."""
    parts = [NUMBERED.fullmatch(name) for name in names]
    if not all(parts):
        return random.choice(LISTS), random.choice(KEYS), list(names)
    kind = parts[0][1]
    if random.random() < 0.4:
        return f"{kind}s", random.choice(KEYS), list(names)
    key = random.choice((kind, kind, "id", "id", "no", "number", f"{kind}_id"))
    number = int if random.random() < 0.8 else str
    return f"{kind}s", key, [number(part[2]) for part in parts]
