"""Rows with names and fields, laid out as callers lay them out: JSON of several shapes, lines, tables."""

import re
from collections.abc import Sequence
from random import Random

KEYS = ("name", "id", "item", "key", "subject", "who_or_what")
LISTS = ("records", "rows", "items", "entries", "data", "list")
NUMBERED = re.compile(r"(\w+) (\d+)")


def laid_out(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence[str]], random: Random) -> object:
    shape = random.choice((_objects, _objects, _by_name, _lines, _table))
    return shape(names, fields, rows, random)


def _objects(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence[str]], random: Random) -> object:
    key, called = _key(names, random)
    found = [{key: name, **dict(zip(fields, row))} for name, row in zip(called, rows)]
    return {random.choice(LISTS): found} if random.random() < 0.4 else found


def _by_name(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence[str]], random: Random) -> object:
    if len(fields) == 1 and random.random() < 0.6:
        found: dict = {name: row[0] for name, row in zip(names, rows)}
        return {fields[0]: found} if random.random() < 0.6 else found
    return {name: dict(zip(fields, row)) for name, row in zip(names, rows)}


def _lines(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence[str]], random: Random) -> str:
    between, mark = random.choice(((", ", ": "), ("; ", "="), (" | ", ": "))), random.choice(("", "- ", "* "))
    said = lambda name, row: mark + name + " - " + between[0].join(f"{field}{between[1]}{value}" for field, value in zip(fields, row))
    return "\n".join(said(name, row) for name, row in zip(names, rows))


def _table(names: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence[str]], random: Random) -> str:
    key, called = _key(names, random)
    between = random.choice((",", " | ", "\t", ";"))
    return "\n".join(between.join(map(str, line)) for line in ((key, *fields), *((name, *row) for name, row in zip(called, rows))))


def _key(names: Sequence[str], random: Random) -> tuple[str, list]:
    """What the column of names is called; numbered things often stand under their kind, as numbers."""
    parts = [NUMBERED.fullmatch(name) for name in names]
    if all(parts) and random.random() < 0.6:
        return parts[0][1], [int(part[2]) for part in parts]
    return random.choice(KEYS), list(names)
