"""Logits for many requests, in batches of like length, in float32: what is served was made from that."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from .batch import collate
from .batched import logits
from .model import Decider
from .render import Rendered

BATCH_TOKENS = 2048
WORKERS = 2


def predict(model: Decider, requests: list[Rendered], threads: int = WORKERS) -> list[list[np.ndarray]]:
    """One logit an option, for each question of each request."""
    order = sorted(range(len(requests)), key=lambda i: length(requests[i]))
    out: list[list[np.ndarray]] = [[] for _ in requests]

    def answer(group: list[int]) -> None:
        batch = collate([requests[i] for i in group], [[0] * len(requests[i].questions) for i in group])
        with torch.no_grad():
            rows = iter(logits(model, batch.to(model.device)).cpu().numpy())
        for i in group:
            out[i] = [next(rows)[: len(q.openings)] for q in requests[i].questions]

    with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as workers:
        list(workers.map(answer, grouped(order, [length(r) for r in requests], BATCH_TOKENS)))
    return out


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits.astype(float) - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def length(request: Rendered) -> int:
    return len(request.state) + sum(len(q.ids) for q in request.questions)


def grouped(order: list[int], lengths: list[int], budget: int) -> list[list[int]]:
    """Groups of neighbours in `order`, each no longer than the budget.
    A request longer than that stands alone."""
    groups: list[list[int]] = []
    used = 0
    for i in order:
        if not groups or used + lengths[i] > budget:
            groups.append([])
            used = 0
        groups[-1].append(i)
        used += lengths[i]
    return groups
