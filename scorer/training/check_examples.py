"""Self-checks of the examples that somebody brings: `python -m scorer.training.check` runs them."""

import json
import tempfile
from functools import partial
from pathlib import Path

from .called import refusal
from .examples import Example, divided, read
from .labelled import labelled
from .paths import locate
from .render import text_of
from .tokenizer import Tokenizer

PIECES = [f"[unused{i}]" for i in range(1000)] + ["a", "##a", "b", "##b"]
TOKENIZER = Tokenizer(PIECES)

QUESTION = {
    "type": "choice",
    "instructions": "Which?",
    "criteria": {"a": "secret one", "b": None},
    "label": "b",
}


def line_of(question: object, state: object = "") -> str:
    return json.dumps({"state": state, "questions": {"q": question}})


FAULTS = (
    ("no JSON", "{secret"),
    ("a state, and questions", json.dumps({"state": "secret"})),
    ("questions by their id", json.dumps({"state": "secret", "questions": [QUESTION]})),
    ("not their aliases", line_of({"type": "choice", "options": ["secret"], "label": "secret"})),
    ("no JSON", '{"state": NaN, "questions": "secret"}'),
    ("nested too deeply", "[" * 200_000),
    ("a key stands twice", '{"state": "a", "questions": {"secret": 1, "secret": 2}}'),
    (
        "more than 128 questions",
        json.dumps({"state": "", "questions": {f"secret {n}": QUESTION for n in range(129)}}),
    ),
    (
        "more than 1024 options",
        line_of({**QUESTION, "criteria": {f"{n}": "secret" for n in range(1025)}, "label": "0"}),
    ),
    ("more than 10 levels", line_of({"type": "score", "criteria": ["secret"] * 11, "label": 0})),
    ("instructions are a text", line_of({**QUESTION, "instructions": True})),
    ("half of a surrogate pair", line_of(QUESTION, "\ud800")),
    ("criteria of that type", line_of({**QUESTION, "criteria": ["secret"]})),
    ("an option's key", line_of({**QUESTION, "label": "secret"})),
    ("a level's index", line_of({"type": "score", "criteria": ["secret", "b"], "label": True})),
    ("true or false", line_of({"type": "noul", "instructions": "secret", "label": 1})),
)


def a_faulty_example_is_told() -> None:
    """By its line and the rule, without a word of what it says."""
    good = line_of(QUESTION)
    for rule, line in FAULTS:
        told = refusal(partial(_read, f"{good}\n{line}\n"))
        assert "line 2: " in told and rule in told and "secret" not in told, told
    assert "is not UTF-8" in refusal(lambda: _read(good, "utf-16"))


def lines_are_those_of_the_file() -> None:
    """A line ends only where JSON Lines do, and an empty one counts but says nothing."""
    line = json.dumps({"state": "a\u2028b\x85c", "questions": {"q": QUESTION}}, ensure_ascii=False)
    assert [e.line for e in _read(f"\ufeff{line}\r\n\r\n{line}\r\n")] == [line, line]


def a_level_may_be_written_as_a_decimal() -> None:
    """As the service reads it: 1.0 is 1, and 0.5 is no level."""
    line = lambda label: line_of({"type": "score", "criteria": ["a", "b"], "label": label})
    found = _read(f"{line(1)}\n{line(1.0)}\n")
    assert [(gold, type(gold)) for e in found for _, gold in e.asked.values()] == [(1, int)] * 2
    assert "a level's index" in refusal(lambda: _read(line(0.5)))


def numbers_are_read_digit_by_digit() -> None:
    """As the service reads them, so that what is learned is what will be asked."""
    state = '{"price":12.50,"share":0.00001,"of":[-0,1E5,1e400,%s]}' % ("9" * 5000)
    line = (
        '{"state": %s, "questions": {"q": {"type": "noul", "instructions": {"above": 1.0}, "label": true}}}'
    )
    (example,) = _read(line % state)
    assert text_of(example.state) == state
    assert text_of(example.asked["q"][0]["instructions"]) == '{"above":1.0}'
    start, end = locate(example.state, ["of", 1])
    assert state[start:end] == "1E5"


def _read(content: str, encoding: str = "utf-8") -> list[Example]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "examples.jsonl"
        path.write_text(content, encoding=encoding)
        return read(path)


def what_is_kept_is_not_learned() -> None:
    """States that differ only in what the model does not read are on one side."""
    states = [state for n in range(1, 41) for state in ("ab" * n, "AB" * n, f" {'áb' * n}")]
    examples = [Example(str(n), state, {"q": labelled(QUESTION)}) for n, state in enumerate(states)]
    learned, kept = divided(examples, TOKENIZER, 0.25, seed=0)
    lengths = lambda side: {len(e.state.strip()) for e in side}
    assert len(learned) == 90 and len(kept) == 30 and not lengths(learned) & lengths(kept)
    assert sorted(e.line for e in learned + kept) == sorted(e.line for e in examples)


CHECKS = (
    a_faulty_example_is_told,
    lines_are_those_of_the_file,
    a_level_may_be_written_as_a_decimal,
    numbers_are_read_digit_by_digit,
    what_is_kept_is_not_learned,
)
