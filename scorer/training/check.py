"""Self-checks: no corpus, no base weights, well under a minute.

python -m scorer.training.check
"""

import json
import tempfile
import time
from pathlib import Path
from random import Random

import numpy as np
import torch

from . import (
    check_baselines,
    check_requests,
    check_rows,
    check_runs,
    check_tune,
    checkpoint,
    objective,
    schedule,
    temperature,
)
from .batch import collate
from .batched import PADDING_LOGIT, logits
from .corpus import text_codes
from .graphs import served_plan, write_graphs
from .metrics import Answer, calibration_errors, figures
from .model import Decider
from .paths import focused_spans, locate, parse
from .predict import grouped, softmax
from .render import BLOCK, Rendered, option_name, render, text_of
from .requests import random_request
from .restore import restore
from .tokenizer import FIRST_BYTE, NEWLINE, Tokenizer

PIECES = 'a b c ab red green blue text row ##a ##b ##c ##s e ##e 1 2 [ ] { } " : , . ` 東'.split()
TOKENIZER = Tokenizer([f"[unused{i}]" for i in range(1000)] + PIECES)


def tokenizer_loses_nothing() -> None:
    pieces = lambda text: [TOKENIZER.vocabulary[i] for i in TOKENIZER.encode(text)]
    assert pieces("ÄB") == ["ab"], "case and marks fall away"
    assert pieces("ab[unused1]")[:3] == ["ab", "[", *pieces("unused1")[:1]], "text yields no special token"
    assert TOKENIZER.encode("a\nb")[1] == NEWLINE
    emoji = [FIRST_BYTE + byte for byte in "🙂".encode()]
    assert TOKENIZER.encode("ab🙂s") == [TOKENIZER.ids["ab"], *emoji, TOKENIZER.ids["##s"]]
    assert TOKENIZER.encode("a東b") == [TOKENIZER.ids[p] for p in ("a", "東", "b")]
    assert len(TOKENIZER.encode("z" * 250)) == 250
    for text in ("a\u200db\r\n 🙂é", "東\tab", "{}", "İ ß Σ", ""):
        ids, spans = TOKENIZER.encode_with_spans(text)
        assert ids == TOKENIZER.encode(text)
        assert all(0 <= start < end <= len(text) for start, end in spans) and spans == sorted(spans)


def paths_point_at_their_part() -> None:
    state = {"a b": [1, {"c": 'x,"y'}], "d": {"e.f": None, "g": []}, "h": "日本"}
    compact = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    for path, part in {
        "a b[1].c": 'x,"y',
        "a b[0]": 1,
        'd["e.f"]': None,
        "d.g": [],
        "h": "日本",
        "d": state["d"],
    }.items():
        start, end = locate(state, parse(path))
        assert json.loads(compact[start:end]) == part, path
    assert focused_spans("`nothing` and `a b[7]` and `d..g` and `.d`", state) == []
    assert len(focused_spans("compare `h` with `d.g`", state)) == 2
    assert text_of({"a\nb": "c\r\n\\n"}) == '{"a  b":"c    \\\\n"}' and text_of("a\n") == "a\n"
    assert focused_spans("`b`", broken := {"a": "\n\t", "b": 1}) == [
        (text_of(broken).index("1"), text_of(broken).index("1") + 1)
    ]
    for prose in (r'`["\q"]`', r'`d["\ud8"]`', "`a b[\u0660]`", "`" + "[0]" * 129 + "`"):
        assert focused_spans(prose, state) == [], prose
    assert parse(f"[{'0' * 5000}1]") == [1] and locate(state, parse(f"d.g[{'9' * 5000}]")) is None
    told = 'is `d["e.f"]` null'
    assert focused_spans(json.dumps({"what": told}), state) == focused_spans(told, state) != []


def names_are_parted_at_capitals() -> None:
    """As scorer/core/rendering/option-name.test.ts wants it."""
    tokenizer = Tokenizer(["youtube", "a", "##a"])
    for key, name in {
        "RefundRequest": "Refund_Request",
        "SheWantsAToy": "She_Wants_A_Toy",
        "HTTPServerError": "HTTP_Server_Error",
        "Tier2Support": "Tier2_Support",
        "parseURLs": "parse_URLs",
        "alarm.SetNew/FromNow": "alarm.Set_New/From_Now",
        "YouTube or TikTok": "YouTube or Tik_Tok",
        "refund_request": "refund_request",
        "größeÄnderung": "größeÄnderung",
    }.items():
        assert option_name(key, tokenizer) == name, key


def framing_is_the_bill() -> None:
    for seed in range(20):
        state, questions = _request(Random(seed))
        rendered = render(state, questions, TOKENIZER)
        options = sum(len(q.openings) for q in rendered.questions)
        markers = [
            i
            for row in (rendered.state, *(q.ids for q in rendered.questions))
            for i in row
            if i < 11 or i in (12, 13, 14, 101, 102)
        ]
        assert len(markers) == 4 + 3 * len(questions) + 2 * options


def batch_agrees_with_reference() -> None:
    for seed in range(3):
        model, random = _model(), Random(seed)
        requests = [render(*_request(random), TOKENIZER) for _ in range(3)] + [_long_request(seed)]
        with torch.no_grad():
            rows = logits(model, collate(requests, [[0] * len(r.questions) for r in requests]))
            expected = [answer for r in requests for answer in model(r)]
        for row, answer in zip(rows, expected):
            assert (row[: len(answer)] - answer).abs().max() < 1e-4


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


def focus_reaches_its_part_only() -> None:
    rendered = render(
        {"a": "red", "b": "green"},
        [{"type": "noul", "instructions": "`b` is row", "criteria": None}],
        TOKENIZER,
    )
    focused = [TOKENIZER.vocabulary[rendered.state[i]] for i in rendered.questions[0].focus]
    assert focused == ['"', "green", '"']


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
    assert grouped([2, 0, 1], [5, 5, 20], 10) == [[2], [0, 1]]
    assert text_codes({"a": ["The same, long text!"]}) == text_codes("the SAME long text")


def checkpoints_come_back() -> None:
    model = _model()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.safetensors"
        checkpoint.save(model, path, {"tokens": 7})
        again, metadata = checkpoint.load(path)
    assert metadata == {"tokens": 7}
    assert all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values()))


def snapshots_come_back() -> None:
    model = _model()
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        write_graphs(served_plan(model), Path(folder))
        again = restore(Path(folder), Decider())
        random = Random(4)
        for _ in range(5):
            request = random_request(random)
            for ours, theirs in zip(model(request), again(request)):
                assert torch.allclose(ours, theirs, atol=0.1), (ours, theirs)


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


def _request(random: Random) -> tuple[object, list[dict]]:
    words = lambda n: " ".join(random.choice(PIECES[:9]) for _ in range(n))
    state = (
        {"text": words(random.choice((3, 30, 2 * BLOCK))), "row": [words(2), {"a": words(3)}]}
        if random.random() < 0.7
        else words(9)
    )
    told = lambda: random.choice((None, words(4), "`row[1].a` " + words(2), {"about": "`row`"}))
    questions = []
    for _ in range(random.randint(1, 3)):
        kind = random.choice(("choice", "noul", "score"))
        criteria = {
            "choice": {
                f"{words(1)} {n}": random.choice((None, words(3), {"what": words(2)}))
                for n in range(random.randint(1, 6))
            },
            "noul": random.choice((None, {"true": words(2)}, {"true": words(1), "false": words(2)})),
            "score": [words(2) for _ in range(random.randint(2, 5))],
        }[kind]
        questions.append({"type": kind, "instructions": told(), "criteria": criteria})
    return state, questions


CHECKS = (
    tokenizer_loses_nothing,
    paths_point_at_their_part,
    names_are_parted_at_capitals,
    framing_is_the_bill,
    batch_agrees_with_reference,
    a_question_in_parts_learns_as_a_whole,
    neither_company_nor_order_matters,
    focus_reaches_its_part_only,
    *check_rows.CHECKS,
    *check_requests.CHECKS,
    loss_and_schedule_behave,
    temperature_is_found_again,
    figures_are_right,
    *check_baselines.CHECKS,
    checkpoints_come_back,
    *check_runs.CHECKS,
    *check_tune.CHECKS,
    snapshots_come_back,
)


def main() -> None:
    torch.set_num_threads(1)
    for check in CHECKS:
        began = time.monotonic()
        check()
        print(f"ok  {check.__name__.replace('_', ' ')}  ({time.monotonic() - began:.1f} s)")


if __name__ == "__main__":
    main()
