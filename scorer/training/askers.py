"""Two ways to have questions answered: a checkpoint in this process, or a running service."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from . import checkpoint
from .model import Decider
from .predict import WORKERS, predict
from .render import render
from .temperature import Temperatures, tempered
from .tokenizer import Tokenizer

State, Question = object, dict
Answers = list[np.ndarray]  # for each question, one probability an option, in the order asked
Asker = Callable[[list[tuple[State, list[Question]]]], list[Answers]]

ANY_SNAPSHOT = "decider-1"  # whichever the service answers with by itself
PARALLEL_REQUESTS = 8
ATTEMPTS = 6
TIMEOUT_SECONDS = 300  # a calibration is one request


def of_checkpoint(path: Path, tokenizer: Tokenizer) -> Asker:
    model, metadata = checkpoint.load(path)
    return of_model(model, metadata["temperatures"], tokenizer)


def of_model(
    model: Decider,
    temperatures: Temperatures,
    tokenizer: Tokenizer,
    threads: int = WORKERS,
) -> Asker:
    def ask(requests: list[tuple[State, list[Question]]]) -> list[Answers]:
        rendered = [render(state, questions, tokenizer) for state, questions in requests]
        answers = predict(model, rendered, threads)
        return [
            [tempered(logits, temperatures, q["type"]) for q, logits in zip(questions, row)]
            for (_, questions), row in zip(requests, answers)
        ]

    return ask


def of_service(base: str, key: str, snapshot: str) -> Asker:
    def one(request: tuple[State, list[Question]]) -> Answers:
        state, questions = request
        named = {f"q{n}": request_form(q) for n, q in enumerate(questions)}
        asked = {"model": snapshot, "state": state, "questions": named}
        answers = post(base, "decisions", key, asked)["answers"]
        return [probabilities_in(answers[f"q{n}"], q) for n, q in enumerate(questions)]

    def ask(requests: list[tuple[State, list[Question]]]) -> list[Answers]:
        with ThreadPoolExecutor(PARALLEL_REQUESTS) as pool:
            return list(pool.map(one, requests))

    return ask


def singly(ask: Asker, asked: Iterable[tuple[State, Question]]) -> list[np.ndarray]:
    """The answers if every question is a request of its own."""
    return [answers[0] for answers in ask([(state, [question]) for state, question in asked])]


def request_form(question: Question) -> dict:
    return {name: value for name, value in question.items() if value is not None}


def probabilities_in(answer: dict, question: Question) -> np.ndarray:
    found = answer["probabilities"]
    if question["type"] == "choice":
        return np.array([found[option] for option in question["criteria"]])
    if question["type"] == "score":
        return np.array([found[str(level)] for level in range(len(question["criteria"]))])
    return np.array([found["true"], found["false"]])


def post(base: str, what: str, key: str, body: dict) -> dict:
    """Waits and tries again if the service asks for it (429, 503)."""
    url = f"{base.rstrip('/')}/v1/{what}"
    request = urllib.request.Request(
        url,
        json.dumps(body, ensure_ascii=False).encode(),
        {"authorization": f"Bearer {key}", "content-type": "application/json"},
    )
    for attempt in range(ATTEMPTS):
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == ATTEMPTS - 1:
                raise SystemExit(f"{url} answered {error.code}: {error.read().decode()}") from None
            time.sleep(float(error.headers.get("retry-after") or 2**attempt))
        except OSError as error:
            raise SystemExit(f"{url} cannot be reached: {getattr(error, 'reason', error)}") from None
    raise AssertionError("unreachable")
