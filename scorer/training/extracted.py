"""Values read from a text, next to the text: all right, or wrong in a field."""

from collections.abc import Sequence
from random import Random

from .asked import Request
from .telling import Fact, about_the_same, claimed, said, values

DOCUMENTS = ("document", "text", "source", "email", "message", "note", "transcript", "page")
EXTRACTS = ("extracted", "fields", "parsed", "output", "record", "answer", "form", "result")
RIGHT = (
    "`{x}.{f}` is the {l} in `{d}`.",
    "`{x}.{f}` agrees with `{d}`.",
    "The {l} in {x} is right according to the {d}.",
    "The {l} of the {x} is the one in the {d}.",
    "`{x}.{f}` was read correctly from `{d}`.",
    "`{d}` supports `{x}.{f}`.",
    "The {d} says the {l} that stands in {x}.",
)
WRONG = (
    "`{x}.{f}` is not what `{d}` says.",
    "The {l} in {x} contradicts the {d}.",
    "`{x}.{f}` is wrong according to `{d}`.",
    "The {l} was read wrongly from the {d}.",
)
ALL_RIGHT = (
    "Everything in {x} agrees with the {d}.",
    "`{x}` has no mistake compared with `{d}`.",
    "All fields of `{x}` are supported by `{d}`.",
)


def request(facts: Sequence[Fact], random: Random) -> Request:
    first = random.choice(facts)
    more = about_the_same(first, facts)
    subject = first.subject(random)
    told, fields = [], {}
    for fact in [first, *random.sample(more, min(len(more), random.choice((0, 1, 2, 3))))]:
        field = random.choice(fact.field.split("|")).replace(" ", "_")
        if field in fields:
            continue
        value, *wrong = values(fact, subject, random)
        told.append(said(fact, subject, value, wrong[0], random))
        fields[field] = (value, wrong[0])
    random.shuffle(told)
    right = {field: random.random() < 0.55 for field in fields}
    read = {field: value if right[field] else wrong for field, (value, wrong) in fields.items()}
    d, x = random.choice(DOCUMENTS), random.choice(EXTRACTS)
    state = {d: random.choice((" ", "\n")).join(told), x: dict(random.sample(list(read.items()), len(read)))}
    asked = []
    for field in random.sample(list(fields), min(len(fields), random.choice((1, 2, 3)))):
        says_right = random.random() < 0.75
        form = random.choice(RIGHT if says_right else WRONG).format(
            x=x, d=d, f=field, l=field.replace("_", " ")
        )
        asked.append(claimed(form, right[field] == says_right, random))
    if len(fields) > 1 and random.random() < 0.25:
        asked.append(claimed(random.choice(ALL_RIGHT).format(x=x, d=d), all(right.values()), random))
    return state, asked
