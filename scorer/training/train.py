"""The training run: resumable at any checkpoint, for as many sessions as it takes.

    python -m scorer.training.train --corpus C --requests R --base B --run RUN [--resume]
    python -m scorer.training.train … --run BRANCH --from RUN/state.pt --decay-tokens 1e6
"""

import argparse
import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import torch

from . import checkpoint, corpus, development
from .batch import Batch, collate
from .batched import logits
from .heldout import NEVER_TRAINED_TASKS
from .mixture import Mixture
from .model import Decider
from .objective import losses
from .planted import Planter
from .predict import grouped, length
from .render import Rendered, render
from .schedule import pull, rate
from .textual import Texts
from .tokenizer import Tokenizer

POOL = 1200
BATCH_TOKENS = 1024  # small batches, one a core at a time: no waiting for the other within a step
STATE_STRATUM = 64  # tokens; within a stratum of states, requests lie by their questions
NEW_PARTS = ("head", "kind", "P.", "Q.", "gs", "beta")
GRADIENT_LIMIT = 1.0
AVERAGE_DECAY = 0.998


def steps(mixture: Mixture, tokenizer: Tokenizer, first_pool: int, tokens: int) -> Iterator[tuple[int, list[Batch]]]:
    """The batches of one step after the other, with the number of the pool they came from.
    A request longer than a batch rides along and counts as one batch."""
    number = first_pool
    while True:
        pool = list(mixture.pool(number, POOL))
        requests = [render(r.state, [q for q, _ in r.asked], tokenizer) for r in pool]
        golds = [[gold for _, gold in r.asked] for r in pool]
        lengths = [length(r) for r in requests]
        groups = grouped(sorted(range(POOL), key=lambda i: _snake(requests[i])), lengths, BATCH_TOKENS)
        Random(number).shuffle(groups)
        per_step = max(1, tokens // BATCH_TOKENS)
        for start in range(0, len(groups) - per_step + 1, per_step):
            chosen = groups[start : start + per_step]
            yield number, [collate([requests[i] for i in g], [golds[i] for i in g]) for g in chosen]
        number += 1


def _snake(request: Rendered) -> tuple[int, int]:
    """States by strata of length, questions rising and falling by turns: little padding."""
    stratum = len(request.state) // STATE_STRATUM
    asked = length(request) - len(request.state)
    return stratum, asked if stratum % 2 else -asked


class Run:
    def __init__(self, args: argparse.Namespace):
        self.args = args
        self.folder = Path(args.run)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.model = checkpoint.from_base(args.base, args.see)
        self.base = {n: p.detach().clone() for n, p in self.model.named_parameters() if not _is_new(n)}
        self.average = {n: p.detach().clone() for n, p in self.model.named_parameters()}
        self.optimizer = torch.optim.AdamW(self._groups(), lr=args.lr, betas=(0.9, 0.98), fused=True)
        self.workers = ThreadPoolExecutor(args.threads, initializer=torch.set_num_threads, initargs=(1,))
        self.tokens = self.step = self.pool = 0
        self.decay_from: int | None = None
        source = self.folder / "state.pt" if args.resume else args.branch
        if source:
            self._restore(torch.load(source, weights_only=True))
            if args.branch:
                self.decay_from = self.tokens

    def _groups(self) -> list[dict]:
        groups: dict[tuple[bool, float], list] = {}
        for name, parameter in self.model.named_parameters():
            decays = parameter.ndim > 1 and name.startswith("layers")
            groups.setdefault((_is_new(name), 0.01 if decays else 0.0), []).append(parameter)
        return [
            {"params": parameters, "weight_decay": decay, "times": self.args.new_times if new else 1.0}
            for (new, decay), parameters in groups.items()
        ]

    def _restore(self, state: dict) -> None:
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average = state["average"]
        self.tokens, self.step, self.pool = state["tokens"], state["step"], state["pool"]
        torch.set_rng_state(state["torch_rng"])

    def save(self) -> None:
        state = {
            "model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "average": self.average,
            "tokens": self.tokens, "step": self.step, "pool": self.pool + 1, "torch_rng": torch.get_rng_state(),
        }
        unfinished = self.folder / "state.pt.part"
        torch.save(state, unfinished)
        unfinished.replace(self.folder / "state.pt")
        checkpoint.save(self.averaged(), self.folder / "average.safetensors", self._about("average"))
        checkpoint.save(self.model, self.folder / "last.safetensors", self._about("last"))

    def averaged(self) -> Decider:
        model = Decider(self.model.see)
        model.load_state_dict(self.average)
        return model

    def _about(self, weights: str) -> dict:
        return {"tokens": self.tokens, "steps": self.step, "weights": weights, "temperatures": {}, "run": self.folder.name}

    def learn(self, batches: list[Batch]) -> tuple[float, float]:
        """One step. Returns the mean loss and the share of right answers."""
        factor = rate(self.tokens, self.decay_from, self.args.decay_tokens)
        for group in self.optimizer.param_groups:
            group["lr"] = self.args.lr * factor * group["times"]
        asked = sum(len(b.gold) for b in batches)
        results = list(self.workers.map(lambda batch: self._gradients(batch, asked), batches))
        total, right = (sum(parts) for parts in zip(*results))
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), GRADIENT_LIMIT)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step += 1
        self.tokens += sum(len(b.ids) for b in batches)
        self._settle(factor)
        return total, right

    def _gradients(self, batch: Batch, asked: int) -> tuple[float, float]:
        """Adds this batch's share of the step's gradients; safe beside others."""
        with torch.autocast("cpu", torch.bfloat16):
            out = logits(self.model, batch)
        loss = losses(out, batch.gold, batch.is_score, batch.option_counts).sum() / asked
        loss.backward()
        return loss.item(), (out.argmax(-1) == batch.gold).sum().item() / asked

    @torch.no_grad()
    def _settle(self, factor: float) -> None:
        """The pull towards the base, and the running average."""
        keep = min(AVERAGE_DECAY, (1 + self.step) / (10 + self.step))
        strength = pull(self.step, self.args.pull) * factor
        parameters = dict(self.model.named_parameters())
        known = [n for n in parameters if n in self.base]
        torch._foreach_lerp_([parameters[n] for n in known], [self.base[n] for n in known], strength)
        torch._foreach_lerp_([self.average[n] for n in parameters], list(parameters.values()), 1 - keep)


def _is_new(name: str) -> bool:
    return name.startswith(NEW_PARTS)


def main() -> None:
    args = _arguments()
    torch.set_num_threads(1)  # parallel over batches, not within operations: no waiting on a busy machine
    torch.manual_seed(args.seed)
    tokenizer = Tokenizer.from_file(Path(args.base) / "vocab.txt")
    data = corpus.load(Path(args.corpus), Path(args.requests))
    text = Path(args.corpus) / "text"
    mixture = Mixture(data, Texts(text), Planter(text), args.seed)
    watched = development.items(data, NEVER_TRAINED_TASKS, args.watch_rows)
    watched_requests = development.rendered(watched, tokenizer)
    run = Run(args)
    log = (run.folder / "log.jsonl").open("a")

    def report(**entry) -> None:
        line = json.dumps({"time": time.strftime("%H:%M:%S"), "tokens": run.tokens, "step": run.step, **entry})
        print(line, file=log, flush=True)
        print(line, flush=True)

    report(started=vars(args), rows=sum(map(len, data.train.values())), dropped=data.dropped)
    run.model.train()
    saved = since = time.monotonic()
    watched_times = run.tokens // args.watch_tokens
    loss = right = spent = 0.0
    counted = tokens_then = 0
    stopping: list[int] = []  # the signal that asks for a last checkpoint
    signal.signal(signal.SIGTERM, lambda number, _: stopping.append(number))
    source = steps(mixture, tokenizer, run.pool, args.step_tokens)
    while True:
        began = time.monotonic()
        run.pool, batches = next(source)
        spent += time.monotonic() - began
        step_loss, step_right = run.learn(batches)
        loss, right, counted = loss + step_loss, right + step_right, counted + 1
        if counted == args.log_steps:
            now = time.monotonic()
            report(loss=round(loss / counted, 4), right=round(right / counted, 4), per_second=round((run.tokens - tokens_then) / (now - since)) if tokens_then else None, data_share=round(spent / (now - since), 3))
            loss = right = spent = 0.0
            counted, tokens_then, since = 0, run.tokens, now
        done = stopping or run.decay_from is not None and run.tokens >= run.decay_from + args.decay_tokens or run.tokens >= args.until
        if done or time.monotonic() - saved > args.save_seconds:
            run.save()
            saved = time.monotonic()
        if stopping:
            return
        if done or run.tokens // args.watch_tokens > watched_times:
            watched_times = run.tokens // args.watch_tokens
            report(weights="average", **development.figures(run.averaged(), watched, watched_requests))
            if done:
                report(weights="last", **development.figures(run.model, watched, watched_requests))
                return
            run.model.train()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--corpus", required=True, help="folder with tasks.json, tasks/ and text/")
    add("--requests", required=True, help="folder with rows that are whole requests")
    add("--base", required=True, help="model folder of the unpacked base package")
    add("--run", required=True, help="folder for checkpoints and the log")
    add("--resume", action="store_true", help="go on from the run's own checkpoint")
    add("--from", dest="branch", help="start from another run's state.pt and decay")
    add("--decay-tokens", type=float, default=1e6)
    add("--until", type=float, default=float("inf"), help="stop at so many tokens")
    add("--see", type=int, default=3, help="the first layer whose questions see the state")
    add("--lr", type=float, default=1e-4)
    add("--new-times", type=float, default=5.0, help="learning rate of the new parts, as a multiple")
    add("--pull", type=float, default=0.005)
    add("--step-tokens", type=int, default=4096)
    add("--seed", type=int, default=0)
    add("--threads", type=int, default=2)
    add("--log-steps", type=int, default=25)
    add("--save-seconds", type=float, default=600)
    add("--watch-tokens", type=float, default=1e6)
    add("--watch-rows", type=int, default=80)
    return parser.parse_args()


if __name__ == "__main__":
    main()
