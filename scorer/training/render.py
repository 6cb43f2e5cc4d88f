"""Rendering version 1: how a request becomes tokens.

    state     STATE_OPEN FORM tokens… STATE_CLOSE REST
    question  TYPE instructions… EOI EOQ, then per option: OPEN tokens… CLOSE

The number of markers is the service's billing formula, 4 + 3 per question + 2 per option, so
none may be added or left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from .compact import compact
from .paths import focused_spans
from .tokenizer import Tokenizer

RENDERING = 1
TYPE = {"choice": 1, "noul": 2, "score": 3}
END_OF_INSTRUCTIONS, END_OF_QUESTION = 4, 5
OPEN = {"choice": 6, "score": 7}
CLOSE = 8
NOUL_OPEN = (9, 10)  # the true side comes first
STATE_OPEN, STATE_CLOSE, REST = 101, 102, 14
FORM = {"text": 12, "json": 13}
BLOCK = 256


@dataclass(frozen=True)
class Question:
    type: str
    ids: list[int]
    segments: list[int]  # 0 = instructions, o = the o-th option, counted from 1
    openings: list[int]  # where each option opens
    focus: list[int]  # rows of the state that the instructions point at; empty means all of them

    @property
    def positions(self) -> list[int]:
        """Where each token stands in its block."""
        return [place % BLOCK for place in self._places()]

    @property
    def blocks(self) -> list[int]:
        """Which block of its segment each token belongs to."""
        return [place // BLOCK for place in self._places()]

    def _places(self) -> Iterator[int]:
        for _, segment in groupby(self.segments):
            yield from (place for place, _ in enumerate(segment))


@dataclass(frozen=True)
class Rendered:
    state: list[int]
    questions: list[Question]


# If these stayed escaped, their letter would be read as the first of the next word.
ESCAPE = re.compile(r"\\(.)")
SPACES = "bfnrt"


def text_of(value: object) -> str:
    """Strings as they are; everything else as compact JSON in the order
    it was sent, line breaks and tabs as spaces."""
    if isinstance(value, str):
        return value
    # As many spaces as the escape has characters, because paths point into the text.
    return ESCAPE.sub(lambda escape: "  " if escape[1] in SPACES else escape[0], compact(value))


# Between a small letter or a digit and a capital, or before the last capital of several that begins a word.
SEAM = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
NAME_WORD = re.compile("[A-Za-z0-9]+")


def option_name(key: str, tokenizer: Tokenizer) -> str:
    """The key of an option as it is read: RefundRequest as Refund_Request, but
    a word of the vocabulary (YouTube) whole."""
    parted = lambda word: word if len(tokenizer.encode(word)) == 1 else SEAM.sub("_", word)
    return NAME_WORD.sub(lambda word: parted(word[0]) if SEAM.search(word[0]) else word[0], key)


def option_texts(question: dict, name=lambda key: key) -> list[str]:
    """The text of each option, in the order asked. For a noul, the true side comes first."""
    criteria = question.get("criteria")
    if question["type"] == "choice":
        return [
            name(key) if about is None else f"{name(key)}: {text_of(about)}"
            for key, about in criteria.items()
        ]
    if question["type"] == "score":
        return [text_of(level) for level in criteria]
    sides = criteria or {}
    return [text_of(sides[side]) if sides.get(side) is not None else "" for side in ("true", "false")]


def render(state: object, questions: list[dict], tokenizer: Tokenizer) -> Rendered:
    form = "text" if isinstance(state, str) else "json"
    tokens, spans = tokenizer.encode_with_spans(text_of(state))
    rows = [STATE_OPEN, FORM[form], *tokens, STATE_CLOSE, REST]
    return Rendered(rows, [_question(q, state, spans, tokenizer) for q in questions])


def _question(question: dict, state: object, spans: list[tuple[int, int]], tokenizer: Tokenizer) -> Question:
    instructions = question.get("instructions")
    told = "" if instructions is None else text_of(instructions)
    texts = option_texts(question, lambda key: option_name(key, tokenizer))
    return assembled(
        question["type"],
        tokenizer.encode(told),
        [tokenizer.encode(text) for text in texts],
        _focus(told, state, spans),
    )


def assembled(kind: str, told: list[int], options: list[list[int]], focus: list[int]) -> Question:
    """The tokens of the instructions and of each option between their markers."""
    ids = [TYPE[kind], *told, END_OF_INSTRUCTIONS, END_OF_QUESTION]
    segments = [0] * len(ids)
    openings = []
    for o, tokens in enumerate(options):
        openings.append(len(ids))
        option = [NOUL_OPEN[o] if kind == "noul" else OPEN[kind], *tokens, CLOSE]
        ids += option
        segments += [o + 1] * len(option)
    return Question(kind, ids, segments, openings, focus)


def _focus(told: str, state: object, spans: list[tuple[int, int]]) -> list[int]:
    """The rows of the state stream that overlap a part the instructions name."""
    parts = [] if isinstance(state, str) else focused_spans(told, state)
    if not parts:
        return []
    markers_before = 2
    return [
        i + markers_before
        for i, (start, end) in enumerate(spans)
        if any(start < stop and end > first for first, stop in parts)
    ]
