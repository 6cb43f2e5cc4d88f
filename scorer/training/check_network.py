"""Self-checks of the network and of training it: `python -m scorer.training.check` runs them."""

import contextlib
import tempfile
from pathlib import Path
from random import Random
from unittest import mock

import numpy as np
import torch

from . import checkpoint, objective, schedule, temperature
from .batch import collate
from .batched import PADDING_LOGIT, logits, logits_and_cosines
from .check_texts import PIECES, TOKENIZER, request
from .learner import Learner
from .metrics import Answer, calibration_errors, figures
from .model import Decider
from .predict import grouped, softmax
from .render import Rendered, render
from .requests import random_request
from .restore import as_served


def batch_agrees_with_reference() -> None:
    for seed in range(3):
        model, random = _model(), Random(seed)
        requests = [render(*request(random), TOKENIZER) for _ in range(3)] + [_long_request(seed)]
        with torch.no_grad():
            rows = logits(model, collate(requests, [[0] * len(r.questions) for r in requests]))
            expected = [answer for r in requests for answer in model(r)]
        for row, answer in zip(rows, expected):
            assert (row[: len(answer)] - answer).abs().max() < 1e-4


def a_gradient_that_is_no_number_is_not_learned_from() -> None:
    """The weights stay as they are, so that the last checkpoint is one to go on from."""
    model = _model()
    learner = Learner(model, 1e-4, 5.0, threads=1, exact=True)
    asked = render("a", [{"type": "noul", "instructions": "b", "criteria": None}], TOKENIZER)
    before = {name: weights.clone() for name, weights in model.state_dict().items()}
    with mock.patch("scorer.training.learner.losses", lambda out, *_: out.sum(-1) * float("nan")):
        try:
            learner.step([collate([asked], [[0]])], 1.0)
        except RuntimeError as refused:
            assert "non-finite" in str(refused)
    assert all(weights.equal(before[name]) for name, weights in model.state_dict().items())


def what_is_learned_is_answered() -> None:
    """And every weight has a part in it."""
    criteria = {"b": None, "row": "ab"}
    asked = render("red", [{"type": "choice", "instructions": "a", "criteria": criteria}], TOKENIZER)
    model = _model()
    learner = Learner(model, 1e-3, 2.0, threads=1, exact=True)
    before = {name: weights.clone() for name, weights in model.state_dict().items()}
    first, *_, last = (learner.step([collate([asked], [[1]])], 1.0)[0] for _ in range(12))
    assert last < first / 2, (first, last)
    still = [name for name, weights in model.state_dict().items() if weights.equal(before[name])]
    assert still == [], still


def a_question_in_parts_learns_as_a_whole() -> None:
    """With many options, logits and gradients are those of a request read in one piece."""
    options = {f"{PIECES[n % 9]} {n}": "row " * (n % 4) or None for n in range(40)}
    questions = [
        {"type": "choice", "instructions": "red row a b", "criteria": options},
        {"type": "noul", "instructions": "row", "criteria": None},
    ]
    requests = [render("ab row " * 9, questions, TOKENIZER), render("a", questions[:1], TOKENIZER)]
    batch = collate(requests, [[0] * len(r.questions) for r in requests])
    assert len(batch.packed.copies) and batch.packed.width < 100 < len(requests[0].questions[0].ids)
    weighed = lambda answers: sum((answer * torch.arange(len(answer)).cos()).sum() for answer in answers)
    gradients = []
    for read in (
        lambda model: [row[row > PADDING_LOGIT / 2] for row in logits(model, batch)],
        lambda model: [answer for r in requests for answer in model(r)],
    ):
        model = _model()
        weighed(read(model)).backward()
        gradients.append(
            {
                name: parameter.grad.to_dense()
                for name, parameter in model.named_parameters()
                if parameter.grad is not None
            }
        )
    batched, whole = gradients
    assert batched.keys() == whole.keys()
    for name, gradient in whole.items():
        assert torch.allclose(batched[name], gradient, rtol=1e-3, atol=1e-4 * float(gradient.abs().max())), (
            name
        )


def everything_follows_the_model_to_its_device() -> None:
    """On `meta` nothing is computed, but tensors of two devices are refused as on a GPU. Autocasting does
    not know that device."""
    question = {"type": "choice", "instructions": "row `text`", "criteria": {"red": None, "green": "a b"}}
    requests = [render({"text": "ab " * 300}, [question], TOKENIZER), render("a", [question], TOKENIZER)]
    batch = collate(requests, [[0], [1]])
    assert batch.focus is not None
    model, there = Decider().to("meta"), batch.to(torch.device("meta"))
    with mock.patch.object(torch, "autocast", lambda *_, **__: contextlib.nullcontext()):
        out, cosines = logits_and_cosines(model, there)
    loss = objective.losses(out, there.gold, there.is_score, there.option_counts) + objective.cosine_losses(
        cosines, there.gold, there.is_choice
    )
    loss.sum().backward()
    assert model.head.weight.grad.device.type == "meta"


def neither_company_nor_order_matters() -> None:
    model = _model()
    question = {
        "type": "choice",
        "instructions": "row",
        "criteria": {"red": None, "green": "a b", "blue": None},
    }
    turned = {**question, "criteria": dict(reversed(question["criteria"].items()))}
    other = {"type": "score", "instructions": None, "criteria": ["a", "b c"]}
    state = {"text": "ab " * 300}
    with torch.no_grad():
        (alone,) = model(render(state, [question], TOKENIZER))
        _, among = model(render(state, [other, question], TOKENIZER))
        (back,) = model(render(state, [turned], TOKENIZER))
    assert torch.equal(alone, among)
    assert torch.allclose(alone, back.flip(0), atol=1e-5)


def loss_and_schedule_behave() -> None:
    sure = torch.tensor([[9.0, -9.0, -9.0], [-9.0, 9.0, -9.0], [-9.0, -9.0, 9.0]])
    loss = objective.losses(sure, torch.tensor([0, 0, 0]), torch.tensor([True] * 3), torch.tensor([3] * 3))
    assert loss[0] < 1e-3 and loss[0] < loss[1] < loss[2], "a score is wrong by its distance"
    assert schedule.rate(0, 0) < 0.03 and schedule.rate(10**7, 0) == 1
    assert schedule.rate(10**7, 0.5) == 0.5 and schedule.rate(10**7, 1) == 0
    assert schedule.pull(10, 0.005) == 0.005 and schedule.pull(500, 0.005) == 2e-3


def temperature_is_found_again() -> None:
    random = np.random.default_rng(0)
    scored = []
    for _ in range(3000):
        true = random.normal(size=4)
        gold = random.choice(4, p=softmax(true))
        scored.append(("task", (true * 2.5, int(gold))))
    found = temperature.fit({"choice": scored})["choice"]
    assert abs(found["3-4"] - 2.5) < 0.25, found
    assert [temperature.bucket(n) for n in (1, 2, 3, 4, 5, 64, 65)] == [
        "2",
        "2",
        "3-4",
        "3-4",
        "5-8",
        "17-64",
        "65+",
    ]


def figures_are_right() -> None:
    answers = [Answer(np.array([0.75, 0.25]), gold) for gold in (0, 0, 0, 1)]
    found = figures(answers)
    assert found.accuracy == 0.75 and abs(found.calibration_error) < 1e-9 and abs(found.lift - 0.5) < 1e-9
    assert abs(found.brier - (3 * 0.125 + 1.125) / 4) < 1e-9
    wrong = [Answer(np.array([0.75, 0.25]), 1)] * 2
    assert calibration_errors([answers, wrong]) == {"tasks": 0.375, "together": 0.25}


def groups_keep_to_their_budget() -> None:
    assert grouped([2, 0, 1], [5, 5, 20], 10) == [[2], [0, 1]]


def checkpoints_come_back() -> None:
    model = _model()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.safetensors"
        checkpoint.save(model, path, {"tokens": 7})
        again, metadata = checkpoint.load(path)
    assert metadata == {"tokens": 7}
    assert all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values()))


def snapshots_come_back() -> None:
    """As close as the arithmetic they are exported for allows."""
    model = _model()
    for arithmetic, close in (("int8", 0.1), ("float32", 0.001)):
        again, random = as_served(model, Decider(), arithmetic), Random(4)
        with torch.no_grad():
            for _ in range(5):
                request = random_request(random)
                for ours, theirs in zip(model(request), again(request)):
                    assert torch.allclose(ours, theirs, atol=close), (arithmetic, ours, theirs)


def _model() -> Decider:
    torch.manual_seed(0)
    model = Decider()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.normal_(0, 0.05)
    return model


def _long_request(seed: int) -> Rendered:
    """Its instruction, an option, or both are longer than a block."""
    told, options = (("row " * 300, (3, 2)), ("row ab", (2, 600, 1)), ("ab " * 520, (300, 1, 257)))[seed]
    criteria = {f"{PIECES[n]} {n}": "blue " * words for n, words in enumerate(options)}
    question = {"type": "choice", "instructions": told, "criteria": criteria}
    noul = {"type": "noul", "instructions": told, "criteria": {"true": "red " * 280}}
    return render("ab row", [question, noul], TOKENIZER)


CHECKS = (
    batch_agrees_with_reference,
    a_gradient_that_is_no_number_is_not_learned_from,
    what_is_learned_is_answered,
    a_question_in_parts_learns_as_a_whole,
    everything_follows_the_model_to_its_device,
    neither_company_nor_order_matters,
    loss_and_schedule_behave,
    temperature_is_found_again,
    figures_are_right,
    groups_keep_to_their_budget,
    checkpoints_come_back,
    snapshots_come_back,
)
