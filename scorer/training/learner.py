"""One step of learning after the other: the gradients of a step's batches, and the optimizer."""

from concurrent.futures import ThreadPoolExecutor

import torch

from .batch import Batch
from .batched import logits_and_cosines
from .model import Decider
from .objective import cosine_losses, losses

COMPARISON = ("align", "compare", "weigh", "side", "verdict")
NEW_PARTS = ("head", "kind", "gs", *COMPARISON)
GRADIENT_LIMIT = 1.0


class Learner:
    """Learns at `rate`; new parts learn `new_times` as fast as the encoder, the comparison twice that.
    `exact` computes in float32, which is faster on processors without bf16 tiles."""

    def __init__(self, model: Decider, rate: float, new_times: float, threads: int, exact: bool = False):
        self.model, self.rate, self.new_times, self.exact = model, rate, new_times, exact
        self.optimizer = torch.optim.AdamW(self._groups(), lr=rate, betas=(0.9, 0.98), fused=True)
        self.workers = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))

    def step(self, batches: list[Batch], factor: float) -> tuple[float, float]:
        """Learns from these batches at `factor` times the rate. Returns the
        mean loss and the share of right answers."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * factor * group["times"]
        asked = sum(len(b.gold) for b in batches)
        results = list(self.workers.map(lambda batch: self._gradients(batch, asked), batches))
        total, right = (sum(parts) for parts in zip(*results))
        table = self.model.tok.weight  # the optimizer wants dense gradients
        table.grad = table.grad.to_dense()
        # A gradient that is no number would make every weight one, and then every checkpoint.
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), GRADIENT_LIMIT, error_if_nonfinite=True)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return total, right

    def _groups(self) -> list[dict]:
        groups: dict[tuple[float, float], list] = {}
        for name, parameter in self.model.named_parameters():
            if not parameter.requires_grad:
                continue
            decays = parameter.ndim > 1 and name.startswith("layers")
            groups.setdefault((self._times(name), 0.01 if decays else 0.0), []).append(parameter)
        return [
            {"params": parameters, "weight_decay": decay, "times": times}
            for (times, decay), parameters in groups.items()
        ]

    def _times(self, name: str) -> float:
        """The multiple of the learning rate: one for the encoder's own weights, more for new ones."""
        return 1.0 if not is_new(name) else self.new_times * (2.0 if name.startswith(COMPARISON) else 1.0)

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
