"""One step of learning after the other: the gradients of a step's batches, and the optimizer."""

from concurrent.futures import ThreadPoolExecutor

import torch
from torch.nn import Parameter

from .batch import Batch
from .batched import logits_and_cosines
from .model import Decider
from .muon import Muon
from .objective import cosine_losses, losses

COMPARISON = ("align", "compare", "weigh", "side", "verdict")
NEW_PARTS = ("head", "kind", "gs", *COMPARISON)
MATRICES = (
    "qkv.weight",
    "o.weight",
    "f1.weight",
    "f2.weight",
    "align.weight",
    "compare.weight",
    "weigh.weight",
)
GRADIENT_LIMIT = 1.0


class Learner:
    """Learns at `rate`; new parts learn `new_times` as fast as the encoder. With `muon` the matrices are
    Muon's, and else everything is AdamW's, with which the comparison learns twice as fast as the other new
    parts. `exact` computes in float32, which is faster on processors without bf16 tiles."""

    def __init__(
        self,
        model: Decider,
        rate: float,
        new_times: float,
        threads: int,
        exact: bool = False,
        muon: bool = False,
    ):
        self.model, self.rate, self.new_times, self.exact = model, rate, new_times, exact
        learned = {n: p for n, p in model.named_parameters() if p.requires_grad}
        matrices = {n: p for n, p in learned.items() if muon and n.endswith(MATRICES)}
        others = {n: p for n, p in learned.items() if n not in matrices}
        self.optimizers: list[torch.optim.Optimizer] = [
            torch.optim.AdamW(
                self._groups(others, 2.0), lr=rate, betas=(0.9, 0.98), weight_decay=0.0, fused=True
            )
        ]
        if matrices:
            self.optimizers.append(Muon(self._groups(matrices, 1.0), rate))
        self.workers = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))

    def step(self, batches: list[Batch], factor: float) -> tuple[float, float]:
        """Learns from these batches at `factor` times the rate. Returns the
        mean loss and the share of right answers."""
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = self.rate * factor * group["times"]
        asked = sum(len(b.gold) for b in batches)
        results = list(self.workers.map(lambda batch: self._gradients(batch, asked), batches))
        total, right = (sum(parts) for parts in zip(*results))
        table = self.model.tok.weight  # AdamW wants dense gradients
        table.grad = table.grad.to_dense()
        # A gradient that is no number would make every weight one, and then every checkpoint.
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), GRADIENT_LIMIT, error_if_nonfinite=True)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad()
        return total, right

    def _groups(self, named: dict[str, Parameter], comparison_times: float) -> list[dict]:
        """One group for all that learn at the same multiple of the rate. A matrix of queries, keys and
        values is three, to Muon."""
        groups: dict[tuple[float, int], list[Parameter]] = {}
        for name, parameter in named.items():
            times = self.new_times if is_new(name) else 1.0
            times *= comparison_times if name.startswith(COMPARISON) else 1.0
            groups.setdefault((times, 3 if ".qkv." in name else 1), []).append(parameter)
        return [
            {"params": parameters, "times": times, "parts": parts}
            for (times, parts), parameters in groups.items()
        ]

    def _gradients(self, batch: Batch, asked: int) -> tuple[float, float]:
        """Adds this batch's share of the step's gradients. Safe to run in parallel with other batches."""
        device = self.model.device
        batch = batch.to(device)
        with torch.autocast(device.type, torch.bfloat16, enabled=not self.exact):
            out, cosines = logits_and_cosines(self.model, batch)
        loss = losses(out, batch.gold, batch.is_score, batch.option_counts) + cosine_losses(
            cosines, batch.gold, batch.is_choice
        )
        loss = loss.sum() / asked
        loss.backward()
        return loss.item(), (out.argmax(-1) == batch.gold).sum().item() / asked


def is_new(name: str) -> bool:
    return name.startswith(NEW_PARTS)
