"""Somebody's own labelled examples: the file of `npm run calibrate`, what of it to learn and what to keep."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from .asked import Asked
from .compact import Number, compact, sent
from .labelled import labelled
from .render import text_of
from .tokenizer import Tokenizer

KEYS = {"type", "instructions", "criteria", "label"}
SIDES = {"true", "false"}
# The most that the service takes (../limits.ts): more could be learned, but never asked.
MOST_QUESTIONS = 128
MOST_CRITERIA = {"choice": (1024, "options"), "score": (10, "levels")}


@dataclass(frozen=True)
class Example:
    line: str
    state: object
    asked: dict[str, Asked]  # by the question's id


def read(path: Path) -> list[Example]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SystemExit(f"{path} is not UTF-8") from None
    except OSError as error:
        raise SystemExit(f"{path} cannot be read: {error.strerror}") from None
    # Not splitlines, which also splits where JSON does not: at U+2028, for one.
    return list(parsed(path, text.split("\n")))


def parsed(path: Path, lines: Iterable[str]) -> Iterator[Example]:
    """Says of a faulty line what is wrong with it, without quoting a value."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _example(line.strip())
            except ValueError as error:
                raise SystemExit(f"{path}, line {number}: {error}") from None
            except RecursionError:
                raise SystemExit(f"{path}, line {number}: nested too deeply") from None


def _example(line: str) -> Example:
    row = sent(line)
    try:
        compact(row).encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is no character") from None
    if (
        not isinstance(row, dict)
        or row.get("state") is None
        or not isinstance(row.get("questions"), dict)
        or not row["questions"]
    ):
        raise ValueError("an example has a state, and questions by their id")
    if len(row["questions"]) > MOST_QUESTIONS:
        raise ValueError(f"there are more than {MOST_QUESTIONS} questions")
    return Example(
        line, row["state"], {name: _asked(question) for name, question in row["questions"].items()}
    )


def _asked(question: object) -> Asked:
    if not isinstance(question, dict) or set(question) - KEYS:
        raise ValueError("a question has only type, instructions, criteria and label here, not their aliases")
    kind, criteria, label = question.get("type"), question.get("criteria"), question.get("label")
    if not _describes(question.get("instructions")):
        raise ValueError("instructions are a text, an object or a list")
    if (
        kind == "choice"
        and isinstance(criteria, dict)
        and criteria
        and all(map(_describes, criteria.values()))
    ):
        fits = isinstance(label, str) and label in criteria
    elif (
        kind == "score"
        and isinstance(criteria, list)
        and len(criteria) > 1
        and all(c is not None and _describes(c) for c in criteria)
    ):
        # Not only integers: a table with gaps is written with 2.0 for 2, which the service reads too.
        label = float(label.digits) if isinstance(label, Number) else None
        fits = label in range(len(criteria))
    elif kind == "noul" and (
        criteria is None
        or (isinstance(criteria, dict) and set(criteria) <= SIDES and all(map(_describes, criteria.values())))
    ):
        fits = isinstance(label, bool)
    else:
        raise ValueError("a question needs a type (choice, noul or score) and the criteria of that type")
    if kind in MOST_CRITERIA and len(criteria) > MOST_CRITERIA[kind][0]:
        raise ValueError("a {} has more than {} {}".format(kind, *MOST_CRITERIA[kind]))
    if not fits:
        raise ValueError(
            "a label is an option's key for a choice, true or false for a noul, a level's index for a score"
        )
    return labelled({**question, "label": label})


def _describes(criterion: object) -> bool:
    return criterion is None or isinstance(criterion, (str, dict, list))


def divided(
    examples: list[Example], tokenizer: Tokenizer, kept: float, seed: int
) -> tuple[list[Example], list[Example]]:
    """What to learn and what to keep. States that the model reads as one are on one side."""
    same = lambda example: tuple(tokenizer.encode(text_of(example.state)))
    states = sorted({same(example) for example in examples})
    Random(seed).shuffle(states)
    back = set(states[: round(kept * len(states))])
    return [e for e in examples if same(e) not in back], [e for e in examples if same(e) in back]
