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
from .called import called, refusal
from .check_examples import PIECES, QUESTION, TOKENIZER, line_of
from .examples import Example
from .export import export
from .labelled import labelled
from .model import VOCABULARY, Decider
from .predict import predict
from .restore import as_served, described


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
    begun = as_served(_model(), _model(), "int8")
    examples = [_example(n, False) for n in range(16)]
    tuned = copy.deepcopy(begun)
    tune.tune(tuned, examples, TOKENIZER, epochs=1, threads=1)
    requests = tune.rendered(examples, TOKENIZER)
    before, learned, served = (
        np.concatenate([logits for answers in predict(model, requests, threads=1) for logits in answers])
        for model in (begun, tuned, as_served(tuned, _model(), "int8"))
    )
    kept, lost = np.linalg.norm(learned - before), np.linalg.norm(served - learned)
    assert lost < 0.01 * kept, (lost, kept)


def _model() -> Decider:
    torch.manual_seed(0)
    return Decider()


def a_snapshot_becomes_another() -> None:
    """Other weights under an id of their own, next to the lines that were not
    learned. Nothing that is there is written over."""
    lines = [line_of(QUESTION, "ab" * (n + 1)) for n in range(8)]
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        folder = Path(name)
        base, begun, to, examples, kept = (
            folder / part for part in ("base", "begun", "mine", "examples.jsonl", "kept.jsonl")
        )
        base.mkdir()
        unused = [f"[unused{n}]" for n in range(len(PIECES), VOCABULARY)]
        (base / "vocab.txt").write_text("\n".join(PIECES + unused), encoding="utf-8")
        examples.write_text("\n".join(lines), encoding="utf-8")
        checkpoint.save(_model(), folder / "begun.safetensors", {"tokens": 7})
        export(folder / "begun.safetensors", base / "vocab.txt", begun, "int8", date(2026, 1, 1))
        begins = (begun, "--base", base, "--examples", examples, "--epochs", 1, "--threads", 1)
        given = lambda to, kept: (*begins, "--to", to, "--kept", kept)
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
        assert (after["id"], after["training"]["tuned_from"]) == ("mine", "begun")
        assert after["training"]["tokens"] > 7
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
            "--keep" in wrong("--keep", 50)
            and "--kep" in wrong("--kep", 0.67)
            and "--threads" in wrong("--threads", 0)
            and "not there" in wrong("--base", folder / "none")
        )
        vocabulary = (base / "vocab.txt").read_text(encoding="utf-8")
        (base / "vocab.txt").write_text(vocabulary + "\nanother", encoding="utf-8")
        assert "30,522" in wrong()
        (base / "vocab.txt").write_text(vocabulary, encoding="utf-8")
        examples.write_text(f"{lines[0]}\n" * 400, encoding="utf-8")
        assert "too few different states" in wrong()
        assert "cannot be read" in wrong("--examples", folder / "none.jsonl")
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
    labels_are_learned,
    what_is_learned_survives_the_export,
    a_snapshot_becomes_another,
    what_is_begun_with_is_whole,
)
