"""Self-checks of what a snapshot learns from somebody's labels:
`python -m scorer.training.check` runs them."""

import contextlib
import copy
import hashlib
import io
import json
import tempfile
from datetime import date
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import torch

from . import checkpoint, tune
from .askers import of_model
from .check_runs import called, refusal
from .examples import Example, divided, read
from .export import export
from .graphs import served_plan, write_graphs
from .labelled import labelled
from .model import Decider
from .paths import locate
from .predict import predict
from .render import text_of
from .restore import described, restore
from .tokenizer import Tokenizer

PIECES = [f"[unused{i}]" for i in range(1000)] + ["a", "##a", "b", "##b"]
TOKENIZER = Tokenizer(PIECES)

QUESTION = {
    "type": "choice",
    "instructions": "Which?",
    "criteria": {"a": "secret one", "b": None},
    "label": "b",
}
FAULTS = (
    ("no JSON", "{secret"),
    ("a state, and questions", json.dumps({"state": "secret"})),
    ("questions by their id", json.dumps({"state": "secret", "questions": [QUESTION]})),
    (
        "not their aliases",
        json.dumps(
            {"state": "", "questions": {"q": {"type": "choice", "options": ["secret"], "label": "secret"}}}
        ),
    ),
    ("no JSON", '{"state": NaN, "questions": "secret"}'),
    ("nested too deeply", "[" * 200_000),
    ("a key stands twice", '{"state": "a", "questions": {"secret": 1, "secret": 2}}'),
    (
        "more than 128 questions",
        json.dumps({"state": "", "questions": {f"secret {n}": QUESTION for n in range(129)}}),
    ),
    (
        "more than 1024 options",
        json.dumps(
            {
                "state": "",
                "questions": {
                    "q": {**QUESTION, "criteria": {f"{n}": "secret" for n in range(1025)}, "label": "0"}
                },
            }
        ),
    ),
    (
        "more than 10 levels",
        json.dumps(
            {"state": "", "questions": {"q": {"type": "score", "criteria": ["secret"] * 11, "label": 0}}}
        ),
    ),
    (
        "instructions are a text",
        json.dumps({"state": "", "questions": {"q": {**QUESTION, "instructions": True}}}),
    ),
    ("half of a surrogate pair", json.dumps({"state": "\ud800", "questions": {"q": QUESTION}})),
    (
        "criteria of that type",
        json.dumps({"state": "", "questions": {"q": {**QUESTION, "criteria": ["secret"]}}}),
    ),
    ("an option's key", json.dumps({"state": "", "questions": {"q": {**QUESTION, "label": "secret"}}})),
    (
        "a level's index",
        json.dumps(
            {"state": "", "questions": {"q": {"type": "score", "criteria": ["secret", "b"], "label": True}}}
        ),
    ),
    (
        "true or false",
        json.dumps({"state": "", "questions": {"q": {"type": "noul", "instructions": "secret", "label": 1}}}),
    ),
)


def a_faulty_example_is_told() -> None:
    """By its line and the rule, without a word of what it says."""
    good = json.dumps({"state": "x", "questions": {"q": QUESTION}})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "examples.jsonl"
        for rule, line in FAULTS:
            path.write_text(f"{good}\n{line}\n", encoding="utf-8")
            told = refusal(lambda: read(path))
            assert "line 2: " in told and rule in told and "secret" not in told, told
        path.write_bytes(f"{good}\n".encode("utf-16"))
        assert "is not UTF-8" in refusal(lambda: read(path))


def lines_are_those_of_the_file() -> None:
    """A line ends only where JSON Lines do, and an empty one counts but says nothing."""
    line = json.dumps({"state": "a\u2028b\x85c", "questions": {"q": QUESTION}}, ensure_ascii=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "examples.jsonl"
        path.write_text(f"\ufeff{line}\r\n\r\n{line}\r\n", encoding="utf-8")
        assert [e.line for e in read(path)] == [line, line]


def a_level_may_be_written_as_a_decimal() -> None:
    """As the service reads it: 1.0 is 1, and 0.5 is no level."""
    line = lambda label: json.dumps(
        {"state": "x", "questions": {"q": {"type": "score", "criteria": ["a", "b"], "label": label}}}
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "examples.jsonl"
        path.write_text(f"{line(1)}\n{line(1.0)}\n", encoding="utf-8")
        assert [(gold, type(gold)) for e in read(path) for _, gold in e.asked.values()] == [(1, int)] * 2
        path.write_text(line(0.5), encoding="utf-8")
        assert "a level's index" in refusal(lambda: read(path))


def numbers_are_read_digit_by_digit() -> None:
    """As the service reads them, so that what is learned is what will be asked."""
    state = '{"price":12.50,"share":0.00001,"of":[-0,1E5,1e400,%s]}' % ("9" * 5000)
    line = (
        '{"state": %s, "questions": {"q": {"type": "noul", "instructions": {"above": 1.0}, "label": true}}}'
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "examples.jsonl"
        path.write_text(line % state, encoding="utf-8")
        (example,) = read(path)
    assert text_of(example.state) == state
    assert text_of(example.asked["q"][0]["instructions"]) == '{"above":1.0}'
    start, end = locate(example.state, ["of", 1])
    assert state[start:end] == "1E5"


def what_is_kept_is_not_learned() -> None:
    """States that differ only in what the model does not read are on one side."""
    states = [state for n in range(1, 41) for state in ("ab" * n, "AB" * n, f" {'áb' * n}")]
    examples = [Example(str(n), state, {"q": labelled(QUESTION)}) for n, state in enumerate(states)]
    learned, kept = divided(examples, TOKENIZER, 0.25, seed=0)
    lengths = lambda side: {len(e.state.strip()) for e in side}
    assert len(learned) == 90 and len(kept) == 30 and not lengths(learned) & lengths(kept)
    assert sorted(e.line for e in learned + kept) == sorted(e.line for e in examples)


def labels_are_learned() -> None:
    """Of each type of question, and whichever way they are given: a model that
    knew the answers before would fail the other way."""
    for swapped in (False, True):
        examples = [_example(n, swapped) for n in range(32)]
        model = _model()
        tune.tune(model, examples[:16], TOKENIZER, epochs=10, threads=1)
        for name, found in tune.judged(of_model(model, {}, TOKENIZER, threads=1), examples[16:]).items():
            assert found.accuracy == 1, (name, swapped, found)


def what_is_learned_survives_the_export() -> None:
    """Beginning with what was published: were its 8-bit weights trained as
    well, rounding would take half of it or more."""
    begun = _published(_model())
    examples = [_example(n, False) for n in range(16)]
    tuned = copy.deepcopy(begun)
    tune.tune(tuned, examples, TOKENIZER, epochs=1, threads=1)
    requests = tune.rendered(examples, TOKENIZER)
    before, learned, served = (
        np.concatenate([logits for answers in predict(model, requests, threads=1) for logits in answers])
        for model in (begun, tuned, _published(tuned))
    )
    kept, lost = np.linalg.norm(learned - before), np.linalg.norm(served - learned)
    assert lost < 0.01 * kept, (lost, kept)


def _model() -> Decider:
    torch.manual_seed(0)
    return Decider()


def _published(model: Decider) -> Decider:
    """What the served integers make of it."""
    with tempfile.TemporaryDirectory() as folder:
        write_graphs(served_plan(model), Path(folder))
        return restore(Path(folder), _model())


def a_snapshot_becomes_another() -> None:
    """Other weights under an id of their own, next to the lines that were not
    learned. Nothing that is there is written over."""
    lines = [_line(n) for n in range(8)]
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        folder = Path(name)
        base, begun, to, examples, kept = (
            folder / part for part in ("base", "begun", "mine", "examples.jsonl", "kept.jsonl")
        )
        base.mkdir()
        (base / "vocab.txt").write_text("\n".join(PIECES), encoding="utf-8")
        examples.write_text("\n".join(lines), encoding="utf-8")
        checkpoint.save(_model(), folder / "begun.safetensors", {"tokens": 7})
        export(folder / "begun.safetensors", base / "vocab.txt", begun, "int8", date(2026, 1, 1))
        given = lambda to, kept: (
            str(begun),
            "--base",
            str(base),
            "--examples",
            str(examples),
            "--kept",
            str(kept),
            "--to",
            str(to),
            "--epochs",
            "1",
            "--threads",
            "1",
        )
        with (
            patch.object(checkpoint, "from_base", lambda _: _model()),
            patch.object(tune, "PARITY_REQUESTS", 2),
        ):
            with patch.object(tune, "export", side_effect=SystemExit("no space left")):
                assert "no space" in refusal(lambda: called(tune, *given(to, kept)))
            assert not kept.exists(), "the command can be repeated"
            with patch.object(tune, "export", lambda *of: kept.exists() and export(*of)):
                called(tune, *given(to, kept))
        before, after = (
            json.loads((snapshot / "snapshot.json").read_text(encoding="utf-8")) for snapshot in (begun, to)
        )
        assert (after["id"], after["training"]["tuned_from"]) == ("mine", "begun") and after["training"][
            "tokens"
        ] > 7
        same = lambda file: after["files"][file] == before["files"][file]
        assert same("tokenizer.json") and not same("weights.bin")
        assert after["temperatures"] == before["temperatures"]
        back = kept.read_text(encoding="utf-8").splitlines()
        assert len(back) == 4 and set(back) < set(lines)
        for taken in (
            given(to, folder / "other.jsonl"),
            given(folder / "other", kept),
            given(folder / "other", examples),
        ):
            assert "there already" in refusal(partial(called, tune, *taken))
        wrong = lambda *more: refusal(
            lambda: called(tune, *given(folder / "other", folder / "other.jsonl"), *more)
        )
        assert (
            "--keep" in wrong("--keep", "50")
            and "--threads" in wrong("--threads", "0")
            and "not there" in wrong("--base", str(folder / "none"))
        )
        examples.write_text(f"{lines[0]}\n" * 400, encoding="utf-8")
        assert "too few different states" in wrong()
        assert "cannot be read" in wrong("--examples", str(folder / "none.jsonl"))
        assert "a snapshot's id" in refusal(
            lambda: called(tune, *given(folder / "my tickets", folder / "other.jsonl"))
        )


def what_is_begun_with_is_whole() -> None:
    """A snapshot with a file that is damaged or missing is not taught, and neither is one on another base."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        assert "snapshot.json cannot be read" in refusal(lambda: described(folder))
        for faulty in ("{", "[]", '{"files": []}'):
            (folder / "snapshot.json").write_text(faulty, encoding="utf-8")
            assert "describes no snapshot" in refusal(lambda: described(folder)), faulty
        listed = {"files": {"weights.bin": hashlib.sha256(b"whole").hexdigest()}}
        (folder / "snapshot.json").write_text(json.dumps(listed), encoding="utf-8")
        assert "weights.bin cannot be read" in refusal(lambda: described(folder))
        (folder / "weights.bin").write_bytes(b"who")
        assert "weights.bin does not belong" in refusal(lambda: described(folder))
        (folder / "weights.bin").write_bytes(b"whole")
        assert described(folder) == listed
        assert "model.safetensors cannot be read" in refusal(lambda: checkpoint.from_base(folder))
        (folder / "model.safetensors").touch()
        assert "SHA-256" in refusal(lambda: checkpoint.from_base(folder))
        for missing in (folder / "none.safetensors", folder):
            assert f"{missing} cannot be read" in refusal(partial(checkpoint.load, missing))


def _line(n: int) -> str:
    return json.dumps({"state": "ab" * (n + 1), "questions": {"q": QUESTION}})


def _example(n: int, swapped: bool) -> Example:
    """A text of one letter, which decides."""
    second = (n % 2 == 1) != swapped
    told = (
        {"type": "choice", "criteria": {"ab": None, "ba": None}, "label": ("ab", "ba")[second]},
        {"type": "noul", "instructions": "ab", "label": second},
        {"type": "score", "criteria": ["ab", "ba"], "label": int(second)},
    )
    return Example(
        str(n),
        " ".join("ab"[n % 2] for _ in range(n // 2 + 1)),
        {question["type"]: labelled(question) for question in told},
    )


CHECKS = (
    a_faulty_example_is_told,
    lines_are_those_of_the_file,
    a_level_may_be_written_as_a_decimal,
    numbers_are_read_digit_by_digit,
    what_is_kept_is_not_learned,
    labels_are_learned,
    what_is_learned_survives_the_export,
    a_snapshot_becomes_another,
    what_is_begun_with_is_whole,
)
