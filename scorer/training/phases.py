"""What a run learns from, and the phases that start a skill.

A skill that the mixture holds too little of never starts there. After millions of tokens the model
could not tell which of two records was whose, or how two texts in one state relate. Trained on nothing
else for half a million to a million and a half tokens, such a skill starts at once, and then continues
in the mixture (the notebook has the figures). So a run may pass through phases. The rest of the time
it learns from `mixture`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from . import lookups

# Background of planted facts, in characters, and how often. The long ones teach looking far at a fair price.
BACKGROUND = (
    (0, 0.65),
    (300, 0.15),
    (800, 0.1),
    (1800, 0.06),
    (4000, 0.025),
    (16_000, 0.01),
    (64_000, 0.003),
)
NO_BACKGROUND = ((0, 1.0),)
LITTLE_BACKGROUND = ((0, 0.85), (300, 0.15))


@dataclass(frozen=True)
class Phase:
    sources: dict[str, float]  # how often each is drawn
    background: Sequence[tuple[int, float]] = BACKGROUND
    records: float = 0.75  # the share of requests without background that are records
    ways: Sequence[lookups.Way] = lookups.MIXED
    numbers: float = 0.25  # the share of scores whose levels are bare numbers
    together: float = 0.3  # the share of pairs with both texts in the state, under names of many kinds
    received: float = 0.0  # the share of plain texts that stand in a mail or a talk


# What stays beside a skill that starts at once, and would suffer without it.
ALONG = {
    "row": 0.3,
    "pair": 0.1,
    "composed": 0.03,
    "everyday": 0.02,
    "planted": 0.04,
    "use": 0.03,
    "assistant": 0.02,
    "alike": 0.02,
    "quantified": 0.02,
    "attitude": 0.015,
    "clause": 0.03,
    "call": 0.015,
    "extracted": 0.02,
    "event": 0.015,
    "degree": 0.015,
}

PHASES = {
    # Rows and pairs are short and of many kinds, so they also get most of the tokens.
    "mixture": Phase(
        {
            "row": 0.345,
            "pair": 0.14,
            "composed": 0.08,
            "everyday": 0.06,
            "array": 0.05,
            "request": 0.025,
            "planted": 0.12,
            "textual": 0.03,
            "use": 0.11,
            "assistant": 0.05,
            "alike": 0.05,
            "quantified": 0.03,
            "attitude": 0.015,
            "scored": 0.02,
            "event": 0.03,
            "degree": 0.025,
            "clause": 0.06,
            "call": 0.04,
            "extracted": 0.045,
            "denial": 0.12,
        },
        received=0.15,
    ),
    # Telling whose is which, in sentences: records do not begin without it.
    "rivals": Phase({"planted": 1.0}, background=NO_BACKGROUND, records=0.0),
    "records": Phase({"planted": 1.0}, background=NO_BACKGROUND),
    "flags": Phase(
        {"planted": 1.0},
        background=NO_BACKGROUND,
        records=0.9,
        ways=(*[lookups.flag] * 5, lookups.by_name, lookups.by_field, lookups.for_name),
    ),
    "everyday": Phase({"everyday": 1.0}),
    "uses": Phase({"use": 1.0}),
    "assistants": Phase({"assistant": 1.0}),
    "statements": Phase(
        {"alike": 0.3, "quantified": 0.25, "attitude": 0.15, "planted": 0.2, "textual": 0.1},
        background=((0, 0.8), (300, 0.2)),
    ),
    "duplicates": Phase({"alike": 0.6, "pair": 0.4}),
    "extracted": Phase({"extracted": 1.0}),
    "events": Phase({"event": 1.0}),
    "degrees": Phase({"degree": 0.7, "event": 0.3}),
    "clauses": Phase({"clause": 1.0}),
    "calls": Phase({"call": 1.0}),
    "denials": Phase({**ALONG, "denial": 0.35}, background=LITTLE_BACKGROUND, received=0.3),
    "logs": Phase({**ALONG, "event": 0.25, "denial": 0.1}, background=LITTLE_BACKGROUND, received=0.15),
    # Skills that were begun in succession, now together and along with what was there before.
    "judgements": Phase(
        {
            "row": 0.18,
            "pair": 0.1,
            "composed": 0.08,
            "planted": 0.07,
            "array": 0.04,
            "alike": 0.04,
            "quantified": 0.03,
            "clause": 0.2,
            "call": 0.09,
            "degree": 0.06,
            "event": 0.06,
            "extracted": 0.05,
        }
    ),
    # Every skill that has to be begun, for a run that starts from the base.
    "skills": Phase(
        {
            "row": 0.2,
            "pair": 0.1,
            "composed": 0.06,
            "use": 0.09,
            "planted": 0.17,
            "array": 0.04,
            "alike": 0.03,
            "quantified": 0.03,
            "clause": 0.1,
            "call": 0.08,
            "event": 0.05,
            "degree": 0.03,
            "extracted": 0.06,
        },
        background=LITTLE_BACKGROUND,
        records=0.8,
    ),
    "scales": Phase({"scored": 0.7, "everyday": 0.3}, numbers=0.7),
    "texts together": Phase({"pair": 1.0}, together=0.7),
}
